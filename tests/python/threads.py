"""Calls from many threads: the first ones of all, of which one makes the code; failing ones; large
ones, which others' threads share.  And what only the main interpreter can do."""

import sys
import sysconfig
import threading

import numpy as np

import ufc

if sysconfig.get_config_var("Py_GIL_DISABLED"): # importing it does not turn the lock on
    assert not sys._is_gil_enabled()

TEXT = """
ufunc f(x) : T(T) for T in number = x * x + 1
gufunc pick(x[n], i) -> y : float64(float64, int64) { y = x[i] }
gufunc product(a[m,n], b[n,p]) -> c[m,p] : float64(float64, float64)
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
"""


def together(n, work):
    """Runs work(i) in n threads that begin at once."""
    failures, gate = [], threading.Barrier(n)

    def run(i):
        gate.wait()
        try:
            work(i)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failures:
        raise failures[0]


for large in 7, 300000: # where NumPy keeps the GIL, and where it does not
    m = ufc.compile(TEXT, check=True)

    def work(i):
        x = np.arange(large) % 100
        for dtype in "bhilfdFD"[i:] + "bhilfdFD"[:i]:
            assert (m.f(x.astype(dtype)) == (x * x + 1).astype(dtype)).all(), dtype
        try:
            m.pick(np.arange(4.0), np.full(large, 9))
        except ValueError as e:
            assert "index 9 is out of range" in str(e), e
        else:
            raise AssertionError("no error")

    together(8, work)

m = ufc.compile(TEXT)
a = np.random.default_rng(3).random((200, 200))
wanted = a @ a
together(4, lambda i: np.testing.assert_allclose(m.product(a, a), wanted))


class Array:
    """Another library's: each thread's first call of one finds what its type has."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def others(i):
    for n in range(1, 200):
        x = np.arange(n) + i
        assert (m.f(x) == x * x + 1).all() and (m.f(x, out=x, where=x > 5)[x > 5] > 25).all()
        assert (m.f(type("Own", (Array,), {})(x)) == x * x + 1).all()


together(8, others)
together(4, lambda i: ufc.compile(TEXT + f"ufunc g{i}(x) : float32(float32) = x").f(3))

# A subinterpreter is refused, with a reason.
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    interpreters = None
if interpreters:
    other = interpreters.create()
    program = """
try:
    import ufc
except ImportError as e:
    assert "subinterpreter" in str(e) and "ufc" in str(e), e
else:
    raise AssertionError("it is imported")
"""
    interpreters.run_string(other, program)
    interpreters.destroy(other)
