#!/usr/bin/env python3
"""How fast gufuncs are on the host, beside NumPy on one core and Numba on all.

    gufuncs.py BUILD [PATTERN]

BUILD has ufc and libufc.  Times are the least of several calls, in microseconds, of one thread and of
all; the ratios are a peer's time over ufc's, NumPy's over that of one thread, so 1 and more is good.
NumPy's BLAS is held to one thread.  $UFC_LEVEL and $UFC_NUM_THREADS have their usual meaning.
"""

import ctypes
import math
import os
import re
import sys
import time

for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'):
    os.environ[name] = '1'
try:
    import numpy as np
except ImportError:
    sys.exit('gufuncs.py: NumPy is missing: it makes the arrays (pip install numpy numba)')
try:
    import numba
except ImportError:
    numba = None

import host

ROUNDS = 9
HERE = os.path.dirname(os.path.abspath(__file__))


class Tensor(ctypes.Structure):
    """DLTensor."""
    _fields_ = [('data', ctypes.c_void_p), ('device_type', ctypes.c_int32), ('device_id', ctypes.c_int32),
                ('ndim', ctypes.c_int32), ('code', ctypes.c_uint8), ('bits', ctypes.c_uint8),
                ('lanes', ctypes.c_uint16), ('shape', ctypes.c_void_p), ('strides', ctypes.c_void_p),
                ('byte_offset', ctypes.c_uint64)]


def build(folder):
    """The library of workloads.uf, loaded."""
    base = os.path.join(folder, 'bench-gufuncs')
    library = host.load(folder, os.path.join(HERE, 'workloads.uf'), base)
    library.host_call_seconds.restype = ctypes.c_double
    return library


def describe(arrays):
    """Tensors of arrays, and what must live as long."""
    tensors, keep = (Tensor * len(arrays))(), []
    for t, a in zip(tensors, arrays):
        shape = (ctypes.c_int64 * max(a.ndim, 1))(*a.shape)
        strides = (ctypes.c_int64 * max(a.ndim, 1))(*(s // a.itemsize for s in a.strides))
        keep += [shape, strides, a]
        t.data, t.device_type, t.ndim = a.ctypes.data, 1, a.ndim
        t.code, t.bits, t.lanes = {'i': 0, 'u': 1, 'f': 2, 'c': 5, 'b': 6}[a.dtype.kind], 8 * a.itemsize, 1
        t.shape, t.strides = ctypes.addressof(shape), ctypes.addressof(strides)
    return tensors, keep


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def distances(x, y):
    return np.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))


# Numba's, by the names of workloads.uf: signature, layout, function.

def numba_polar(v, out):
    out[0] = np.hypot(v[0], v[1])
    out[1] = np.arctan2(v[1], v[0])


def numba_average(x, y):
    total = np.float32(0)
    for i in range(x.shape[0]):
        total += x[i]
    y[0] = total / x.shape[0]


def numba_softmax(x, y):
    top = x[0]
    for i in range(x.shape[0]):
        top = max(top, x[i])
    total = np.float32(0)
    for i in range(x.shape[0]):
        y[i] = np.exp(x[i] - top)
        total += y[i]
    for i in range(x.shape[0]):
        y[i] /= total


def numba_matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def numba_convolve(x, w, shape, y):
    n, m = x.shape[0], w.shape[0]
    for i in range(n + m - 1):
        total = 0.0
        for j in range(max(0, i - n + 1), min(m, i + 1)):
            total += x[i - j] * w[j]
        y[i] = total


def numba_convolve2d(x, w, shape, y):
    m, n = x.shape
    k, l = w.shape
    for i in range(m + k - 1):
        for j in range(n + l - 1):
            total = 0.0
            for p in range(max(0, i - m + 1), min(k, i + 1)):
                for q in range(max(0, j - n + 1), min(l, j + 1)):
                    total += x[i - p, j - q] * w[p, q]
            y[i, j] = total


def numba_distances(x, y, r):
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            total = np.float32(0)
            for k in range(x.shape[1]):
                t = x[i, k] - y[j, k]
                total += t * t
            r[i, j] = np.sqrt(total)


