"""libraries_gpu.py: CuPy, PyTorch, JAX and Numba on a GPU, as many as there are: results in place and
from the library's own memory, streams, graphs, jit, and what a call takes of the host's time.

    python tests/python/libraries_gpu.py [PATTERN]

It needs the package and these libraries alone.  A line a check; the exit status is 1 after failures,
77 without a GPU.  PATTERN is a regular expression for the names of checks.
"""

import importlib
import re
import sys
import time
import traceback
import warnings

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import ufc

warnings.simplefilter("ignore") # the libraries' own
TEXT = """
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc density(x, mean, sigma) : T(T, T, T) for T in floating
    = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
ufunc polar(r, t) : (T, T)(T, T) for T in float32 | float64 { return r * cos(t), r * sin(t) }
gufunc softmax(x[n]) -> y[n] : float32(float32), float64(float64)
{ let top = max(v for v in x); let total = sum(exp(v - top) for v in x); y[i] = exp(x[i] - top) / total for i }
gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float32(float32, float32), float64(float64, float64)
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
"""
m = ufc.compile(TEXT)
LARGE = 2**26 # elements of 4 bytes: what no copy to the host moves in the time of a call
checks = []


def check(*libraries):
    """A check that is run where the libraries are."""
    def add(function):
        checks.append((function.__name__, libraries, function))
        return function
    return add


def find(name):
    """A library that sees a GPU, or None."""
    try:
        library = importlib.import_module(name)
        seen = {"cupy": lambda: library.cuda.runtime.getDeviceCount() > 0,
                "torch": lambda: library.cuda.is_available(),
                "jax": lambda: library.default_backend() == "gpu",
                "numba.cuda": lambda: library.is_available()}[name]()
    except Exception as e:
        print(f"{name}: {type(e).__name__}: {e}")
        return None
    return library if seen else None


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def seconds(call, wait, n=2000):
    """The host's time of a call, the least of several runs."""
    least = float("inf")
    for _ in range(7):
        wait()
        begin = time.perf_counter()
        for _ in range(n):
            call()
        least = min(least, time.perf_counter() - begin)
    wait()
    return least / n


def device_seconds(call, wait):
    call()
    wait()
    least = float("inf")
    for _ in range(10):
        begin = time.perf_counter()
        call()
        wait()
        least = min(least, time.perf_counter() - begin)
    return least


def results(make, get, kind):
    """Calls of all kinds, beside NumPy."""
    rng = np.random.default_rng(3)
    x = rng.random((6, 7, 8), np.float32)
    a = make(x)
    for view, wanted in ((a, x), (a[::2], x[::2]), (a[:, 1:, 2], x[:, 1:, 2]), (a[:0], x[:0]),
                         (a[0, 0], x[0, 0])):
        got = m.add(view, view)
        assert isinstance(got, kind), type(got)
        assert_array_equal(get(got), wanted + wanted)
        assert_array_equal(get(m.add(view, 1)), wanted + 1)
        assert_allclose(get(m.density(view, 0, 1)), m.density(wanted, 0, 1), rtol=2e-6)
    assert_allclose(get(m.softmax(a)), softmax(x), rtol=1e-5)
    assert_allclose(get(m.product(a, a[0].T)), x @ x[0].T, rtol=1e-5)
    real, imaginary = m.polar(a, 1)
    assert_allclose(get(real), x * np.cos(np.float32(1)), rtol=1e-5)
    assert_allclose(get(imaginary), x * np.sin(np.float32(1)), rtol=1e-5)


def in_place(make, get, pointer):
    x = np.arange(24.0, dtype="f").reshape(4, 6)
    a, out = make(x.copy()), make(np.zeros((4, 6), "f"))
    before = pointer(out)
    assert m.add(a, 1, out=out) is out and m.add(a, 1, out) is out and pointer(out) == before
    assert_array_equal(get(out), x + 1)
    assert m.add(a, a, out=a) is a
    assert_array_equal(get(a), x + x)
    m.add(a, 100, out=out, where=make(x > 5))
    assert_array_equal(get(out), np.where(x > 5, x + x + 100, x + 1))


# ---- CuPy

