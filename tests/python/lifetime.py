"""What an object needs lives as long as it; 10^5 calls of each kind leave memory and references as
they were."""

import gc
import resource
import sys
import weakref

import numpy as np

import ufc

TEXT = """
# Adds.
ufunc add(x, y) : T(T, T) for T in number with identity 0 = x + y
gufunc convolve(x[n], w[k]) -> y[n + k - 1] : float64(float64, float64)
{ y[i] = sum(x[j] * w[i - j] for j in max(0, i - k + 1)..min(n, i + 1)) for i }
ufunc shift(x) : float32(float32) = x + 1
"""


def pages():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


# An np.ufunc keeps its code, and its texts.
m = ufc.compile(TEXT)
program = weakref.ref(m.add.program)
numpys, convolve = m.add.numpy, m.convolve.numpy
del m
gc.collect()
assert program() is not None
assert numpys(2, 3) == 5 and "Adds." in numpys.__doc__ and numpys.__name__ == "add"
assert convolve(np.ones(3), np.ones(2)).tolist() == [1, 2, 2, 1]
result = numpys.reduce(np.arange(10.0))
del numpys, convolve
gc.collect()
assert program() is None and result == 45

# An array outlives the function that made it.
m = ufc.compile(TEXT)
given = np.full(4, 9.0)
made = [m.convolve(np.ones(3), np.ones(2)), m.convolve(np.ones(3), np.ones(2), out=given),
        m.shift(3)]
del m
gc.collect()
assert made[0].tolist() == [1, 2, 2, 1] == given.tolist() and made[2] == 4


class Foreign:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    @staticmethod
    def __array_namespace__():
        return Library


class Library:
    @staticmethod
    def from_dlpack(x):
        return Foreign(np.from_dlpack(x))


def raises(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise AssertionError


m = ufc.compile(TEXT)
x, y, z = np.arange(16.0), np.arange(16.0)[::-1], np.zeros(16)
w, long = np.ones(2), np.zeros(17)
foreign = Foreign(x)
kinds = [
    (10**5, lambda: m.add(x, y)),
    (10**5, lambda: m.add(x, y, out=z)),
    (10**5, lambda: m.add(x, 3)),
    (10**5, lambda: m.add.numpy(x, y)),
    (10**5, lambda: m.convolve(x, w)),
    (10**5, lambda: m.convolve(x, w, out=long)),
    (10**5, lambda: m.shift(2)),
    (10**5, lambda: m.add(foreign, x)),
    (10**4, lambda: m.add.reduce(x)),
    (10**4, lambda: raises(lambda: m.convolve(x, 3))),
    (10**4, lambda: raises(lambda: m.shift(x))),
    (10**4, lambda: raises(lambda: m.add(x, w))),
    (10**3, lambda: m.add.explain(x, y)),
    (10**2, lambda: ufc.compile("ufunc f(x) : float32(float32) = x + 1")),
    (10**2, lambda: raises(lambda: ufc.compile(3))),
]
for n, call in kinds:
    for _ in range(min(n, 1000)):
        call()
    gc.collect()
    held = [x, y, z, w, foreign, m.add, m.add.program, np.dtype("d"), m.add.numpy]
    before, references = pages(), [sys.getrefcount(o) for o in held]
    for _ in range(n):
        call()
    gc.collect()
    grown = (pages() - before) * resource.getpagesize()
    assert [sys.getrefcount(o) for o in held] == references, n
    assert grown < 2**20, (grown, n, kinds.index((n, call)))
