#!/usr/bin/env python3
"""peers.py: ufc beside Numba, CuPy, JAX and torch.compile, as many of them as Python here has, on the
same machine in the same run: one table, a workload a line, each one's time and what fraction of the
device's own copy rate that is.

    tests/bench/peers.py [--quick] [--only=PATTERN] [--device=auto|cpu|cuda] [--peers=LIST]
                         [--seconds=S] [--limit=S] [--out=FILE.json]

On a GPU the peers are numba, cupy, jax and torch, on the host numpy (one core) and parallel (Numba's
target, all cores).  Arrays are on the device.  All are timed in bursts of calls of at least 5 ms, the
median of 15 or more, in --seconds each (0.5): ufc, Numba, CuPy and torch by CUDA's events, JAX, which
has a stream of its own, and all on the host by the clock.  Bytes and the copy rate are those of `ufc
bench`: each array's distinct bytes once, a device-to-device copy in the same seconds.  best/ufc is
the best peer's time over ufc's; goal is the fraction that ufc is to reach on an H100, with a minus
where it does not (not of --quick).

--quick takes small sizes, to see that all of it runs.  PATTERN is a regular expression for names.  A
peer that takes longer than --limit seconds (90) for a workload, compilation included, is stopped
there and started anew for the next.  The command is $UFC, or ../../build/ufc from here.
"""
import argparse
import ctypes
import functools
import json
import math
import os
import re
import select
import subprocess
import sys
import time
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
SQRT_2PI = math.sqrt(2 * math.pi)
GPU_PEERS, HOST_PEERS = ["numba", "cupy", "jax", "torch"], ["numpy", "parallel"]


# ---- what is computed, by each


def numba_gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


def numba_polar_distance(r1, t1, r2, t2):
    dx = r1 * math.cos(t1) - r2 * math.cos(t2)
    dy = r1 * math.sin(t1) - r2 * math.sin(t2)
    return math.sqrt(dx * dx + dy * dy)


def numba_layer(grey, weight):
    x = grey / 255 * weight
    return (math.exp(x) - math.exp(-x)) / (math.exp(x) + math.exp(-x))


def numba_polar(vec, out):
    x = vec[0]
    y = vec[1]
    out[0] = math.sqrt(x * x + y * y)
    out[1] = math.atan2(y, x)


def numba_average(x, out):
    total = x[0] - x[0]
    for k in range(x.shape[0]):
        total += x[k]
    out[0] = total / x.shape[0]


def numba_matmul(a, b, c):
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            total = a[0, 0] - a[0, 0]
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def polar_distance(m, r1, t1, r2, t2):
    dx, dy = r1 * m.cos(t1) - r2 * m.cos(t2), r1 * m.sin(t1) - r2 * m.sin(t2)
    return m.sqrt(dx * dx + dy * dy)


def layer(m, grey, weight):
    x = grey / 255 * weight
    return (m.exp(x) - m.exp(-x)) / (m.exp(x) + m.exp(-x))


def softmax(m, x):
    if m.__name__ == "torch":
        return m.softmax(x, -1)
    if m.__name__ == "jax.numpy":
        import jax
        return jax.nn.softmax(x, axis=-1)
    e = m.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def torch_convolve(m, x, w):
    """Full convolutions as torch has them, correlations with padding."""
    n = w.ndim
    conv = m.nn.functional.conv1d if n == 1 else m.nn.functional.conv2d
    return conv(x[None, None], w.flip(*range(n))[None, None], padding=[k - 1 for k in w.shape])


def convolve(m, x, w):
    return torch_convolve(m, x, w) if m.__name__ == "torch" else m.convolve(x, w)


def convolve2d(m, x, w):
    if m.__name__ == "torch":
        return torch_convolve(m, x, w)
    if m.__name__ == "cupy":
        from cupyx.scipy.signal import convolve2d as f
    elif m.__name__ == "jax.numpy":
        from jax.scipy.signal import convolve2d as f
    else:
        from scipy.signal import convolve2d as f
    return f(x, w)