SPIN = 'extern "C" __global__ void spin(long long n) { long long t = clock64(); while (clock64() - t < n); }'


@check("cupy")
def cupy_results(cupy):
    results(cupy.asarray, cupy.asnumpy, cupy.ndarray)
    in_place(cupy.asarray, cupy.asnumpy, lambda a: a.data.ptr)
    assert m.add(cupy.zeros((3, 4)).T, 1).strides == (8, 32)  # NumPy's; CuPy's are in C order
    for name in "bool int8 uint16 int32 uint64 float16 float64 complex64 complex128".split():
        a = cupy.arange(5).astype(name)
        if name != "bool":
            assert m.add(a, a).dtype == name
            assert_array_equal(cupy.asnumpy(m.add(a, 2)), cupy.asnumpy(a) + 2)


@check("cupy")
def cupy_memory(cupy):
    pool = cupy.get_default_memory_pool()
    a = cupy.ones(LARGE, "f")
    m.add(a, a)
    before = pool.used_bytes()
    got = m.add(a, a)
    assert pool.used_bytes() - before == got.nbytes, "the result is not of CuPy's pool"
    took = device_seconds(lambda: m.add(a, a), cupy.cuda.runtime.deviceSynchronize)
    print(f"    {LARGE * 12 / took / 1e9:.0f} GB/s; CuPy", end=" ")
    own = device_seconds(lambda: cupy.add(a, a), cupy.cuda.runtime.deviceSynchronize)
    print(f"{LARGE * 12 / own / 1e9:.0f} GB/s")
    assert took < 0.005, took


@check("cupy")
def cupy_streams(cupy):
    spin = cupy.RawKernel(SPIN, "spin")
    a = cupy.zeros(1000)
    for stream in cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(), cupy.cuda.Stream.ptds:
        with stream:
            m.add(a, 1) # whose code is loaded now
            spin((1,), (1,), (np.int64(10**8),))
            a.fill(5)
            got = m.add(a, 1)
            again = got * 2
            del got
            other = m.add(again, 1)
        stream.synchronize()
        assert float(again.min()) == 12 and float(other.max()) == 13
        a.fill(0)
        cupy.cuda.runtime.deviceSynchronize()
    stream = cupy.cuda.Stream(non_blocking=True)
    for turn in range(20): # the current stream is waited for, and waits
        a = cupy.zeros(10**6)
        spin((1,), (1,), (np.int64(10**6),))
        a.fill(turn)
        got = m.add(a, 1, stream=stream.ptr)
        a.fill(-1)
        del a
        assert float((got + 0).min()) == turn + 1 == float(got.max())


@check("cupy")
def cupy_graph(cupy):
    a, out = cupy.zeros(1000), cupy.zeros(1000)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        m.add(a, 1, out=out)
        stream.synchronize()
        stream.begin_capture()
        m.add(a, 1, out=out)
        m.add(out, out, out=out)
        graph = stream.end_capture()
        a.fill(4)
        graph.launch(stream)
        stream.synchronize()
    assert float(out.min()) == 10 == float(out.max())


@check("cupy")
def cupy_time(cupy):
    a, b = cupy.zeros(16, "f"), cupy.zeros(16, "f")
    wait = cupy.cuda.runtime.deviceSynchronize
    print(f"    {seconds(lambda: m.add(a, b), wait) * 1e6:.2f} us a call, "
          f"{seconds(lambda: m.add(a, b, out=a), wait) * 1e6:.2f} with out; cupy.add "
          f"{seconds(lambda: cupy.add(a, b), wait) * 1e6:.2f}")


# ---- PyTorch

@check("torch")
def torch_results(torch):
    results(lambda x: torch.asarray(x).cuda(), lambda t: t.cpu().numpy(), torch.Tensor)
    in_place(lambda x: torch.asarray(x).cuda(), lambda t: t.cpu().numpy(), lambda t: t.data_ptr())
    x = torch.rand(3, 4, 5, device="cuda").permute(2, 0, 1)
    got = m.add(x, 1)
    assert got.stride() == (x + 1).stride() and got.device == x.device
    half = torch.rand(100, device="cuda", dtype=torch.bfloat16)
    assert torch.equal(m.add(half, half), half + half)
    z = torch.tensor([1 + 2j], device="cuda")
    assert torch.equal(m.add(z.conj(), 0), z.conj().resolve_conj())
    pinned = torch.ones(5).pin_memory()
    assert m.add(pinned, 1).device.type == "cpu" and torch.equal(m.add(pinned, 1), pinned + 1)


