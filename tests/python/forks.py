"""A forked child calls what its parent has compiled, and what it compiles itself."""

import os
import warnings

import numpy as np

import ufc

m = ufc.compile("""
ufunc f(x) : T(T) for T in number = x * x + 1
gufunc total(x[n]) -> y : float64(float64) { y = sum(v for v in x) }
""")
x = np.arange(400000.0)
assert m.f(x)[3] == 10 # on threads, which the child has not
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning) # there are threads
    child = os.fork()
if child == 0:
    try:
        assert (m.f(x) == x * x + 1).all()
        assert m.f(np.int8(3)) == 10 and m.total(x[:5]) == 10
        assert ufc.ufunc("2 * x : float32(float32)")(4) == 8
    except BaseException:
        import traceback
        traceback.print_exc()
        os._exit(1)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert (m.f(x) == x * x + 1).all()
