"""Arrays on a GPU, on the fake driver: computed where they are, on their library's stream, results by
its allocator; arrays with DLPack's exchange API, with DLPack, and with __cuda_array_interface__."""

import ctypes
import os
import subprocess
import sys
import types

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FAKE = os.path.abspath("fake")
if os.environ.get("LD_LIBRARY_PATH") != FAKE: # which the loader reads once, at the start
    os.makedirs(FAKE, exist_ok=True)
    subprocess.run([os.path.join(TESTS, "run"), "driver", FAKE], check=True)
    environment = dict(os.environ, LD_LIBRARY_PATH=FAKE)
    sys.exit(subprocess.run([sys.executable, "-W", "error", *sys.argv], env=environment).returncode)

import numpy as np # noqa: E402
from numpy.testing import assert_array_equal # noqa: E402

import ufc # noqa: E402
from ufc import _ufc # noqa: E402

# ---- the driver

driver = ctypes.CDLL("libcuda.so.1")
driver.fakecuda_calls.argtypes = [ctypes.c_char_p]
libufcc = ctypes.CDLL(os.path.join(os.path.dirname(ufc.__file__), "lib", "libufcc.so.0"))
libufcc.ufcc_function.restype = ctypes.c_void_p
libufcc.ufcc_function.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
driver.fakecuda_register.argtypes = [ctypes.c_void_p]
context, pointer = ctypes.c_void_p(), ctypes.c_uint64()
assert driver.cuInit(0) == 0
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert driver.cuCtxPushCurrent_v2(context) == 0


def new_stream():
    made = ctypes.c_void_p()
    assert driver.cuStreamCreate(ctypes.byref(made), 1) == 0 # one that does not wait for the default
    return made.value


def calls(*symbols):
    return [driver.fakecuda_calls(s.encode()) for s in symbols]


def compiled(text):
    """A module whose functions the driver knows."""
    module = ufc.compile(text)
    for f in module:
        program = ctypes.c_void_p.from_address(id(f.program) + object.__basicsize__).value
        driver.fakecuda_register(libufcc.ufcc_function(program, f.__name__.encode()))
    return module


def sizes(pointer, n):
    return tuple((ctypes.c_int64 * n).from_address(pointer)) if n else ()


new = ctypes.pythonapi.PyCapsule_New
new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


# ---- libraries

class Memory:
    """A GPU array of no library: its __cuda_array_interface__ is all that it has."""

    def __init__(self, values=None, shape=None, dtype=None, stream=None):
        values = np.zeros(shape, dtype) if values is None else np.ascontiguousarray(values)
        self.dtype, self.shape, self.strides = values.dtype, values.shape, values.strides
        self.stream, self.kept = stream, []
        self.size = max(values.nbytes, 1)
        assert driver.cuMemAlloc_v2(ctypes.byref(pointer), self.size) == 0
        self.pointer = pointer.value
        ctypes.memmove(self.pointer, values.ctypes.data, values.nbytes)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.pointer, False),
                "strides": self.strides, "version": 3, "stream": self.stream}

    def transpose(self, axes):
        view = object.__new__(type(self))
        vars(view).update(vars(self), base=self)
        view.shape = tuple(self.shape[i] for i in axes)
        view.strides = tuple(self.strides[i] for i in axes)
        return view

    @property
    def T(self):
        return self.transpose(range(len(self.shape))[::-1])

    def get(self):
        """The values, when all work is done."""
        assert driver.cuCtxSynchronize() == 0
        view = type("View", (), {"__array_interface__": dict(
            self.__cuda_array_interface__, version=3, stream=None)})
        return np.asarray(view).copy()

    def capsule(self):
        view = type("View", (), {"__array_interface__": self.__cuda_array_interface__})
        return _ufc.on_device(np.asarray(view), 0)


class Library(Memory):
    """An array of a library that is like CuPy."""

    current, empties, ordered, device = new_stream(), [], [], None

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream=None, max_version=None):
        self.ordered.append(stream)
        return self.capsule()

    @staticmethod
    def empty(shape, dtype):
        Library.empties.append(Library(shape=shape, dtype=dtype))
        return Library.empties[-1]

    class cuda:
        @staticmethod
        def get_current_stream():
            return type("Stream", (), {"ptr": Library.current})

    class Device:
        def __enter__(self):
            pass

        def __exit__(self, *error):
            pass


Library.__module__ = "cupy"
Library.device = Library.Device()
sys.modules["cupy"] = Library

m = compiled("""
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc parts(z) : (float64, float64)(complex128) { return real(z), imag(z) }
gufunc total(x[n]) -> y : float64(float64) { y = sum(v for v in x) }
""")
copies = "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2"
x = np.arange(12.0).reshape(3, 4)