# Of each function: as a module of arrays m computes it; the parameters and the body of CuPy's
# ElementwiseKernel; a scalar function for Numba, or the body and the layout of a gufunc.
FUNCTIONS = {
    "add": (lambda m, x, y: x + y, ("x y", "z = x + y"), lambda x, y: x + y),
    "root": (lambda m, x: m.sqrt(x), ("x", "z = sqrt(x)"), lambda x: math.sqrt(x)),
    "gaussian_pdf": (
        lambda m, x, mean, sigma: m.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI),
        ("x mean sigma", "float t = (x - mean) / sigma;"
         "z = exp(-0.5f * t * t) / (sigma * 2.5066282746310002f)"), numba_gaussian),
    "angle": (lambda m, y, x: m.atan2(y, x), ("y x", "z = atan2(y, x)"),
              lambda y, x: math.atan2(y, x)),
    "polar_distance": (
        polar_distance,
        ("r1 t1 r2 t2", "float dx = r1 * cos(t1) - r2 * cos(t2), dy = r1 * sin(t1) - r2 * sin(t2);"
         "z = sqrt(dx * dx + dy * dy)"), numba_polar_distance),
    "sin_cos": (lambda m, x, y: m.sin(x) * m.cos(y), ("x y", "z = sin(x) * cos(y)"),
                lambda x, y: math.sin(x) * math.cos(y)),
    "powers": (lambda m, p, q, r, s: m.sqrt(p**2 + q**3 + r**4 + s**5),
               ("p q r s", "z = sqrt(p * p + q * q * q + r * r * r * r + s * s * s * s * s)"),
               lambda p, q, r, s: math.sqrt(p**2 + q**3 + r**4 + s**5)),
    "product": (lambda m, x, y: x * y, ("x y", "z = x * y"), lambda x, y: x * y),
    "layer": (layer, ("grey weight", "float x = grey / 255.0f * weight, e = exp(x), f = exp(-x);"
                      "z = (e - f) / (e + f)"), numba_layer),
    "polar": (lambda m, p: m.stack([m.hypot(p[:, 0], p[:, 1]), m.atan2(p[:, 1], p[:, 0])], -1),
              None, (numba_polar, "(i)->(i)")),
    "average": (lambda m, x: x.mean(-1), None, (numba_average, "(i)->()")),
    "softmax": (softmax, None, None),
    "matmul": (lambda m, a, b: m.matmul(a, b), None, (numba_matmul, "(m,n),(n,p)->(m,p)")),
    "convolve": (convolve, None, None),
    "convolve2d": (convolve2d, None, None),
    "add.reduce": (lambda m, x: x.sum(0), None, "reduce"),
    "add.accumulate": (lambda m, x: m.cumsum(x, 0), None, None),
}

