"""Nothing is compiled before the first call of a loop; another process finds what was compiled."""

import os
import shutil
import subprocess
import sys

import numpy as np

import ufc

cache = os.path.abspath("cache")
TEXT = "ufunc f(x) : T(T) for T in number = x * x + 1\n"


def entries():
    return sum(len(files) for _, _, files in os.walk(cache))


if len(sys.argv) > 1:
    f = ufc.compile(TEXT, cache=sys.argv[1]).f
    assert f(np.float32(3)) == 10
    sys.exit()

shutil.rmtree(cache, ignore_errors=True)
f = ufc.compile(TEXT, cache=cache).f
assert f.numpy.types and f.__doc__ and entries() == 0
f(np.float32(3))
one = entries()
assert one > 0
f(np.float32(4))
assert entries() == one
f(np.int8(3))
assert entries() > one
before = entries()
subprocess.run([sys.executable, __file__, cache], check=True)
assert entries() == before
