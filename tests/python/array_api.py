"""The elementwise functions of the array API standard (2024.12) where the language has them: its special
cases, as its text has them; types, shapes and numbers, as its test suite asserts them.

It has none of: bitwise_count of other names, clip of arrays as bounds, complex special cases (which
tests/golden and tests/numpy have), and what is no element's: `out` of other namespaces, devices."""

import itertools
import math
import operator

import numpy as np
from numpy.testing import assert_array_equal

import ufc

m = ufc.compile("""
ufunc abs_(x) : T(T) for T in integer | floating = abs(x)
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc subtract(x, y) : T(T, T) for T in number = x - y
ufunc multiply(x, y) : T(T, T) for T in number = x * y
ufunc divide(x, y) : T(T, T) for T in floating | complex64 | complex128 = x / y
ufunc floor_divide(x, y) : T(T, T) for T in integer | floating = x // y
ufunc remainder(x, y) : T(T, T) for T in integer | floating = x % y
ufunc pow_(x, y) : T(T, T) for T in number = x ** y
ufunc negative(x) : T(T) for T in number = -x
ufunc positive(x) : T(T) for T in number = +x
ufunc square_(x) : T(T) for T in number = square(x)
ufunc reciprocal_(x) : T(T) for T in floating = reciprocal(x)
ufunc equal(x, y) : bool(T, T) for T in bool | number = x == y
ufunc not_equal(x, y) : bool(T, T) for T in bool | number = x != y
ufunc less(x, y) : bool(T, T) for T in integer | floating = x < y
ufunc less_equal(x, y) : bool(T, T) for T in integer | floating = x <= y
ufunc greater(x, y) : bool(T, T) for T in integer | floating = x > y
ufunc greater_equal(x, y) : bool(T, T) for T in integer | floating = x >= y
ufunc maximum(x, y) : T(T, T) for T in integer | floating = max(x, y)
ufunc minimum(x, y) : T(T, T) for T in integer | floating = min(x, y)
ufunc bitwise_and(x, y) : T(T, T) for T in bool | integer = x & y
ufunc bitwise_or(x, y) : T(T, T) for T in bool | integer = x | y
ufunc bitwise_xor(x, y) : T(T, T) for T in bool | integer = x ^ y
ufunc bitwise_invert(x) : T(T) for T in bool | integer = ~x
ufunc bitwise_left_shift(x, y) : T(T, T) for T in integer = x << y
ufunc bitwise_right_shift(x, y) : T(T, T) for T in integer = x >> y
ufunc logical_and(x, y) : bool(bool, bool) = x and y
ufunc logical_or(x, y) : bool(bool, bool) = x or y
ufunc logical_xor(x, y) : bool(bool, bool) = x != y
ufunc logical_not(x) : bool(bool) = not x
""" + "".join(f"ufunc {name}_(x) : T(T) for T in floating = {name}(x)\n" for name in (
    "acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor log log1p log2 log10 round sign sin "
    "sinh sqrt tan tanh trunc").split())
  + "".join(f"ufunc {name}_(x) : bool(T) for T in floating = {name}(x)\n"
            for name in "isfinite isinf isnan signbit".split())
  + "".join(f"ufunc {name}_(x, y) : T(T, T) for T in floating = {name}(x, y)\n"
            for name in "atan2 copysign hypot logaddexp nextafter".split()), targets="host")


def find(name):
    return getattr(m, name if name in m.__all__ else name + "_")


# ---- special cases: P stands for positive finite numbers, N for negative, F for both; PI, PI/2 and the
# like for their roundings.