F4 = "rand:{n}:f4"
SQUARE = "rand:{n}x{n}:f4"
# Name, function, the arguments of `ufc bench`, n.
WORKLOADS = [
    ("add f32", "add", [F4, F4], 2**27),
    ("add i8", "add", ["rand:{n}:i1"] * 2, 2**29),
    ("add f16", "add", ["rand:{n}:f2"] * 2, 2**28),
    ("sqrt f32", "root", [F4], 2**27),
    ("gaussian_pdf f32", "gaussian_pdf", [F4, "0.1", "1.1"], 2**27),
    ("atan2 f32", "angle", [F4, F4], 2**26),
    ("polar_distance f32", "polar_distance", [F4] * 4, 2**26),
    ("sin cos f64", "sin_cos", ["rand:{n}:f8"] * 2, 2**25),
    ("powers f32", "powers", [F4] * 4, 2**26),
    ("multiply c64", "product", ["rand:{n}:c8"] * 2, 2**26),
    ("add f32 + f64", "add", [F4, "rand:{n}:f8"], 2**26),
    ("layer f32", "layer", [F4, F4], 2**26),
    ("column + row", "add", ["rand:{n}x1:f4", "rand:{n}:f4"], 16384),
    ("matrix + row", "add", [SQUARE, "rand:{n}:f4"], 16384),
    ("matrix + transpose", "add", [SQUARE, "arg1.T"], 16384),
    ("Fortran + C order", "add", [SQUARE + ".T", SQUARE], 16384),
    ("permuted (2,0,1)", "add", ["rand:{n}x{n}x{n}:f4.transpose(2,0,1)", "rand:{n}x{n}x{n}:f4"],
     512),
    ("broadcast middle", "add", ["rand:64x{n}x1024:f4", "rand:64x1x1024:f4"], 512),
    ("a[::2] + a[::2]", "add", ["rand:{n}:f4[::2]", "arg1"], 2**27),
    ("a[::-1] + b", "add", ["rand:{n}:f4[::-1]", F4], 2**27),
    ("a[1:] + b[:-1]", "add", ["rand:{n}:f4[1:]", "rand:{n}:f4[:-1]"], 2**27),
    ("add i8, 2^32", "add", ["rand:{n}:i1"] * 2, 2**32),
    ("matrix + row i8, 2^32", "add", ["rand:{n}x{n}:i1", "rand:{n}:i1"], 65536),
    ("gaussian_pdf 1e6", "gaussian_pdf", [F4, "0.1", "1.1"], 10**6),
    ("polar_distance 1e6", "polar_distance", [F4] * 4, 10**6),
    ("sin cos 1e6", "sin_cos", ["rand:{n}:f8"] * 2, 10**6),
    ("layer 1e6", "layer", [F4, F4], 10**6),
    ("powers 5e6", "powers", [F4] * 4, 5 * 10**6),
    ("sqrt 1e7", "root", [F4], 10**7),
    ("atan2 1e7", "angle", [F4, F4], 10**7),
    ("call, 16 elements", "add", ["rand:16:f4", "rand:16:f4"], 16),
    ("polar 1e7x2", "polar", ["rand:{n}x2:f4"], 10**7),
    ("average 2^20x128", "average", ["rand:{n}x128:f4"], 2**20),
    ("average 2^14x8192", "average", ["rand:{n}x8192:f4"], 2**14),
    ("average 64x2^20", "average", ["rand:{n}x2^20:f4"], 64),
    ("average 2^23x16", "average", ["rand:{n}x16:f4"], 2**23),
    ("softmax 2^14x8192", "softmax", ["rand:{n}x8192:f4"], 2**14),
    ("matmul 2x2, 4e6", "matmul", ["rand:{n}x2x2:f4"] * 2, 4 * 10**6),
    ("matmul 4x4, 2e6", "matmul", ["rand:{n}x4x4:f4"] * 2, 2 * 10**6),
    ("matmul 16x16, 2e5", "matmul", ["rand:{n}x16x16:f4"] * 2, 2 * 10**5),
    ("matmul 32x32, 5e4", "matmul", ["rand:{n}x32x32:f4"] * 2, 5 * 10**4),
    ("matmul 64x64, 1e4", "matmul", ["rand:{n}x64x64:f4"] * 2, 10**4),
    ("convolve f64 2^22*15", "convolve", ["rand:{n}:f8", "rand:15:f8"], 2**22),
    ("convolve2d f64 *15x15", "convolve2d", ["rand:{n}x{n}:f8", "rand:15x15:f8"], 2048),
    ("sum f32", "add.reduce", [F4], 2**27),
    ("sum over axis 0", "add.reduce", ["rand:{n}x8192:f4"], 16384),
    ("cumulative sum", "add.accumulate", [F4], 2**27),
]


# Of the copy rate, on an H100.
GOALS = {"add f32": 0.97, "add i8": 0.97, "add f16": 0.97, "sqrt f32": 0.96, "gaussian_pdf f32": 0.92,
         "atan2 f32": 0.96, "polar_distance f32": 0.98, "sin cos f64": 0.94, "powers f32": 0.98,
         "multiply c64": 0.98, "add f32 + f64": 0.95, "layer f32": 0.98, "column + row": 1.0,
         "matrix + row": 0.97, "matrix + transpose": 0.94, "Fortran + C order": 0.92,
         "permuted (2,0,1)": 0.92, "broadcast middle": 0.93, "a[::2] + a[::2]": 0.8,
         "a[::-1] + b": 0.95, "a[1:] + b[:-1]": 0.9, "add i8, 2^32": 0.95,
         "matrix + row i8, 2^32": 0.95}


