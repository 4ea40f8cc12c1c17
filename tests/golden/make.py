#!/usr/bin/env python3
"""Makes the golden files with NumPy 2: what ufc must compute, written beside this file.

    python3 tests/golden/make.py

patterns.txt  broadcasting, strides, overlap and outputs x dtypes x operations
numbers.txt   special values, division, shifts, casts, promotion of numbers
methods.txt   reduce, accumulate, reduceat, outer, at, and the keywords of calls (see methods.py)
types.txt     the same of float16, bfloat16 and complex numbers, and their casts from and to all types
casting.txt   the keyword casting, for all pairs of types (see casting.py)
gufuncs.txt   calls of gufuncs (see gufuncs.py)
tutorial.txt  the examples' kernels on the inputs that the tutorials give them (see tutorial.py)

A line of these but the last is one case, read by replay.c:

    OPERATION [KEYWORD...] [~ULPS] BUFFER... : INPUT... [?MASK] -> OUTPUT... = RESULT... | ! STATUS

    BUFFER  A=f4*24#5x        a letter, dtype, number of elements, seed and kind of the data
            A=i8*3:0,4,-1     or the elements
    INPUT   A+3[2,3](12,-1)   a view: buffer, offset, shape, strides, all in elements
            #2.5              a number
    OUTPUT  a view, or `new`, an array that the call allocates
    RESULT  A: _*3 7 -0.5     all elements of a buffer after the call; _ is one that must not change,
                              v*n stands for n times v
            0: f4[2,3] 1 2 …  an allocated output
    STATUS  the call fails so, and writes nothing; any: with some error

An operation may be a method, add.reduce; at has no output.  KEYWORD is as in axis=0,1 or keepdims, or axes=(0,1)(-1)(),
the axes of each operand.
With ~ULPS (^ULPS: on GPUs only) floats may differ by so many units in the last place, and 0 equals -0.  NaNs are equal.

An element of a complex type is `re,im`.  Halves are computed in float32 and rounded once, as NumPy
rounds its float16; products of complex numbers are four products of their parts (NumPy's may be
contracted).  Needs ml_dtypes for bfloat16.

Left out, because the language decides otherwise than NumPy: conversion of floats to integers
(saturating here), arithmetic of bool with bool (int8's here), integers to negative powers (0 here,
an error there).
"""
import itertools
import math
import os
import random
import re
import sys
import warnings

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

sys.dont_write_bytecode = True
import casting  # noqa: E402
import gufuncs  # noqa: E402
import methods  # noqa: E402
import tutorial  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MASK = (1 << 64) - 1
DTYPES = "b1 i1 u1 i2 u2 i4 u4 i8 u8 f4 f8".split()
INTEGERS = DTYPES[1:9]
FLOATS = DTYPES[9:]
NUMBERS = DTYPES[1:]
HALVES = ["f2", "bf2"]
COMPLEX = ["c8", "c16"]
NEW = HALVES + COMPLEX
ALL = DTYPES + NEW
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


# ---- data, as replay.c makes it

