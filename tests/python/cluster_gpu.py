"""A Dask worker a GPU, with CuPy's chunks: a gufunc computes them where they are.  With several GPUs it says
how long an array that is larger than one of them takes with one worker, and with all."""

import sys
import tempfile
import time
import warnings

try:
    import cupy
    import dask
    import dask.array as da
    from distributed import Client, Nanny, Scheduler, SpecCluster
    GPUS = cupy.cuda.runtime.getDeviceCount()
except Exception as e: # CuPy fails in several ways where there is no driver
    print(f"no CuPy with a GPU, or no distributed: {type(e).__name__}")
    sys.exit(77)
import numpy as np

import ufc

ROWS, COLUMNS, CHUNKS = 1 << 14, 1024, 256 # 64 MiB a chunk


def fill(block_info=None):
    info = block_info[None]
    rng = cupy.random.RandomState(info["chunk-location"][0])
    return rng.random_sample(info["chunk-shape"], dtype="f")


def bus():
    return cupy.cuda.runtime.deviceGetPCIBusId(0)


if __name__ == "__main__":
    warnings.simplefilter("ignore") # distributed's own
    softmax = ufc.compile("""
    gufunc softmax(x[n]) -> y[n] : float32(float32)
    { let top = max(v for v in x); let total = sum(exp(v - top) for v in x)
      y[i] = exp(x[i] - top) / total for i }
    """).softmax
    nothing = cupy.empty((0, 0), "f")
    x = np.random.default_rng(1).random((1000, 64), dtype="f")
    e = np.exp(x - x.max(1, keepdims=True))
    for n in sorted({1, GPUS}):
        workers = {k: {"cls": Nanny, "options": {"nthreads": 1, "env": {"CUDA_VISIBLE_DEVICES": str(k)}}}
                   for k in range(n)}
        scheduler = {"cls": Scheduler, "options": {"dashboard": False, "dashboard_address": ":0"}}
        with tempfile.TemporaryDirectory() as folder, dask.config.set(temporary_directory=folder), \
                SpecCluster(workers=workers, scheduler=scheduler) as cluster, Client(cluster) as client:
            client.wait_for_workers(n)
            assert len(set(client.run(bus).values())) == n
            got = softmax(da.from_array(x, chunks=(100, 64)).map_blocks(cupy.asarray, meta=nothing))
            kinds = got.map_blocks(lambda b: np.array([[type(b).__module__ == "cupy"]]), dtype=bool, chunks=(1, 1))
            assert kinds.all().compute()
            np.testing.assert_allclose(got.map_blocks(cupy.asnumpy, dtype="f").compute(),
                                       e / e.sum(1, keepdims=True), rtol=1e-5)
            large = da.map_blocks(fill, dtype="f", chunks=((ROWS,) * CHUNKS, (COLUMNS,)), meta=nothing)
            total = softmax(large).map_blocks(lambda b: b.astype("d").sum(keepdims=True), dtype="d", chunks=(1, 1))
            begin = time.perf_counter()
            total = float(cupy.asnumpy(total.sum().compute()))
            print(f"{n} workers: {large.nbytes >> 30} GiB in {time.perf_counter() - begin:.2f} s")
            np.testing.assert_allclose(total, ROWS * CHUNKS, rtol=1e-5)