# ---- a peer: a process that reads a workload a line and answers with a line


def size(text):
    base, power = re.fullmatch(r"(\d+)(?:\^(\d+))?", text).groups()
    return int(base) ** int(power or 1)


def base_array(np, text, index):
    """KIND:SHAPE:DTYPE as ufc bench fills it: random numbers that repeat."""
    _, shape, dtype = text.split(":")
    shape = tuple(map(size, shape.split("x")))
    dtype = np.dtype(dtype)
    n = min(math.prod(shape), 1 << 22)
    rng = np.random.default_rng(index)
    if dtype.kind == "i":
        block = rng.integers(0, 100, n).astype(dtype)
    elif dtype.kind == "c":
        block = (rng.random(n) + 1j * rng.random(n)).astype(dtype)
    else:
        block = rng.random(n).astype(dtype)
    return np.resize(block, shape)


def apply_view(x, view, torch):
    if torch and view == "[::-1]":
        return x.flip(0)
    return eval("x" + (view.replace("transpose", "permute") if torch else view), {"x": x})


class Arguments:
    """The arrays of a workload without their views, and what is called with them."""

    def __init__(self, np, texts, move):
        self.bases, self.takes, self.dtype = [], [], None
        for index, text in enumerate(texts):  # numbers come behind arrays, whose type they take
            if text.startswith("arg"):
                number, view = re.fullmatch(r"arg(\d)(.*)", text).groups()
                at, before = self.takes[int(number) - 1]
                self.takes.append((at, before + view))
            elif ":" in text:
                base, view = re.fullmatch(r"([^.[]*)(.*)", text).groups()
                array = base_array(np, base, index)
                self.dtype = np.result_type(self.dtype or array.dtype, array.dtype)
                self.takes.append((len(self.bases), view))
                self.bases.append(move(array))
            else:
                self.takes.append((len(self.bases), ""))
                self.bases.append(self.dtype.type(float(text)))

    def views(self, bases, torch=False):
        return [apply_view(bases[at], view, torch) for at, view in self.takes]


def clock(once, wait):
    def burst(n):
        start = time.perf_counter()
        for _ in range(n):
            result = once()
        wait(result)
        return time.perf_counter() - start
    return burst


# NumPy's own function of the same meaning: it takes an out.
NUMPY = {"add": "add", "root": "sqrt", "angle": "arctan2", "product": "multiply", "matmul": "matmul",
         "add.accumulate": "cumsum"}


class Numpy:
    def __init__(self):
        import numpy
        self.np = numpy
        self.version = numpy.__version__

    def bursts(self, function, texts):
        arguments = Arguments(self.np, texts, lambda a: a)
        views, f = arguments.views(arguments.bases), FUNCTIONS[function][0]
        if function in NUMPY:
            f = getattr(self.np, NUMPY[function])
            once = functools.partial(f, *views, out=f(*views))  # as ufc's, made once
        else:
            once = functools.partial(f, self.np, *views)
        return clock(once, lambda _: None)

    def clean(self):
        pass