def splitmix64(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def dtype(name):
    return BFLOAT16 if name == "bf2" else np.dtype("?" if name == "b1" else name)


def brief(t):
    return "bf2" if t == BFLOAT16 else t.str[1:]


def kind_of(t):
    return "f" if t == BFLOAT16 else t.kind


def limits(t):
    """The largest number, the least of all, the least normal one."""
    if t == BFLOAT16:
        return float.fromhex("0x1.fep127"), 2.0**-133, 2.0**-126
    i = np.finfo(t)
    return float(i.max), float(i.smallest_subnormal), float(i.tiny)


# ---- NumPy's rules of casting, with bfloat16 as a floating type of 8 bits that float32 holds

def can_cast(a, b, rule):
    if BFLOAT16 not in (a, b) or a == b:
        return np.can_cast(a, b, rule)
    if rule not in ("safe", "same_kind"):
        return rule == "unsafe"
    if rule == "same_kind":
        return kind_of(a) in "buif" if b == BFLOAT16 else kind_of(b) in "fc"
    if b == BFLOAT16:
        return a in (np.dtype("?"), np.dtype("i1"), np.dtype("u1"))
    return np.can_cast("f4", b, "safe")


def promote(a, b):
    return next(t for t in map(dtype, ORDER) if can_cast(a, t, "safe") and can_cast(b, t, "safe"))


ORDER = "b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 bf2 f4 f8 c8 c16".split()


def convert(a, t):
    """Rounded once."""
    if t == BFLOAT16 and a.dtype.kind in "iu":
        return np.array([round_to_bfloat(int(v)) for v in a.ravel()], t).reshape(a.shape)
    return a.astype(t)


def round_to_bfloat(v):
    drop = max(abs(v).bit_length() - 8, 0)
    q, rest = abs(v) >> drop, abs(v) & ((1 << drop) - 1)
    if rest * 2 > 1 << drop or (rest * 2 == 1 << drop and rest and q & 1):
        q += 1
    return math.copysign(q * 2.0**drop, v)


def specials(name):
    t = dtype(name)
    if t.kind == "b":
        return [0, 1]
    if kind_of(t) in "fc":
        most, step, least = limits(t)
    if kind_of(t) == "f":
        return [0.0, -0.0, 1.0, -1.0, 0.1, 2.5, -3.0, math.inf, -math.inf, math.nan, most, -most,
                step, least, 1e10, 7.0, -0.5, 1e-10]
    if t.kind == "c":
        inf, nan = math.inf, math.nan
        return [complex(*p) for p in (
            (0, 0), (-0.0, 0), (1, 0), (0, 1), (-1, -0.0), (2.5, -3), (-0.5, 7), (inf, 1), (1, -inf),
            (-inf, inf), (nan, 1), (1, nan), (most, most), (least, -least), (1e10, 1e-10))]
    i = np.iinfo(t)
    if t.kind == "u":
        return [0, 1, 2, 3, 7, 10, i.max, i.max - 1, i.max // 2 + 1, i.max // 2]
    return [0, 1, -1, 2, -2, 3, -7, 10, i.min, i.max, i.min + 1, i.max - 1]


def element(name, seed, kind, i):
    t = dtype(name)
    r = splitmix64((seed << 32) + i)
    if kind == "p" or (kind == "x" and i % 5 == 3):
        s = specials(name)
        return s[(i if kind == "p" else r >> 32) % len(s)]
    if t.kind == "c":
        part, kind = "f4" if name == "c8" else "f8", "s" if kind == "x" else kind
        return complex(element(part, seed, kind, 2 * i), element(part, seed, kind, 2 * i + 1))
    if t.kind == "b":
        return r & 1
    if kind == "z":  # mostly 0
        return r % 16 if r >> 60 == 0 else 0
    if kind == "c":  # counts and exponents
        return r % 5
    if kind == "w":  # widths to shift by, some too large
        return r % (8 * t.itemsize + 3)
    if kind == "f":  # all over the range
        if kind_of(t) == "f":
            return float(r - (1 << 63)) * 2.0 ** -((52 if name in HALVES else 40) + (r & 15))
        return int(np.array(r & MASK, "u8").astype(t))
    if kind_of(t) == "f":
        return (r % 64 - 32) / 4
    return r % 16 - (8 if t.kind == "i" else 0)


def data(name, n, seed, kind):
    with np.errstate(all="ignore"):
        return np.array([element(name, seed, kind, i) for i in range(n)], dtype(name))


# ---- cases

class View:
    """A view of the buffer with a letter; strides in elements, offset None for the first that fits."""

    def __init__(self, letter, shape, strides=None, offset=None):
        self.letter, self.shape, self.offset = letter, tuple(shape), offset
        self.given = strides is not None
        c = [math.prod(self.shape[k + 1:]) for k in range(len(self.shape))]
        self.strides = tuple(strides) if self.given else tuple(c)
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides)]
        empty = 0 in self.shape
        self.low = 0 if empty else sum(min(r, 0) for r in reach)
        self.high = 0 if empty else sum(max(r, 0) for r in reach)
        if offset is None:
            self.offset = 1 - self.low

    def text(self):
        s = f"{self.letter}+{self.offset}[{','.join(map(str, self.shape))}]"
        return s + (f"({','.join(map(str, self.strides))})" if self.given else "")

    def of(self, buffer):
        if 0 in self.shape:
            return np.empty(self.shape, buffer.dtype)
        return as_strided(buffer[self.offset:], self.shape,
                          [s * buffer.itemsize for s in self.strides])

    def overlaps_itself(self):
        places = [sum(i * s for i, s in zip(index, self.strides))
                  for index in np.ndindex(*self.shape)]
        return len(set(places)) < len(places)


class WrongShape(Exception):
    pass


class Number:
    def __init__(self, value):
        self.value = value

    def text(self):
        v = self.value
        return f"#{v.real},{v.imag}" if isinstance(v, complex) else f"#{v}"


