"""JAX's arrays and tracers: a call becomes one of XLA's, which the extension's handler runs in the
program on the CPU and on GPUs; so jit and vmap know it."""

import functools
import hashlib
import re
import struct
import sys

import numpy as np

from . import _ufc
from ._infer import infer
from ._libraries import type_name

_CASTINGS = (None, "no", "equiv", "safe", "same_kind", "unsafe")
_TYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
          "bfloat16", "float32", "float64", "complex64", "complex128")


def takes(function, inputs, outputs, keywords):
    """Whether a call is one that XLA may have; else it is one of arrays, if there is no tracer."""
    if all(x is None for x in outputs) and keywords.get("where", True) is True and not (
            keywords.keys() - {"casting", "dtype", "where"}):
        return True
    if any(isinstance(x, sys.modules["jax"].core.Tracer) for x in inputs + outputs):
        raise TypeError(f"{function.__name__}: within JAX's transformations a call has no keywords but "
                        "casting and dtype")
    return False


def call(function, inputs, casting=None, dtype=None, where=True):
    jax = sys.modules["jax"]
    numbers = tuple(x if type(x) in (bool, int, float, complex) else None for x in inputs)
    arrays = [x if isinstance(x, jax.Array) else jax.numpy.asarray(x)
              for x, n in zip(inputs, numbers) if n is None]
    strong = [x for x in arrays if not x.weak_type]
    if strong and len(strong) < len(arrays): # numbers that jit has made arrays of are numbers still
        arrays = [x.astype(jax.numpy.result_type(x, *strong)) if x.weak_type else x for x in arrays]
    told = tuple((x.shape, x.dtype) for x in arrays)
    dtype = type_name(dtype)
    kinds = tuple(type(n) for n in numbers) # as 1, 1.0 and True are equal
    return _program(function, numbers, kinds, told, casting, dtype,
                    jax.config.jax_enable_x64)(*arrays)


@functools.lru_cache(maxsize=4096)
def _program(function, numbers, kinds, told, casting, dtype, wide):
    """The jitted function of a call's arrays; wide: JAX has types of 64 bits now."""
    jax = sys.modules["jax"]
    given = iter(told)
    inputs = [next(given) if n is None else n for n in numbers]
    shapes, aligned = _align(function.signature, [() if n is not None else x[0]
                                                  for n, x in zip(numbers, inputs)])
    shapes = [s for s, n in zip(shapes, numbers) if n is None]
    results = [jax.ShapeDtypeStruct(shape, jax.dtypes.canonicalize_dtype(_dtype(name)))
               for shape, name in infer(function, inputs, casting, dtype)]
    single = function.nout == 1
    way = "expand_dims" if aligned else "sequential"
    target = _target()
    if target:
        of = jax.ffi.ffi_call(target, results[0] if single else results, vmap_method=way)
        attributes = {"function": _key(function), "inputs": _told(numbers), "keywords": np.array(
            [_CASTINGS.index(casting), -1 if dtype is None else _TYPES.index(dtype)], np.int64)}

    def compute(*arrays):
        arrays = [a.reshape(s) for a, s in zip(arrays, shapes)]
        made = of(*arrays, **attributes) if target else _call_back(
            jax, function, numbers, arrays, results, way, casting, dtype)
        return made if single else tuple(made)

    compute.__name__ = function.__name__
    return jax.jit(compute)


def _dtype(name):
    import ml_dtypes # JAX needs it
    return np.dtype(getattr(ml_dtypes, name, name))


def _align(signature, shapes):
    """Shapes of inputs whose loops have one rank, so that vmap's dimensions are all in one place; and
    whether that is so: where an optional dimension is missing, the rank says so."""
    before = signature.partition("->")[0] if signature else ""
    cores = [len([d for d in dims.split(",") if d]) for dims in re.findall(r"\(([^()]*)\)", before)]
    cores = cores or [0] * len(shapes)
    if any(len(s) < n for s, n in zip(shapes, cores)):
        return shapes, False
    rank = max((len(s) - n for s, n in zip(shapes, cores)), default=0)
    return [(1,) * (rank - len(s) + n) + tuple(s) for s, n in zip(shapes, cores)], True


# ---- XLA's call

@functools.lru_cache(maxsize=None)
def _target():
    """The name of the registered handler; None: there is none in this build."""
    targets = _ufc.xla_targets()
    for platform, handler in (targets or {}).items():
        sys.modules["jax"].ffi.register_ffi_target("ufc_call", handler, platform=platform)
    return "ufc_call" if targets else None


def _key(function):
    key = hashlib.sha256(repr(function.__dask_tokenize__()).encode()).hexdigest()
    _ufc.publish(function, key)
    return key


def _told(numbers):
    """Inputs as the handler reads them: enum ufc_arg_kind, and the bits of a number."""
    told = []
    for n in numbers:
        if n is None:
            told.append(struct.pack("qqq", 0, 0, 0))
        elif isinstance(n, bool):
            told.append(struct.pack("qqq", 1, n, 0))
        elif isinstance(n, int):
            told.append(struct.pack("qqq", 2, n, 0) if n < 2**63 else struct.pack("qQq", 3, n, 0))
        elif isinstance(n, float):
            told.append(struct.pack("qdq", 4, n, 0))
        else:
            told.append(struct.pack("qdd", 5, n.real, n.imag))
    return np.frombuffer(b"".join(told), np.int64)


def _call_back(jax, function, numbers, arrays, results, way, casting, dtype):
    """The same on the host, where the extension was built without XLA's header."""
    keywords = {k: v for k, v in (("casting", casting), ("dtype", dtype)) if v is not None}

    def compute(*arrays):
        given = iter(arrays)
        made = function(*(np.asarray(next(given)) if n is None else n for n in numbers), **keywords)
        made = made if isinstance(made, tuple) else (made,)
        return tuple(np.asarray(x, r.dtype) for x, r in zip(made, results))

    made = jax.pure_callback(compute, tuple(results), *arrays, vmap_method=way)
    return made[0] if function.nout == 1 else made
