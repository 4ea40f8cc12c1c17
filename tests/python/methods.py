"""reduce, accumulate, reduceat, outer and at on arrays of other libraries: results are the library's."""

import numpy as np
from numpy.testing import assert_array_equal

import ufc

m = ufc.compile("ufunc plus(x, y) : T(T, T) for T in number with identity 0 = x + y")


class Array:
    """An array of a library of its own."""

    def __init__(self, array):
        self.array, self.ndim = array, array.ndim

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __getitem__(self, key):
        return Array(self.array[key])

    @staticmethod
    def __array_namespace__():
        return Library


class Library:
    @staticmethod
    def from_dlpack(x):
        return Array(np.from_dlpack(x))


class Alone:
    """What has memory, but no library that makes arrays."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def is_array(x, want):
    assert isinstance(x, Array), type(x)
    assert x.array.dtype == want.dtype
    assert_array_equal(x.array, want)


def fails(kind, words, call):
    try:
        call()
    except kind as e:
        assert words in str(e), e
        return
    raise AssertionError(f"no {kind.__name__}: {words}")


x = np.arange(12.0).reshape(3, 4)
a = Array(x)
is_array(m.plus.reduce(a), x.sum(0))
is_array(m.plus.reduce(a, axis=None), x.sum())
is_array(m.plus.reduce(a, axis=(-1, 0), keepdims=True), x.sum(keepdims=True))
is_array(m.plus.reduce(a, 1, "f4"), x.sum(1).astype("f4"))
is_array(m.plus.reduce(a, initial=5, where=Array(x > 3)), np.add.reduce(x, initial=5, where=x > 3))
is_array(m.plus.accumulate(a, axis=1), x.cumsum(1))
is_array(m.plus.reduceat(a, [0, 2, 1], axis=1), np.add.reduceat(x, [0, 2, 1], axis=1))
is_array(m.plus.outer(a, x[0]), np.add.outer(x, x[0]))
is_array(m.plus.outer(2, a), 2 + x)
out = Array(np.zeros(4))
assert m.plus.reduce(a, out=out) is out
assert_array_equal(out.array, x.sum(0))
y = x.copy()
assert m.plus.at(Array(y), np.array([0, 0, -1]), 2.0) is None
assert_array_equal(y, x + [[4], [0], [2]])
fails(TypeError, "not a number", lambda: m.plus.at(Array(y), 0, a))
fails(ValueError, "axis", lambda: m.plus.reduce(a, axis=2))
fails(TypeError, "unexpected keyword", lambda: m.plus.reduce(a, order="C"))
fails(TypeError, "stream", lambda: m.plus.reduce(x, stream=0))
result = m.plus(Alone(x), 1)
assert isinstance(result, np.ndarray)
assert_array_equal(result, x + 1)

# NumPy's own are as they were.
assert_array_equal(m.plus.reduce(x, initial=5.0, where=[True, False, True, True]),
                   np.add.reduce(x, initial=5.0, where=[True, False, True, True]))
assert m.plus.reduce([1, 2, 3]) == 6 and m.plus.reduce(x, None) == 66
y = x.copy()
m.plus.at(y, (0, [1, 1]), 1)
assert y[0, 1] == 3

try:
    import torch
except ImportError:
    torch = None
if torch:
    t = torch.arange(12.0).reshape(3, 4)
    assert torch.equal(m.plus.accumulate(t, axis=1), t.cumsum(1))
    assert torch.equal(m.plus.outer(t[0], t[1]), t[0][:, None] + t[1])
    assert m.plus(t, 1, dtype=torch.float64).dtype == torch.float64
    m.plus.at(t, torch.tensor([0, 0]), torch.ones(4))
    assert torch.equal(t[0], torch.arange(4.0) + 2)
    fails(NotImplementedError, "derivative", lambda: m.plus.reduce(t.requires_grad_()))

try:
    import jax
except ImportError:
    jax = None
if jax:
    j = jax.numpy.arange(6.0)
    assert isinstance(m.plus.reduce(j), jax.Array) and m.plus.reduce(j) == 15
    for changes in (lambda: m.plus.at(j, [0], 1.0), lambda: m.plus(j, 1.0, out=j)):
        fails(ValueError, "cannot be written", changes)
    assert_array_equal(j, np.arange(6.0))
    fails(TypeError, "no methods", lambda: jax.jit(m.plus.reduce)(j))