OPERATIONS = {name: getattr(np, name) for name in """add subtract multiply floor_divide remainder power
    negative absolute square divide bitwise_and bitwise_or bitwise_xor invert left_shift right_shift
    less less_equal greater greater_equal equal not_equal maximum minimum
    logical_and logical_or logical_not divmod""".split()}
OPERATIONS["float_max"] = np.fmax
OPERATIONS["float_min"] = np.fmin


def select(c, x, y):
    if np.asarray(c).dtype.kind != "b":
        raise TypeError
    return np.where(c, x, y)


def sort3(x, y, z):
    low, high = np.minimum(x, y), np.maximum(x, y)
    return np.minimum(low, z), np.maximum(low, np.minimum(high, z)), np.maximum(high, z)


def copy_to(name):
    def copy(x):
        if not isinstance(x, np.ndarray):
            return np.array(x, dtype(name))
        if not can_cast(x.dtype, dtype(name), "safe"):
            raise TypeError
        return convert(x, dtype(name))
    return copy


OPERATIONS.update(select=select, choose=select, sort3=sort3)
OPERATIONS["axpb"] = lambda x, a, b, c: (x.astype("i1") * a.astype("i4")
                                         + b.astype("f4") * c.astype("f8"))
for d in ALL:
    OPERATIONS["copy_" + dtype(d).name] = copy_to(d)


def multiply(x, y):
    """Of complex numbers: by parts."""
    t = np.result_type(x, y)
    if t.kind != "c":
        return np.multiply(x, y)
    x, y = (np.asarray(v).astype(t) for v in (x, y))
    r = np.empty(np.broadcast_shapes(x.shape, y.shape), t)
    r.real = x.real * y.real - x.imag * y.imag
    r.imag = x.real * y.imag + x.imag * y.real
    return r


def power(x, y):
    """Of complex numbers: in long double, since NumPy's error grows with the exponent."""
    t = np.result_type(x, y)
    return np.power(x.astype("G"), y.astype("G")).astype(t) if t.kind == "c" else np.power(x, y)


OPERATIONS["multiply"], OPERATIONS["power"] = multiply, power
OPERATIONS["square"] = lambda x: multiply(x, x) if np.asarray(x).dtype.kind == "c" else np.square(x)


def by_float32(op, *values):
    """An operation on arrays of which some are bfloat16's."""
    arrays = [v for v in values if isinstance(v, np.ndarray)]
    t = arrays[0].dtype
    for v in arrays[1:]:
        t = promote(t, v.dtype)
    if any(isinstance(v, complex) for v in values):
        t = promote(t, dtype("c8"))
    if t != BFLOAT16:
        return OPERATIONS[op](*(v.astype("f4").astype(t) if isinstance(v, np.ndarray) and v.dtype == BFLOAT16
                                else v for v in values))
    wide = [np.asarray(v).astype(t).astype("f4") for v in values]
    if op in ("select", "choose"):
        wide[0] = values[0]
    r = OPERATIONS[op](*wide)
    narrow = [v.astype(t) if v.dtype == "f4" else v for v in map(np.asarray, r if isinstance(r, tuple) else (r,))]
    return tuple(narrow)


def operate(op, values):
    halves = any(isinstance(v, np.ndarray) and v.dtype == BFLOAT16 for v in values)
    return by_float32(op, *values) if halves and not op.startswith("copy") else OPERATIONS[op](*values)

seeds = itertools.count(1)
lines = []


def spell(v):
    if v.dtype.kind == "c":
        return spell(v.real) + "," + spell(v.imag)
    if v.dtype == BFLOAT16:
        near = (f"{float(v):.{n}g}" for n in range(1, 5))
        return next((s for s in near if not math.isfinite(v) or v.dtype.type(float(s)) == v)).replace("e+", "e")
    if v.dtype.kind == "f":
        s = repr(v.item()) if v.dtype == "f8" else np.format_float_scientific(v, trim="-", exp_digits=1)
        if v.dtype != "f8" and math.isfinite(v):
            s = min(s.replace("e+0", ""), str(v), key=len)
        return re.sub(r"\.0$", "", re.sub(r"e([+-])0*(\d)", r"e\1\2", s)).replace("e+", "e")
    return str(int(v))


def run_lengths(words):
    out = []
    for w, g in itertools.groupby(words):
        n = len(list(g))
        out += [f"{w}*{n}"] if n > 1 and (n > 2 or len(w) > 2) else [w] * n
    return " ".join(out)


def same(a, b):
    return a.tobytes() == b.tobytes()


