"""Arrays of other libraries: where they are, the stream that they are ready on, and how results
become arrays of their library, from its own memory where it gives that."""

import ctypes
import sys

import numpy as np

from . import _ufc

CPU, CUDA, PINNED, MANAGED = 1, 2, 3, 13
_LEGACY = 1 # the default stream, as DLPack and __cuda_array_interface__ number it


def is_foreign(x):
    """Whether an object is an array of another library."""
    if isinstance(x, (np.ndarray, np.generic)):
        return False
    if name_of(x) in ("jax", "jaxlib"): # tracers have no memory
        return isinstance(x, sys.modules["jax"].Array)
    return hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")


def name_of(x):
    """The name of an object's library."""
    return type(x).__module__.partition(".")[0]


def type_name(dtype):
    """A type's name as ufc has it, of NumPy's types, their names, and PyTorch's types."""
    if dtype is None or (isinstance(dtype, str) and dtype == "bfloat16"):
        return dtype
    return str(dtype).partition(".")[2] if name_of(dtype) == "torch" else np.dtype(dtype).name


def device_of(x):
    """An array's device as DLPack has it, of the host's memory the CPU; None of what is no library's
    array."""
    if not is_foreign(x):
        return None
    if not hasattr(x, "__dlpack_device__"):
        return CUDA, _ordinal(x.__cuda_array_interface__["data"][0])
    kind, number = x.__dlpack_device__()
    return (CPU, 0) if kind == PINNED else (int(kind), int(number))


def _ordinal(pointer):
    """The number of the GPU that has memory, which __cuda_array_interface__ does not tell."""
    if not pointer:
        return 0
    number, attribute = ctypes.c_int(), 9 # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
    driver = ctypes.CDLL("libcuda.so.1")
    if driver.cuPointerGetAttribute(ctypes.byref(number), attribute, ctypes.c_uint64(pointer)):
        raise ValueError("an array's memory is not known to CUDA")
    return number.value


# ---- streams

def current_stream(x, device):
    """The stream that a library's work on a GPU goes to: an int, as CUstream."""
    name = name_of(x)
    if name == "torch":
        return sys.modules["torch"].cuda.current_stream(device[1]).cuda_stream
    if name == "cupy":
        return sys.modules["cupy"].cuda.get_current_stream().ptr
    return 0


def order(device, before, after):
    """Makes a stream wait for what another has now."""
    if (before or _LEGACY) != (after or _LEGACY):
        _ufc.order(device[1], before, after)


# ---- arrays as DLPack's capsules

def capsule_of(x, device, stream):
    """An array's DLPack capsule, ordered on the stream; on none where that is -1."""
    if not hasattr(x, "__dlpack__"):
        return _capsule_of_interface(x, device, stream)
    if name_of(x) == "torch": # bits that say how elements are meant are not in DLPack
        x = x.detach().resolve_conj().resolve_neg()
    keywords = {} if device[0] == CPU else {"stream": stream or _LEGACY}
    try:
        return x.__dlpack__(max_version=(1, 1), **keywords)
    except TypeError: # a library older than versions of DLPack
        return x.__dlpack__(**keywords)


def _capsule_of_interface(x, device, stream):
    """Of an array with __cuda_array_interface__ alone."""
    interface = dict(x.__cuda_array_interface__)
    ready = interface.pop("stream", None)
    if interface.get("mask") is not None:
        raise ValueError(f"{type(x).__qualname__}: arrays with a mask are not computed")
    if ready is not None and stream != -1:
        order(device, ready, stream)

    if not interface["data"][0]: # of no elements: any address will do, and NumPy wants one
        interface["data"] = 64, False

    class View:
        __array_interface__ = dict(interface, version=3)

    return _ufc.on_device(np.asarray(View), device[1])


# ---- results

class Result:
    """An array that ufc has made, for a library's from_dlpack."""

    def __init__(self, capsule, device, stream):
        self._capsule, self._device, self._stream = capsule, device, stream

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if self._device[0] != CPU and stream != -1:
            order(self._device, self._stream, stream)
        capsule, self._capsule = self._capsule, None
        versioned = max_version is not None and max_version[0] >= 1
        return capsule if versioned else _ufc.unversioned(capsule)


def refuse_constant(outputs):
    """JAX's arrays never change, though DLPack does not say so."""
    if any(name_of(x) in ("jax", "jaxlib") for x in outputs):
        raise ValueError("JAX's arrays cannot be written into")


def library_of(x, device):
    """The module with an array's from_dlpack; NumPy for what has none and is on the host."""
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    name = name_of(x)
    library = sys.modules.get("jax.numpy" if name in ("jax", "jaxlib") else name)
    if not hasattr(library, "from_dlpack") and device[0] == CPU:
        return np
    if not hasattr(library, "from_dlpack"):
        raise TypeError(f"{type(x).__qualname__}: its library has no from_dlpack for the result")
    return library


def _empty(x, shape, dtype):
    name = name_of(x)
    if name == "torch":
        torch = sys.modules["torch"]
        return torch.empty(shape, dtype=getattr(torch, dtype), device=x.device)
    with x.device:
        return sys.modules["cupy"].empty(shape, dtype)


def maker_of(x, device):
    """What makes results by the allocator of an array's library: a function that gives an array, its
    axes in the order of the strides, and its capsule.  None: ufc makes them."""
    if name_of(x) in ("numba", "numba_cuda"):
        def make(shape, dtype, strides):
            steps = tuple(s * np.dtype(dtype).itemsize for s in strides)
            array = sys.modules["numba.cuda"].device_array(shape, dtype, steps)
            return array, capsule_of(array, device, -1)

        return make
    if name_of(x) not in ("torch", "cupy"):
        return None

    def make(shape, dtype, strides):
        axes = sorted(range(len(shape)), key=lambda i: -strides[i])
        array = _empty(x, tuple(shape[i] for i in axes), dtype)
        back = tuple(axes.index(i) for i in range(len(shape)))
        if back != tuple(range(len(shape))):
            array = array.permute(back) if name_of(x) == "torch" else array.transpose(back)
        return array, capsule_of(array, device, -1)

    return make
