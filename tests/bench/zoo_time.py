"""Time, of calls and of peers, on the host and on a GPU."""
import concurrent.futures
import math
import os
import statistics
import sys
import time

import numpy

from zoo_body import reference


def load_cupy():
    try:
        import cupy
    except ImportError:
        print("zoo.py: CuPy is missing: it makes arrays on GPUs")
        sys.exit(77)
    return cupy


class Host:
    """Where arrays are NumPy's and time is the clock's."""
    np, peers = numpy, ("numpy", "numba")
    elements = 1 << 24  # of all operands, at most: more is left to GPUs

    def timed(self, burst):
        def seconds(n):
            begin = time.perf_counter()
            burst(n)
            return time.perf_counter() - begin
        return seconds

    def copy(self):
        """Copies n times in as many threads as there are cores; the bytes of one, read and written."""
        threads = os.cpu_count()
        blocks = numpy.ones((2, threads, 1 << 23), "float32")
        pool = concurrent.futures.ThreadPoolExecutor(threads)

        def burst(n):
            for _ in range(n):
                list(pool.map(lambda k: numpy.copyto(blocks[1, k], blocks[0, k]), range(threads)))
        return burst, blocks.nbytes

    def clean(self):
        pass


class Gpu:
    peers = ("cupy", "jax", "torch")
    elements = math.inf

    def __init__(self):
        self.np = load_cupy()

    def timed(self, burst):
        begin, end = self.np.cuda.Event(), self.np.cuda.Event()

        def seconds(n):
            begin.record()
            burst(n)
            end.record()
            end.synchronize()
            return self.np.cuda.get_elapsed_time(begin, end) * 1e-3
        return seconds

    def copy(self):
        blocks = self.np.ones((2, 1 << 27), "float32")

        def burst(n):
            for _ in range(n):
                blocks[1].data.copy_from_device_async(blocks[0].data, blocks[0].nbytes)
        return burst, blocks.nbytes

    def clean(self):
        self.np.get_default_memory_pool().free_all_blocks()


def median(seconds, budget, least=3e-3):
    """Of bursts of at least so many seconds, within a budget of seconds, or of one call."""
    begin, n = time.perf_counter(), 1
    once = seconds(1)
    if once > budget:  # the first call may have waited for the driver's compiler
        once = seconds(1)
    if once > budget:
        return once
    while True:
        once = seconds(n) / n
        if once * n >= least or n >= 1 << 16:
            break
        n = min(math.ceil(n * min(max(1.2 * least / (once * n), 2), 64)), 1 << 16)
    samples = [once]
    while len(samples) < 3 or time.perf_counter() - begin < budget:
        samples.append(seconds(n) / n)
        if time.perf_counter() - begin > 4 * budget:
            break
    return statistics.median(samples)


class Peers:
    """Functions of a body's inputs by others; each raises what it will where it cannot."""

    def arrays(self, body, signature, size, inputs, place):
        if body.each and math.prod(size.loop) > 1:
            return None
        run = reference(place.np, body, signature, size)
        if body.each:
            inputs = [a.reshape(a.shape[a.ndim - len(d):]) for a, d in zip(inputs, signature[1])]
        return place.timed(lambda n: [run(*inputs) for _ in range(n)])

    numpy = cupy = arrays

    def jax(self, body, signature, size, inputs, place):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        if jax.default_backend() != "gpu":
            return None
        run = reference(jax.numpy, body, signature, size)
        for _ in size.loop if body.each else ():
            run = jax.vmap(run, [0 if a.ndim > len(d) else None for a, d in zip(inputs, signature[1])])
        f, given = jax.jit(run), [jax.numpy.from_dlpack(place.np.ascontiguousarray(a)) for a in inputs]

        def seconds(n):
            begin = time.perf_counter()
            for _ in range(n):
                result = f(*given)
            jax.block_until_ready(result)
            return time.perf_counter() - begin
        return seconds

    def torch(self, body, signature, size, inputs, place):
        if not body.keys["torch"]:
            return None
        import torch
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        names = signature[0][:signature[3]]
        scope = dict(size.dims, torch=torch, math=math)
        f = torch.compile(eval(f"lambda {', '.join(names)}: {body.text('torch')}", scope), dynamic=False)
        given = [torch.from_dlpack(a) for a in inputs]
        return place.timed(lambda n: [f(*given) for _ in range(n)])

    def numba(self, body, signature, size, inputs, place):
        if not body.keys["numba"]:
            return None
        f = numba_function(body, signature)
        outputs = [numpy.zeros_like(a) for a in size.arrays(numpy, body, signature).values()][signature[3]:]
        return place.timed(lambda n: [f(*inputs, *outputs) for _ in range(n)])


def numba_function(body, signature):
    import numba
    names, dims, dtypes, nin = signature
    scope = {"math": math, "np": numpy}
    if not any(dims):
        exec(f"def f({', '.join(names[:nin])}):\n return {body.text('numba')}", scope)
        return numba.vectorize([f"{dtypes[nin]}({','.join(dtypes[:nin])})"], target="parallel")(scope["f"])
    lines = [f"{d} = {name}.shape[{k}]" for name, core in zip(names, dims) for k, d in enumerate(core)
             if d.isidentifier()]
    lines += body.text("numba").split("\n")
    exec(f"def f({', '.join(names)}):\n " + "\n ".join(lines), scope)
    ranks = [f"{t}[{','.join(':' * max(len(d), 1))}]" if d or k >= nin else t
             for k, (t, d) in enumerate(zip(dtypes, dims))]
    core = ["(" + ",".join(d if d.isidentifier() else "of" + d for d in core) + ")" for core in dims]
    layout = ",".join(core[:nin]) + "->" + ",".join(core[nin:])
    return numba.guvectorize([f"void({','.join(ranks)})"], layout, target="parallel")(scope["f"])