def expect(op, ins, outs, buffers):
    """The results' text, or `! STATUS`, by NumPy."""
    values = [v.value if isinstance(v, Number) else v.of(buffers[v.letter]).copy() for v in ins]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = operate(op, values)
    except OverflowError:
        return "! any"
    except ValueError:
        return "! ESHAPE"
    except TypeError:
        return "! EDTYPE"
    results = results if isinstance(results, tuple) else (results,)
    results = [np.asarray(r) for r in results]
    after = {k: b.copy() for k, b in buffers.items()}
    given = [v for v in outs if v]
    for v, r in zip(outs, results):
        if v and not can_cast(r.dtype, buffers[v.letter].dtype, "same_kind"):
            return "! EDTYPE"
    try:
        full = np.broadcast_shapes(*(r.shape for r in results), *(v.shape for v in given))
    except ValueError:
        return "! ESHAPE"
    if any(v.shape != full for v in given):
        return "! ESHAPE"
    if any(v.overlaps_itself() for v in given):
        return "! any"
    words = []
    for k, (v, r) in enumerate(zip(outs, results)):
        if v:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                v.of(after[v.letter])[...] = convert(r, buffers[v.letter].dtype)
        else:
            r = np.broadcast_to(r, full)
            name = brief(r.dtype)
            words.append(f"{k}: {name}[{','.join(map(str, r.shape))}] "
                         + run_lengths(spell(e) for e in r.ravel()))
    touched = {v.letter: set() for v in given}
    for v in given:
        touched[v.letter] |= {v.offset + sum(i * s for i, s in zip(index, v.strides))
                              for index in np.ndindex(*v.shape)}
    for letter, places in touched.items():
        old, new = buffers[letter], after[letter]
        assert all(i in places or same(old[i], new[i]) for i in range(len(old)))
        words.append(f"{letter}: " + run_lengths(
            spell(new[i]) if i in places else "_" for i in range(len(old))))
    return "= " + " ".join(words)


def case(op, ins, outs, dtypes, kinds="s", ulps=None):
    """dtypes and kinds: of each letter, or one for all."""
    views = [v for v in [*ins, *outs] if isinstance(v, View)]
    text, buffers = [], {}
    for letter in sorted({v.letter for v in views}):
        size = max(v.offset + v.high for v in views if v.letter == letter) + 2
        name = dtypes[letter] if isinstance(dtypes, dict) else dtypes
        kind = kinds.get(letter, "s") if isinstance(kinds, dict) else kinds
        seed = next(seeds)
        buffers[letter] = data(name, size, seed, kind)
        text.append(f"{letter}={name}*{size}#{seed}{kind}")
    lines.append(" ".join(
        [op] + ([f"~{ulps}"] if ulps is not None else []) + text + [":"] + [v.text() for v in ins]
        + ["->"] + [v.text() if v else "new" for v in outs]
        + [expect(op, ins, outs, buffers)]).rstrip())


def write(name):
    with open(os.path.join(HERE, name), "w") as f:
        f.write("# made by make.py\n" + "\n".join(lines) + "\n")
    print(f"{name}: {len(lines)} cases")
    lines.clear()


# ---- patterns: what the views look like

A, B, C, D, E, F = "ABCDEF"

BROADCAST = [((6,), (6,)), ((2, 3), (3,)), ((2, 1), (3,)), ((2, 3), ()), ((), ()), ((1,), (4,)),
             ((0,), (1,)), ((0,), (0,)), ((2, 0), (1,)), ((3, 1, 2), (4, 1)), ((1, 1, 1), (2, 3)),
             ((2, 3, 2), (2, 3, 2)), ((5,), (1, 5)), ((0, 3), (3,)), ((2, 1, 2, 1), (3, 1, 2)),
             ((1,), ()), ((), (1, 1)), ((1,), (1,)), ((17,), (17,)), ((33,), ()), ((), (7,)),
             ((4, 3), (4, 1)), ((3, 5), (1, 5))]
# ... of the first input of (2, 3), the second, the output
STRIDES = [((3, 1), (3, 1), (3, 1)), ((-3, -1), (3, 1), (3, 1)), ((6, 2), (3, -1), (-3, 1)),
           ((1, 2), (3, 1), (3, 1)), ((1, 2), (1, 2), (1, 2)), ((1, 2), (3, 1), (-2, 7)),
           ((0, 0), (3, 1), (3, 1)), ((0, 1), (1, 0), (3, 1)), ((1, 1), (3, 1), (4, 1)),
           ((7, -2), (-7, 2), (1, -2)), ((4, 1), (5, 1), (3, 1)), ((3, 1), (3, 1), (8, -3)),
           ((0, 3), (0, -2), (9, 4)), ((-1, 5), (2, 2), (3, 1))]