def check(make):
    """Calls with arrays of a library: in place, its own results."""
    a = make(x)
    before = calls(*copies)
    launches = sum(calls("cuLaunchKernel", "cuLaunchKernelEx"))
    for got, wanted in ((m.add(a, a), x + x), (m.add(a, 1), x + 1), (m.add(a.T, a.T), x.T + x.T),
                        (m.total(a), x.sum(1)), (m.add(make(x[0]), a), x[0] + x)):
        assert type(got) is type(a), type(got)
        assert_array_equal(got.get(), wanted)
    assert m.add(a.T, 1).strides == (x.T + 1).strides
    assert [type(p) for p in m.parts(make(x + 1j))] == [type(a)] * 2
    assert_array_equal(m.parts(make(x + 1j))[1].get(), np.ones((3, 4)))
    out = make(x)
    assert m.add(a, 2, out=out) is out and m.add(a, a, out) is out
    assert_array_equal(out.get(), x + x)
    assert calls(*copies) == before and sum(calls("cuLaunchKernel", "cuLaunchKernelEx")) > launches
    assert m.add(make(np.zeros(0)), 1).shape == (0,)


check(Library)
assert set(Library.ordered) == {Library.current, -1}
mask = x > 5
got = m.add(Library(x), 1, out=Library(x), where=Library(mask))
assert_array_equal(got.get(), np.where(mask, x + 1, x))
assert m.total(Library(x.T), axis=0).get().tolist() == x.sum(1).tolist()
assert m.add.explain(Library(x), 1)["kernel"] == "vector"

# Another stream waits for the current one, as __dlpack__ is asked to see to, and that for it.
other, waits = new_stream(), calls("cuStreamWaitEvent")[0]
assert_array_equal(m.add(Library(x), 1, stream=other).get(), x + 1)
assert Library.ordered[-2] == other and calls("cuStreamWaitEvent")[0] == waits + 1
m.add(Library(x), 1, stream=Library.current)
assert calls("cuStreamWaitEvent")[0] == waits + 1

# An interface alone: the array's stream is waited for; results need an output.
out = Memory(x)
assert m.add(Memory(x), Memory(x, stream=other), out=out) is out
assert_array_equal(out.get(), x + x)
assert calls("cuStreamWaitEvent")[0] == waits + 2
none, out = Memory(np.zeros((0, 3))), Memory(np.zeros((0, 3)))
none.pointer = 0
assert m.add(none, 1, out=out) is out
try:
    m.add(Memory(x), 1)
except TypeError as e:
    assert "from_dlpack" in str(e)
else:
    raise AssertionError


# ---- DLPack's exchange API

class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int), ("id", ctypes.c_int),
                ("ndim", ctypes.c_int), ("dtype", ctypes.c_uint32), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64)]


def function(*types):
    return ctypes.CFUNCTYPE(ctypes.c_int, *types)


class Fast(Memory):
    """An array of a library that has the API, and nothing else that is of use."""

    made, streams = {}, []

    @property
    def __dlpack__(self):
        raise AssertionError("the slow way")


VERSIONED = 32 # bytes before a versioned tensor's DLTensor
TYPES = {0x14002: np.float64, 0x18005: np.complex128} # lanes, bits, code


