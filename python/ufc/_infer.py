"""What a call would give: shapes and types of its results, by ufc's own rules, without computing."""

import re

import numpy as np

from . import _ufc


class _Enough(Exception):
    """Raised where all results are known, and nothing is computed yet."""


def numpy_dtype(name):
    if isinstance(name, str) and name == "bfloat16":
        import ml_dtypes
        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def _stand_in(told):
    return np.broadcast_to(np.zeros((), numpy_dtype(told[1])), told[0])


def infer(function, inputs, casting=None, dtype=None, axes=None, axis=None, keepdims=False,
          where=None):
    """Shapes and names of types of the results; inputs are numbers, and pairs of a shape and a type,
    or its name, and so is where."""
    results = []

    def make(shape, name, strides):
        results.append((shape, name))
        if len(results) == function.nout:
            raise _Enough
        array = np.empty(shape, numpy_dtype(name))
        return array, array

    taken = tuple(_stand_in(x) if isinstance(x, tuple) else x for x in inputs)
    try:
        _ufc.call(function, taken, (None,) * function.nout, _stand_in(where) if where else True,
                  casting, dtype, axes, axis, keepdims, 0, make)
    except _Enough:
        pass
    return results


def core_counts(function):
    """How many core dimensions each operand has, those that may be missing counted."""
    if function.signature is None:
        return [0] * function.nargs
    return [len([d for d in dims.split(",") if d])
            for dims in re.findall(r"\(([^()]*)\)", function.signature)]