# ... of inputs and output in one buffer of their dtype: shape, then offset and strides of each
OVERLAP = [((8,), (2, (1,)), (2, (1,)), (2, (1,))), ((8,), (2, (1,)), None, (2, (1,))),
           ((8,), (2, (1,)), None, (3, (1,))), ((8,), (3, (1,)), None, (2, (1,))),
           ((8,), (2, (1,)), (3, (1,)), (4, (1,))), ((8,), (4, (1,)), (2, (1,)), (3, (1,))),
           ((8,), (2, (1,)), None, (9, (-1,))), ((8,), (9, (-1,)), (2, (1,)), (9, (-1,))),
           ((8,), (1, (2,)), None, (2, (2,))), ((8,), (1, (2,)), None, (1, (1,))),
           ((8,), (1, (1,)), None, (1, (2,))), ((8,), (1, (2,)), (1, (1,)), (3, (2,))),
           ((8,), (5, (0,)), None, (2, (1,))), ((8,), (2, (0,)), (9, (0,)), (2, (1,))),
           ((3, 3), (1, (3, 1)), None, (1, (1, 3))), ((3, 3), (1, (3, 1)), (1, (1, 3)), (1, (3, 1))),
           ((3, 3), (1, (0, 1)), None, (1, (3, 1))), ((3, 3), (1, (3, 0)), None, (1, (3, 1))),
           ((3, 3), (4, (0, 1)), (2, (3, 0)), (1, (3, 1))), ((3, 3), (1, (3, 1)), None, (9, (-3, -1))),
           ((3, 3), (2, (3, 1)), None, (1, (3, 1))), ((2, 3), (1, (3, 1)), None, (2, (3, 1))),
           ((2, 3), (1, (6, 2)), None, (2, (6, 2))), ((4,), (4, (-1,)), (1, (1,)), (1, (2,)))]
# ... of outputs: shapes of the inputs, shape and strides of the output
OUTPUTS = [((3,), (3,), (2, 3), None), ((3,), (), (2, 3), (1, 2)), ((), (), (2, 2), None),
           ((), (), (4,), (-2,)), ((1, 3), (3,), (1, 3), None), ((2, 1), (3,), (2, 3), (-3, -1)),
           ((3,), (3,), (1, 1, 3), None), ((1,), (1,), (0,), None), ((2, 3), (3,), (2, 3), (1, 2)),
           ((2, 1), (1, 2), (3, 2, 2), None), ((), (), (), None), ((0,), (0,), (0,), None),
           ((1,), (1,), (5,), (3,)), ((2, 2, 2), (2,), (2, 2, 2), (1, 2, 4))]
ERRORS = [((2,), (3,), None), ((2, 3), (2,), None), ((0,), (3,), None), ((2, 3), (3, 2), None),
          ((3,), (3,), (2,)), ((3,), (3,), (1,)), ((2, 3), (3,), (3,)), ((3,), (3,), ()),
          ((1, 3), (3,), (3,)), ((2, 1), (3,), (2, 1)), ((2, 3), (2, 3), (3, 2)), ((4,), (), (5,)),
          ((0,), (1,), (1,)), ((2, 3, 4), (3, 1), (2, 3))]

ARITHMETIC = ["add", "subtract", "multiply"]
BITS = ["bitwise_and", "bitwise_or", "bitwise_xor"]
COMPARISONS = ["less", "less_equal", "greater", "greater_equal", "equal", "not_equal"]
turn = itertools.count()


def operation(name):
    """One that takes two of this dtype: another at each call."""
    ops = BITS if name == "b1" else ARITHMETIC + ["maximum", "minimum"]
    return ops[next(turn) % len(ops)]