class Numba(Numpy):
    """target: cuda, or parallel, on the host."""

    def __init__(self, target="cuda"):
        super().__init__()
        import numba
        os.environ.setdefault("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "0")
        self.numba, self.target, self.version = numba, target, numba.__version__
        if target == "cuda":
            for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
                if not hasattr(self.np, old):  # numba-cuda names what NumPy has removed
                    setattr(self.np, old, getattr(self.np, new))
            from numba import cuda
            self.cuda = cuda
            cuda.current_context()

    def clean(self):
        if self.target == "cuda":
            self.cuda.current_context().deallocations.clear()

    def compile(self, made, dtype, nargs):
        name = dtype.name
        if isinstance(made, tuple):
            function, layout = made
            ranks = [w.count(",") + 1 if w.strip("()") else 1 for w in
                     re.findall(r"\([^)]*\)", layout)]
            types = ",".join("%s[%s]" % (name, ",".join(":" * rank)) for rank in ranks)
            return self.numba.guvectorize(["void(%s)" % types], layout, target=self.target)(function)
        types = ",".join([name] * nargs)
        made.__name__ = "made"  # of which Numba makes source text: a lambda has no such name
        return self.numba.vectorize(["%s(%s)" % (name, types)], target=self.target)(made)

    def bursts(self, function, texts):
        made = FUNCTIONS[function][2]
        if made is None:
            raise NotImplementedError
        on_gpu = self.target == "cuda"
        arguments = Arguments(self.np, texts, self.cuda.to_device if on_gpu else lambda a: a)
        views = arguments.views(arguments.bases)
        if made == "reduce":
            if views[0].ndim > 1:
                raise NotImplementedError
            f = self.compile(FUNCTIONS["add"][2], arguments.dtype, 2).reduce
        else:
            f = self.compile(made, arguments.dtype, len(views))
        once = functools.partial(f, *views)
        if made != "reduce":
            once = functools.partial(f, *views, out=once())  # the first call makes it, as ufc's
        return self.events(once) if on_gpu else clock(once, lambda _: None)

    def events(self, once):
        start, end = self.cuda.event(timing=True), self.cuda.event(timing=True)

        def burst(n):
            start.record()
            for _ in range(n):
                once()
            end.record()
            end.synchronize()
            return start.elapsed_time(end) * 1e-3
        return burst


class Parallel(Numba):
    def __init__(self):
        super().__init__("parallel")


class Cupy:
    def __init__(self):
        import cupy
        self.cupy, self.version = cupy, cupy.__version__
        cupy.cuda.runtime.getDeviceCount()

    def bursts(self, function, texts):
        import numpy
        cupy, (f, kernel, _) = self.cupy, FUNCTIONS[function]
        arguments = Arguments(numpy, texts, cupy.asarray)
        views = arguments.views(arguments.bases)
        if kernel:
            names, body = kernel
            types = ["%s %s" % (getattr(v, "dtype", arguments.dtype), name)
                     for v, name in zip(views, names.split())]
            k = cupy.ElementwiseKernel(", ".join(types), "%s z" % arguments.dtype, body,
                                       "peer_" + function)
            out = k(*views)
            return self.events(lambda: k(*views, out))
        return self.events(lambda: f(cupy, *views))

    def events(self, once):
        start, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()

        def burst(n):
            start.record()
            for _ in range(n):
                once()
            end.record()
            end.synchronize()
            return self.cupy.cuda.get_elapsed_time(start, end) * 1e-3
        return burst

    def clean(self):
        self.cupy.get_default_memory_pool().free_all_blocks()


class Jax:
    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.4")
        import jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        self.jax, self.version = jax, jax.__version__
        if not os.environ.get("PEERS_ANY_DEVICE") and jax.default_backend() != "gpu":
            raise RuntimeError("JAX has no GPU here")

    def bursts(self, function, texts):
        import numpy
        arguments = Arguments(numpy, texts, self.jax.numpy.asarray)
        f = self.jax.jit(lambda *b: FUNCTIONS[function][0](self.jax.numpy, *arguments.views(b)))
        return clock(lambda: f(*arguments.bases), lambda r: r.block_until_ready())

    def clean(self):
        self.jax.clear_caches()


class Torch:
    def __init__(self):
        import torch
        self.torch, self.version = torch, torch.__version__
        self.on_gpu = torch.cuda.is_available()
        if not os.environ.get("PEERS_ANY_DEVICE") and not self.on_gpu:
            raise RuntimeError("torch has no GPU here")
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False

    def bursts(self, function, texts):
        import numpy
        torch = self.torch
        device = "cuda" if self.on_gpu else "cpu"
        arguments = Arguments(numpy, texts, lambda a: torch.from_numpy(a).to(device))
        bases = [b if isinstance(b, torch.Tensor) else float(b) for b in arguments.bases]
        f = torch.compile(
            lambda *b: FUNCTIONS[function][0](torch, *arguments.views(b, True)), dynamic=False)
        if not self.on_gpu:
            return clock(lambda: f(*bases), lambda _: None)
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

        def burst(n):
            start.record()
            for _ in range(n):
                f(*bases)
            end.record()
            end.synchronize()
            return start.elapsed_time(end) * 1e-3
        return burst

    def clean(self):
        self.torch._dynamo.reset()
        if self.on_gpu:
            self.torch.cuda.empty_cache()


PEERS = {"numpy": Numpy, "parallel": Parallel, "numba": Numba, "cupy": Cupy, "jax": Jax,
         "torch": Torch}


def measure(burst, budget):
    """Quartiles of the seconds of a call, as ufc bench takes them."""
    start, n, least = time.perf_counter(), 1, math.inf
    burst(1)
    while True:
        seconds = burst(n)
        least = min(least, seconds / n)
        if least * n >= 5e-3 or n == 1 << 20:
            if time.perf_counter() - start >= budget / 10:
                break
        else:
            more = 5.5e-3 / (least * n) if least * n > 6e-4 else 8
            n = min(math.ceil(more * n), 1 << 20)
    samples, start = [], time.perf_counter()
    while True:
        spent = time.perf_counter() - start
        if len(samples) >= 15 and spent >= budget or len(samples) >= 3 and spent >= 10 + budget:
            break
        samples.append(burst(n) / n)
    samples.sort()
    at = [q * (len(samples) - 1) / 4 for q in (1, 2, 3)]
    return [samples[math.floor(a)] + (a % 1) * (samples[math.ceil(a)] - samples[math.floor(a)])
            for a in at]


def message(error):
    text = str(error).strip().split("\n")[0]
    return "%s%s" % (type(error).__name__, ": " + text[:200] if text else "")


def work(name):
    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer

    def answer(**fields):
        answers.write(json.dumps(fields) + "\n")
        answers.flush()
    try:
        peer = PEERS[name]()
    except Exception as error:
        return answer(missing=message(error))
    answer(version=peer.version)
    for line in sys.stdin:
        task = json.loads(line)
        try:
            burst = peer.bursts(task["function"], task["arguments"])
            answer(quartiles=measure(burst, task["seconds"]))
        except NotImplementedError:
            answer(none=True)
        except Exception as error:
            answer(error=message(error))
        burst = None
        try:
            peer.clean()
        except Exception:
            pass


class Peer:
    """A worker, started anew after one that did not answer in time."""

    def __init__(self, name):
        self.name, self.process, self.version = name, None, None

    def start(self, limit):
        command = [sys.executable, os.path.abspath(__file__), "--work=" + self.name]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        answer = self.answer(limit)
        self.version = answer.get("version")
        return answer

    def answer(self, limit):
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        line = self.process.stdout.readline() if ready else b""
        if line:
            return json.loads(line)
        self.stop()
        return {"error": "the process ended" if ready else "not done in %g s" % limit}

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def run(self, task, limit):
        if not self.process:
            answer = self.start(limit)
            if not self.version:
                return answer
        try:
            self.process.stdin.write((json.dumps(task) + "\n").encode())
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended: answer says so
        return self.answer(limit)


# ---- ufc, and the table


def run_ufc(ufc, device, task, limit):
    command = [ufc, "bench", "--json", "--device=" + device, "--seconds=%g" % task["seconds"],
               os.path.join(HERE, "workloads.uf"), task["function"]] + task["arguments"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"error": "not done in %g s" % limit}
    if done.returncode != 0:
        return {"error": (done.stderr.strip().split("\n") or ["?"])[-1]}
    answer = json.loads(done.stdout)
    q = answer["quartiles"]
    answer["quartiles"] = [q[0], answer["seconds"], q[1]]
    return answer


def has_gpu():
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int()
    return cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def cell(answer, nbytes, rate):
    if "quartiles" not in answer:
        return "-" if "none" in answer else "failed"
    seconds = answer["quartiles"][1]
    fraction = "%5.2f" % (nbytes / seconds / rate) if nbytes and rate else "     "
    return "%9.1f %s" % (seconds * 1e6, fraction)


def in_quick(n):
    return n >> 7 if n > 1 << 16 else max(n >> 4, 1)


def parse():
    p = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--quick", action="store_true")
    p.add_argument("--only", default="")
    p.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto")
    p.add_argument("--peers")
    p.add_argument("--seconds", type=float, default=0.5)
    p.add_argument("--limit", type=float, default=90)
    p.add_argument("--out")
    p.add_argument("--work", choices=PEERS, help=argparse.SUPPRESS)
    return p.parse_args()


def main():
    options = parse()
    if options.work:
        return work(options.work)
    gpu = options.device != "cpu" and has_gpu()
    if options.device == "cuda" and not gpu:
        print("no GPU here")
        return 77
    device = "cuda" if gpu else "cpu"
    ufc = os.environ.get("UFC") or os.path.join(HERE, "../../build/ufc")
    if not os.access(ufc, os.X_OK):
        sys.exit("peers.py: there is no command %s: build it by make, or say where in $UFC" % ufc)
    names = options.peers.split(",") if options.peers is not None else GPU_PEERS if gpu else HOST_PEERS
    names = [name for name in names if name]
    for name in names:
        if name not in PEERS:
            sys.exit("peers.py: --peers=%s: say any of %s" % (name, ", ".join(PEERS)))
    peers, notes, records, copy, failed = [], [], [], None, False
    for name in names:
        peer = Peer(name)
        answer = peer.start(options.limit)
        if peer.version:
            print("%s %s" % (name, peer.version), flush=True)
            peers.append(peer)
        else:
            print("%s: %s" % (name, answer.get("missing") or answer.get("error")))
    print("\n%-22s" % "us, of copy rate" + "".join("%17s" % n for n in
                                                  ["ufc"] + [p.name for p in peers] + ["best/ufc"]) + "   goal")
    for name, function, arguments, n in WORKLOADS:
        if not re.search(options.only, name):
            continue
        n = in_quick(n) if options.quick else n
        task = {"function": function, "seconds": options.seconds,
                "arguments": [a.format(n=n) for a in arguments]}
        answers = {"ufc": run_ufc(ufc, device, task, options.limit)}
        first = answers["ufc"]
        failed = failed or "error" in first
        copy = first.get("copy_bytes_per_second", copy)
        print("%-22s%17s" % (name, cell(first, first.get("bytes"), copy)), end="", flush=True)
        for peer in peers:
            answers[peer.name] = peer.run(task, options.limit)
            print("%17s" % cell(answers[peer.name], first.get("bytes"), copy), end="", flush=True)
        times = [a["quartiles"][1] for who, a in answers.items() if who != "ufc" and "quartiles" in a]
        done = "quartiles" in first
        ratio = "%.2f" % (min(times) / first["quartiles"][1]) if times and done else ""
        print("%17s" % ratio, end="")
        if name in GOALS and done and gpu and not options.quick:
            reached = first["bytes"] / first["quartiles"][1] / copy >= GOALS[name]
            print("%7.2f%s" % (GOALS[name], "" if reached else " -"), end="")
        print(flush=True)
        notes += ["%s, %s: %s" % (name, who, a["error"]) for who, a in answers.items() if "error" in a]
        records.append({"workload": name, "n": n, "bytes": first.get("bytes"), "copy": copy,
                        "answers": answers})
    for peer in peers:
        peer.stop()
    if copy:
        print("\ncopy rate: %.0f GB/s, on %s" % (copy * 1e-9, next(
            r["answers"]["ufc"]["device"] for r in records if "device" in r["answers"]["ufc"])))
    if notes:
        print("\n" + "\n".join(notes))
    if options.out:
        with open(options.out, "w", encoding="utf-8") as out:
            json.dump(records, out, indent=1)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
