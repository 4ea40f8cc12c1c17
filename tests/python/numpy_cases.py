"""What NumPy's own test_umath, test_ufunc and test_nditer assert, of compiled functions as objects of
Python: the cases of tests/numpy/*.txt, of which tests/numpy/LIST names each test function of NumPy."""

import importlib.util
import os
import re
import sys

if not importlib.util.find_spec("ml_dtypes"):
    print("ml_dtypes is not installed, whose types make.py knows")
    sys.exit(77)
import ufc

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(TESTS, "numpy"))
import expect # noqa: E402

modules = [ufc.load(os.path.join(TESTS, "golden", f"{name}.uf"), targets="host")
           for name in ("ops", "functions", "gufuncs")]


def find(name):
    return next(getattr(m, n) for m in modules for n in (name, name + "_") if n in m.__all__)


def refused(call, got):
    """NumPy's machinery knows one identity for all overloads, and reduces over several axes where order
    does not count at all: not even which of equal zeros comes first."""
    name, _, method = call.partition(" ")[0].partition(".")
    return got == "! any" and method == "reduce" and find(name).identity is None


wrong = count = refusals = 0
for name in "umath", "ufunc", "nditer", "differs":
    with open(os.path.join(TESTS, "numpy", f"{name}.txt"), encoding="utf-8") as file:
        lines = [x.partition(" # NumPy:")[0] for x in file.read().splitlines() if x and x[0] != "#"]
    for line in (each for text in lines for _, each in expect.lines_of(text)):
        call, wanted = re.match(r"(.*?) ([=!] .*)$", line).groups()
        got = expect.evaluate(call, find)
        count += 1
        if expect.agree(got, wanted, call) or expect.agree(got, expect.evaluate(call), call):
            continue # as ufc's own calls, or as NumPy, whose machinery decides what a ufunc takes
        if refused(call, got):
            refusals += 1
        else:
            wrong += 1
            print(f"{line}\n    got: {got}")
print(f"{count} cases, {refusals} that NumPy refuses, {wrong} wrong")
assert not wrong and count > 5000 and refusals < count / 20