@check("torch")
def torch_memory(torch):
    a = torch.ones(LARGE, device="cuda")
    m.add(a, a)
    before = torch.cuda.memory_allocated()
    got = m.add(a, a)
    assert torch.cuda.memory_allocated() - before == got.nbytes, "the result is not of PyTorch's"
    del got
    for _ in range(1000):
        m.add(a, a)
    torch.cuda.synchronize()
    assert torch.cuda.memory_allocated() == before
    took = device_seconds(lambda: m.add(a, a), torch.cuda.synchronize)
    own = device_seconds(lambda: torch.add(a, a), torch.cuda.synchronize)
    print(f"    {LARGE * 12 / took / 1e9:.0f} GB/s; PyTorch {LARGE * 12 / own / 1e9:.0f} GB/s")
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        m.add(a, a)
        torch.cuda.synchronize()
    names = [e.name for e in profile.events()]
    assert not any("emcpy" in n for n in names), names
    assert took < 0.005, took


@check("torch")
def torch_streams(torch):
    a = torch.zeros(1000, device="cuda")
    for priority in 0, -1:
        stream = torch.cuda.Stream(priority=priority)
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            m.add(a, 1)
            torch.cuda._sleep(10**8)
            a.fill_(5)
            got = m.add(a, 1)
            again = got * 2
            del got
            other = m.add(again, 1)
        stream.synchronize()
        assert again.min().item() == 12 and other.max().item() == 13
        a.zero_()
    stream = torch.cuda.Stream()
    for turn in range(20):
        a = torch.zeros(10**6, device="cuda")
        torch.cuda._sleep(10**6)
        a.fill_(turn)
        got = m.add(a, 1, stream=stream.cuda_stream)
        a.fill_(-1)
        del a
        assert (got + 0).min().item() == turn + 1 == got.max().item()


@check("torch")
def torch_graph(torch):
    a = torch.zeros(1000, device="cuda")
    m.add(m.add(a, 1), 2)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        got = m.add(m.add(a, 1), 2)
    for value in 4, 5:
        a.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        assert got.min().item() == value + 3 == got.max().item()


@check("torch")
def torch_compile(torch):
    def f(x):
        real, imaginary = m.polar(x, 1)
        return m.softmax(m.add(x, 1) * 2) + real * imaginary

    x = torch.rand(64, 128, device="cuda")
    for backend in "aot_eager", "inductor":
        torch._dynamo.reset()
        got = torch.compile(f, fullgraph=True, backend=backend)(x)
        torch.testing.assert_close(got, f(x))


@check("torch")
def torch_time(torch):
    a, b = torch.zeros(16, device="cuda"), torch.zeros(16, device="cuda")
    wait = torch.cuda.synchronize
    fast = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
    print(f"    {seconds(lambda: m.add(a, b), wait) * 1e6:.2f} us a call, "
          f"{seconds(lambda: m.add(a, b, out=a), wait) * 1e6:.2f} with out; torch.add "
          f"{seconds(lambda: torch.add(a, b), wait) * 1e6:.2f}; exchange API: {fast}")
    a, b = a.cpu(), b.cpu()
    print(f"    on the CPU {seconds(lambda: m.add(a, b), wait) * 1e6:.2f}; torch.add "
          f"{seconds(lambda: torch.add(a, b), wait) * 1e6:.2f}")


@check("cupy", "torch")
def cupy_and_torch(cupy, torch):
    c, t = cupy.arange(10.0), torch.arange(10.0, device="cuda", dtype=torch.float64)
    assert isinstance(m.add(c, t), cupy.ndarray) and isinstance(m.add(t, c), torch.Tensor)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream): # which CuPy's stream is to wait for
        torch.cuda._sleep(10**8)
        t.fill_(7)
        got = m.add(c, t)
    assert_array_equal(cupy.asnumpy(got), np.arange(10.0) + 7)