F, D = 'float32', 'float64'
NUMBA = {
    'polar': (F, '(n)->(n)', numba_polar),
    'average': (F, '(n)->()', numba_average),
    'softmax': (F, '(n)->(n)', numba_softmax),
    'matmul': (F, '(m,n),(n,p)->(m,p)', numba_matmul),
    'convolve': (D, '(n),(k),(s)->(s)', numba_convolve),  # Numba computes no sizes
    'convolve2d': (D, '(m,n),(k,l),(s,t)->(s,t)', numba_convolve2d),
    'distances': (F, '(n,d),(m,d)->(n,m)', numba_distances),
}
# name, shapes of the inputs and of the output, NumPy's function
WORKLOADS = [
    ('polar', [(1_000_000, 2)], (1_000_000, 2),
     lambda v: (np.hypot(v[:, 0], v[:, 1]), np.arctan2(v[:, 1], v[:, 0]))),
    *[('average', [s], s[:-1], lambda x: x.mean(-1))
      for s in ((200_000, 16), (20_000, 128), (300, 8192), (4, 1_000_000), (50_000_000,))],
    *[('softmax', [s], s, softmax) for s in ((100_000, 10), (300, 8192), (5_000_000,))],
    *[('matmul', [(c, n, n)] * 2, (c, n, n), np.matmul)
      for c, n in ((200_000, 2), (100_000, 4), (20_000, 8), (10_000, 16), (2000, 32), (200, 64), (1, 1000))],
    ('convolve', [(1_000_000,), (15,)], (1_000_014,), np.convolve),
    ('convolve2d', [(512, 512), (15, 15)], (526, 526), None),
    *[('distances', [(1000, d), (800, d)], (1000, 800), distances) for d in (3, 64)],
]


def make_numba(name):
    """None: it was not to be had."""
    if numba is None:
        return None
    dtype, layout, function = NUMBA[name]
    ranks = [1 + part.count(',') if part else 0 for part in re.findall(r'\(([^)]*)\)', layout)]
    types = ','.join(f'{dtype}[{",".join(":" * max(r, 1))}]' for r in ranks)
    return numba.guvectorize([f'void({types})'], layout, nopython=True, target='parallel')(function)


def least(function, rounds=ROUNDS):
    function()
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def measure(library, contexts, name, shapes, out_shape, numpy_function):
    dtype = NUMBA[name][0]
    rng = np.random.default_rng(1)
    inputs, out = [rng.random(s).astype(dtype) for s in shapes], np.empty(out_shape, dtype)
    tensors, keep = describe(inputs + [out])
    ufunc = ctypes.addressof(ctypes.c_char.in_dll(library, f'host_{name}_ufunc'))

    def ufc(context):
        seconds = library.host_call_seconds(context, ctypes.c_void_p(ufunc), tensors, 1)
        if seconds < 0:
            sys.exit(f'gufuncs.py: the call of {name} failed')
        return seconds
    times = {}
    for way, context in contexts.items():
        ufc(context)
        times[way] = min(ufc(context) for _ in range(ROUNDS))
    if numpy_function is not None:
        times['NumPy'] = least(lambda: numpy_function(*inputs))
    peer = make_numba(name)
    if peer is not None:
        extra = [out] if 'convolve' in name else []
        times['Numba'] = least(lambda: peer(*inputs, *extra, out))
    del keep
    return times


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    library = build(sys.argv[1])
    contexts = {}
    for way, threads in (('one', 1), ('all', 0)):
        contexts[way] = ctypes.c_void_p()
        if library.ufc_context_new(ctypes.byref(contexts[way]), b'cpu', threads, None) != 0:
            sys.exit('gufuncs.py: no context')
    if numba is None:
        print('Numba is missing: no times of it (pip install numba)')
    print(f'{"":34} {"µs: one":>9} {"all":>9} {"NumPy":>9} {"Numba":>9}   {"/ NumPy":>8} {"/ Numba":>8}')
    for name, shapes, out, function in WORKLOADS:
        text = f'{name} ' + ', '.join('x'.join(map(str, s)) for s in shapes)
        if len(sys.argv) > 2 and not re.search(sys.argv[2], text):
            continue
        t = measure(library, contexts, name, shapes, out, function)
        row = f'{text:34}'
        row += ''.join(f' {t.get(w, math.nan) * 1e6:9.0f}' for w in ('one', 'all', 'NumPy', 'Numba'))
        row += f'   {t.get("NumPy", math.nan) / t["one"]:8.2f} {t.get("Numba", math.nan) / t["all"]:8.2f}'
        print(row, flush=True)


if __name__ == '__main__':
    main()