def patterns():
    for name in DTYPES:
        for x, y in BROADCAST:
            case(operation(name), [View(A, x), View(B, y)], [None], name)
        for x, y, out in STRIDES:
            ins = [View(A, (2, 3), x), View(B, (2, 3), y)]
            case(operation(name), ins, [View(C, (2, 3), out)], name)
        for shape, x, y, out in OVERLAP:
            ins = [View(A, shape, x[1], x[0]), View(A, shape, y[1], y[0]) if y else View(B, shape)]
            case(operation(name), ins, [View(A, shape, out[1], out[0])], name)
        for x, y, shape, strides in OUTPUTS:
            case(operation(name), [View(A, x), View(B, y)], [View(C, shape, strides)], name)
    for k, (x, y, out) in enumerate(ERRORS):
        name = DTYPES[k % len(DTYPES)]
        case(operation(name), [View(A, x), View(B, y)], [View(C, out) if out is not None else None], name)
    for shape, strides in [((3,), (0,)), ((2, 3), (0, 1)), ((3, 2), (1, 1)), ((2, 3), (1, -1))]:
        case("add", [View(A, shape), View(B, shape)], [View(C, shape, strides)], "i4")

    # all operations on contiguous arrays, on arrays in place, and on odd views
    binary = {"b1": BITS + COMPARISONS, **{t: ARITHMETIC + BITS + COMPARISONS + ["maximum", "minimum"]
                                          for t in INTEGERS},
              **{t: ARITHMETIC + COMPARISONS + ["maximum", "minimum", "float_max", "float_min", "divide"]
                 for t in FLOATS}}
    for name in DTYPES:
        for op in binary[name]:
            ulps = 0 if "max" in op or "min" in op else None
            case(op, [View(A, (19,)), View(B, (19,))], [None], name, "x", ulps)
            out = "b1" if op in COMPARISONS else name
            case(op, [View(A, (3, 2), (1, 3)), View(B, (2,), (-2,))], [View(C, (3, 2), (-2, 9))],
                 {A: name, B: name, C: out}, "x", ulps)
        for op in ["invert"] * (name not in FLOATS) + ["negative", "absolute", "square"] * (name != "b1"):
            case(op, [View(A, (19,))], [None], name, "x")
            case(op, [View(A, (3, 3), (1, 3), 1)], [View(A, (3, 3), (3, 1), 1)], name, "x")
        for op in ["select", "choose"]:
            case(op, [View(C, (13,)), View(A, (13,)), View(B, ())], [None], {A: name, B: name, C: "b1"}, "x")
            case(op, [View(C, (3, 1)), View(A, (1, 4)), View(B, (3, 4), (1, 3))], [View(B, (3, 4), (1, 3))],
                 {A: name, B: name, C: "b1"}, "x")
        if name != "b1":
            case("divmod", [View(A, (17,)), View(B, (17,))], [None, None], name, "x")
            case("divmod", [View(A, (2, 3)), View(B, (3,))], [View(C, (2, 3), (1, 2)), None], name)
            case("divmod", [View(A, (6,)), View(B, (6,))], [View(A, (6,)), View(B, (6,))], name)
            case("divmod", [View(A, (6,)), View(B, (6,))], [View(B, (6,)), View(A, (6,))], name)
            case("divmod", [View(A, (6,), (1,), 2), View(A, (6,), (1,), 3)],
                 [View(A, (6,), (1,), 4), View(B, (6,), (-1,))], name)
            case("sort3", [View(A, (11,)), View(B, (11,)), View(C, ())], [None] * 3, name, "s", 0)
            case("sort3", [View(A, (4,)), View(B, (4,)), View(C, (4,))],
                 [View(C, (4,)), View(A, (4,)), View(B, (4,))], name, "s", 0)
            case("sort3", [View(A, (2, 2)), View(B, (2,)), View(C, (2, 1))],
                 [None, View(D, (3, 2, 2)), None], name, "s", 0)
    for op in ["logical_and", "logical_or"]:
        case(op, [View(A, (4, 1)), View(B, (3,))], [None], "b1")
    case("logical_not", [View(A, (9,))], [View(A, (9,), (-1,))], "b1")
    case("axpb", [View(A, (2, 3)), View(B, (3,)), View(C, ()), View(D, (2, 1))], [None],
         {A: "i1", B: "i4", C: "f4", D: "f8"})
    case("axpb", [View(A, (2, 3), (1, 2)), View(B, (3,)), View(C, (2, 3)), View(D, (2, 3))],
         [View(D, (2, 3), (-3, 1))], {A: "i1", B: "i2", C: "f4", D: "f4"})
    case("axpb", [View(A, (3,)), View(B, (3,)), View(C, (3,)), View(D, (3,))], [None],
         {A: "b1", B: "u2", C: "f4", D: "f8"})
    for n in [1, 2, 3, 15, 16, 31, 63, 64, 65, 130, 257]:  # whole vectors and what is left of them
        for name in ["i1", "f4", "f8"]:
            case("add", [View(A, (n,), None, n % 3), View(B, (n,), None, 1 - n % 2)],
                 [View(C, (n,), None, n % 4)], name, "s")
    case("add", [View(A, (2, 1) * 3 + (2,)), View(B, (1, 2) * 3 + (1,))], [None], "i1")
    case("add", [View(A, (1,) * 12 + (2,)), View(B, (3,) + (1,) * 11)], [None], "i2")

    # any views of one or two buffers
    rng = random.Random(1)
    for k in range(600):
        name = DTYPES[k % len(DTYPES)]
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.choice([1, 2, 2]))) + (2,) * (k % 2)

        def some(letter):
            strides = tuple(rng.choice([-8, -7, -4, -3, -2, -1, 0, 1, 1, 2, 3, 4, 6, 8]) for _ in shape)
            v = View(letter, shape, strides)
            return View(letter, shape, strides, rng.randrange(4) - v.low)

        def strict(letter):
            while (v := some(letter)).overlaps_itself():
                pass
            return v
        case(operation(name), [some(A), some(rng.choice([A, B]))], [strict(A)], name)


