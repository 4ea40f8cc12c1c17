#!/usr/bin/env python3
"""starts.py: first starts, with empty caches, and second ones, of ufc and its peers on this machine.

    tests/bench/starts.py [--device=cpu|cuda] [--only=PATTERN] [--peers=LIST] [--jobs=N]
                          [--seconds=S] [--out=FILE.json]

Each start is a process of its own, with caches in a folder of its own, the driver's too.  `process` is
how long it takes in all; `in process` what it takes from a source to the first result, when its
library is loaded, and the arrays are on the device.  Numba's functions have cache=True; CuPy's are
ElementwiseKernel, or RawKernel; `most` is declared for 14 types by ufc and Numba on the host, and
called with one.  `ufc` is the Python package, with arrays of CuPy or PyTorch where one of them is
installed, `ufc run` the command ($UFC, or ../../build/ufc).
What is missing, or wrong, or not ended within --seconds, has a dash.  --jobs starts so many at a
time.

The last lines tell how many pieces of code ufc's second starts made, as `ufc run -dc` says, and
on a GPU how many of the starts of either kind loaded the driver's compiler of PTX.
"""
import argparse
import concurrent.futures
import ctypes
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
UFC = os.environ.get("UFC", os.path.join(HERE, "../../build/ufc"))
TYPES = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64".split()
MORE_TYPES = "bool float16 complex64 complex128".split()  # which Numba lacks, or has no order for
SQRT_2PI = 2.5066282746310002

SOURCES = {
    "density": """ufunc density(x, mean, sigma) : float32(float32, float32, float32)
    = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
""",
    "most": "ufunc most(x, y) : T(T, T)\n    for T in %s\n    = max(x, y)\n"
            % " | ".join(TYPES + MORE_TYPES),
    "softmax": """gufunc softmax(x[n]) -> y[n] : float32(float32)
{
    let top = max(v for v in x)
    let total = sum(exp(v - top) for v in x)
    y[i] = exp(x[i] - top) / total for i
}
""",
    "matmul": """gufunc matmul(a[m, n], b[n, p]) -> c[m, p] : float32(float32, float32)
{
    c[i, j] = sum(a[i, k] * b[k, j] for k) for i, j
}
""",
}
SHAPES = {"density": [(1000000,)], "most": [(1000000,)] * 2, "softmax": [(1024, 1000)],
          "matmul": [(256, 256)] * 2}
NUMBERS = {"density": [0.1, 1.1]}


# ---- one start: what it calls, by each library.  A maker gives a function from a source to a result.


def as_module(m, name):
    """The function by a module of arrays."""
    if name == "density":
        return lambda x, mean, sigma: m.exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * SQRT_2PI)
    if name == "most":
        return lambda x, y: m.maximum(x, y)
    if name == "matmul":
        return lambda a, b: a @ b
    if m.__name__ == "torch":
        return lambda x: m.softmax(x, -1)

    def softmax(x):
        e = m.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)
    return softmax


