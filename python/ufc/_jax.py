"""JAX's arrays and tracers: a call becomes one of XLA's, which the extension's handler runs in the
program on the CPU and on GPUs; so jit and vmap know it."""

import functools
import hashlib
import struct
import sys
import warnings

import numpy as np

from . import _ufc
from ._infer import core_counts, infer
from ._libraries import type_name

_CASTINGS = (None, "no", "equiv", "safe", "same_kind", "unsafe")
_TYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
          "bfloat16", "float32", "float64", "complex64", "complex128")


def takes(function, inputs, outputs, keywords):
    """Whether a call is one of XLA's: one with keywords that it would take copies for only where there
    is a tracer, else ufc calls on the arrays as they lie."""
    where = keywords.get("where", True)
    tracer = any(isinstance(x, sys.modules["jax"].core.Tracer) for x in (*inputs, *outputs, where))
    plain = where is True and not keywords.keys() - {"casting", "dtype", "where"}
    if all(x is None for x in outputs) and (plain or tracer) and not (
            keywords.keys() - {"casting", "dtype", "where", "axis", "axes", "keepdims"}):
        return True
    if tracer:
        raise TypeError(f"{function.__name__}: within JAX's transformations a call has no keywords but "
                        "where, axis, axes, keepdims, casting and dtype")
    return False


def is_concrete(x):
    """Whether an object is an array with memory."""
    jax = sys.modules["jax"]
    return isinstance(x, jax.Array) and not isinstance(x, jax.core.Tracer)


@functools.lru_cache(maxsize=4096)
def jitted(function):
    """The function of arrays alone as a program of JAX, which finds one of their types by itself: in less
    time than _program is found."""
    def compute(*arrays):
        return call(function, arrays)

    compute.__name__ = function.__name__
    return sys.modules["jax"].jit(compute)


def call(function, inputs, casting=None, dtype=None, where=True, axes=None, axis=None, keepdims=False):
    jax = sys.modules["jax"]
    numbers = tuple(x if type(x) in (bool, int, float, complex) else None for x in inputs)
    arrays = [x if isinstance(x, jax.Array) else jax.numpy.asarray(x)
              for x, n in zip(inputs, numbers) if n is None]
    strong = [x for x in arrays if not x.weak_type]
    if strong and len(strong) < len(arrays): # numbers that jit has made arrays of are numbers still
        arrays = [x.astype(jax.numpy.result_type(x, *strong)) if x.weak_type else x for x in arrays]
    masked = where is not True
    if masked: # the last array
        arrays.append(jax.numpy.asarray(where))
    told = tuple((x.shape, x.dtype) for x in arrays)
    kinds = tuple(type(n) for n in numbers) # as 1, 1.0 and True are equal
    if axes is not None:
        axes = tuple(tuple(a) if np.iterable(a) else (a,) for a in axes)
    return _program(function, numbers, kinds, told, masked, casting, type_name(dtype), axes, axis,
                    bool(keepdims), jax.config.jax_enable_x64)(*arrays)


@functools.lru_cache(maxsize=4096)
def _program(function, numbers, kinds, told, masked, casting, dtype, axes, axis, keepdims, wide):
    """The jitted function of a call's arrays; wide: JAX has types of 64 bits now."""
    jax = sys.modules["jax"]
    given = iter(told)
    inputs = [next(given) if n is None else n for n in numbers]
    mask = next(given) if masked else None
    infer(function, inputs, casting, dtype, axes, axis, keepdims, mask) # refuses what ufc does
    cores = core_counts(function)
    moves = _moves(function, cores, axes, axis, keepdims)
    if any(n is None and len(move) > len(x[0]) for n, x, move in zip(numbers, inputs, moves)):
        raise TypeError(f"{function.__name__}: axes of an operand with missing dimensions")
    inputs = [x if n is not None else (_moved(x[0], move), x[1])
              for x, n, move in zip(inputs, numbers, moves)]
    shapes, aligned = _align(cores[: function.nin] + [0] * masked, [
        () if n is not None else x[0] for n, x in zip(numbers, inputs)] + ([mask[0]] if masked else []))
    present = [n is None for n in numbers] + [True] * masked
    shapes = [s for s, is_array in zip(shapes, present) if is_array]
    ways = [move for move, is_array in zip(moves[: function.nin] + [()] * masked, present) if is_array]
    results = [jax.ShapeDtypeStruct(shape, jax.dtypes.canonicalize_dtype(_dtype(name)))
               for shape, name in infer(function, inputs, casting, dtype, where=mask)]
    single = function.nout == 1
    way = "expand_dims" if aligned else "sequential"
    target = _target()
    if target:
        of = jax.ffi.ffi_call(target, results[0] if single else results, vmap_method=way)
        attributes = {"function": _key(function), "inputs": _told(numbers), "keywords": np.array(
            [_CASTINGS.index(casting), -1 if dtype is None else _TYPES.index(dtype), masked],
            np.int64)}

    def compute(*arrays):
        arrays = [jax.numpy.moveaxis(a, move, range(-len(move), 0)).reshape(s)
                  for a, s, move in zip(arrays, shapes, ways)]
        made = of(*arrays, **attributes) if target else _call_back(
            jax, function, numbers, arrays, results, way, masked, casting, dtype)
        made = [made] if single else list(made)
        for k, move in enumerate(moves[function.nin:]):
            if masked: # what is not computed is 0, as it is in an array that ufc makes
                made[k] = jax.numpy.where(arrays[-1], made[k], jax.numpy.zeros((), made[k].dtype))
            made[k] = jax.numpy.expand_dims(made[k], move) if keepdims else jax.numpy.moveaxis(
                made[k], range(-len(move), 0), move)
        return made[0] if single else tuple(made)

    compute.__name__ = function.__name__
    return jax.jit(compute)


