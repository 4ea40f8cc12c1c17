"""Calls with arguments that are not NumPy's own: other libraries' arrays, and objects with
__array_ufunc__."""

import sys
from typing import NamedTuple

import numpy as np

from . import _dask, _ufc
from ._libraries import (CPU, CUDA, MANAGED, Result, capsule_of, current_stream, device_of,
                         is_foreign, library_of, maker_of, name_of, order, refuse_constant,
                         type_name)


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
    if not keywords and len(args) == function.nin and name_of(args[0]) in ("jax", "jaxlib"):
        from . import _jax
        if all(map(_jax.is_concrete, args)):
            return _jax.jitted(function)(*args)
    inputs, outputs, others = _split(function, args, keywords)
    operands = inputs + tuple(x for x in outputs if x is not None)
    if any(_override(x) is not None and not is_foreign(x) for x in operands):
        return _call_overrides(function, operands, inputs, outputs, others)
    foreign = next((x for x in operands + (others.get("where"),) if is_foreign(x)), None)
    if foreign is not None:
        return _call_foreign(function, foreign, inputs, outputs, others)
    if "stream" in others:
        raise TypeError("'stream' is for arrays on a GPU")
    given = any(isinstance(x, np.ndarray) for x in outputs)
    if function.own or (function.signature is not None and given):
        return _call_numpys(function, inputs, outputs, _keywords(function, **others))
    given = {} if all(x is None for x in outputs) else {"out": outputs}
    try:
        return function.numpy(*inputs, **given, **others)
    except (TypeError, ValueError) as refusal:
        return retry(function, args, keywords, refusal)


# ---- objects with __array_ufunc__

class _Unnamed:
    """A function for those who would compute NumPy's of its name instead."""

    def __init__(self, function):
        self._function, self.nin, self.nout = function, function.nin, function.nout
        self.__name__, self.signature = f"ufc.{function.__name__}", function.signature

    def __call__(self, *args, **keywords):
        return self._function(*args, **keywords)


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
        if _dask.is_array(x) and (function.nout > 1 or function.signature is not None):
            of = _dask.Gufunc(function, inputs)
            result = _override(x)(x, of, "__call__", *of.arrays, **of.keywords, **keywords)
        else:
            of = _Unnamed(function) if name_of(x) == "pandas" else function
            result = _override(x)(x, of, "__call__", *inputs, **keywords)
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
    return where, casting, type_name(dtype), axes, axis, keepdims


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
    if isinstance(refusal, ValueError):
        raise _with_place(function, args, keywords, refusal) from None
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


def _with_place(function, args, keywords, fault):
    """The ValueError of NumPy's ufunc; of a fault in a build with checks, with the call that it was in.
    NumPy's loop knows no more than a part of the calls, so that ufc's own finds it once more, into
    new arrays."""
    if not function.checks:
        return fault
    try:
        inputs, outputs, others = _split(function, args, keywords)
        _call_numpys(function, inputs, (None,) * function.nout, _keywords(function, **others))
    except ValueError as error:
        if str(fault) in str(error): # where the call has changed its inputs, another may be found
            return error
    except Exception: # the fault is what is told, whatever becomes of looking for its place
        pass
    return fault


# ---- other libraries' arrays

def _device(arrays):
    """The device that arrays are on, all of them."""
    devices = {d for d in map(device_of, arrays) if d is not None}
    if len(devices) > 1:
        raise ValueError(f"arrays of several devices: {', '.join(map(str, sorted(devices)))}")
    device = devices.pop()
    if device[0] not in (CPU, CUDA, MANAGED):
        raise ValueError(f"arrays of DLPack's device type {device[0]}, which ufc does not know")
    return device


def _taken(operands, outputs, keywords, stream):
    """Operands, outputs and keywords with capsules in place of arrays."""
    def take(x):
        return capsule_of(x, device_of(x), stream) if is_foreign(x) else x

    if "where" in keywords:
        keywords = dict(keywords, where=take(keywords["where"]))
    return tuple(map(take, operands)), tuple(map(take, outputs)), keywords


def _compute(foreign, operands, outputs, keywords, run):
    """What run gives, as arrays of the library of `foreign`: it is called with operands, outputs and
    keywords as _ufc takes them, the stream, and what makes results."""
    keywords = dict(keywords)
    refuse_constant(outputs)
    device = _device(operands + outputs + (keywords.get("where"),))
    own = 0 if device[0] == CPU else current_stream(foreign, device)
    stream = keywords.pop("stream", None)
    if stream is None:
        stream = own
    make = maker_of(foreign, device)
    new = any(x is None for x in outputs)
    library = library_of(foreign, device) if new and not make else None
    made = run(*_taken(operands, outputs, keywords, stream), stream, make)
    if device[0] != CPU: # memory that the library has, it gives away in the order of its own stream
        order(device, stream, own)
    return tuple(x if x is not None else m if make else library.from_dlpack(
        Result(m, device, stream)) for x, m in zip(outputs, made))


