"""Calls with arguments that are not NumPy's own: other libraries' arrays, and objects with
__array_ufunc__."""

import sys

import numpy as np

from . import _ufc

_CPU, _CUDA, _PINNED, _MANAGED = 1, 2, 3, 13


def _is_foreign(x):
    """Whether an object is an array of another library."""
    if isinstance(x, (np.ndarray, np.generic)):
        return False
    return hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")


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
    if any(_override(x) is not None and not _is_foreign(x) for x in operands):
        return _call_overrides(function, operands, inputs, outputs, others)
    foreign = next((x for x in operands if _is_foreign(x)), None)
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


class _Result:
    """An array that ufc has made, for a library's from_dlpack."""

    def __init__(self, capsule, device):
        self._capsule, self._device = capsule, device

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        capsule, self._capsule = self._capsule, None
        versioned = max_version is not None and max_version[0] >= 1
        return capsule if versioned else _ufc.unversioned(capsule)


def _call_numpys(function, inputs, outputs, keywords):
    """ufc's own call of NumPy's arrays, and of numbers."""
    made = _ufc.call(function, inputs, outputs, *keywords, 0)
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

def _library(x):
    """The module with an array's from_dlpack."""
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    name = type(x).__module__.partition(".")[0]
    library = sys.modules.get("jax.numpy" if name in ("jax", "jaxlib") else name)
    if not hasattr(library, "from_dlpack"):
        raise TypeError(f"{type(x).__qualname__}: its library has no from_dlpack for the result")
    return library


def _device(x):
    """An array's device as DLPack has it, of the host's memory the CPU; None of what is no library's
    array."""
    if not _is_foreign(x):
        return None
    kind, number = x.__dlpack_device__()
    return (_CPU, 0) if kind == _PINNED else (int(kind), int(number))


def _current_stream(x, device):
    """The stream that a library's work on a GPU goes to: an int, as CUstream."""
    name = type(x).__module__.partition(".")[0]
    if name == "torch":
        return sys.modules["torch"].cuda.current_stream(device[1]).cuda_stream
    if name == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream().ptr
    return 0


def _capsule(x, device, stream):
    """An array's DLPack capsule, ordered on the stream."""
    x = x.detach() if hasattr(x, "detach") else x
    keywords = {} if device[0] == _CPU else {"stream": stream or 1}
    try:
        return x.__dlpack__(max_version=(1, 1), **keywords)
    except TypeError: # a library older than versions of DLPack
        return x.__dlpack__(**keywords)


def _taken(function, inputs, outputs, keywords, stream):
    """The arguments of _ufc.call between the function and the stream."""
    def take(x):
        return _capsule(x, _device(x), stream) if _is_foreign(x) else x

    if "where" in keywords:
        keywords = dict(keywords, where=take(keywords["where"]))
    return (tuple(map(take, inputs)), tuple(map(take, outputs)),
            *_keywords(function, **keywords))


def _call_foreign(function, foreign, inputs, outputs, keywords):
    devices = {d for d in map(_device, inputs + outputs) if d is not None}
    if len(devices) > 1:
        raise ValueError(f"arrays of several devices: {', '.join(map(str, sorted(devices)))}")
    for x in inputs:
        if getattr(x, "requires_grad", False):
            raise NotImplementedError(f"{function.__name__} has no derivative: detach the tensor")
    device = devices.pop()
    if device[0] not in (_CPU, _CUDA, _MANAGED):
        raise ValueError(f"arrays of DLPack's device type {device[0]}, which ufc does not know")
    keywords = dict(keywords)
    stream = keywords.pop("stream", None)
    if stream is None:
        stream = 0 if device[0] == _CPU else _current_stream(foreign, device)
    library = _library(foreign)
    made = _ufc.call(function, *_taken(function, inputs, outputs, keywords, stream), stream)
    results = tuple(library.from_dlpack(_Result(m, device)) if x is None else x
                    for x, m in zip(outputs, made))
    return results[0] if function.nout == 1 else results


def explain(function, args, keywords):
    inputs, outputs, keywords = _split(function, args, keywords)
    stream = keywords.pop("stream", None) or 0
    return _ufc.explain(function, *_taken(function, inputs, outputs, keywords, stream), stream)
