"""A gufunc over a Dask array that is larger than all the memory that the process may have: in chunks."""

import resource
import sys

try:
    import dask.array as da
except ImportError:
    print("Dask is not installed")
    sys.exit(77)
import dask
import numpy as np

import ufc

ROWS, COLUMNS, CHUNK = 1 << 22, 1024, 1 << 14 # 16 GiB of float32, 64 MiB a chunk
LIMIT = 6 << 30 # of addresses: what programs and threads reserve counts, too

resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
m = ufc.compile("""
gufunc softmax(x[n]) -> y[n] : float32(float32)
{ let top = max(v for v in x); let total = sum(exp(v - top) for v in x); y[i] = exp(x[i] - top) / total for i }
gufunc largest(x[n]) -> (value, place) : (float32, int64)(float32)
{ value = max(v for v in x); place = argmax(x[i] for i) }
""", targets="host")
x = da.map_blocks(
    lambda block_info=None: np.arange(block_info[None]["array-location"][0][0],
                                      block_info[None]["array-location"][0][1], dtype="i4")[:, None]
    % 1000 * np.float32(1 / 1000) + np.linspace(0, 1, COLUMNS, dtype="f")[::-1],
    chunks=((CHUNK,) * (ROWS // CHUNK), (COLUMNS,)), dtype="f")
assert x.shape == (ROWS, COLUMNS) and x.nbytes > 2 * LIMIT
value, place = m.largest(m.softmax(x))
with dask.config.set(scheduler="threads", num_workers=2):
    value, place, total = dask.compute(value, place, m.softmax(x).sum(dtype="f8"))
# The softmax of a row does not depend on what is added to the row.
e = np.exp(np.linspace(0, 1, COLUMNS, dtype="f")[::-1].astype("f8") - 1)
assert (place == 0).all()
np.testing.assert_allclose(value, np.full(ROWS, 1 / e.sum()), rtol=2e-6)
np.testing.assert_allclose(total, ROWS, rtol=1e-6)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(f"{x.nbytes >> 30} GiB, at most {peak >> 20} MiB in memory")
assert peak < LIMIT