@function(ctypes.py_object, ctypes.POINTER(Tensor))
def tensor_of(array, to):
    steps = (s // array.dtype.itemsize for s in array.strides)
    array.kept.append((ctypes.c_int64 * 8)(*array.shape, *steps))
    code = next(c for c, t in TYPES.items() if t == array.dtype)
    at = ctypes.addressof(array.kept[-1])
    to[0] = Tensor(array.pointer, 2, 0, len(array.shape), code, at, at + 8 * len(array.shape), 0)
    return 0


@function(ctypes.POINTER(Tensor), ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p, ctypes.c_void_p)
def allocate(prototype, to, context, set_error):
    asked = prototype[0]
    array = Fast(shape=sizes(asked.shape, asked.ndim), dtype=TYPES[asked.dtype])
    managed = (ctypes.c_uint64 * 16)(1)
    tensor_of(array, ctypes.cast(ctypes.addressof(managed) + VERSIONED, ctypes.POINTER(Tensor)))
    to[0] = ctypes.addressof(managed)
    Fast.made[to[0]] = array, managed
    return 0


@function(ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
def array_of(managed, to):
    array = Fast.made.pop(managed)[0]
    n = len(array.shape)
    array.shape, strides = sizes(ctypes.addressof(array.kept[0]), n), array.kept[0][n:2 * n]
    array.strides = tuple(s * array.dtype.itemsize for s in strides)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(array))
    to[0] = id(array)
    return 0


@function(ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def current_stream(kind, device, to):
    Fast.streams.append((kind, device))
    to[0] = Library.current
    return 0


table = (ctypes.c_void_p * 7)(1, None, *(ctypes.cast(f, ctypes.c_void_p) if f else None for f in (
    allocate, None, array_of, tensor_of, current_stream)))
NAME = b"dlpack_exchange_api"
Fast.__dlpack_c_exchange_api__ = new(ctypes.addressof(table), NAME, None)
check(Fast)
assert not Fast.made and set(Fast.streams) == {(2, 0)}


# ---- CuPy's own arrays, of whose objects and functions C knows

class Slots(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class Spec(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("size", ctypes.c_int), ("item", ctypes.c_int),
                ("flags", ctypes.c_uint), ("slots", ctypes.POINTER(Slots))]


def type_with_room(name, words, kept=[]): # noqa: B006
    """A type whose objects have memory for so many words behind their head."""
    base_type = 1 << 10
    kept.append(Spec(name, object.__basicsize__ + 8 * words, 0, base_type, (Slots * 1)()))
    from_spec = ctypes.pythonapi.PyType_FromSpec
    from_spec.restype, from_spec.argtypes = ctypes.py_object, [ctypes.c_void_p]
    return from_spec(ctypes.addressof(kept[-1]))


def words_of(o, n):
    return (ctypes.c_uint64 * n).from_address(id(o) + object.__basicsize__)


class MemoryPointer(type_with_room(b"ufc_test.MemoryPointer", 3)):
    def __init__(self, memory, offset):
        words_of(self, 3)[:] = 0, memory[0] + offset, memory[1]
        self.ptr = memory[0] + offset


class ndarray(type_with_room(b"ufc_test.ndarray", 9)):
    """It has, behind one word, its data, the bounds of its shape and of its strides, and its type."""

    def __init__(self, shape, dtype=None, memptr=None, strides=None):
        self.memory = Memory(shape) if isinstance(shape, np.ndarray) else None
        if self.memory:
            shape, dtype = shape.shape, shape.dtype
        elif memptr is None:
            self.memory = Memory(shape=shape, dtype=dtype)
        self.data = memptr or MemoryPointer((self.memory.pointer, 0), 0)
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        steps = np.cumprod((self.dtype.itemsize, *self.shape[:0:-1]))[::-1] if self.shape else ()
        self.strides = tuple(map(int, steps)) if strides is None else strides
        self.bounds = [(ctypes.c_int64 * max(len(v), 1))(*v) for v in (self.shape, self.strides)]
        begins = [ctypes.addressof(v) for v in self.bounds]
        n = 8 * len(self.shape)
        words_of(self, 9)[:] = (7, id(self.data), begins[0], begins[0] + n, begins[0] + n, begins[1],
                                begins[1] + n, begins[1] + n, id(self.dtype))

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.data.ptr, False),
                "strides": self.strides, "version": 3, "stream": None}

    @property
    def __dlpack__(self):
        raise AssertionError("the slow way")

    @property
    def T(self):
        view = ndarray(self.shape[::-1], self.dtype, self.data, self.strides[::-1])
        view.base = self
        return view

    get = Memory.get


@ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object, ctypes.POINTER(ctypes.c_uint64), ctypes.py_object,
                   ctypes.py_object)
def init(kind, shape, dtype, base):
    return kind(sizes(shape[0], (shape[1] - shape[0]) // 8), dtype)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int)
def current_device(skip_dispatch):
    return 0


@ctypes.PYFUNCTYPE(ctypes.c_ssize_t)
def cupys_stream():
    return Library.current


def functions(name, type_, function):
    """A module with a function for C."""
    made = types.ModuleType("of C")
    made.__pyx_capi__ = {name: new(ctypes.cast(function, ctypes.c_void_p), type_, None)}
    return made


ndarray.__module__ = "cupy"
Library.ndarray = ndarray
Library.cuda.MemoryPointer = MemoryPointer
Library.cuda.UnownedMemory = lambda ptr, size, owner, device: (ptr, device)
sys.modules.update({
    "cupy._core.core": functions("_ndarray_init", b"struct __pyx_obj_4cupy_5_core_4core__ndarray_base *("
                                 b"PyObject *, __pyx_t_4cupy_5_core_7_carray_shape_t const &, PyObject *, "
                                 b"PyObject *)", init),
    "cupy_backends.cuda.api.runtime": functions("getDevice", b"int (int __pyx_skip_dispatch)",
                                                current_device),
    "cupy_backends.cuda.stream": functions("get_current_stream_ptr", b"intptr_t (void)", cupys_stream)})
for package in "cupy._core", "cupy_backends", "cupy_backends.cuda", "cupy_backends.cuda.api":
    sys.modules[package] = types.ModuleType(package)


class Refused:
    """CuPy's array where the members of its own cannot be found: it is asked once, and left to others."""
    asked = 0

    def unowned(self, *arguments):
        self.asked += 1
        raise MemoryError

    def __array__(self, dtype=None, copy=None):
        return np.ones(3)


Refused.__module__, Refused.__name__ = "cupy", "ndarray"
refused, unowned = Refused(), Library.cuda.UnownedMemory
Library.cuda.UnownedMemory = refused.unowned
for _ in range(2):
    assert m.add(refused, 1.0).tolist() == [2, 2, 2]
assert refused.asked == 1, refused.asked
Library.cuda.UnownedMemory = unowned

check(ndarray)
assert m.add(ndarray(np.arange(5.0)), np.ones(5)).get().tolist() == [1, 2, 3, 4, 5]