CASES = """
abs nan = nan; abs -0 = 0; abs inf = inf; abs -inf = inf
acos nan = nan; acos 1.5 = nan; acos -1.5 = nan; acos inf = nan; acos 1 = 0
acosh nan = nan; acosh .5 = nan; acosh -inf = nan; acosh 1 = 0; acosh inf = inf
asin nan = nan; asin 1.5 = nan; asin -1.5 = nan; asin 0 = 0; asin -0 = -0
asinh nan = nan; asinh 0 = 0; asinh -0 = -0; asinh inf = inf; asinh -inf = -inf
atan nan = nan; atan 0 = 0; atan -0 = -0; atan inf = PI/2; atan -inf = -PI/2
atanh nan = nan; atanh -2 = nan; atanh 2 = nan; atanh -1 = -inf; atanh 1 = inf; atanh 0 = 0; atanh -0 = -0
ceil inf = inf; ceil -inf = -inf; ceil 0 = 0; ceil -0 = -0; ceil nan = nan; ceil -.5 = -0; ceil 3 = 3
floor inf = inf; floor -inf = -inf; floor 0 = 0; floor -0 = -0; floor nan = nan; floor -.5 = -1; floor 3 = 3
trunc inf = inf; trunc -inf = -inf; trunc 0 = 0; trunc -0 = -0; trunc nan = nan; trunc -.5 = -0; trunc 3 = 3
round inf = inf; round -inf = -inf; round 0 = 0; round -0 = -0; round nan = nan; round 2.5 = 2; round 3.5 = 4
round -.5 = -0; round -1.5 = -2
cos nan = nan; cos 0 = 1; cos -0 = 1; cos inf = nan; cos -inf = nan
cosh nan = nan; cosh 0 = 1; cosh -0 = 1; cosh inf = inf; cosh -inf = inf
exp nan = nan; exp 0 = 1; exp -0 = 1; exp inf = inf; exp -inf = 0
expm1 nan = nan; expm1 0 = 0; expm1 -0 = -0; expm1 inf = inf; expm1 -inf = -1
log nan = nan; log N = nan; log -inf = nan; log 0 = -inf; log -0 = -inf; log 1 = 0; log inf = inf
log2 nan = nan; log2 N = nan; log2 -inf = nan; log2 0 = -inf; log2 -0 = -inf; log2 1 = 0; log2 inf = inf
log10 nan = nan; log10 N = nan; log10 -inf = nan; log10 0 = -inf; log10 -0 = -inf; log10 1 = 0; log10 inf = inf
log1p nan = nan; log1p -2 = nan; log1p -inf = nan; log1p -1 = -inf; log1p 0 = 0; log1p -0 = -0; log1p inf = inf
negative nan = nan; negative 0 = -0; negative -0 = 0; negative inf = -inf
reciprocal nan = nan; reciprocal inf = 0; reciprocal -inf = -0; reciprocal 0 = inf; reciprocal -0 = -inf
sign N = -1; sign P = 1; sign 0 = 0; sign nan = nan; sign inf = 1; sign -inf = -1
sin nan = nan; sin 0 = 0; sin -0 = -0; sin inf = nan; sin -inf = nan
sinh nan = nan; sinh 0 = 0; sinh -0 = -0; sinh inf = inf; sinh -inf = -inf
sqrt nan = nan; sqrt N = nan; sqrt -inf = nan; sqrt 0 = 0; sqrt -0 = -0; sqrt inf = inf
tan nan = nan; tan 0 = 0; tan -0 = -0; tan inf = nan; tan -inf = nan
tanh nan = nan; tanh 0 = 0; tanh -0 = -0; tanh inf = 1; tanh -inf = -1
isfinite inf = 0; isfinite -inf = 0; isfinite nan = 0; isfinite F = 1; isfinite -0 = 1
isinf inf = 1; isinf -inf = 1; isinf nan = 0; isinf F = 0
isnan nan = 1; isnan inf = 0; isnan F = 0
signbit 0 = 0; signbit -0 = 1; signbit inf = 0; signbit -inf = 1; signbit P = 0; signbit N = 1
add nan F = nan; add F nan = nan; add inf -inf = nan; add -inf inf = nan; add inf inf = inf; add -inf -inf = -inf
add inf F = inf; add -inf F = -inf; add F inf = inf; add F -inf = -inf; add -0 -0 = -0; add -0 0 = 0; add 0 -0 = 0
add 0 0 = 0; add 2 -2 = 0
subtract inf inf = nan; subtract inf -inf = inf; subtract 0 0 = 0; subtract -0 0 = -0; subtract -0 -0 = 0
multiply nan F = nan; multiply inf 0 = nan; multiply -inf -0 = nan; multiply 0 inf = nan; multiply inf inf = inf
multiply inf -inf = -inf; multiply inf P = inf; multiply inf N = -inf; multiply N -inf = inf; multiply -0 P = -0
atan2 nan F = nan; atan2 F nan = nan; atan2 P 0 = PI/2; atan2 P -0 = PI/2; atan2 0 P = 0; atan2 0 0 = 0
atan2 0 -0 = PI; atan2 0 N = PI; atan2 -0 P = -0; atan2 -0 0 = -0; atan2 -0 -0 = -PI; atan2 -0 N = -PI
atan2 N 0 = -PI/2; atan2 N -0 = -PI/2; atan2 P inf = 0; atan2 P -inf = PI; atan2 N inf = -0; atan2 N -inf = -PI
atan2 inf F = PI/2; atan2 -inf F = -PI/2; atan2 inf inf = PI/4; atan2 inf -inf = 3*PI/4; atan2 -inf inf = -PI/4
atan2 -inf -inf = -3*PI/4
copysign 0 -3 = -0; copysign -0 3 = 0; copysign inf -0 = -inf; copysign 2 -nan = -2; copysign -2 nan = 2
divide nan F = nan; divide F nan = nan; divide inf inf = nan; divide inf -inf = nan; divide 0 0 = nan; divide -0 0 = nan
divide 0 P = 0; divide -0 P = -0; divide 0 N = -0; divide -0 N = 0; divide P 0 = inf; divide P -0 = -inf
divide N 0 = -inf; divide N -0 = inf; divide inf P = inf; divide inf N = -inf; divide -inf P = -inf
divide -inf N = inf; divide P inf = 0; divide P -inf = -0; divide N inf = -0; divide N -inf = 0
floor_divide nan F = nan; floor_divide F nan = nan; floor_divide inf inf = nan; floor_divide -inf inf = nan
floor_divide 0 0 = nan; floor_divide 0 P = 0; floor_divide -0 P = -0; floor_divide 0 N = -0; floor_divide -0 N = 0
floor_divide P 0 = inf; floor_divide P -0 = -inf; floor_divide N 0 = -inf; floor_divide N -0 = inf
floor_divide inf F = nan|inf; floor_divide -inf F = nan|inf; floor_divide P inf = 0; floor_divide P -inf = -1
floor_divide N inf = -1; floor_divide N -inf = 0
remainder nan F = nan; remainder F nan = nan; remainder inf inf = nan; remainder 0 0 = nan; remainder 0 P = 0
remainder -0 P = 0; remainder 0 N = -0; remainder -0 N = -0; remainder F 0 = nan; remainder F -0 = nan
remainder inf F = nan; remainder -inf F = nan; remainder 2 inf = 2; remainder 2 -inf = -inf; remainder -2 inf = inf
remainder -2 -inf = -2
hypot inf F = inf; hypot -inf F = inf; hypot F inf = inf; hypot inf nan = inf; hypot nan -inf = inf; hypot nan F = nan
hypot F nan = nan
logaddexp nan F = nan; logaddexp F nan = nan; logaddexp inf F = inf; logaddexp F inf = inf
maximum nan F = nan; maximum F nan = nan; minimum nan F = nan; minimum F nan = nan; maximum -inf F = F; minimum inf F = F
nextafter nan F = nan; nextafter F nan = nan; nextafter 0 -0 = -0; nextafter -0 0 = 0; nextafter 2 2 = 2
pow nan P = nan; pow F 0 = 1; pow nan 0 = 1; pow nan -0 = 1; pow inf 0 = 1; pow 1 inf = 1; pow 1 nan = 1
pow 2 inf = inf; pow 2 -inf = 0; pow -2 inf = inf; pow -2 -inf = 0; pow -1 inf = 1; pow 1 -inf = 1
pow .5 inf = 0; pow .5 -inf = inf; pow inf P = inf; pow inf N = 0; pow -inf 3 = -inf; pow -inf 2 = inf; pow -inf -3 = -0
pow -inf -2 = 0; pow 0 P = 0; pow 0 N = inf; pow -0 3 = -0; pow -0 2 = 0; pow -0 .5 = 0; pow -0 -3 = -inf
pow -0 -2 = inf; pow -0 -.5 = inf; pow -2 .5 = nan; pow -2 1.5 = nan
square nan = nan; square -inf = inf; square -0 = 0
equal nan nan = 0; not_equal nan nan = 1; equal 0 -0 = 1; less -0 0 = 0; less nan F = 0; greater_equal F nan = 0
"""
P, N = (.75, 1, 3, 1e4), (-.75, -1, -3, -1e4)
STANDS = {"P": P, "N": N, "F": P + N, **{f"{sign}{name}": (float(sign + "1") * value,) for sign in ("", "-")
          for name, value in (("PI", math.pi), ("PI/2", math.pi / 2), ("PI/4", math.pi / 4),
                              ("3*PI/4", 3 * math.pi / 4))}}

