"""What NumPy's own test_ufunc and test_umath assert of ufuncs, of compiled ones: each is compared
with the ufunc of NumPy that it copies, in all keywords and methods."""

import itertools

import numpy as np
from numpy.testing import assert_array_equal, assert_equal, assert_raises

import ufc

m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number with identity 0 = x + y
ufunc subtract(x, y) : T(T, T) for T in number = x - y
ufunc multiply(x, y) : T(T, T) for T in number with identity 1 = x * y
ufunc maximum(x, y) : T(T, T) for T in integer | floating = max(x, y)
ufunc less(x, y) : bool(T, T) for T in integer | floating = x < y
ufunc negative(x) : T(T) for T in integer | floating = -x
ufunc power(x, y) : float64(float64, float64) = x ** y
ufunc divmod(x, y) : (T, T)(T, T) for T in floating { return x // y, x - x // y * y }
""")
rng = np.random.default_rng(1)


def same(got, wanted):
    assert_equal(type(got), type(wanted))
    assert_equal(got.dtype, wanted.dtype)
    assert_array_equal(got, wanted)


def array(dtype, shape):
    return (rng.random(shape) * 20).astype(dtype)


# Types: each, and those that are converted; scalars are weak.
types = "bBhHiIlLqQefdFD"
for a, b in itertools.product(types, types):
    x, y = array(a, 33), array(b, 33)
    try:
        wanted = np.add(x, y)
    except TypeError:
        assert_raises(TypeError, m.add, x, y)
        continue
    same(m.add(x, y), wanted)
    same(m.add.numpy(x, y), wanted)
for a in types:
    x = array(a, 7)
    for number in (3, 2.5, 1j, True, np.int8(3), np.float32(1), np.array(2)):
        try:
            wanted = np.multiply(x, number)
        except TypeError:
            continue
        same(m.multiply(x, number), wanted)
        same(m.multiply(number, x), np.multiply(number, x))
same(m.add(2, 3), np.add(2, 3))
same(m.add(2.0, 3), np.add(2.0, 3))
assert_raises(OverflowError, m.add.numpy, np.int8(1), 300)
assert_raises(TypeError, m.maximum, 1j, 2)
assert_raises(TypeError, m.add, np.array(["a"]), np.array(["b"]))
assert_raises(TypeError, m.add, np.array([None]), 1)

# Layouts: steps of all signs, broadcasting, order, rank 0, size 0, byte order, no alignment.
base = array("d", (6, 7, 8))
for x in (base, base[::2], base[:, ::-1], base.T, base[:, :1], base[..., 0], base[:0], base[1, 2, 3],
          np.asfortranarray(base), np.broadcast_to(base[0], (6, 7, 8)), base.astype(">f8")):
    for y in (x, 3.0, x[..., ::-1] if x.ndim else x, base[0, 0, :1]):
        same(m.add(x, y), np.add(x, y))
        assert_equal(m.subtract(x, y).strides, np.subtract(x, y).strides)
odd = np.zeros(33 * 8 + 1, "b")[1:].view("d")
odd[:] = array("d", 33)
same(m.add(odd, 1), np.add(odd, 1))
fields = np.zeros(9, "i1,f8,c16,f4")
fields["f1"] = array("d", 9)
same(m.negative(fields["f1"]), np.negative(fields["f1"]))
same(m.add([1, 2], [[3], [4]]), np.add([1, 2], [[3], [4]]))
assert_raises(ValueError, m.add, np.zeros(3), np.zeros(4))

# out, where, casting, dtype, order, subok.
x, y = array("d", 1000), array("d", 1000)
for size in 5, 1000:
    mask = rng.random(size) < 0.5
    for out in np.full(size, 9.0), np.full(2 * size, 9.0)[::2]:
        wanted = out.copy()
        assert m.add(x[:size], y[:size], out=out, where=mask) is out
        np.add(x[:size], y[:size], out=wanted, where=mask)
        assert_array_equal(out, wanted)
    out = np.zeros(size)
    assert m.add(x[:size], y[:size], out) is out and m.add(x[:size], y[:size], out=(out,)) is out
    assert_array_equal(out, x[:size] + y[:size])
same(m.add(x, y, dtype="f"), np.add(x, y, dtype="f", casting="same_kind"))
same(m.add(x, y, out=np.zeros(1000, "F")), np.add(x, y, out=np.zeros(1000, "F")))
same(m.add(x.astype("i"), y, dtype="f", casting="unsafe"),
     np.add(x.astype("i"), y, dtype="f", casting="unsafe"))
same(m.add(x, y, signature="dd->d"), np.add(x, y))
same(m.add(base, base.T.T, order="F"), np.add(base, base, order="F"))
assert_raises(TypeError, m.add, x, y, out=np.zeros(1000, "i"))
assert_raises(TypeError, m.add, x, y, dtype="i")
assert_raises(TypeError, m.add, x)
assert_raises(TypeError, m.add, x, y, bogus=1)
assert_raises(TypeError, m.add, x, y, out=3)
assert_raises(ValueError, m.add, x, y, out=np.zeros(3))
quotient, rest = m.divmod(x, y)
out = (np.empty(1000), None)
assert m.divmod(x, y, out=out)[0] is out[0]
assert_array_equal(out[0], quotient)
same(m.divmod(np.float32(7), np.float32(2))[1], np.float32(1))
matrix = np.arange(4.0).view(type("Sub", (np.ndarray,), {}))
assert type(m.negative(matrix)) is type(matrix)

# Overlap: results are as if the inputs had been copied.
for shift in -1, 0, 1:
    a = array("d", 100)
    b, wanted = a.copy(), a.copy()
    i, o = slice(1, 99), slice(1 + shift, 99 + shift)
    m.add(b[i], b[i][::-1], out=b[o])
    np.add(wanted[i], wanted[i][::-1], out=wanted[o])
    assert_array_equal(b, wanted)

# Methods.
small = rng.integers(-5, 6, (4, 5, 6))
for dtype in "bhilefdFD":
    x = (small if dtype != "e" else np.sign(small)).astype(dtype) # products of halves overflow
    for f, numpys in (m.add, np.add), (m.multiply, np.multiply), (m.subtract, np.subtract), (
            m.maximum, np.maximum):
        if dtype in "FD" and f is m.maximum:
            continue
        like = {"dtype": dtype}
        for axis in 0, 1, 2, -1:
            for keepdims in False, True:
                got = f.reduce(x, axis=axis, keepdims=keepdims, **like)
                wanted = numpys.reduce(x, axis=axis, keepdims=keepdims, **like)
                assert_array_equal(got, wanted)
            assert_array_equal(f.accumulate(x, axis=axis, **like),
                               numpys.accumulate(x, axis=axis, **like))
            assert_array_equal(f.reduceat(x, [0, 2, 1, 3], axis=axis, **like),
                               numpys.reduceat(x, [0, 2, 1, 3], axis=axis, **like))
        if f is m.subtract:
            assert_raises(ValueError, f.reduce, x, axis=(0, 1))
        else:
            for axes in (0, 1), (0, 2), None:
                assert_array_equal(f.reduce(x, axis=axes, **like),
                                   numpys.reduce(x, axis=axes, **like))
        mask = small > 0
        assert_array_equal(f.reduce(x, where=mask, initial=1, **like),
                           numpys.reduce(x, where=mask, initial=1, **like))
        assert_array_equal(f.outer(x[0, 0], x[0, :, 0]), numpys.outer(x[0, 0], x[0, :, 0]))
        a, b = x[0, 0].copy(), x[0, 0].copy()
        f.at(a, [0, 1, 0, -1], x[1, 0, :4])
        numpys.at(b, [0, 1, 0, -1], x[1, 0, :4])
        assert_array_equal(a, b)
assert m.add.identity == 0 and m.multiply.identity == 1 and m.subtract.identity is None
assert_equal(m.add.reduce([]), 0.0)
assert_equal(m.multiply.reduce(np.zeros((0, 3))), np.ones(3))
assert_raises(ValueError, m.maximum.reduce, [])
assert_raises(ValueError, m.subtract.reduce, np.zeros((0, 3)))
a = np.arange(10.0)
m.negative.at(a, [2, 5])
assert a[2] == -2 and a[3] == 3

out = np.full((3, 4), -1, "i2") # an array whose comparisons are arrays
assert m.add.reduce(np.arange(24).reshape(2, 3, 4), out=out) is out
assert_array_equal(out, np.arange(24).reshape(2, 3, 4).sum(0))

# Long ones: in order where order counts, by blocks where not.
x = rng.random(300001)
assert_array_equal(m.subtract.reduce(x), np.subtract.reduce(x))
assert_array_equal(m.maximum.reduce(x), x.max())
assert abs(m.add.reduce(x) - x.sum()) < 1e-9
assert_array_equal(m.subtract.accumulate(x), np.subtract.accumulate(x))
for step in 1, 2, -3:
    assert_array_equal(m.add(x[::step], 1), x[::step] + 1)
same(m.less(x, x[::-1]), x < x[::-1])

# The first overload that inputs cast to safely is taken, though another has their very types.
first = ufc.compile("ufunc f(x) : float64(float64), float32(float32) = x", warnings=["no-unused"]).f
assert first(np.float32(1)).dtype == np.float64 and first.types == ["d->d"]
narrow = ufc.ufunc("2 * x : float32(float32)")
same(narrow(1.5), np.float32(3))
same(narrow(3), np.float32(6))
message = "no overload of 'f' takes (float64) by safe casts"
try:
    narrow(np.zeros(3))
except TypeError as e:
    assert message in str(e) and "could not be safely coerced" in str(e.__cause__), e
else:
    raise AssertionError(message)


# Errors that are not of types are NumPy's own.
def told(call):
    try:
        call()
    except (TypeError, ValueError) as e:
        return str(e)
    raise AssertionError


x = np.zeros(3)
for call in (lambda f: f(x, x, bogus=1), lambda f: f(x), lambda f: f(x, x, out=3),
             lambda f: f(x, x, order=3), lambda f: f(x, x, casting="wild")):
    assert told(lambda: call(m.add)) == told(lambda: call(np.add)), told(lambda: call(m.add))