def _call_foreign(function, foreign, inputs, outputs, keywords):
    if name_of(foreign) in ("jax", "jaxlib"):
        from . import _jax
        if _jax.takes(function, inputs, outputs, keywords):
            return _jax.call(function, inputs, **keywords)
    if "torch" in sys.modules:
        from . import _torch
        _torch.refuse_derivatives(function, inputs)
        if any(map(_torch.takes, (*inputs, *outputs, keywords.get("where")))):
            return _torch.call(function, inputs, outputs, **keywords)

    def run(inputs, outputs, keywords, stream, make):
        return _ufc.call(function, inputs, outputs, *_keywords(function, **keywords), stream, make)

    results = _compute(foreign, inputs, outputs, keywords, run)
    return results[0] if function.nout == 1 else results


def explain(function, args, keywords):
    inputs, outputs, keywords = _split(function, args, keywords)
    stream = keywords.pop("stream", None) or 0
    inputs, outputs, keywords = _taken(inputs, outputs, keywords, stream)
    return _ufc.explain(function, inputs, outputs, *_keywords(function, **keywords), stream, None)


# ---- times

class Spread(NamedTuple):
    """Seconds."""

    mean: float
    std: float
    min: float
    median: float
    max: float


class Times(NamedTuple):
    """What calls took: until they returned on the host, and until their work was done on the device."""

    calls: int
    host: Spread
    device: Spread
    bytes: int # that a call reads and writes

    @property
    def rate(self):
        """Bytes a second, of the median."""
        return self.bytes / self.device.median

    def __str__(self):
        return (f"{self.device.median * 1e6:.2f} us, {self.rate * 1e-9:.3g} GB/s, on the host "
                f"{self.host.median * 1e6:.2f} us, of {self.calls} calls")


def bench(function, args, keywords, seconds):
    inputs, outputs, _ = _split(function, args, keywords)
    foreign = next((x for x in inputs + outputs if is_foreign(x)), None)
    device = (CPU, 0) if foreign is None else device_of(foreign)
    number, stream = -1, 0
    if device[0] in (CUDA, MANAGED):
        number, stream = device[1], keywords.get("stream") or current_stream(foreign, device)

    def work():
        function(*args, **keywords)

    work()
    once = _ufc.profile(work, number, stream, 1)[2][2]
    calls, *spreads = _ufc.profile(work, number, stream, max(3, min(int(seconds / once), 100000)))
    told = explain(function, args, keywords)
    return Times(calls, *(Spread(*s) for s in spreads), told.get("bytes", 0))


# ---- methods

def method(function, name, operands, keywords):
    """A method of a function by its name, with its operands and NumPy's keywords."""
    keywords = {k: v for k, v in keywords.items() if v is not None or k == "axis"}
    outputs = keywords.pop("out", None)
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    foreign = next((x for x in operands + outputs if is_foreign(x)), None)
    if foreign is None:
        if "stream" in keywords:
            raise TypeError("'stream' is for arrays on a GPU")
        given = {} if all(x is None for x in outputs) else {"out": outputs}
        return getattr(function.numpy, name)(*map(_values, operands), **given, **keywords)
    if name_of(foreign) in ("jax", "jaxlib") and isinstance(foreign, sys.modules["jax"].core.Tracer):
        raise TypeError(f"{function.__name__}.{name}: within JAX's transformations there are no methods")
    if "torch" in sys.modules:
        from . import _torch
        _torch.refuse_derivatives(function, operands)

    if name == "at":
        refuse_constant(operands[:1])

    def run(operands, outputs, keywords, stream, make):
        out = outputs[0] if outputs else None
        return _ufc.method(function, name, operands, out, *_method_keywords(**keywords), stream, make)

    results = _compute(foreign, operands, () if name == "at" else outputs, keywords, run)
    return results[0] if results else None


def outer(function, a, b, keywords):
    """NumPy's outer; of others' arrays by a call of arrays that broadcast so."""
    if not any(is_foreign(x) or _dask.is_array(x) for x in (a, b)):
        return function.numpy.outer(a, b, **keywords)
    if function.signature is not None or (function.nin, function.nout) != (2, 1):
        raise ValueError(f"{function.__name__}: outer is of ufuncs with two inputs and one output")
    a, b = (x if hasattr(x, "ndim") else np.asarray(x) for x in (a, b))
    return function(a[(...,) + (None,) * b.ndim], b, **keywords)


def _values(x):
    """An operand of a method of NumPy's ufunc: pandas takes reductions by the function's name."""
    return x.to_numpy() if name_of(x) == "pandas" else x


def _method_keywords(axis=0, dtype=None, keepdims=False, initial=None, where=True):
    """Keywords as _ufc.method takes them."""
    axes = axis if axis is None or isinstance(axis, tuple) else (axis,)
    return where, type_name(dtype), axes, keepdims, initial
