#!/usr/bin/env python3
"""How fast methods, casts, layouts and integers are on the host, beside NumPy, on one thread.

    host_methods.py BUILD [PATTERN]

BUILD has ufc and libufc.  Prints a line for each row whose name the pattern (a regular expression)
matches: the least time of several bursts of calls, of each in turn, in microseconds, and NumPy's time
over ufc's; at the end how these ratios are distributed, and the worst.  $UFC_LEVEL has its usual
meaning.
"""

import ctypes
import os
import re
import sys
import time

try:
    import numpy as np
except ImportError:
    sys.exit('host_methods.py: NumPy is missing: it makes the arrays (pip install numpy)')

import host
from gufuncs import describe

ROUNDS = 7
BURST = 2e-3  # s, of calls that are timed together
HERE = os.path.dirname(os.path.abspath(__file__))
CALL, REDUCE, REDUCE_ALL, ACCUMULATE, OUTER, REDUCEAT, AT = range(7)  # as in host.c
TYPES = ('bool', 'i1', 'u1', 'i2', 'i4', 'i8', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16')
rng = np.random.default_rng(1)


def numbers(dtype, *shape):
    """Elements that no operation here overflows much with, none of them 0."""
    kind = np.dtype(dtype).kind
    if kind == 'b':
        return rng.random(shape) < 0.5
    if kind == 'u':
        return rng.integers(1, 100, shape).astype(dtype)
    if kind == 'i':
        return (rng.integers(1, 100, shape) * rng.choice((-1, 1), shape)).astype(dtype)
    x = rng.uniform(0.5, 2, shape)
    return (x + 1j * rng.uniform(-1, 1, shape) if kind == 'c' else x).astype(dtype)


class Row:
    """A call of NumPy's, function(), and ufc's: the name of its ufunc, the method, its arrays."""
    def __init__(self, name, function, ufunc, method, arrays, axis=0, where=None):
        self.name, self.function, self.ufunc, self.method = name, function, ufunc, method
        self.arrays, self.axis, self.where = arrays, axis, where


def call(name, function, ufunc, inputs, dtype=None, out=None, **keywords):
    """The row of a call; the output is new, of the type, or the one given."""
    shape = np.broadcast_shapes(*(x.shape for x in inputs))
    if out is None:
        out = np.zeros(shape, dtype or inputs[-1].dtype)
    return Row(name, lambda: function(*inputs, out=out, **keywords), ufunc, CALL, [*inputs, out],
               where=keywords.get('where'))


LAYOUTS = {'': lambda d: numbers(d, 1000, 1000), ' [:,::2]': lambda d: numbers(d, 1000, 2000)[:, ::2],
           ' .T': lambda d: numbers(d, 1000, 1000).T}
REDUCED = {'add': 'bool i1 u1 i4 i8 f2 f4 f8 c8', 'multiply': 'i4 i8 f4 f8',
           'maximum': 'i1 u1 i4 i8 f2 f4 f8', 'minimum': 'i1 i4 f4 f8', 'largest': 'f4 f8', 'fmax_': 'f4 f8',
           'bitwise_and': 'bool u1 i4 i8', 'bitwise_or': 'u1 i8', 'bitwise_xor': 'u1 i4 i8',
           'logical_and': 'bool', 'logical_or': 'bool'}
PEERS = {'largest': np.maximum, 'fmax_': np.fmax}


def peer(ufunc):
    return PEERS.get(ufunc) or getattr(np, ufunc.rstrip('_'))


def reductions():
    for ufunc, dtypes in REDUCED.items():
        for d in dtypes.split():
            for layout, make in LAYOUTS.items():
                for axis in (-1, 0, None):
                    if layout and (ufunc not in ('add', 'maximum') or d not in ('u1', 'f4', 'f8')):
                        continue
                    yield reduction(ufunc, d, layout, make(d), axis)
    for shape in ((16,), (1000,), (100000, 8), (8, 100000), (100000, 3), (100, 100, 100)):
        for axis in {-1, 0, 1 if len(shape) > 2 else 0}:
            yield reduction('add', 'f4', ' ' + str(shape), numbers('f4', *shape), axis)
            yield reduction('maximum', 'f4', ' ' + str(shape), numbers('f4', *shape), axis)
    x, where = numbers('f4', 1000, 1000), rng.random((1000, 1000)) < 0.5
    out = np.zeros(1000, 'f4')
    for axis in (-1, 0):
        yield Row(f'add.reduce where f4 axis {axis}',
                  lambda axis=axis: np.add.reduce(x, axis=axis, out=out, where=where),
                  'add', REDUCE, [x, out], axis, where)


def reduction(ufunc, d, layout, x, axis):
    function = peer(ufunc)
    sample = function.reduce(x, axis=axis)
    out = np.zeros(np.shape(sample), sample.dtype)
    return Row(f'{ufunc}.reduce {d}{layout} axis {axis}',
               lambda: function.reduce(x, axis=axis, out=out, dtype=out.dtype if d != 'f2' else None),
               ufunc, REDUCE_ALL if axis is None else REDUCE, [x, out], axis or 0)


def methods():
    for ufunc, dtypes in (('add', 'i1 i4 i8 f4 f8'), ('maximum', 'i4 f4 f8'), ('multiply', 'f4'),
                          ('bitwise_xor', 'u1')):
        for d in dtypes.split():
            function, x, line = peer(ufunc), numbers(d, 1000, 1000), numbers(d, 1000000)
            same = np.zeros_like(x)
            for axis in (-1, 0):
                yield Row(f'{ufunc}.accumulate {d} axis {axis}',
                          lambda f=function, x=x, o=same, a=axis: f.accumulate(x, axis=a, out=o, dtype=x.dtype),
                          ufunc, ACCUMULATE, [x, same], axis)
            whole = np.zeros_like(line)
            yield Row(f'{ufunc}.accumulate {d} whole',
                      lambda f=function, x=line, o=whole: f.accumulate(x, out=o, dtype=x.dtype),
                      ufunc, ACCUMULATE, [line, whole])
    for d in ('i4', 'f4', 'f8'):
        x, y, line = numbers(d, 1000), numbers(d, 1000), numbers(d, 1000000)
        out = np.zeros((1000, 1000), d)
        for ufunc in ('add', 'multiply', 'maximum'):
            yield Row(f'{ufunc}.outer {d}', lambda f=peer(ufunc), x=x, y=y, o=out: f.outer(x, y, out=o), ufunc,
                      OUTER, [x, y, out])
        for each in (4, 100, 1000):
            indices = np.arange(0, 1000000, each)
            sums = np.zeros(len(indices), d)
            for ufunc in ('add', 'maximum'):
                yield Row(f'{ufunc}.reduceat {d} by {each}',
                          lambda f=peer(ufunc), x=line, i=indices, o=sums: f.reduceat(x, i, out=o, dtype=x.dtype),
                          ufunc, REDUCEAT, [line, indices, sums])
        for bins in (16, 1000, 100000):
            places, one = rng.integers(0, bins, 100000), np.ones((), d)
            sums = np.zeros(bins, d)
            for ufunc, y in (('add', one), ('add', numbers(d, 100000)), ('maximum', numbers(d, 100000))):
                yield Row(f'{ufunc}.at {d} of {bins}{"" if y.ndim else " by 1"}',
                          lambda f=peer(ufunc), s=sums, p=places, y=y: f.at(s, p, y), ufunc, AT, [sums, places, y])
        places, sums = rng.integers(0, 100, 10000), np.zeros((100, 16), d)
        y = numbers(d, 10000, 16)
        yield Row(f'add.at {d} of rows', lambda s=sums, p=places, y=y: np.add.at(s, p, y), 'add', AT, [sums, places, y])


def casts():
    for a in TYPES:
        for b in TYPES:
            if a != b and not (a[0] == 'c' and b[0] != 'c'):
                x, out = numbers(a, 1000000), np.zeros(1000000, b)
                yield Row(f'cast {a} to {b}', lambda x=x, out=out: np.copyto(out, x, casting='unsafe'), 'positive',
                          CALL, [x, out])
    for a, b in (('f4', 'f8'), ('f8', 'f4'), ('i4', 'f4'), ('u1', 'f4')):
        x = numbers(a, 2000000)[::2]
        out = np.zeros(1000000, b)
        yield Row(f'cast {a}[::2] to {b}', lambda x=x, out=out: np.copyto(out, x, casting='unsafe'), 'positive', CALL,
                  [x, out])


def arguments():
    for name in ('argmax', 'argmin'):
        for d in ('i4', 'i8', 'u1', 'f4', 'f8'):
            for shape in ((1000, 1000), (1000000,), (100000, 8), (10000, 100)):
                x, out = numbers(d, *shape), np.zeros(shape[:-1], np.int64)
                if d[0] in 'iu' and len(shape) == 1:
                    x = rng.integers(0, 120 if d == 'u1' else 1 << 30, shape).astype(d)
                yield Row(f'{name} {d} {shape}', lambda f=getattr(np, name), x=x, o=out: f(x, axis=-1, out=o),
                          name + '_', CALL, [x, out])


def layouts():
    n, shape = 1000000, (1000, 1000)
    x, y, out = numbers('f4', *shape), numbers('f4', *shape), np.zeros(shape, 'f4')
    line, line_y, line_out = x.ravel(), y.ravel(), out.ravel()
    wide, wide_y, wide_out = (np.repeat(a, 2, 1) for a in (x, y, out))
    even, even_y, even_out = (a.ravel()[::2] for a in (wide, wide_y, wide_out))
    f8, f8_y, f8_out = (a.astype('f8') for a in (wide, wide_y, wide_out))
    rgb = numbers('f4', 300000, 3)
    for name, a, b, o in (
            ('contiguous', x, y, out), ('row', x, y[0], out), ('column', x, y[:, :1], out),
            ('number', x, np.array(3, 'f4'), out), ('in place', x.copy(), y, None),
            ('[::2] of x', even, line_y, line_out), ('[::2] of x and y', even, even_y, line_out),
            ('[::2] of all', even, even_y, even_out), ('[::2] of out', line, line_y, even_out),
            ('[:, ::2] of x', wide[:, ::2], y, out), ('[::2] of rows', np.repeat(x, 2, 0)[::2], y, out),
            ('[::-1] of x', line[::-1], line_y, line_out),
            ('[::-1] of all', line[::-1], line_y[::-1], line_out[::-1]),
            ('.T of x', x.T, y, out), ('.T of x and y', x.T, y.T, out), ('.T of all', x.T, y.T, out.T),
            ('[::2] of x, f8', f8.ravel()[::2], f8_y.ravel()[:n], f8_out.ravel()[:n]),
            ('[::2] of all, f8', f8.ravel()[::2], f8_y.ravel()[::2], f8_out.ravel()[::2]),
            ('rgb by 3', rgb, rgb[0].copy(), np.zeros_like(rgb)),
            ('rgb by column', rgb, rgb[:, :1].copy(), np.zeros_like(rgb)),
            ('channels of rgb', rgb[:, 0], rgb[:, 1], np.zeros(300000, 'f4')),
            ('f4 with f8', x, f8[:, :1000], np.zeros(shape)),
            ('i4 with f8', numbers('i4', n), f8_y.ravel()[:n], np.zeros(n)),
            ('u1 with f4', numbers('u1', n), line_y, line_out)):
        yield call('add ' + name, np.add, 'add', [a, b], out=a if o is None else o)
    for size in (1, 16, 100, 1000, 10000):
        a, b = numbers('f4', size), numbers('f4', size)
        yield call(f'add f4 of {size}', np.add, 'add', [a, b])
        yield reduction('add', 'f4', f' of {size}', a, -1)
        yield call(f'add f4 of {size} with 10 x 1', np.add, 'add', [a, numbers('f4', 10, 1)])
        yield call(f'sqrt f8 of {size}', np.sqrt, 'sqrt_', [numbers('f8', size)])
        yield call(f'less f4 of {size}', np.less, 'less', [a, b], 'bool')
    for share in (0.1, 0.5, 0.9):
        yield call(f'add where {share}', np.add, 'add', [x, y], out=out, where=rng.random(shape) < share)
    runs = np.zeros(shape, bool)
    runs[:, 100:700] = True
    yield call('add where, runs', np.add, 'add', [x, y], out=out, where=runs)


TWO = {'add': 'i1 i2 i8 f2 f8 c8 c16', 'multiply': 'i1 u1 i4 i8 f2 f4 c8 c16', 'divide': 'f2 f4 f8 c8 c16',
       'floor_divide': 'i1 u1 i2 i4 i8 u8 f2 f4 f8', 'remainder': 'i1 u1 i2 i4 i8 u8 f2 f4 f8', 'power': 'i4 i8',
       'left_shift': 'i1 u1 i2 i4 i8', 'right_shift': 'i1 i2 i4 u8', 'bitwise_and': 'bool u1 i8',
       'gcd_': 'i4 i8 u1', 'maximum': 'i1 i8 f2 f4 f8', 'fmax_': 'f4 f8', 'less': 'i1 u1 i4 i8 f2 f4 f8 c8',
       'equal': 'bool i1 i4 f4 f8 c16', 'logical_and': 'bool'}
ONE = {'negative': 'i1 i8 f4 f8 c8', 'absolute': 'i1 i4 i8 f2 f4 f8 c8 c16', 'square': 'i4 f4 f8 c8 c16',
       'sqrt_': 'f2 f4 f8 c8 c16', 'exp_': 'f2 c8 c16', 'sin_': 'f2 c16', 'rint_': 'f2 f4 f8',
       'isnan_': 'f2 f4 f8', 'bitwise_count': 'i1 u1 i4 i8'}


def operations():
    n = 1000000
    for ufunc, dtypes in TWO.items():
        for d in dtypes.split():
            x, y = numbers(d, n), numbers(d, n)
            truth = 'bool' if ufunc in ('less', 'equal', 'logical_and') else None
            if ufunc in ('power', 'left_shift', 'right_shift'):
                y = np.abs(y) % 7
            yield call(f'{ufunc} {d}', peer(ufunc), ufunc, [x, y], truth)
            if ufunc in ('floor_divide', 'remainder', 'less') and d in ('i4', 'i8', 'f8'):
                yield call(f'{ufunc} {d} by a number', peer(ufunc), ufunc, [x, np.array(7, d)], truth)
    for ufunc, dtypes in ONE.items():
        for d in dtypes.split():
            x = numbers(d, n)
            result = d if ufunc == 'bitwise_count' else peer(ufunc)(x[:1]).dtype
            yield call(f'{ufunc} {d}', peer(ufunc), ufunc, [x], result)
    for d in ('f4', 'f8', 'i4', 'u1'):
        x, y, c = numbers(d, n), numbers(d, n), rng.random(n) < 0.5
        yield Row(f'select {d}', lambda c=c, x=x, y=y: np.where(c, x, y), 'select', CALL, [c, x, y, np.zeros(n, d)])
        yield call(f'clip {d}', np.clip, 'clip', [x, np.array(1, d), np.array(2, d)])


def measure(library, context, row):
    """Seconds of ufc and of NumPy."""
    tensors, keep = describe(row.arrays)
    where, keep_where = describe([] if row.where is None else [row.where])
    ufunc = ctypes.addressof(ctypes.c_char.in_dll(library, f'host_{row.ufunc}_ufunc'))

    def ufc(calls):
        return library.host_method_seconds(context, ctypes.c_void_p(ufunc), row.method, tensors,
                                           where if row.where is not None else None, row.axis, calls)
    ways = [ufc, host.make_timed(row.function, [])]
    least = [way(1) for way in ways]
    if least[0] < 0:
        sys.exit(f'host_methods.py: the call of {row.name} failed')
    for _ in range(ROUNDS):
        for i, way in enumerate(ways):
            least[i] = min(least[i], way(max(1, min(10000, int(BURST / least[i])))))
    return least


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, pattern = sys.argv[1], re.compile(sys.argv[2] if len(sys.argv) > 2 else '')
    np.seterr(all='ignore')
    library = host.load(folder, os.path.join(HERE, 'host_methods.uf'), os.path.join(folder, 'bench-host-methods'))
    library.host_method_seconds.restype = ctypes.c_double
    context = ctypes.c_void_p()
    if library.ufc_context_new(ctypes.byref(context), b'cpu', 1, None) != 0:
        sys.exit('host_methods.py: no context')
    ratios = []
    print(f'{"":36} {"µs: ufc":>9} {"NumPy":>9}   {"/ NumPy":>8}')
    for make in (reductions, methods, casts, arguments, layouts, operations):
        for row in make():
            if pattern.search(row.name):
                ufc, peer_ = measure(library, context, row)
                ratios.append((peer_ / ufc, row.name))
                print(f'{row.name:36} {ufc * 1e6:9.1f} {peer_ * 1e6:9.1f}   {peer_ / ufc:8.2f}', flush=True)
    ratios.sort()
    print(f'{len(ratios)} rows, {sum(r < 1 for r, _ in ratios)} below 1; geometric mean '
          f'{np.exp(np.mean(np.log([r for r, _ in ratios]))):.2f}; the worst:')
    for ratio, name in ratios[:20]:
        print(f'{ratio:6.2f} {name}')


if __name__ == '__main__':
    main()
