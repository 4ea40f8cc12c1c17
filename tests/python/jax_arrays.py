"""JAX: eager, in jit, vmap and scan; weak numbers, types of 32 bits, several results, missing optional
dimensions; by XLA's call, and without its handler by calling back."""

import sys
import warnings

try:
    import jax
except ImportError:
    print("JAX is not installed")
    sys.exit(77)
import jax.numpy as jnp
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import ufc
from ufc import _jax, _ufc

m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc less(x, y) : bool(T, T) for T in floating = x < y
ufunc polar(r, t) : (T, T)(T, T) for T in float32 | float64 { return r * cos(t), r * sin(t) }
gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float32(float32, float32), float64(float64, float64)
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
gufunc convolve(x[n], w[k]) -> y[n + k - 1] : T(T, T) for T in float32 | float64
{ y[i] = sum(x[j] * w[i - j] for j in max(0, i - k + 1)..min(n, i + 1)) for i }
gufunc ends(x[n]) -> (low, high) : (float32, float32)(float32)
{ low = min(v for v in x); high = max(v for v in x) }
gufunc totals(x[n]) -> y[n] : float32(float32) { y[i] = sum(x[j] for j in 0..i + 1) for i }
""")


def same(got, wanted):
    assert isinstance(got, jax.Array) and got.dtype == wanted.dtype, (got, wanted)
    assert_array_equal(np.asarray(got), np.asarray(wanted))


def fails(kind, words, call):
    try:
        call()
    except kind as e:
        assert words in str(e), e
        return
    raise AssertionError(f"no {kind.__name__}: {words}")


x = jnp.arange(12.0, dtype="f").reshape(3, 4)
y = jnp.linspace(0, 1, 4, dtype="f")
b = jnp.arange(20.0, dtype="f").reshape(4, 5)


def check():
    # Eager and in jit.
    for way in (lambda f: f), jax.jit:
        same(way(m.add)(x, y), x + y)
        same(way(lambda x: m.add(x, 1))(x), x + 1)
        same(way(lambda x: m.add(2.5, x))(x), 2.5 + x)
        same(way(lambda x: m.add(x, 1j))(x), x + 1j)
        same(way(lambda x: m.add(x, np.arange(4, dtype="f")))(x), x + y * 3)
        same(way(m.less)(x, 5), x < 5)
        same(way(m.add)(x[:0], 1), x[:0])
        same(way(m.add)(x[0, 0], 1), x[0, 0] + 1)
        same(way(lambda x: m.add(x, 1, dtype="complex64"))(x), (x + 1).astype("F"))
        r, t = way(m.polar)(x, y)
        assert_allclose(r, x * jnp.cos(y), rtol=1e-6)
        assert_allclose(t, x * jnp.sin(y), rtol=1e-6)
        assert_allclose(way(m.product)(x, b), x @ b)
        assert_allclose(way(m.product)(x[0], b), x[0] @ b)
        assert_allclose(way(m.product)(x, b[:, 0]), x @ b[:, 0])
        assert_allclose(way(m.convolve)(y, y[:2]), jnp.convolve(y, y[:2]))
        low, high = way(m.ends)(x)
        same(low, x.min(1))
        same(high, x.max(1))
    # Keywords that say which axes, and a mask: what that leaves out is 0.
    c = jnp.stack([x, x * 2])
    for way in (lambda f: f), jax.jit:
        for axis in 0, 1, -1:
            for keep in False, True:
                low, high = way(lambda c: m.ends(c, axis=axis, keepdims=keep))(c)
                same(low, c.min(axis, keepdims=keep))
                same(high, c.max(axis, keepdims=keep))
            same(way(lambda c: m.totals(c, axis=axis))(c), jnp.cumsum(c, axis))
        same(way(lambda c: m.ends(c, axes=[1, (), ()])[1])(c), c.max(1))
        assert_allclose(way(lambda a, b: m.product(a, b, axes=[(1, 0), (-2, -1), (-1, 0)]))(x.T, b),
                        (x @ b).T)
        if way is jax.jit: # else the other elements are as the memory was
            same(way(lambda x, k: m.add(x, 1, where=k))(x, x > 5), jnp.where(x > 5, x + 1, 0))
            same(way(lambda x: m.add(x, y, where=np.arange(3)[:, None] > 0))(x),
                 (x + y).at[0].set(0))
            same(way(lambda y, k: m.add(y, 1, where=k))(y, x > 5), jnp.where(x > 5, y + 1, 0))
            same(jax.vmap(lambda x, k: m.add(x, 1, where=k))(x, x > 5), jnp.where(x > 5, x + 1, 0))
            same(jax.vmap(lambda k: m.add(y, 1, where=k))(x > 5), jnp.where(x > 5, y + 1, 0))
    same(jax.vmap(lambda a: m.ends(a, axis=0)[0], in_axes=1)(c), c.min(0))
    same(jax.vmap(lambda a: m.totals(a, axis=0), in_axes=2, out_axes=2)(c), jnp.cumsum(c, 0))

    for name in "int8 uint8 int16 int32 uint32 float16 bfloat16 float32 complex64".split():
        a = jnp.arange(5).astype(name)
        same(jax.jit(m.add)(a, 3), a + jnp.asarray(3, name))
    same(jax.jit(lambda x: jnp.sum(m.add(m.add(x, 1), x)))(x), jnp.sum(x + 1 + x))

    # vmap: of one operand, of another, of ranks that differ, nested, and of missing dimensions.
    same(jax.vmap(m.add)(x, x), x + x)
    same(jax.vmap(m.add, in_axes=(0, None))(x, y), x + y)
    same(jax.vmap(m.add, in_axes=(None, 0))(y, x), x + y)
    same(jax.vmap(m.add, in_axes=(0, None))(y, x), y[:, None, None] + x)
    same(jax.vmap(lambda r, c: m.add(r, c))(x, jnp.arange(3.0, dtype="f")), x + jnp.arange(3.0)[:, None])
    same(jax.vmap(m.add, in_axes=1, out_axes=1)(x, x), x + x)
    same(jax.jit(jax.vmap(jax.vmap(m.add, (None, 0)), (0, None)))(y, y), y[:, None] + y)
    assert_allclose(jax.vmap(m.product, in_axes=(0, None))(jnp.stack([x, x + 1]), b),
                    jnp.stack([x, x + 1]) @ b)
    assert_allclose(jax.vmap(m.product, in_axes=(0, None))(x, b), x @ b)
    assert_allclose(jax.vmap(m.convolve, in_axes=(0, None))(x, y),
                    np.stack([np.convolve(row, y) for row in np.asarray(x)]), rtol=1e-6)

    # Control flow and donated memory.
    same(jax.lax.scan(lambda c, v: (m.add(c, v), c), jnp.float32(0), y)[0], jnp.sum(y))
    same(jax.jit(m.add, donate_argnums=0)(x + 0, y), x + y)

    fails(TypeError, "no overload of 'less'", lambda: jax.jit(m.less)(x * 1j, 1))
    fails(ValueError, "shapes", lambda: jax.jit(m.add)(x, y[:3]))
    fails(Exception, "differentiated" if _jax._target() else "callback",
          lambda: jax.grad(lambda x: m.add(x, 1))(1.0))


assert _ufc.xla_targets(), "the extension was built without XLA's header"
check()
fails(TypeError, "no keywords but", lambda: jax.jit(lambda x: m.add(x, 1, order="C"))(x))
fails(ValueError, "axis", lambda: jax.jit(lambda x: m.ends(x, axis=2))(x))
fails(ValueError, "keepdims", lambda: jax.jit(lambda x: m.totals(x, keepdims=True))(x))
fails(TypeError, "bool", lambda: jax.jit(lambda x: m.add(x, 1, where=x))(x))
assert "ufc_call" in jax.jit(m.add).lower(x, y).as_text()

# Types of 64 bits.
same(jax.jit(m.add)(jnp.arange(3), 2), jnp.arange(3) + 2)
with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
    z = jnp.arange(3.0)
    assert z.dtype == "float64"
    same(jax.jit(m.add)(z, 2**40), z + 2**40)

# The same function of another compilation, or of a pickle, is found by its source.
again = ufc.compile(m.add.source)
same(jax.jit(again.add)(x, y), x + y)

# Without the handler, of which a warning tells once.
_jax._target.cache_clear()
_jax._program.cache_clear()
_jax._ufc = type("Without", (), {"xla_targets": staticmethod(lambda: None)})
jax.clear_caches()
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    jax.jit(m.add)(x, y)
assert [w.category for w in told] == [RuntimeWarning] and "jaxlib's header" in str(told[0].message)
check()
