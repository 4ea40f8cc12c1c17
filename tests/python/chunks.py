"""Dask: ufuncs by its elementwise functions, gufuncs by apply_gufunc; in other processes, too."""

import sys

try:
    import dask.array as da
except ImportError:
    print("Dask is not installed")
    sys.exit(77)
import dask
import numpy as np
from dask.array.utils import assert_eq
from dask.base import tokenize

import ufc

if __name__ == "__main__":
    m = ufc.compile("""
    ufunc density(x, mean, sigma) : T(T, T, T) for T in floating
        = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
    ufunc add(x, y) : T(T, T) for T in number with identity 0 = x + y
    gufunc centred(x[n]) -> y[n] : float32(float32), float64(float64)
    { let s = sum(v for v in x); y[i] = x[i] - s / n for i }
    gufunc ends(x[n]) -> (low, high) : (float64, float64)(float64)
    { low = min(v for v in x); high = max(v for v in x) }
    ufunc divmod(x, y) : (T, T)(T, T) for T in floating { return x + y, x - y }
    gufunc convolve(x[n], w[k]) -> y[n + k - 1] : float64(float64, float64)
    { y[i] = sum(x[j] * w[i - j] for j in max(0, i - k + 1)..min(n, i + 1)) for i }
    gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float64(float64, float64)
    { c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
    """)
    x = np.random.default_rng(5).random((60, 50))
    d = da.from_array(x, chunks=(20, 50))

    assert isinstance(m.density(d, 0, 1), da.Array)
    assert_eq(m.density(d, 0, 1), m.density(x, 0, 1))
    assert_eq(m.add(d, x.astype("f")[0]), x + x.astype("f")[0])
    assert_eq(m.centred(d), x - x.mean(-1, keepdims=True))
    low, high = m.ends(d)
    assert_eq(low, x.min(-1))
    assert_eq(high, x.max(-1))
    # Of several outputs, whatever NumPy has by that name; a number has no type of its own.
    for made, want in zip(m.divmod(d, 2.0), (x + 2, x - 2)):
        assert_eq(made, want)
    assert m.divmod(d.astype("f"), 2.0)[0].dtype == "f"
    assert_eq(m.add.outer(d[0], d[:, 1]), np.add.outer(x[0], x[:, 1]))
    assert_eq(m.add.outer(2.0, d), 2 + x)
    # Core dimensions that are computed, and optional.
    assert_eq(m.convolve(d, np.ones(3)), np.array([np.convolve(row, np.ones(3)) for row in x]))
    whole = d.rechunk((60, 50))
    assert_eq(m.product(whole, x[0]), x @ x[0], rtol=1e-12)
    assert_eq(m.product(whole, x.T), x @ x.T, rtol=1e-12)
    assert tokenize(m.add) == tokenize(ufc.compile(m.add.source).add) != tokenize(m.density)
    assert m.add(d, 1).name == m.add(d, 1).name
    with dask.config.set(scheduler="processes", num_workers=2):
        assert_eq(m.centred(m.density(d, 0, 1)), m.centred(m.density(x, 0, 1)))
        assert_eq(m.divmod(d, 2.0)[1], x - 2)