# ---- numbers: what the elements are

def table(op, x, y, ulps=None, kinds=("p", "p")):
    """All special values against all."""
    n, m = (len(specials(t)) if k == "p" else 12 for t, k in zip((x, y), kinds))
    case(op, [View(A, (n, 1)), View(B, (m,))], [None], {A: x, B: y}, {A: kinds[0], B: kinds[1]}, ulps)


def numbers():
    for name in NUMBERS:
        for op in ARITHMETIC + ["floor_divide", "remainder", "divide", "less", "equal"]:
            table(op, name, name)
        for op in ["maximum", "minimum"]:
            table(op, name, name, 0)
        for op in ["negative", "absolute", "square"]:
            case(op, [View(A, (len(specials(name)),), None, 0)], [None], name, "p")
        for op in ["floor_divide", "remainder", "divmod", "multiply", "divide"]:
            case(op, [View(A, (21,)), View(B, (21,))], [None] * (1 + (op == "divmod")), name, "f")
        table("power", name, name, 4 if name in FLOATS else None, ("p", "c"))
        case("power", [View(A, (40,)), View(B, (40,))], [None], name, {A: "s", B: "c"},
             4 if name in FLOATS else None)
    for name in FLOATS:
        table("power", name, name, 4)
        for op in ["float_max", "float_min"]:
            table(op, name, name, 0)
    for name in INTEGERS:
        for op in ["left_shift", "right_shift"]:
            table(op, name, name, None, ("p", "w"))
            table(op, name, name)
        case("invert", [View(A, (len(specials(name)),), None, 0)], [None], name, "p")
    for x, y in itertools.product(DTYPES, DTYPES):
        if (x, y) != ("b1", "b1"):
            case("add", [View(A, (3,)), View(B, ())], [None], {A: x, B: y}, "x")
            case("divide", [View(A, (3,)), View(B, (3,))], [None], {A: x, B: y}, "x")
        case("less", [View(A, (4, 1)), View(B, (3,))], [None], {A: x, B: y}, "x")
        case("copy_" + dtype(y).name, [View(A, (2, 2), (1, 2))], [None], {A: x}, "x")
        case("copy_" + dtype(x).name, [View(A, (6,))], [View(B, (6,), (2,))], {A: x, B: y}, "x")
        case("copy_" + dtype(x).name, [View(A, (9,))], [View(B, (9,))], {A: x, B: y}, "p")
    table("less", "i8", "u8")
    table("less", "u8", "i8")
    table("equal", "i8", "u8")
    table("equal", "i4", "u8")
    for name in INTEGERS:
        for op, y in [("left_shift", "f4"), ("bitwise_or", "f8")]:
            case(op, [View(A, (3,)), View(B, (3,))], [None], {A: name, B: y})

    # numbers are weak
    for name in NUMBERS:
        for value in [2, -1, 2.5, -0.0, 100, 300, 70000, 1 << 40, (1 << 63) - 1, math.inf, math.nan]:
            case("add", [View(A, (3,)), Number(value)], [None], name)
        case("multiply", [Number(3), View(A, ())], [View(B, ())], name)
        case("subtract", [Number(True), View(A, (2,))], [None], name)
        case("less", [View(A, (4,)), Number(2)], [None], name)
        case("add", [View(A, (2, 2)), Number(7)], [View(A, (2, 2))], name)
        case("add", [View(A, (2,)), Number(1.5)], [View(A, (2,))], name)
        case("divmod", [View(A, (5,)), Number(3)], [None, None], name)
        case("copy_float64", [Number(3)], [View(A, (2,))], name)
    case("add", [Number(2), Number(3)], [None], {})
    case("add", [Number(2.5), Number(3)], [None], {})
    case("divide", [Number(7), Number(2)], [None], {})
    case("logical_and", [Number(True), View(A, (3,))], [None], "b1")
    case("copy_int8", [View(A, (2,))], [None], "f4")


