"""Sources become modules: their functions, errors, warnings, options, files, one-liners."""

import inspect
import os
import subprocess
import sys
import warnings

import numpy as np

import ufc


def fails(kind, call, *words):
    try:
        call()
    except kind as e:
        assert all(word in str(e) for word in words), str(e)
        return e
    raise AssertionError(f"no {kind.__name__}")


m = ufc.compile("""
# Twice x.
ufunc twice(x) : T(T) for T in number = 2 * x
gufunc both(x[n]) -> (least, greatest) : (float64, float64)(float64)
{ least = min(v for v in x); greatest = max(v for v in x) }
""", "numbers.uf")
assert repr(m) == "<ufc module 'numbers': twice, both>" and m.__name__ == "numbers"
assert [f.__name__ for f in m] == ["twice", "both"]
assert repr(m.twice) == "<ufc ufunc 'twice'>" and repr(m.both) == "<ufc gufunc 'both'>"
assert m.twice.__doc__ == "ufunc twice(x) : T(T) for T in number\n\nTwice x.", m.twice.__doc__
assert m.twice.comment == "Twice x." and m.both.comment is None
assert (m.both.nin, m.both.nout, m.both.nargs) == (1, 2, 3)
assert m.both.operands == ("x", "least", "greatest") and m.both.signature == "(n)->(),()"
assert m.twice.signature is None and m.twice.overloads[0] == "int8(int8)"
assert "dd" not in m.twice.types and "d->d" in m.twice.types
assert list(inspect.signature(m.twice).parameters) == ["x", "out", "where", "stream"]
assert isinstance(m.twice.numpy, np.ufunc) and m.twice.numpy.__name__ == "twice"
assert m.twice.source.startswith("\n# Twice") and callable(m.twice)
fails(AttributeError, lambda: m.thrice)
assert not list(ufc.compile(""))

# Errors are objects; texts are as those of the command line.
e = fails(ufc.CompileError, lambda: ufc.compile(
    "ufunc f(x) : float32(float32) = x + y\nufunc g(x) : float32(float32) = z", "bad.uf"),
    "bad.uf:1:37: error: unknown name 'y'", "    1 | ufunc f(x)", " | " + 36 * " " + "^")
assert [(d.severity, d.line, d.column, d.end_column, d.file) for d in e.diagnostics] == [
    ("error", 1, 37, 38, "bad.uf"), ("error", 2, 33, 34, "bad.uf")]
assert e.diagnostics[1].source == "ufunc g(x) : float32(float32) = z"
fails(ufc.CompileError, lambda: ufc.compile("import \"nowhere.uf\"\n"), "nowhere.uf")
fails(ufc.CompileError, lambda: ufc.compile("ufunc f(x) : float32(float32) = 'ä' + \0"))
fails(TypeError, lambda: ufc.compile("", bogus=1), "there is no option 'bogus'")
fails(ValueError, lambda: ufc.compile("", targets="tpu"), "'tpu'")

# Warnings go to warnings, at the caller's line; or are errors.
unused = "ufunc f(x, y) : float32(float32, float32) { let z = y\nreturn x }"
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    ufc.compile(unused)
assert len(caught) == 1 and caught[0].category is ufc.CompileWarning, caught
assert "'z'" in str(caught[0].message) and caught[0].filename == __file__, caught[0]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    ufc.compile(unused, warnings=["no-unused"])
fails(ufc.CompileError, lambda: ufc.compile(unused, warnings_are_errors=True), "'z'")

# Files, and what they import.
with open("main.uf", "w") as file:
    file.write('import "part.uf"\nufunc quadruple(x) : float32(float32) = doubled(doubled(x))\n')
with open("part.uf", "w") as file:
    file.write("def doubled(x) = 2 * x\n")
assert ufc.load("main.uf").quadruple(np.float32(3)) == 12
assert ufc.load(os.path.abspath("main.uf")).quadruple(3) == 12
fails(FileNotFoundError, lambda: ufc.load("nowhere.uf"))

# One-liners.
f = ufc.ufunc("x * x + y : float32(float32, float32)")
assert f.operands == ("x", "y", "out") and f(np.float32(3), 1) == 10
f = ufc.ufunc("exp(-b * t) if t > 0 and b != pi else float32(1) : T(T, T) for T in floating")
assert f.operands[:2] == ("b", "t")
f = ufc.ufunc("sum(a * i + j for i in 0..3, j in 0..b) : int64(int64, int64)")
assert f.operands[:2] == ("a", "b") and f(2, 2) == 15
f = ufc.ufunc("square(x) : T(T) for T in number = x * x")
assert f.__name__ == "square" and f(np.int8(3)) == 9
fails(ValueError, lambda: ufc.ufunc("x * x"), "types")
fails(ufc.CompileError, lambda: ufc.ufunc("x * : float32(float32)"))

# Options.
check = ufc.compile("gufunc pick(x[n], i) -> y : float64(float64, int64) { y = x[i] }", check=True)
assert check.pick(np.arange(4.), 2) == 2
fails(ValueError, lambda: check.pick(np.arange(4.), 9), "index 9 is out of range for size 4")
fails(ValueError, lambda: check.pick.numpy(np.arange(4.), 9), "index 9")
wrong = np.zeros((100, 10), int)
wrong[77, 7] = 10
told = "index 10 is out of range for size 10, in call [77, 7]"
fails(ValueError, lambda: check.pick(np.zeros((100, 1, 10)), wrong), told)
fails(ValueError, lambda: check.pick(np.zeros(10), wrong[:, ::-1]), "in call [77, 2]")
fails(ValueError, lambda: check.pick(np.zeros((10, 100, 10)).T, wrong.T[:, None]), "in call [7, 0")
fails(ValueError, lambda: check.pick(np.zeros(10).tolist(), wrong), told)
fails(ValueError, lambda: check.pick(np.zeros((3, 4)), np.zeros(4, int)), "broadcast")
only = ufc.compile("ufunc f(x) : float32(float32) = x\nufunc g(x) : float32(float32) = x", only="g")
assert [f.__name__ for f in only] == ["g"]

# What is generated.
assert ".entry" in m.twice.ptx and "both" not in m.twice.ptx
assert "define" in m.twice.llvm and ".text" in m.twice.asm
plan = m.twice.explain(np.ones(100000))
assert plan["signature"] == "float64(float64)" and plan["loop"] == [100000], plan
assert plan["lanes"] >= 2 and plan["kernel"] == "host" and plan["bytes"] == 1600000
times = m.twice.bench(np.ones(10), seconds=0.01)
assert times.calls >= 3 and 0 < times.device.min <= times.device.median < 1 and times.bytes == 160
assert 0 < times.host.min <= times.host.max and "GB/s" in str(times)
fails(TypeError, lambda: m.twice.bench(), "takes 1 inputs")
fails(TypeError, lambda: m.both([1j, 2]), "both")

# The command line.
run = subprocess.run([sys.executable, "-m", "ufc", "--version"], capture_output=True, text=True)
assert run.returncode == 0 and ufc.__version__ in run.stdout, run
