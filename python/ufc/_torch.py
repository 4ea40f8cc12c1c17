"""PyTorch's compiler: a function is traced as a custom operator, which knows its results' shapes and
types, and so stays in one graph with what is around it."""

import functools
import hashlib
import sys

import numpy as np

from ._infer import infer
from ._libraries import type_name


def allow(function):
    """Lets torch.compile put calls of a function into its graphs."""
    sys.modules["torch"].compiler.allow_in_graph(function)


def takes(x):
    """Whether a tensor is one of a transformation, or of another subclass: it may have no memory."""
    torch = sys.modules["torch"]
    return isinstance(x, torch.Tensor) and type(x) not in (torch.Tensor, torch.nn.Parameter)


def refuse_derivatives(function, inputs):
    torch = sys.modules["torch"]
    for x in inputs:
        if isinstance(x, torch.Tensor) and x.requires_grad and torch.is_grad_enabled():
            raise NotImplementedError(f"{function.__name__} has no derivative: detach the tensor")


def call(function, inputs, outputs, where=True, casting=None, dtype=None, axis=None, keepdims=False,
         **others):
    torch = sys.modules["torch"]
    if others or where is not True:
        raise TypeError(f"{function.__name__}: in a graph of PyTorch a call has no keywords but out, "
                        "casting, dtype, axis and keepdims")
    device = next(x.device for x in inputs + outputs if isinstance(x, torch.Tensor))
    inputs = tuple(x if isinstance(x, (torch.Tensor, bool, int, float, complex)) else torch.as_tensor(
        np.asarray(x), device=device) for x in inputs)
    kinds = "".join("t" if isinstance(x, torch.Tensor) else "n" for x in inputs)
    dtype = type_name(dtype)
    made = _operator(function, kinds)(*inputs, casting=casting, dtype=dtype, axis=axis,
                                      keepdims=keepdims)
    made = made if isinstance(made, tuple) else (made,)
    results = tuple(m if x is None else x.copy_(m) for x, m in zip(outputs, made))
    return results[0] if function.nout == 1 else results


@functools.lru_cache(maxsize=None)
def _operator(function, kinds):
    """The operator of calls with tensors and numbers at these places, which PyTorch keeps by its name:
    that comes of the source, so that a graph of another process finds it."""
    torch = sys.modules["torch"]
    key = hashlib.sha256(repr(function.__dask_tokenize__()).encode()).hexdigest()[:16]
    name = f"ufc::{function.__name__}_{key}_{kinds}"
    inputs = [f"{'Tensor' if kind == 't' else 'Scalar'} x{k}" for k, kind in enumerate(kinds)]
    results = ", ".join(["Tensor"] * function.nout)
    schema = (f"({', '.join(inputs)}, *, str? casting=None, str? dtype=None, int? axis=None, "
              f"bool keepdims=False) -> {results if function.nout == 1 else f'({results})'}")

    def compute(*inputs, **keywords):
        inputs = [x.as_subclass(torch.Tensor) if isinstance(x, torch.Tensor) else x for x in inputs]
        made = function(*inputs, **{k: v for k, v in keywords.items() if v is not None})
        # In the order that the graph was told, whatever strides the inputs have come to have.
        return (made.contiguous() if function.nout == 1 else tuple(m.contiguous() for m in made))

    def describe(*inputs, **keywords):
        device = next(x.device for x in inputs if isinstance(x, torch.Tensor))
        told = [(tuple(map(int, x.shape)), str(x.dtype)[len("torch."):])
                if isinstance(x, torch.Tensor) else x for x in inputs]
        made = tuple(torch.empty(shape, dtype=getattr(torch, name), device=device)
                     for shape, name in infer(function, told, **keywords))
        return made[0] if function.nout == 1 else made

    operator = torch.library.custom_op(name, compute, mutates_args=(), schema=schema)
    operator.register_fake(describe)
    return operator