def _dtype(name):
    import ml_dtypes # JAX needs it
    return np.dtype(getattr(ml_dtypes, name, name))


def _moves(function, cores, axes, axis, keepdims):
    """Where each operand has its core dimensions: a tuple of axes, which is empty where these are the
    last, as they are for XLA's call.  Of results with keepdims they are the axes of length 1."""
    n = function.nin
    if axis is not None:
        axes = tuple((axis,) if core else () for core in cores)
    elif axes is None:
        axes = ((),) * len(cores)
        if keepdims:
            axes = tuple(tuple(range(-core, 0)) for core in cores)
    axes = list(axes) + [()] * (len(cores) - len(axes))
    if keepdims: # results have no core dimensions, and inputs have one number of them
        axes[n:] = [a or axes[0] for a in axes[n:]]
    return axes


def _moved(shape, move):
    """A shape with these axes behind the others."""
    move = [a % len(shape) for a in move]
    return tuple(s for i, s in enumerate(shape) if i not in move) + tuple(shape[i] for i in move)


def _align(cores, shapes):
    """Shapes of inputs whose loops have one rank, so that vmap's dimensions are all in one place; and
    whether that is so: where an optional dimension is missing, the rank says so."""
    if any(len(s) < n for s, n in zip(shapes, cores)):
        return shapes, False
    rank = max((len(s) - n for s, n in zip(shapes, cores)), default=0)
    return [(1,) * (rank - len(s) + n) + tuple(s) for s, n in zip(shapes, cores)], True


# ---- XLA's call

@functools.lru_cache(maxsize=None)
def _target():
    """The name of the registered handler; None: there is none in this build."""
    targets = _ufc.xla_targets()
    if targets is None:
        warnings.warn("ufc was built without jaxlib's header: calls from JAX's programs come back to Python "
                      "and compute on the host; `pip install --no-build-isolation` where JAX is, or the "
                      "wheel of `make wheel`, calls from XLA, on the GPU too", RuntimeWarning, 2)
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


def _call_back(jax, function, numbers, arrays, results, way, masked, casting, dtype):
    """The same on the host, where the extension was built without XLA's header."""
    given_keywords = {k: v for k, v in (("casting", casting), ("dtype", dtype)) if v is not None}

    def compute(*arrays):
        keywords = dict(given_keywords)
        given = map(np.asarray, arrays)
        inputs = [next(given) if n is None else n for n in numbers]
        if masked:
            mask = next(given)
            told = [(x.shape, x.dtype) if isinstance(x, np.ndarray) else x for x in inputs]
            of = infer(function, told, casting, dtype, where=(mask.shape, mask.dtype))
            keywords.update(where=mask, out=tuple(np.zeros(shape, _dtype(name)) for shape, name in of))
        made = function(*inputs, **keywords)
        made = made if isinstance(made, tuple) else (made,)
        return tuple(np.asarray(x, r.dtype) for x, r in zip(made, results))

    made = jax.pure_callback(compute, tuple(results), *arrays, vmap_method=way)
    return made[0] if function.nout == 1 else made