# ---- JAX

@check("jax")
def jax_results(jax):
    jnp = jax.numpy
    assert ufc._ufc.xla_targets(), "the wheel was built without XLA's header"
    results(jnp.asarray, np.asarray, jax.Array)
    x = jnp.arange(12.0).reshape(3, 4)
    assert next(iter(m.add(x, 1).devices())).platform in ("gpu", "cuda")
    same = assert_array_equal
    same(jax.jit(lambda x: m.add(m.add(x, 1) * 2, x))(x), (x + 1) * 2 + x)
    same(jax.vmap(m.add, in_axes=(0, None))(x, x[0]), x + x[0])
    same(jax.vmap(m.add, in_axes=(None, 0))(x[0], x), x + x[0])
    assert_allclose(jax.vmap(m.product, in_axes=(0, None))(x, x.T), x @ x.T)
    same(jax.jit(m.add, donate_argnums=0)(x + 0, x), x + x)
    same(jax.lax.fori_loop(0, 50, lambda i, c: m.add(c, 1), x), x + 50)
    got = x
    for _ in range(200): # asynchronous, in the order of JAX's stream
        got = jax.jit(m.add)(got, x) - x + 1
    same(got, x + 200)


@check("jax")
def jax_on_cpu(jax):
    x = jax.device_put(np.arange(5.0, dtype="f"), jax.devices("cpu")[0])
    assert_array_equal(jax.jit(m.add)(x, x), np.arange(5.0) * 2)
    assert_array_equal(m.add(x, 1), np.arange(5.0) + 1)


@check("jax")
def jax_time(jax):
    jnp = jax.numpy
    a = jnp.zeros(16)
    jitted, own = jax.jit(m.add), jax.jit(jnp.add)

    def wait():
        a.block_until_ready()
        jitted(a, a).block_until_ready()

    print(f"    {seconds(lambda: m.add(a, a), wait) * 1e6:.2f} us a call, in jit "
          f"{seconds(lambda: jitted(a, a), wait) * 1e6:.2f}; jit of jnp.add "
          f"{seconds(lambda: own(a, a), wait) * 1e6:.2f}")
    a = jnp.ones(LARGE, "f")
    took = device_seconds(lambda: jitted(a, a).block_until_ready(), lambda: None)
    plain = device_seconds(lambda: own(a, a).block_until_ready(), lambda: None)
    print(f"    {LARGE * 12 / took / 1e9:.0f} GB/s; JAX {LARGE * 12 / plain / 1e9:.0f} GB/s")


# ---- Numba

@check("numba.cuda")
def numba_results(cuda):
    x = np.arange(24.0, dtype="f").reshape(4, 6)
    a = cuda.to_device(x)
    got = m.add(a, a)
    assert hasattr(got, "copy_to_host"), type(got)
    assert_array_equal(got.copy_to_host(), x + x)
    out = cuda.device_array((4, 6), "f")
    assert m.add(a, 1, out=out) is out
    assert_array_equal(out.copy_to_host(), x + 1)
    wait = cuda.synchronize
    print(f"    {seconds(lambda: m.add(a, a, out=out), wait, 500) * 1e6:.2f} us a call with out")


def main():
    found = {name: find(name) for name in ("cupy", "torch", "jax", "numba.cuda")}
    if not any(found.values()):
        print("no library here has a GPU")
        return 77
    pattern, failed = re.compile(sys.argv[1] if len(sys.argv) > 1 else ""), 0
    versions = {name.partition(".")[0] for name, library in found.items() if library}
    print(", ".join(f"{name} {sys.modules[name].__version__}" for name in sorted(versions)),
          "numpy", np.__version__, "ufc", ufc.__version__)
    for name, libraries, function in checks:
        if not pattern.search(name):
            continue
        if not all(found[library] for library in libraries):
            print(f"{name}: skipped")
            continue
        try:
            function(*(found[library] for library in libraries))
            print(f"{name}: passed", flush=True)
        except Exception:
            failed += 1
            print(f"{name}: FAILED")
            traceback.print_exc(file=sys.stdout)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
