"""Dask's arrays: they take a gufunc by its signature, but know neither optional nor computed core
dimensions, and take a ufunc of several outputs for the one of NumPy that has its name."""

import re

import numpy as np

from ._infer import infer, numpy_dtype
from ._libraries import name_of


def is_array(x):
    return name_of(x) == "dask"


class Gufunc:
    """A function as the gufunc of a call's arrays, with what Dask is to know of its results: what
    Dask's own __array_ufunc__ is called with.  Numbers of the call stay numbers."""

    def __init__(self, function, inputs):
        self.function = function
        self.numbers = tuple(x if type(x) in (bool, int, float, complex) else None for x in inputs)
        self.__name__, self.nout = function.__name__, function.nout
        self.arrays = tuple(x if hasattr(x, "shape") else np.asarray(x)
                            for x, n in zip(inputs, self.numbers) if n is None)
        self.nin = len(self.arrays)
        told = iter([(x.shape, x.dtype) for x in self.arrays])
        results = infer(function, [next(told) if n is None else n for n in self.numbers])
        dtypes = [numpy_dtype(name) for _, name in results]
        self.keywords = {"output_dtypes": dtypes[0] if self.nout == 1 else dtypes}
        self.signature, sizes = self._signature([shape for shape, _ in results])
        if sizes:
            self.keywords["output_sizes"] = sizes

    def _signature(self, shapes):
        """The signature of this call, of names alone, and the sizes of those that no input has."""
        text = self.function.signature or "->" + ",".join(["()"] * self.nout)
        before, after = ([[d for d in dims.split(",") if d] for dims in re.findall(r"\(([^()]*)\)", side)]
                         for side in text.split("->"))
        before = before or [[]] * len(self.numbers)
        before = [dims for dims, n in zip(before, self.numbers) if n is None]
        missing = {d for dims, x in zip(before, self.arrays) if len(x.shape) < len(dims)
                   for d in dims if d.endswith("?")}
        before = [[d.rstrip("?") for d in dims if d not in missing] for dims in before]
        after = [[d.rstrip("?") for d in dims if d not in missing] for dims in after]
        known, sizes = {d for dims in before for d in dims}, {}
        for k, (dims, shape) in enumerate(zip(after, shapes)):
            for i, d in enumerate(dims):
                if d not in known:
                    dims[i] = f"result{k}_{i}"
                    sizes[dims[i]] = shape[len(shape) - len(dims) + i]

        def join(lists):
            return ",".join(f"({','.join(dims)})" for dims in lists)

        return f"{join(before)}->{join(after)}", sizes

    def __call__(self, *arrays, **keywords):
        given = iter(arrays)
        return self.function(*(next(given) if n is None else n for n in self.numbers), **keywords)

    def __reduce__(self):
        return _rebuild, (self.function, self.numbers, self.signature, self.keywords)

    def __dask_tokenize__(self):
        return self.function.__dask_tokenize__(), self.numbers, self.signature


def _rebuild(function, numbers, signature, keywords):
    """A gufunc in another process, which only computes chunks."""
    made = object.__new__(Gufunc)
    made.function, made.numbers = function, numbers
    made.signature, made.keywords = signature, keywords
    made.__name__, made.nin, made.nout = function.__name__, numbers.count(None), function.nout
    return made
