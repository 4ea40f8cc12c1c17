"""Arrays of other libraries, by DLPack: computed where they are, results by their library; several
devices, read-only and versioned ones.  Objects with __array_ufunc__ get the function by NumPy's
protocol."""

import ctypes

import numpy as np
from numpy.testing import assert_array_equal

import ufc

m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc parts(z) : (float64, float64)(complex128) { return real(z), imag(z) }
gufunc odd(x[n]) -> y[n] : float64(float64) { y[2 * i + 1] = x[2 * i + 1] for i in 0..n // 2 }
""")


def fails(kind, words, call):
    try:
        call()
    except kind as e:
        assert words in str(e), e
        return
    raise AssertionError(f"no {kind.__name__}: {words}")


class Array:
    """An array of a library of its own; an old one knows no versions of DLPack."""

    def __init__(self, array, device=(1, 0), old=False):
        self.array, self.device, self.old = array, device, old

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        if self.old and "max_version" in keywords:
            raise TypeError("max_version")
        return self.array.__dlpack__(**keywords)

    @staticmethod
    def __array_namespace__():
        return Library


class Library:
    @staticmethod
    def from_dlpack(x):
        assert x.__dlpack_device__() == (1, 0)
        return Array(np.from_dlpack(x))


class OldLibrary:
    @staticmethod
    def from_dlpack(x):
        class Unversioned:
            @staticmethod
            def __dlpack_device__():
                return x.__dlpack_device__()

            @staticmethod
            def __dlpack__(**keywords):
                return x.__dlpack__()

        return Array(np.from_dlpack(Unversioned()))


x = np.arange(12.0).reshape(3, 4)
for old in False, True:
    for view in x, x.T, x[:, ::2], x[1], x[:0], np.array(3.0):
        got = m.add(Array(view, old=old), 1)
        assert type(got) is Array, type(got)
        assert_array_equal(got.array, view + 1)
        assert got.array.dtype == np.float64
        assert_array_equal(m.add(view, Array(view, old=old)).array, view + view)
assert m.add(Array(np.arange(3, dtype="f")), 0.5).array.dtype == np.float32
assert_array_equal(m.add(Array(x), x.astype(">f8")[::-1]).array, x + x[::-1])
assert_array_equal(m.add(Array(x), [1, 2, 3, 4]).array, x + [1, 2, 3, 4])
Array.__array_namespace__ = staticmethod(lambda: OldLibrary)
assert_array_equal(m.add(Array(x), 1).array, x + 1)
re, im = m.parts(Array(x + 2j))
assert_array_equal(re.array, x)
assert_array_equal(im.array, np.full((3, 4), 2.0))
frozen = x.copy()
frozen.flags.writeable = False
assert_array_equal(m.add(Array(frozen), 1).array, x + 1)

# out, where, keywords.
out = Array(np.full((3, 4), 9.0))
mask = x > 5
assert m.add(Array(x), 1, out=out, where=Array(mask)) is out
assert_array_equal(out.array, np.where(mask, x + 1, 9))
assert m.add(x, 1, out) is out
assert_array_equal(out.array, x + 1)
given = np.zeros((3, 4))
assert m.add(Array(x), 1, out=given) is given
assert_array_equal(given, x + 1)
assert m.odd(Array(x), axis=0).array.tolist() == m.odd(x, axis=0).tolist()
assert m.add(Array(x), 1, dtype="f", casting="same_kind").array.dtype == np.float32
fails(ValueError, "read-only", lambda: m.add(x, 1, out=Array(frozen)))
fails(ValueError, "shapes", lambda: m.add(Array(x), np.zeros(3)))
fails(TypeError, "no overload of 'odd'", lambda: m.odd(Array(x + 1j)))
fails(TypeError, "unexpected keyword", lambda: m.add(Array(x), 1, bogus=1))
fails(ValueError, "'wild' is no casting rule", lambda: m.add(Array(x), 1, casting="wild"))
fails(ValueError, "several devices", lambda: m.add(Array(x), Array(x, device=(2, 0))))
fails(ValueError, "device type 4", lambda: m.add(Array(x, device=(4, 0)), 1))
fails(TypeError, "'stream'", lambda: m.add(x, 1, stream=0))


# Pinned memory is the host's: arrays of both go together.
class Pinned(Array):
    def __dlpack__(self, **keywords):
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        tensor = pointer(capsule, b"dltensor")
        ctypes.c_int32.from_address(tensor + 8).value = 3
        return capsule


out = Pinned(np.zeros((3, 4)), (3, 0))
assert m.add(Pinned(x, (3, 0)), Array(x), out=out) is out
assert_array_equal(out.array, x + x)
assert_array_equal(m.add(Pinned(x, (3, 0)), 1).array, x + 1)

# explain takes what a call takes.
told = m.add.explain(Array(x), 1, out=Array(np.zeros((3, 4))), where=Array(mask))
assert told == m.add.explain(x, 1, out=np.zeros((3, 4)), where=mask), told


# NumPy's protocol: the function itself is what objects are given.
class Unit:
    def __init__(self, value, unit):
        self.value, self.unit = value, unit

    def __array_ufunc__(self, function, method, *inputs, out=None, **keywords):
        if method != "__call__" or any(isinstance(i, Refuser) for i in inputs):
            return NotImplemented
        values = [i.value if isinstance(i, Unit) else i for i in inputs]
        seen.append((function, type(self).__name__))
        return type(self)(function(*values, **keywords), self.unit)


class Special(Unit):
    pass


class Refuser:
    def __array_ufunc__(self, *args, **keywords):
        return NotImplemented


class Never:
    __array_ufunc__ = None


seen = []
got = m.add(Unit(x, "m"), x)
assert got.unit == "m" and seen == [(m.add, "Unit")] and got.value.tolist() == (2 * x).tolist()
got = m.add(Unit(x, "m"), Special(x, "s"), dtype="F", casting="unsafe")
assert type(got) is Special and got.value.dtype == np.complex64
fails(TypeError, "all returned NotImplemented", lambda: m.add(Refuser(), x))
fails(TypeError, "all returned NotImplemented", lambda: m.add(Unit(x, "m"), Refuser()))
fails(TypeError, "", lambda: m.add(Never(), x))

# A type of NumPy's that no number stands for, whatever its size.
make = getattr(np._core._multiarray_umath, "_get_sfloat_dtype", None)
if make:
    fails(TypeError, "ufc has no elements of", lambda: m.add(x.view(make()(1.0)), x))