count = 0
for case in CASES.replace("\n", ";").split(";"):
    if not case.strip():
        continue
    (name, *inputs), wanted = (side.split() for side in case.split("="))
    for values in itertools.product(*(STANDS.get(word) or (float(word),) for word in inputs)):
        want = values[1] if wanted == ["F"] else wanted[0]
        for dtype in "fd": # the standard has no others
            x = [np.full(9, v, dtype) for v in values]
            if name == "copysign" and inputs[1] == "-nan":
                x[1] = np.copysign(x[1], -1)
            got = np.unique(find(name)(*x)) # of a vector and a scalar's place behind it
            assert got.size == 1, (case, values, dtype, got)
            if isinstance(want, str) and "|" in want:
                assert not np.isfinite(got[0]), (case, values, dtype, got)
                continue
            w = STANDS[want][0] if isinstance(want, str) and want in STANDS else float(want)
            if math.isnan(w):
                assert np.isnan(got[0]), (case, values, dtype, got)
            elif w and isinstance(want, str) and "PI" in want:
                assert abs(got[0] - w) <= 4 * np.finfo(dtype).eps * abs(w), (case, values, dtype, got)
            else:
                assert got[0] == np.dtype(dtype).type(w) and (
                    got.dtype == "?" or np.signbit(got[0]) == (math.copysign(1, w) < 0)), (case, values, got)
            count += 1
