#!/usr/bin/env python3
"""calls.py [LIBRARY...]: what a call of the Python package takes of the host's time, on 16 elements of each
library's arrays, beside the library's own call of the same function: numpy, cupy, torch, jax, numba, those
that are installed. A library's GPU is taken where it has one; else its arrays on the CPU, but of CuPy and
Numba. The least of several runs, in turns, in microseconds."""

import importlib
import sys
import time

import numpy as np

import ufc

RUNS, CALLS = 60, 200 # a GPU queues so many without waiting for one of them
m = ufc.compile("""
ufunc add(x, y) : float32(float32, float32) = x + y
gufunc softmax(x[n]) -> y[n] : float32(float32)
{ let top = max(v for v in x); let total = sum(exp(v - top) for v in x); y[i] = exp(x[i] - top) / total for i }
""")


def nothing():
    pass


def softmax(xp):
    def of(x):
        e = xp.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)
    return of


def numpys():
    x = np.ones((4, 4), "f")
    return "CPU", nothing, (x, x), np.add, softmax(np)


def cupys():
    import cupy
    if not cupy.cuda.runtime.getDeviceCount():
        raise ImportError
    x = cupy.ones((4, 4), "f")
    return "GPU", cupy.cuda.runtime.deviceSynchronize, (x, x), cupy.add, softmax(cupy)


def torchs():
    import torch
    gpu = torch.cuda.is_available()
    x = torch.ones(4, 4, device="cuda" if gpu else "cpu")
    return ("GPU" if gpu else "CPU", torch.cuda.synchronize if gpu else nothing, (x, x), torch.add,
            lambda x: torch.softmax(x, -1))


def jaxs():
    import jax
    x = jax.numpy.ones((4, 4), "f")
    gpu = jax.default_backend() != "cpu"
    return ("GPU" if gpu else "CPU", lambda: jax.numpy.add(x, 1).block_until_ready(), (x, x),
            jax.jit(jax.numpy.add), jax.jit(softmax(jax.numpy)))


def numbas():
    import math

    from numba import cuda, guvectorize, vectorize
    if not cuda.is_available():
        raise ImportError
    x = cuda.to_device(np.ones((4, 4), "f"))

    @vectorize(["float32(float32, float32)"], target="cuda")
    def add(a, b):
        return a + b

    @guvectorize(["void(float32[:], float32[:])"], "(n)->(n)", target="cuda")
    def softmax(a, result):
        top = a[0]
        for v in a:
            top = max(top, v)
        total = np.float32(0)
        for v in a:
            total += math.exp(v - top)
        for i in range(a.shape[0]):
            result[i] = math.exp(a[i] - top) / total

    return "GPU", cuda.synchronize, (x, x), add, softmax


def measure(calls, wait):
    least = [float("inf")] * len(calls)
    for call in calls:
        call()
    for _ in range(RUNS):
        for k, call in enumerate(calls):
            wait()
            begin = time.perf_counter()
            for _ in range(CALLS):
                call()
            least[k] = min(least[k], (time.perf_counter() - begin) / CALLS)
        wait()
    return [1e6 * t for t in least]


def calls_of(library, x, y, own_add, own_softmax):
    """The library's call and ufc's, in turn: add, add into an array, softmax."""
    add, softmax = m.add, m.softmax
    pairs = [(lambda: own_add(x, y), lambda: add(x, y)), None, (lambda: own_softmax(x), lambda: softmax(x))]
    if library != "jax": # its arrays are not written to
        out = m.add(x, y) if library != "numba" else sys.modules["numba"].cuda.device_array_like(x)
        pairs[1] = lambda: own_add(x, y, out=out), lambda: add(x, y, out=out)
    return pairs


def main():
    makers = {"numpy": numpys, "cupy": cupys, "torch": torchs, "jax": jaxs, "numba": numbas}
    print(f"{'us a call':<12}{'':>5}{'add: own':>10}{'ufc':>8}{'into: own':>12}{'ufc':>8}{'softmax: own':>15}"
          f"{'ufc':>8}")
    for name in sys.argv[1:] or makers:
        try:
            importlib.import_module(name)
            where, wait, (x, y), own_add, own_softmax = makers[name]()
            pairs = calls_of(name, x, y, own_add, own_softmax)
            times = iter(measure([call for pair in pairs if pair for call in pair], wait))
        except Exception as error: # an old or broken library is no reason to tell of no other
            print(f"{name:<12} {type(error).__name__}: {str(error).splitlines()[0][:70] if str(error) else ''}")
            continue
        cells = [f"{next(times):.2f}" if pair else "" for pair in pairs for _ in range(2)]
        print(f"{name:<12}{where:>5}{cells[0]:>10}{cells[1]:>8}{cells[2]:>12}{cells[3]:>8}{cells[4]:>15}"
              f"{cells[5]:>8}")
        if name == "numpy":
            add = m.add.numpy
            print(f"{'':<12}{'':>5}{'.numpy':>10}{measure([lambda: add(x, y)], wait)[0]:>8.2f}")


if __name__ == "__main__":
    main()
