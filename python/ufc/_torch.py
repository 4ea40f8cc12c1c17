"""PyTorch's compiler and vmap: a function is a custom operator, which knows its results' shapes and
types, and so stays in one graph with what is around it, and takes batches at once."""

import functools
import hashlib
import sys

import numpy as np

from ._infer import core_counts, infer
from ._libraries import type_name


def allow(function):
    """Lets torch.compile put calls of a function into its graphs."""
    sys.modules["torch"].compiler.allow_in_graph(function)


def takes(x):
    """Whether a tensor is one of a transformation, or of another subclass: it may have no memory."""
    torch = sys.modules["torch"]
    return isinstance(x, torch.Tensor) and (type(x) not in (torch.Tensor, torch.nn.Parameter) or
                                            torch._C._functorch.is_functorch_wrapped_tensor(x))


def refuse_derivatives(function, inputs):
    torch = sys.modules["torch"]
    for x in inputs:
        if isinstance(x, torch.Tensor) and x.requires_grad and torch.is_grad_enabled():
            raise NotImplementedError(f"{function.__name__} has no derivative: detach the tensor")


def call(function, inputs, outputs, where=True, casting=None, dtype=None, axis=None, keepdims=False,
         **others):
    torch = sys.modules["torch"]
    if others:
        raise TypeError(f"{function.__name__}: in a graph of PyTorch a call has no keywords but out, "
                        "where, casting, dtype, axis and keepdims")
    device = next(x.device for x in (*inputs, *outputs, where) if isinstance(x, torch.Tensor))

    def tensor(x):
        return x if isinstance(x, torch.Tensor) else torch.as_tensor(np.asarray(x), device=device)

    inputs = [x if isinstance(x, (bool, int, float, complex)) else tensor(x) for x in inputs]
    kinds = "".join("t" if isinstance(x, torch.Tensor) else "n" for x in inputs)
    if where is not True:
        where = tensor(where)
        inputs.append(where)
        kinds += "w"
    made = _operator(function, kinds)(*inputs, casting=casting, dtype=type_name(dtype), axis=axis,
                                      keepdims=keepdims)
    made = made if isinstance(made, tuple) else (made,)
    results = tuple(m if x is None else x.copy_(m if where is True else torch.where(where, m, x))
                    for x, m in zip(outputs, made))
    return results[0] if function.nout == 1 else results


@functools.lru_cache(maxsize=None)
def _operator(function, kinds):
    """The operator of calls with tensors, numbers, and at last a mask, at these places, which PyTorch
    keeps by its name: that comes of the source, so that a graph of another process finds it."""
    torch = sys.modules["torch"]
    key = hashlib.sha256(repr(function.__dask_tokenize__()).encode()).hexdigest()[:16]
    name = f"ufc::{function.__name__}_{key}_{kinds}"
    inputs = [f"{'Scalar' if kind == 'n' else 'Tensor'} x{k}" for k, kind in enumerate(kinds)]
    results = ", ".join(["Tensor"] * function.nout)
    schema = (f"({', '.join(inputs)}, *, str? casting=None, str? dtype=None, int? axis=None, "
              f"bool keepdims=False) -> {results if function.nout == 1 else f'({results})'}")
    masked = kinds.endswith("w")

    def given(made):
        return made[0] if function.nout == 1 else tuple(made)

    def compute(*inputs, **keywords):
        inputs = [x.as_subclass(torch.Tensor) if isinstance(x, torch.Tensor) else x for x in inputs]
        keywords = {k: v for k, v in keywords.items() if v is not None}
        where = inputs.pop() if masked else True
        made = function(*inputs, where=where, **keywords) if masked else function(*inputs, **keywords)
        made = made if isinstance(made, tuple) else (made,)
        if masked: # what is not computed is 0, as a graph's values are to be its inputs' alone
            made = [torch.where(where, m, torch.zeros((), dtype=m.dtype, device=m.device)) for m in made]
        # In the order that the graph was told, whatever strides the inputs have come to have.
        return given([m.contiguous() for m in made])

    def describe(*inputs, **keywords):
        device = next(x.device for x in inputs if isinstance(x, torch.Tensor))
        told = [(tuple(map(int, x.shape)), str(x.dtype)[len("torch."):])
                if isinstance(x, torch.Tensor) else x for x in inputs]
        where = told.pop() if masked else None
        return given([torch.empty(shape, dtype=getattr(torch, name), device=device)
                      for shape, name in infer(function, told, **keywords, where=where)])

    def batched(info, in_dims, *inputs, axis=None, **keywords):
        tensors = [(x, at) for x, at in zip(inputs, in_dims) if isinstance(x, torch.Tensor)]
        ranks = [x.ndim - (at is not None) for x, at in tensors]
        cores = [n for n, x in zip(core_counts(function), inputs) if isinstance(x, torch.Tensor)]
        if any(r < n for r, n in zip(ranks, cores)) or (
                axis is not None and axis >= 0 and len(set(ranks)) > 1):
            return one_by_one(info, in_dims, inputs, axis, keywords)
        if axis is not None and axis >= 0:
            axis -= ranks[0]
        loops = max(r - n for r, n in zip(ranks, cores))

        def lead(x, at, rank, core): # the batch, then as many loop dimensions as the others have
            x = x.unsqueeze(0) if at is None else x.movedim(at, 0)
            return x[(slice(None),) + (None,) * (loops + core - rank)]

        moved = iter([lead(*t, r, n) for t, r, n in zip(tensors, ranks, cores)])
        made = operator(*(next(moved) if isinstance(x, torch.Tensor) else x for x in inputs), axis=axis,
                        **keywords)
        return made, 0 if function.nout == 1 else (0,) * function.nout

    def one_by_one(info, in_dims, inputs, axis, keywords):
        """Where a missing dimension is told by a rank, or an axis counts from the left of several."""
        made = [operator(*(x if at is None else x.select(at, i) for x, at in zip(inputs, in_dims)),
                         axis=axis, **keywords) for i in range(info.batch_size)]
        if function.nout == 1:
            return torch.stack(made), 0
        return tuple(map(torch.stack, zip(*made))), (0,) * function.nout

    operator = torch.library.custom_op(name, compute, mutates_args=(), schema=schema)
    operator.register_fake(describe)
    operator.register_vmap(batched)
    return operator