assert count > 1500, count

# ---- types and shapes

INTS = "i1 i2 i4 i8 u1 u2 u4 u8".split()
FLOATS, COMPLEX = ["f4", "f8"], ["c8", "c16"]
SHAPES = ((), (0,), (1,), (3,), (2, 3), (2, 1), (4, 1, 3), (2, 0))
rng = np.random.default_rng(1)


def array(dtype, shape):
    return (rng.integers(1, 9, shape) * (1 + 1j if dtype[0] == "c" else 1)).astype(dtype)


def promotes(a, b):
    """Whether the standard defines it: of one kind, or of signed and unsigned integers with a type above."""
    kinds = {a[0], b[0]}
    return kinds <= {"i", "u"} and {a, b} != {"u8", "i8"} and not ("u8" in (a, b) and "i" in kinds) or kinds <= {"f", "c"}


BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
          "floor_divide": np.floor_divide, "remainder": np.remainder, "maximum": np.maximum,
          "minimum": np.minimum, "equal": np.equal, "not_equal": np.not_equal, "less": np.less,
          "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal,
          "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
          "bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift}
for name, numpys in BINARY.items():
    f = find(name)
    types = INTS if "bitwise" in name else FLOATS + COMPLEX if name == "divide" else INTS + FLOATS + (
        COMPLEX if name in ("add", "subtract", "multiply", "equal", "not_equal") else [])
    for a, b in itertools.product(types, types):
        if not promotes(a, b):
            continue
        x, y = array(a, (4, 1, 3)), array(b, (2, 1))
        got, wanted = f(x, y), numpys(x, y)
        assert got.dtype == wanted.dtype and got.shape == wanted.shape, (name, a, b, got.dtype)
        np.testing.assert_allclose(got, wanted, rtol=1e-6, err_msg=f"{name} {a} {b}")
    for s, t in itertools.product(SHAPES, SHAPES):
        try:
            shape = np.broadcast_shapes(s, t)
        except ValueError:
            np.testing.assert_raises(ValueError, f, array(types[0], s), array(types[0], t))
            continue
        assert f(array(types[0], s), array(types[0], t)).shape == shape
    for a in types: # a Python number has the array's type
        numbers = [3] + [3.0] * (a[0] in "fc") + [3j] * (a[0] == "c")
        for number in numbers:
            x = array(a, (2, 3))
            for got, wanted in (f(x, number), numpys(x, number)), (f(number, x), numpys(number, x)):
                assert got.dtype == wanted.dtype and np.allclose(got, wanted), (name, a, number)