def types():
    for name in NEW:
        halves = name in HALVES
        for op in ARITHMETIC + ["divide", "less", "less_equal", "equal", "maximum", "minimum"] \
                + ["floor_divide", "remainder"] * halves:
            table(op, name, name, 0 if op in ("maximum", "minimum") else None)
        for op in ["negative", "absolute", "square"]:
            ulps = 2 if op == "absolute" and not halves else None
            case(op, [View(A, (len(specials(name)),), None, 0)], [None], name, "p", ulps)
        for op in ["multiply", "divide", "add", "less"] + ["divmod"] * halves:
            case(op, [View(A, (21,)), View(B, (21,))], [None] * (1 + (op == "divmod")), name, "f")
        for op in ["greater", "greater_equal", "not_equal", "float_max", "float_min"][:5 if halves else 3]:
            case(op, [View(A, (19,)), View(B, (19,))], [None], name, "x", 0)
        case("power", [View(A, (40,)), View(B, (40,))], [None], name, {A: "s", B: "c"},
             32 if name == "c16" else 2)
        for op in ["select", "choose"]:
            case(op, [View(C, (3, 1)), View(A, (1, 4)), View(B, (3, 4), (1, 3))], [View(B, (3, 4), (1, 3))],
                 {A: name, B: name, C: "b1"}, "x")
        for n in [1, 15, 33]:
            case("add", [View(A, (n,), None, n % 3), View(B, (n,))], [View(C, (n,))], name)
        for x, y, out in STRIDES[::2]:
            ins = [View(A, (2, 3), x), View(B, (2, 3), y)]
            case(operation(name), ins, [View(C, (2, 3), out)], name)
        for shape, x, y, out in OVERLAP[::3]:
            ins = [View(A, shape, x[1], x[0]), View(A, shape, y[1], y[0]) if y else View(B, shape)]
            case(operation(name), ins, [View(A, shape, out[1], out[0])], name)
        for value in [2, 2.5, 1j, -0.0, math.inf, 1.5 - 2j]:
            case("add", [View(A, (3,)), Number(value)], [None], name)
            case("multiply", [Number(value), View(A, (2,))], [None], name)
        case("less", [View(A, (4,)), Number(2)], [None], name)
        case("less", [View(A, (4,)), Number(1j)], [None], name)
    for name in NUMBERS:
        case("add", [View(A, (3,)), Number(0.5j)], [None], name)
    case("add", [Number(2j), Number(1)], [None], {})

    # all pairs with a new type: promotion, and casts as inputs and as outputs
    for x, y in itertools.product(ALL, ALL):
        if x in DTYPES and y in DTYPES:
            continue
        ulps = 0 if "c" in x + y else None
        case("add", [View(A, (5,)), View(B, ())], [None], {A: x, B: y}, "x")
        case("multiply", [View(A, (3,)), View(B, ())], [None], {A: x, B: y}, "x")
        if not ("b1" in (x, y) and "bf2" in (x, y)):
            case("divide", [View(A, (3,)), View(B, (3,))], [None], {A: x, B: y}, "x", ulps)
        case("less", [View(A, (4, 1)), View(B, (3,))], [None], {A: x, B: y}, "x")
        case("copy_" + dtype(y).name, [View(A, (2, 2), (1, 2))], [None], {A: x}, "x")
        case("copy_" + dtype(x).name, [View(A, (18,))], [View(B, (18,))], {A: x, B: y}, "p")
    for name in INTEGERS + ["f4", "f8"]:
        for half in HALVES:  # rounded once
            case("copy_" + dtype(name).name, [View(A, (40,))], [View(B, (40,))], {A: name, B: half}, "f")


if __name__ == "__main__":
    patterns()
    write("patterns.txt")
    numbers()
    write("numbers.txt")
    methods.cases(sys.modules[__name__])
    write("methods.txt")
    types()
    write("types.txt")
    gufuncs.cases(sys.modules[__name__])
    write("gufuncs.txt")
    casting.cases(sys.modules[__name__])
    write("casting.txt")
    tutorial.write(os.path.join(HERE, "tutorial.txt"))