class Memory:
    """An array on the first GPU that is no library's: the driver gives it."""

    def __init__(self, array):
        context, pointer = ctypes.c_void_p(), ctypes.c_uint64()
        self._driver, self._like = ctypes.CDLL("libcuda.so.1"), array
        self._ask("cuInit", 0)
        self._ask("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self._ask("cuCtxPushCurrent_v2", context)
        self._ask("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(array.nbytes))
        self._pointer = pointer.value
        self._copy(self._pointer, array.ctypes.data)

    def _ask(self, name, *arguments):
        error = getattr(self._driver, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: CUDA error {error}")

    def _copy(self, to, source):
        self._ask("cuMemcpyAsync", ctypes.c_uint64(to), ctypes.c_uint64(source),
                  ctypes.c_size_t(self._like.nbytes), None)
        self._ask("cuCtxSynchronize")

    @property
    def __cuda_array_interface__(self):
        return {"shape": self._like.shape, "typestr": self._like.dtype.str, "version": 3,
                "data": (self._pointer, False)}

    def get(self):
        values = self._like.copy()
        self._copy(values.ctypes.data, self._pointer)
        return values


def by_ufc(name, arrays, device):
    import ufc
    library = next((m for m in ("cupy", "torch") if importlib.util.find_spec(m)), None)
    keywords = {}
    if device == "cpu":
        moved = arrays
    elif library is None:
        moved = [Memory(a) for a in arrays]
        keywords["out"] = Memory(arrays[0])  # all results here are like the first argument
    elif library == "cupy":
        import cupy
        moved = [cupy.asarray(a) for a in arrays]
    else:
        import torch
        moved = [torch.from_numpy(a).cuda() for a in arrays]

    def start():
        f = getattr(ufc.compile(SOURCES[name]), name)
        result = f(*moved, *NUMBERS.get(name, []), **keywords)
        return result.get() if hasattr(result, "get") else \
            result.cpu().numpy() if hasattr(result, "cpu") else result
    return start


CUPY_SOFTMAX = r"""extern "C" __global__ void softmax(const float *x, float *y, int n) {
    __shared__ float part[256];
    const float *row = x + (long long)blockIdx.x * n;
    float top = -1.0f / 0.0f, total = 0;
    for (int i = threadIdx.x; i < n; i += 256) top = fmaxf(top, row[i]);
    part[threadIdx.x] = top;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + d]);
    }
    __syncthreads();
    top = part[0];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) total += expf(row[i] - top);
    part[threadIdx.x] = total;
    for (int d = 128; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256)
        y[(long long)blockIdx.x * n + i] = expf(row[i] - top) / part[0];
}
"""

CUPY_MATMUL = r"""extern "C" __global__ void matmul(const float *a, const float *b, float *c, int n) {
    __shared__ float s[16][16], t[16][16];
    int i = blockIdx.y * 16 + threadIdx.y, j = blockIdx.x * 16 + threadIdx.x;
    float total = 0;
    for (int k = 0; k < n; k += 16) {
        s[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
        for (int l = 0; l < 16; l++) total += s[threadIdx.y][l] * t[l][threadIdx.x];
        __syncthreads();
    }
    c[i * n + j] = total;
}
"""


def by_cupy(name, arrays, device):
    import cupy
    moved = [cupy.asarray(a) for a in arrays]
    n = moved[0].shape[-1]

    def start():
        if name == "density":
            f = cupy.ElementwiseKernel(
                "float32 x, float32 mean, float32 sigma", "float32 z",
                "float t = (x - mean) / sigma;"
                "z = exp(-0.5f * t * t) / (sigma * 2.5066282746310002f)", name)
            return f(*moved, *NUMBERS[name]).get()
        if name == "most":
            return cupy.ElementwiseKernel("T x, T y", "T z", "z = x > y ? x : y", name)(*moved).get()
        out = cupy.empty_like(moved[0])
        if name == "softmax":
            f = cupy.RawKernel(CUPY_SOFTMAX, name)
            f((len(out),), (256,), (*moved, out, cupy.int32(n)))
        else:
            f = cupy.RawKernel(CUPY_MATMUL, name)
            f((n // 16, n // 16), (16, 16), (*moved, out, cupy.int32(n)))
        return out.get()
    return start


def density(x, mean, sigma):
    t = (x - mean) / sigma
    return math.exp(np.float32(-0.5) * t * t) / (sigma * np.float32(SQRT_2PI))


def most(x, y):
    return max(x, y)


def softmax(x, y):
    top = x[0]
    for i in range(x.shape[0]):
        top = max(top, x[i])
    total = np.float32(0)
    for i in range(x.shape[0]):
        y[i] = math.exp(x[i] - top)
        total += y[i]
    for i in range(x.shape[0]):
        y[i] /= total


def matmul(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            c[i, j] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def by_numba(name, arrays, device):
    global math, np
    import math
    import numba
    import numpy as np
    numbers = [np.float32(v) for v in NUMBERS.get(name, [])]
    if device == "cuda":
        for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
            if not hasattr(np, old):  # numba-cuda names what NumPy has removed
                setattr(np, old, getattr(np, new))
        from numba import cuda
        cuda.current_context()
        moved = [cuda.to_device(a) for a in arrays]

    def on_host():
        if name == "density":
            return numba.vectorize(["f4(f4,f4,f4)"], cache=True)(density)(*arrays, *numbers)
        if name == "most":
            signatures = [f"{t}({t},{t})" for t in TYPES]
            return numba.vectorize(signatures, cache=True)(most)(*arrays)
        if name == "softmax":
            return numba.guvectorize(["f4[:],f4[:]"], "(n)->(n)", cache=True)(softmax)(*arrays)
        return numba.guvectorize(["f4[:,:],f4[:,:],f4[:,:]"], "(m,n),(n,p)->(m,p)",
                                 cache=True)(matmul)(*arrays)

    def on_gpu():
        if name in ("density", "most"):
            signature = "f4(f4,f4,f4)" if name == "density" else "f4(f4,f4)"
            f = numba.vectorize([signature], target="cuda")(globals()[name])
            return f(*moved, *numbers).copy_to_host()
        layout = "(n)->(n)" if name == "softmax" else "(m,n),(n,p)->(m,p)"
        signature = "f4[:],f4[:]" if name == "softmax" else "f4[:,:],f4[:,:],f4[:,:]"
        f = numba.guvectorize([signature], layout, target="cuda")(globals()[name])
        return f(*moved).copy_to_host()
    return on_gpu if device == "cuda" else on_host


def by_jax(name, arrays, device):
    os.environ["JAX_PLATFORMS"] = device
    import jax
    import jax.numpy
    import numpy
    moved = [jax.device_put(a).block_until_ready() for a in arrays]

    def start():
        f = jax.jit(as_module(jax.numpy, name))
        return numpy.asarray(f(*moved, *NUMBERS.get(name, [])))
    return start


def by_torch(name, arrays, device):
    import torch
    moved = [torch.from_numpy(a).to(device) for a in arrays]

    def start():
        f = torch.compile(as_module(torch, name))
        return f(*moved, *NUMBERS.get(name, [])).cpu().numpy()
    return start


def by_triton(name, arrays, device):
    global tl
    import torch
    import triton
    import triton.language as tl
    moved = [torch.from_numpy(a).to(device) for a in arrays]
    out, n = torch.empty_like(moved[0]), moved[0].shape[-1]

    def density(x, out, mean, sigma, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        t = (tl.load(x + i, i < n) - mean) / sigma
        tl.store(out + i, tl.exp(-0.5 * t * t) / (sigma * 2.5066282746310002), i < n)

    def most(x, y, out, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        tl.store(out + i, tl.maximum(tl.load(x + i, i < n), tl.load(y + i, i < n)), i < n)

    def softmax(x, out, n, B: tl.constexpr):
        i = tl.arange(0, B)
        row = tl.load(x + tl.program_id(0) * n + i, i < n, -float("inf"))
        e = tl.exp(row - tl.max(row, 0))
        tl.store(out + tl.program_id(0) * n + i, e / tl.sum(e, 0), i < n)

    def matmul(a, b, out, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)[:, None]
        j = tl.program_id(1) * B + tl.arange(0, B)[None, :]
        total = tl.zeros((B, B), tl.float32)
        for k in range(0, n, B):
            s = tl.load(a + i * n + k + tl.arange(0, B)[None, :])
            t = tl.load(b + (k + tl.arange(0, B)[:, None]) * n + j)
            total += tl.dot(s, t, input_precision="ieee")
        tl.store(out + i * n + j, total)

    def start():
        f = triton.jit({"density": density, "most": most, "softmax": softmax,
                        "matmul": matmul}[name])
        grid = {"softmax": (len(out),), "matmul": (n // 32, n // 32)}.get(name, (-(-n // 1024),))
        block = 32 if name == "matmul" else 1024
        f[grid](*moved, out, *NUMBERS.get(name, []), n, block)
        return out.cpu().numpy()
    return start


def start_one(peer, name, device):
    import numpy
    random = numpy.random.default_rng(1)
    arrays = [random.random(shape, numpy.float32) for shape in SHAPES[name]]
    start = globals()["by_" + peer](name, arrays, device)
    begin = time.perf_counter()
    result = start()
    taken = time.perf_counter() - begin
    wanted = as_module(numpy, name)(*arrays, *NUMBERS.get(name, []))
    with open("/proc/self/maps") as maps:
        compiler = "ptxjitcompiler" in maps.read()
    right = result.shape == wanted.shape and numpy.allclose(result, wanted, 1e-4, 1e-5)
    print(json.dumps({"taken": taken, "compiler": compiler, "right": bool(right)}))


# ---- all starts


def caches(folder):
    """The environment in which all caches are in a folder."""
    at = {"UFC_CACHE": "ufc", "CUDA_CACHE_PATH": "driver", "CUPY_CACHE_DIR": "cupy",
          "NUMBA_CACHE_DIR": "numba", "JAX_COMPILATION_CACHE_DIR": "jax",
          "TORCHINDUCTOR_CACHE_DIR": "inductor", "TRITON_CACHE_DIR": "triton"}
    return dict(os.environ, **{k: os.path.join(folder, v) for k, v in at.items()},
                JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0",
                JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES="-1")


def command(name, device, folder):
    source = os.path.join(folder, name + ".uf")
    with open(source, "w") as f:
        f.write(SOURCES[name])
    arrays = ["rand:" + "x".join(map(str, shape)) + ":f4" for shape in SHAPES[name]]
    return [UFC, "run", "-dc", "--device=" + device, source, name, *arrays,
            *map(str, NUMBERS.get(name, [])), "-o", os.path.join(folder, "out.npy")]


def run(words, folder, limit):
    begin = time.perf_counter()
    done = subprocess.run(words, env=caches(folder), capture_output=True, text=True, cwd=folder,
                          timeout=max(limit - begin, .001))
    return time.perf_counter() - begin, done


def measure(peer, name, device, limit):
    """[first start, second start], each {"process", "taken", "compiler", "made"}; or why not."""
    starts, folder = [], tempfile.mkdtemp(prefix="ufc-starts-")
    try:
        for _ in range(2):
            words = command(name, device, folder) if peer == "ufc run" else \
                [sys.executable, os.path.abspath(__file__), "--one", peer, name, device]
            process, done = run(words, folder, limit)
            if done.returncode != 0:
                lines = done.stderr.strip().splitlines() or ["it failed"]
                return ([line for line in lines if re.match(r"[\w.]*(Error|Exception)", line)]
                        or lines)[-1]
            if peer == "ufc run":
                start = {"made": len(re.findall(r"^made ", done.stderr, re.M))}
            else:
                start = json.loads(done.stdout.splitlines()[-1])
                if not start["right"]:
                    return "its result is wrong"
            starts.append(dict(start, process=process))
    except subprocess.TimeoutExpired:
        return starts or "there was no time left"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return starts


def milliseconds(cell, start, key):
    known = not isinstance(cell, str) and start < len(cell) and key in cell[start]
    return f"{cell[start][key] * 1e3:.0f}" if known else "-"


def print_table(cells, device):
    print(f"ms, {device:20} in process: first    second   process: first    second")
    for name, peer in sorted(cells, key=lambda key: list(SOURCES).index(key[0])):
        taken, process = ([milliseconds(cells[name, peer], start, key) for start in range(2)]
                          for key in ("taken", "process"))
        print(f"{name:10} {peer:10} {taken[0]:>19} {taken[1]:>9} {process[0]:>16} {process[1]:>9}")


def print_work(cells, device):
    good = {key: cell for key, cell in cells.items() if not isinstance(cell, str) and len(cell) > 1}
    made = [[s["made"] for s in cell] for (_, peer), cell in good.items() if peer == "ufc run"]
    if made:
        print("pieces of code that `ufc run` made: %d by %d first starts, %d by second ones"
              % (sum(m[0] for m in made), len(made), sum(m[1] for m in made)))
    loaded = [[s["compiler"] for s in cell] for (_, peer), cell in good.items() if peer == "ufc"]
    if loaded and device == "cuda":
        print("the driver's compiler was loaded by %d of %d first starts of ufc, %d second ones"
              % (sum(c[0] for c in loaded), len(loaded), sum(c[1] for c in loaded)))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--only", default="")
    parser.add_argument("--peers", default="cupy,triton,jax,numba,torch")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--out")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.one:
        return start_one(*o.one)
    peers = ["ufc run", "ufc"] + [p for p in o.peers.split(",") if p]
    if o.device == "cpu":
        peers = [p for p in peers if p not in ("cupy", "triton")]
    keys = [(name, peer) for peer in peers for name in SOURCES if re.search(o.only, name)]
    limit = time.perf_counter() + o.seconds
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        cells = dict(zip(keys, pool.map(lambda k: measure(k[1], k[0], o.device, limit), keys)))
    print_table(cells, o.device)
    print_work(cells, o.device)
    for why in sorted({(peer, cell) for (_, peer), cell in cells.items() if isinstance(cell, str)}):
        print(f"no {why[0]}: {why[1][:100]}", file=sys.stderr)
    if o.out:
        with open(o.out, "w") as f:
            json.dump([{"function": k[0], "peer": k[1], "starts": v} for k, v in cells.items()], f)
    return 0


if __name__ == "__main__":
    sys.exit(main())
