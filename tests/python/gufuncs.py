"""Gufuncs: loop dimensions, axes, optional, fixed and computed core dimensions, several outputs,
elements that are not written."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal, assert_raises

import ufc

m = ufc.compile("""
gufunc inner(x[n], y[n]) -> z : T(T, T) for T in float32 | float64 { z = sum(x[i] * y[i] for i) }
gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float64(float64, float64)
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
gufunc cross(a[3], b[3]) -> c[3] : float64(float64, float64)
{ c[0] = a[1] * b[2] - a[2] * b[1]; c[1] = a[2] * b[0] - a[0] * b[2]; c[2] = a[0] * b[1] - a[1] * b[0] }
gufunc convolve(x[n], w[k]) -> y[n + k - 1] : float64(float64, float64)
{ y[i] = sum(x[j] * w[i - j] for j in max(0, i - k + 1)..min(n, i + 1)) for i }
gufunc ends(x[n]) -> (low, high) : (float64, float64)(float64)
{ low = min(v for v in x); high = max(v for v in x) }
gufunc odd(x[n]) -> y[n] : float64(float64) { y[2 * i + 1] = x[2 * i + 1] for i in 0..n // 2 }
gufunc cumulate(x[n]) -> y[n] : float64(float64)
{ for i in 0..n { y[i] = x[i] + (y[i - 1] if i > 0 else 0) } }
gufunc reversed(x[n]) -> y[n] : float64(float64) { y[i] = x[n - 1 - i] for i }
gufunc applied(a[m,n], b[n]) -> c[m] : float64(float64, float64) { c[i] = sum(a[i, j] * b[j] for j) for i }
""")
rng = np.random.default_rng(2)

x, y = rng.random((4, 1, 50)), rng.random((5, 50))
assert_allclose(m.inner(x, y), np.einsum("...i,...i", x, y))
assert_allclose(m.inner(x.astype("f"), y.astype("f")), np.einsum("...i,...i", x, y), rtol=1e-5)
assert m.inner(x.astype("f"), 2 * y.astype("f")[..., ::-1]).dtype == np.float32
assert_allclose(m.inner(np.moveaxis(x, -1, 0), y.T, axis=0), m.inner(x, y))
assert_allclose(m.inner(x, y, keepdims=True)[..., 0], m.inner(x, y))
assert_allclose(m.inner(x[0], y.T, axes=[-1, 0, ()]), m.inner(x[0], y))
assert m.inner(np.zeros((3, 0)), np.zeros((3, 0))).tolist() == [0, 0, 0]
assert m.inner(np.zeros((0, 3)), np.zeros(3)).shape == (0,)
assert_raises(ValueError, m.inner, np.zeros(3), np.zeros(4))
assert_raises(ValueError, m.inner, np.zeros(3), 2.0)
assert_raises(TypeError, m.inner, np.zeros(3, complex), np.zeros(3))
large = rng.random((2, 400000))
assert_allclose(m.inner(large[0], large[1]), large[0] @ large[1])

for a, b in ((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((6, 3, 4), (4, 2)):
    a, b = rng.random(a), rng.random(b)
    assert_allclose(m.product(a, b), a @ b)
    assert m.product(a, b).shape == (a @ b).shape
a = rng.random((300, 200))
assert_allclose(m.product(a, a.T), a @ a.T)
assert_allclose(m.cross(x[0, 0, :3], y[:, :3]), np.cross(x[0, 0, :3], y[:, :3]))
assert_raises(ValueError, m.cross, np.zeros(4), np.zeros(4))

assert_allclose(m.convolve(np.arange(5.0), np.ones(3)), np.convolve(np.arange(5.0), np.ones(3)))
assert m.convolve(np.zeros((2, 5)), np.zeros((3, 1, 4))).shape == (3, 2, 8)
if not m.convolve.own: # NumPy 2.1 or later
    assert m.convolve.numpy(np.zeros(5), np.zeros(4)).shape == (8,)
assert_raises(ValueError, m.convolve, np.zeros(5), np.zeros(3), out=np.zeros(9))
assert_raises(ValueError, m.convolve.numpy, np.zeros(5), np.zeros(3), out=np.zeros(9))
low, high = m.ends(x)
assert_array_equal(low, x.min(-1))
assert_array_equal(high, x.max(-1))
given = np.empty((4, 1))
assert m.ends(x, out=(given, None))[0] is given
assert_array_equal(given, low)

# What is not written is 0 in a new result, and stays as it is in a given one; of the np.ufunc,
# which does not know which is which, it is 0.
for n in 5, 1001:
    x = rng.random((3, n))
    written = (np.arange(n) % 2 == 1) & (np.arange(n) < n // 2 * 2)
    wanted = np.where(written, x, 0)
    assert_array_equal(m.odd(x), wanted)
    given = np.full((3, n), 7.0)
    assert m.odd(x, out=given) is given
    assert_array_equal(given, np.where(written, x, 7))
    assert m.odd(x, given) is given
    assert_array_equal(m.odd.numpy(x, out=given), wanted)
assert_allclose(m.cumulate(x), np.cumsum(x, axis=-1))
assert_allclose(m.cumulate(x.T, axis=0), np.cumsum(x.T, axis=0))
assert_allclose(m.cumulate(x.astype("i")), np.cumsum(x.astype("i"), axis=-1))

# An output that is an input: the body reads what it had, all of it.
for f in m.reversed, m.reversed.numpy:
    for n in 4, 1001:
        x = rng.random((3, n))
        for view in (slice(None), slice(None)), (slice(None), slice(None, None, -1)), (slice(1), slice(1)):
            given = x.copy()
            assert f(given[view], out=given[view]).base is given
            assert_array_equal(given[view], x[view][..., ::-1])
a = rng.random((2, 3, 3))
b = rng.random((2, 3))
for f in m.applied, m.applied.numpy:
    given = b.copy()
    assert f(a, given, out=given) is given
    assert_allclose(given, np.einsum("kij,kj->ki", a, b))
    given = np.append(b, 0.0)
    f(a, given[:6].reshape(2, 3), out=given[1:].reshape(2, 3))
    assert_allclose(given[1:].reshape(2, 3), np.einsum("kij,kj->ki", a, b))

# Axes that are no C int are refused, as NumPy refuses them.
given = np.zeros((3, 5))
for call in (lambda f, **keywords: f(np.ones((3, 5)), out=given, **keywords),
             lambda f, **keywords: f.explain(np.ones((3, 5)), **keywords)):
    for number in 2**32, -2**32, 2**31:
        assert_raises(ValueError, call, m.odd, axis=number)
        assert_raises(ValueError, call, m.odd, axes=[number, -1])
    assert_raises(OverflowError, call, m.odd, axis=2**70)
    assert_raises(TypeError, call, m.odd, axis=1.5)
