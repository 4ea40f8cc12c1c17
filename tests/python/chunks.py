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
    assert tokenize(m.add) == tokenize(ufc.compile(m.add.source).add) != tokenize(m.density)
    assert m.add(d, 1).name == m.add(d, 1).name
    with dask.config.set(scheduler="processes", num_workers=2):
        assert_eq(m.centred(m.density(d, 0, 1)), m.centred(m.density(x, 0, 1)))
