"""Dask on a LocalCluster of two processes: ufuncs and gufuncs go there by their sources, and each process
makes their code, or finds it in the cache."""

import sys
import tempfile
import warnings

try:
    import dask.array as da
    from distributed import Client, LocalCluster
except ImportError:
    print("Dask's distributed is not installed")
    sys.exit(77)
import dask
import numpy as np
from dask.array.utils import assert_eq

import ufc

if __name__ == "__main__":
    warnings.simplefilter("ignore") # distributed's own
    m = ufc.compile("""
    ufunc density(x, mean, sigma) : T(T, T, T) for T in floating
        = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
    gufunc softmax(x[n]) -> y[n] : float32(float32), float64(float64)
    { let top = max(v for v in x); let total = sum(exp(v - top) for v in x)
      y[i] = exp(x[i] - top) / total for i }
    gufunc ends(x[n]) -> (low, high) : (float64, float64)(float64)
    { low = min(v for v in x); high = max(v for v in x) }
    """)
    x = np.random.default_rng(7).standard_normal((400, 60))
    d = da.from_array(x, chunks=(50, 60))
    with tempfile.TemporaryDirectory() as folder, dask.config.set(temporary_directory=folder), \
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            Client(cluster):
        assert_eq(m.density(d, 0, 1), m.density(x, 0, 1))
        assert_eq(m.softmax(d), m.softmax(x))
        low, high = dask.compute(*m.ends(m.density(d, 0, 2)))
        assert_eq(low, m.density(x, 0, 2).min(-1))
        assert_eq(high, m.density(x, 0, 2).max(-1))
        assert_eq(m.softmax(m.density(d, 0, 1)).sum(), 400.0, rtol=1e-12)
        # Chunks are moved where the function needs them whole.
        assert_eq(m.softmax(da.from_array(x, chunks=(100, 20)).rechunk((100, 60))), m.softmax(x))
        processes = cluster.scheduler.workers
        assert len(processes) == 2 and len({w.pid if hasattr(w, "pid") else w.address
                                            for w in processes.values()}) == 2
