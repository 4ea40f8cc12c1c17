"""A library that another thread is importing, or whose import is forbidden, is nothing to calls without its
arrays."""

import sys
import types

import numpy as np
from numpy.testing import assert_array_equal

import ufc

m = ufc.compile("ufunc add(x, y) : T(T, T) for T in number = x + y")


class Sub(np.ndarray):
    pass


class Columns:
    def __array__(self, dtype=None, copy=None):
        return np.arange(3.)


for jax in (None, types.ModuleType("jax")):
    sys.modules["jax"] = jax
    assert_array_equal(m.add([1., 2.], [3., 4.]), [4, 6])
    assert_array_equal(m.add(np.arange(3.).view(Sub), np.arange(3.).view(Sub)), [0, 2, 4])
    assert_array_equal(m.add(Columns(), 1.), [1, 2, 3])
