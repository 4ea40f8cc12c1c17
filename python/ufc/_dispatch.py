"""Calls with arguments that are not NumPy's own: other libraries' arrays, and objects with
__array_ufunc__."""

import sys

import numpy as np

from . import _ufc
from ._libraries import (CPU, CUDA, MANAGED, Result, capsule_of, current_stream, device_of,
                         is_foreign, library_of, maker_of, name_of, order)


def _override(x):
    """An object's own __array_ufunc__, or None."""
    own = getattr(type(x), "__array_ufunc__", None)
    return None if own is np.ndarray.__array_ufunc__ else own


def _split(function, args, keywords):
    """A call's inputs, a tuple of its outputs, which are None where none is given, and the other
    keywords."""
    keywords = dict(keywords)
    inputs, outputs = args[: function.nin], args[function.nin:]
    if len(inputs) < function.nin or len(outputs) > function.nout:
        raise TypeError(f"{function.__name__} takes {function.nin} inputs and at most "
                        f"{function.nout} outputs")
    if "out" in keywords:
        out = keywords.pop("out")
        if outputs:
            raise TypeError("'out' is given by position and by name")
        outputs = out if isinstance(out, tuple) else (out,)
        if len(outputs) > function.nout or (isinstance(out, tuple) and
                                            len(outputs) < function.nout):
            raise ValueError(f"'out' must have {function.nout} items")
    return inputs, outputs + (None,) * (function.nout - len(outputs)), keywords


def call(function, args, keywords):
    """A call of a function: called by it where NumPy's ufunc is not to be called at once."""
    inputs, outputs, others = _split(function, args, keywords)
    operands = inputs + tuple(x for x in outputs if x is not None)
    if any(_override(x) is not None and not is_foreign(x) for x in operands):
        return _call_overrides(function, operands, inputs, outputs, others)
    foreign = next((x for x in operands if is_foreign(x)), None)
    if foreign is not None:
        return _call_foreign(function, foreign, inputs, outputs, others)
    if "stream" in others:
        raise TypeError("'stream' is for arrays on a GPU")
    given = any(isinstance(x, np.ndarray) for x in outputs)
    if function.own or (function.signature is not None and given):
        return _call_numpys(function, inputs, outputs, _keywords(function, **others))
    given = {} if all(x is None for x in outputs) else {"out": outputs}
    return function.numpy(*inputs, **given, **others)


# ---- objects with __array_ufunc__

def _call_overrides(function, operands, inputs, outputs, keywords):
    """NumPy's protocol: each object is asked, from the left, subclasses first."""
    if any(x is not None for x in outputs):
        keywords["out"] = outputs
    asked = []
    for x in operands:
        if _override(x) is None or any(type(x) is type(y) for y in asked):
            continue
        before = [i for i, y in enumerate(asked) if isinstance(x, type(y))]
        asked.insert(before[0] if before else len(asked), x)
    for x in asked:
        result = _override(x)(x, function, "__call__", *inputs, **keywords)
        if result is not NotImplemented:
            return result
    names = ", ".join(repr(type(x).__name__) for x in operands)
    raise TypeError(f"operand type(s) all returned NotImplemented from __array_ufunc__("
                    f"{function!r}, '__call__'): {names}")


# ---- ufc's own calls

def _keywords(function, where=True, casting=None, dtype=None, axes=None, axis=None, keepdims=False,
              order="K", subok=True):
    """Keywords as _ufc.call takes them, stream apart."""
    if order != "K":
        raise TypeError("'order' is for NumPy's arrays")
    if axes is not None:
        axes = tuple(tuple(a) if np.iterable(a) else (a,) for a in axes)
    where = where if where is True or _is_capsule(where) else np.asarray(where)
    name = dtype if dtype in (None, "bfloat16") else np.dtype(dtype).name
    return where, casting, name, axes, axis, keepdims


def _is_capsule(x):
    return type(x).__name__ == "PyCapsule"


def _call_numpys(function, inputs, outputs, keywords):
    """ufc's own call of NumPy's arrays, and of numbers."""
    made = _ufc.call(function, inputs, outputs, *keywords, 0, None)
    results = tuple(_ufc.array(m)[()] if x is None else x
                    for x, m in zip(outputs, made))
    return results[0] if function.nout == 1 else results


def retry(function, args, keywords, refusal):
    """A call that NumPy's ufunc has refused with a TypeError: numbers alone may have any type of
    their kind, and what ufc refuses for its types too it tells why.  Of other errors NumPy's own
    says most."""
    try:
        inputs, outputs, others = _split(function, args, keywords)
        taken = _keywords(function, **others)
    except (TypeError, ValueError):
        raise refusal from None
    if not all(x is None or isinstance(x, np.ndarray) for x in outputs):
        raise refusal
    try:
        return _call_numpys(function, inputs, outputs, taken)
    except TypeError as error:
        raise error from refusal
    except (ValueError, OverflowError):
        raise refusal from None


# ---- other libraries' arrays

def _taken(function, inputs, outputs, keywords, stream):
    """The arguments of _ufc.call between the function and the stream."""
    def take(x):
        return capsule_of(x, device_of(x), stream) if is_foreign(x) else x

    if "where" in keywords:
        keywords = dict(keywords, where=take(keywords["where"]))
    return (tuple(map(take, inputs)), tuple(map(take, outputs)),
            *_keywords(function, **keywords))


def _device(arrays):
    """The device that arrays are on, all of them."""
    devices = {d for d in map(device_of, arrays) if d is not None}
    if len(devices) > 1:
        raise ValueError(f"arrays of several devices: {', '.join(map(str, sorted(devices)))}")
    device = devices.pop()
    if device[0] not in (CPU, CUDA, MANAGED):
        raise ValueError(f"arrays of DLPack's device type {device[0]}, which ufc does not know")
    return device


def _call_foreign(function, foreign, inputs, outputs, keywords):
    if name_of(foreign) in ("jax", "jaxlib"):
        from . import _jax
        if _jax.takes(function, inputs, outputs, keywords):
            return _jax.call(function, inputs, **keywords)
    if "torch" in sys.modules:
        from . import _torch
        _torch.refuse_derivatives(function, inputs)
        if any(map(_torch.takes, inputs + outputs)):
            return _torch.call(function, inputs, outputs, **keywords)
    keywords = dict(keywords)
    device = _device(inputs + outputs + (keywords.get("where"),))
    own = 0 if device[0] == CPU else current_stream(foreign, device)
    stream = keywords.pop("stream", None)
    if stream is None:
        stream = own
    make = maker_of(foreign, device)
    new = any(x is None for x in outputs)
    library = library_of(foreign) if new and not make else None
    taken = _taken(function, inputs, outputs, keywords, stream)
    made = _ufc.call(function, *taken, stream, make)
    if device[0] != CPU: # memory that the library has, it gives away in the order of its own stream
        order(device, stream, own)
    results = tuple(x if x is not None else m if make else library.from_dlpack(
        Result(m, device, stream)) for x, m in zip(outputs, made))
    return results[0] if function.nout == 1 else results


def explain(function, args, keywords):
    inputs, outputs, keywords = _split(function, args, keywords)
    stream = keywords.pop("stream", None) or 0
    taken = _taken(function, inputs, outputs, keywords, stream)
    return _ufc.explain(function, *taken, stream, None)
