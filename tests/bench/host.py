#!/usr/bin/env python3
"""How fast functions are on the host, beside NumPy on one core and Numba on all.

    host.py BUILD [FUNCTION...]

BUILD has ufc and libufc.  Without functions, those that are promised to be no slower than either;
`all`: every one that NumPy has too.  Times are medians of calls over a million elements,
contiguous, in microseconds; the ratios are a peer's time over ufc's, so 1 and more is good.  $UFC_LEVEL
and $UFC_NUM_THREADS have their usual meaning.
"""

import ctypes
import os
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit('host.py: NumPy is missing: it makes the arrays (pip install numpy numba)')
try:
    import numba
except ImportError:
    numba = None

N = 1_000_000
ROUNDS = 60
CALLS, WARM = 3, 10  # of a round, timed and before it
QUIET = 0.02  # s, until the threads of the peer before no longer look for work

# name: the ranges of the arguments
PROMISED = {
    'exp': [(-10, 10)],
    'log': [(1e-3, 1e3)],
    'sin': [(-10, 10)],
    'cos': [(-10, 10)],
    'tanh': [(-4, 4)],
    'arctan2': [(-10, 10), (-10, 10)],
    'power': [(1e-2, 10), (-5, 5)],
}
OTHERS = {
    'exp2': [(-10, 10)],
    'expm1': [(-3, 3)],
    'log2': [(1e-3, 1e3)],
    'log10': [(1e-3, 1e3)],
    'log1p': [(-0.9, 10)],
    'tan': [(-10, 10)],
    'arcsin': [(-1, 1)],
    'arccos': [(-1, 1)],
    'arctan': [(-10, 10)],
    'sinh': [(-4, 4)],
    'cosh': [(-4, 4)],
    'arcsinh': [(-10, 10)],
    'arccosh': [(1, 10)],
    'arctanh': [(-0.99, 0.99)],
    'cbrt': [(-10, 10)],
    'hypot': [(-10, 10), (-10, 10)],
    'sqrt': [(0, 10)],
    'logaddexp': [(-10, 10), (-10, 10)],
    'logaddexp2': [(-10, 10), (-10, 10)],
    'sinc': [(-10, 10)],
    'fmod': [(-10, 10), (-3, 3)],
    'floor_divide': [(-10, 10), (-3, 3)],
    'remainder': [(-10, 10), (-3, 3)],
}
RANGES = {**PROMISED, **OTHERS}
OPERATORS = {'floor_divide': 'x // y', 'remainder': 'x % y'}
UFC_TYPES = {'float32': 11, 'float64': 12}


def load(folder, source, base):
    """The library of host.c and what `ufc` of the folder builds of the source."""
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.run([os.path.join(folder, 'ufc'), 'build', '--target=host', '--prefix=host', source,
                    '-o', base], check=True)
    subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-shared', '-fPIC', '-o', base + '.so',
                    '-I' + os.path.join(here, '../../runtime'), os.path.join(here, 'host.c'),
                    base + '.o', os.path.join(folder, 'libufc.a'), '-lm', '-lpthread', '-ldl'],
                   check=True)
    return ctypes.CDLL(base + '.so')


def build(folder, names):
    """The library of one ufunc a function, loaded."""
    base = os.path.join(folder, 'bench-host')
    with open(base + '.uf', 'w') as f:
        for name in names:
            args = 'x, y'[:1 + 3 * (len(RANGES[name]) - 1)]
            types = 'T, T'[:len(args)]
            body = OPERATORS.get(name, f'{name}({args})')
            f.write(f'ufunc f_{name}({args}) : T({types}) for T in float32 | float64 = {body}\n')
    library = load(folder, base + '.uf', base)
    library.host_seconds.restype = ctypes.c_double
    return library


def make_ufc(library, context, name, dtype, arrays):
    ufunc = ctypes.addressof(ctypes.c_char.in_dll(library, f'host_f_{name}_ufunc'))
    data = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))

    def seconds(calls):
        return library.host_seconds(context, ctypes.c_void_p(ufunc), UFC_TYPES[dtype],
                                    ctypes.c_int64(len(arrays[0])), data, calls)
    return seconds


def make_timed(function, arrays):
    def seconds(calls):
        begin = time.perf_counter()
        for _ in range(calls):
            function(*arrays)
        return (time.perf_counter() - begin) / calls
    return seconds


def make_numba(name, dtype, nargs):
    args = 'x, y'[:1 + 3 * (nargs - 1)]
    body = OPERATORS.get(name, f'np.{name}({args})')
    scalar = eval(f'lambda {args}: {body}', {'np': np})
    t = getattr(numba, dtype)
    try:
        return numba.vectorize([t(*[t] * nargs)], target='parallel')(scalar)
    except numba.core.errors.NumbaError:
        return None


def measure(library, context, name, dtype):
    rng = np.random.default_rng(1)
    inputs = [rng.uniform(*r, N).astype(dtype) for r in RANGES[name]]
    ways = {'ufc': make_ufc(library, context, name, dtype, inputs + [np.empty(N, dtype)])}
    if numba is not None:
        function = make_numba(name, dtype, len(inputs))
        if function is not None:
            ways['Numba'] = make_timed(function, inputs + [np.empty(N, dtype)])
    if hasattr(np, name) and name != 'sinc':
        ways['NumPy'] = make_timed(getattr(np, name), inputs + [np.empty(N, dtype)])
    times = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way, seconds in ways.items():
            time.sleep(QUIET)
            seconds(WARM)
            times[way].append(seconds(CALLS))
    if min(times['ufc']) < 0:
        sys.exit(f'host.py: the call of {name} failed')
    return {way: statistics.median(t) for way, t in times.items()}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, names = sys.argv[1], sys.argv[2:] or list(PROMISED)
    if names == ['all']:
        names = list(RANGES)
    library = build(folder, names)
    context = ctypes.c_void_p()
    if library.ufc_context_new(ctypes.byref(context), b'cpu', 0, None) != 0:
        sys.exit('host.py: no context')
    if numba is None:
        print('Numba is missing: no times of it (pip install numba)')
    print(f'{"":12} {"":8} {"µs: ufc":>9} {"NumPy":>9} {"Numba":>9}   {"/ NumPy":>8} {"/ Numba":>8}')
    for name in names:
        for dtype in UFC_TYPES:
            t = measure(library, context, name, dtype)
            row = f'{name:12} {dtype:8}'
            row += ''.join(f' {t[w] * 1e6:9.0f}' if w in t else f' {"-":>9}'
                           for w in ('ufc', 'NumPy', 'Numba'))
            row += '  ' + ''.join(f' {t[w] / t["ufc"]:8.2f}' if w in t else f' {"-":>8}'
                                  for w in ('NumPy', 'Numba'))
            print(row, flush=True)
    one = [np.ones(16, np.float32) for _ in range(3)]
    name = next((n for n in names if len(RANGES[n]) == 1), names[0])
    small = make_ufc(library, context, name, 'float32', one[:len(RANGES[name]) + 1])
    small(100_000)
    print(f'a call of {name} on 16 float32: {min(small(100_000) for _ in range(20)) * 1e9:.0f} ns')


if __name__ == '__main__':
    main()
