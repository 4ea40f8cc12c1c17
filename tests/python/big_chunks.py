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
row = np.linspace(1, 0, COLUMNS, dtype="f")


def rows(block_info=None):
    first, end = block_info[None]["array-location"][0]
    return (np.arange(first, end) % 1000 / 1000).astype("f")[:, None] + row


x = da.map_blocks(rows, chunks=((CHUNK,) * (ROWS // CHUNK), (COLUMNS,)), dtype="f")
assert x.shape == (ROWS, COLUMNS) and x.nbytes > 2 * LIMIT
value, place = m.largest(m.softmax(x))
with dask.config.set(scheduler="threads", num_workers=2):
    value, place, total = dask.compute(value, place, m.softmax(x).sum(dtype="f8"))
# The softmax of a row does not depend on what is added to the row.
e = np.exp(row.astype("f8") - 1)
assert (place == 0).all()
np.testing.assert_allclose(value, np.full(ROWS, 1 / e.sum()), rtol=2e-6)
np.testing.assert_allclose(total, ROWS, rtol=1e-6)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
print(f"{x.nbytes >> 30} GiB, at most {peak >> 20} MiB in memory")
assert peak < LIMIT