for name in "logical_and logical_or logical_xor".split():
    for x, y in itertools.product((False, True), repeat=2):
        got = find(name)(np.array([x]), np.array([y]))
        assert got.dtype == "?" and got[0] == getattr(np, name)(x, y)
for a in INTS + ["?"]:
    x = array(a, (2, 3))
    assert_array_equal(m.bitwise_invert(x), ~x, strict=True)
for a in INTS + FLOATS + COMPLEX:
    x = array(a, (2, 3))
    assert_array_equal(m.positive(x), x, strict=True)
    assert_array_equal(m.negative(x), -x, strict=True)
    assert_array_equal(m.square_(x), x * x, strict=True)

# ---- numbers, as Python's math has them

for name, reference, low, high in (
        ("acos", math.acos, -1, 1), ("acosh", math.acosh, 1, 1e3), ("asin", math.asin, -1, 1),
        ("asinh", math.asinh, -1e3, 1e3), ("atan", math.atan, -1e3, 1e3), ("atanh", math.atanh, -.999, .999),
        ("cos", math.cos, -50, 50), ("cosh", math.cosh, -50, 50), ("exp", math.exp, -80, 80),
        ("expm1", math.expm1, -80, 80), ("log", math.log, 1e-3, 1e3), ("log1p", math.log1p, -.999, 1e3),
        ("log2", math.log2, 1e-3, 1e3), ("log10", math.log10, 1e-3, 1e3), ("sin", math.sin, -50, 50),
        ("sinh", math.sinh, -50, 50), ("sqrt", math.sqrt, 0, 1e3), ("tan", math.tan, -50, 50),
        ("tanh", math.tanh, -50, 50), ("round", round, -99, 99), ("ceil", math.ceil, -99, 99),
        ("floor", math.floor, -99, 99), ("trunc", math.trunc, -99, 99)):
    for dtype in "fd":
        x = rng.uniform(low, high, 999).astype(dtype)
        np.testing.assert_allclose(find(name)(x), [reference(v) for v in x.tolist()],
                                   rtol=8 * np.finfo(dtype).eps, atol=np.finfo(dtype).tiny, err_msg=name)
for name, reference in ("atan2", math.atan2), ("hypot", math.hypot), ("copysign", math.copysign), (
        "pow", operator.pow), ("nextafter", math.nextafter):
    x, y = rng.uniform(.01, 9, 999), rng.uniform(-9, 9, 999)
    np.testing.assert_allclose(find(name)(x, y), list(map(reference, x.tolist(), y.tolist())), rtol=2e-15)
