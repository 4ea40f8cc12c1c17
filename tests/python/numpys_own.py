"""NumPy's own test_ufunc and test_umath, as they come with it, run with compiled functions in the place
of np.add, np.sqrt and the others that tests/golden writes in the language.  numpys_own.txt names each test
function in which these were called and all cases passed, and how many; and those that differ, and why:
objects, strings, dates, long double, long long by its own letter, floating-point errors, which compiled
functions do not raise, and types and identities of the language's own choice.  UFC_UPDATE=1 writes it anew."""

import importlib.util
import os
import sys
from collections import defaultdict

if not all(map(importlib.util.find_spec, ("pytest", "hypothesis"))): # NumPy's tests ask for both
    print("pytest or hypothesis is not installed")
    sys.exit(77)
import numpy as np
import pytest

import ufc

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
LIST = os.path.join(TESTS, "python", "numpys_own.txt")
FILES = "test_ufunc.py", "test_umath.py"
own = {name: value for name, value in vars(np).items() if isinstance(value, np.ufunc)}
compiled = {}
for module in "ops", "functions", "gufuncs":
    m = ufc.load(os.path.join(TESTS, "golden", f"{module}.uf"), targets="host")
    compiled.update({f.__name__.rstrip("_"): f.numpy for f in m if f.__name__.rstrip("_") in own})
instead = {id(own[name]): f for name, f in compiled.items()}
used = set()


class Substitute:
    """A module of NumPy that gives compiled functions by their names there."""

    def __init__(self, module):
        self.module = module

    def __getattr__(self, name):
        value = getattr(self.module, name)
        return substitute(value)


def substitute(value):
    if id(value) in instead:
        used.add(instead[id(value)].__name__)
        return instead[id(value)]
    if isinstance(value, (list, tuple)) and any(isinstance(v, np.ufunc) for v in value):
        return type(value)(map(substitute, value))
    return value


class Plugin:
    """Puts them into the tests' modules and cases, and keeps what becomes of these."""

    def __init__(self):
        self.outcomes, self.why = defaultdict(list), {}

    def pytest_collection_modifyitems(self, items):
        for item in items:
            for name in "np", "ncu":
                module = getattr(item.module, name, None)
                if module is not None and not isinstance(module, Substitute):
                    setattr(item.module, name, Substitute(module))

    def pytest_runtest_setup(self, item):
        used.clear()
        case = getattr(item, "callspec", None)
        for name, value in case.params.items() if case else ():
            case.params[name] = substitute(value)

    def pytest_runtest_makereport(self, item, call):
        if call.when != "call" or not used:
            return
        name = item.location[0].rpartition("/")[2] + " " + item.location[2].partition("[")[0]
        skipped = call.excinfo is not None and call.excinfo.errisinstance(pytest.skip.Exception)
        if not skipped:
            self.outcomes[name].append(call.excinfo is None)
        if call.excinfo is not None and not skipped:
            said = " ".join(str(call.excinfo.value).split())
            self.why.setdefault(name, f"{call.excinfo.typename}: {said[:90]}".rstrip(" :"))


def paths(names):
    folder = os.path.join(os.path.dirname(np.__file__), "_core", "tests")
    return [os.path.join(folder, name) for name in names]


if not all(map(os.path.exists, paths(FILES))):
    print("NumPy came without its tests")
    sys.exit(77)
plugin = Plugin()
selected = []
if not os.environ.get("UFC_UPDATE"):
    with open(LIST, encoding="utf-8") as file:
        listed = dict(line.rsplit(None, 1) for line in file if line[0] != "#")
    selected = ["-k", " or ".join({name.rpartition(".")[2].rpartition(" ")[2] for name in listed})]
sys.warnoptions.clear() # those of this file's run are not those of NumPy's tests
pytest.main([*paths(FILES), "-q", "-W", "ignore", "-p", "no:cacheprovider", "-m", "not slow", "--tb=no",
             "--no-header", "--disable-warnings", *selected], plugins=[plugin])
passed = {name: len(cases) for name, cases in plugin.outcomes.items() if all(cases)}
if not selected:
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# Test functions of NumPy that pass with compiled ufuncs, and their cases.\n")
        file.writelines(f"{name} {n}\n" for name, n in passed.items())
        file.write("# Those that differ: cases that pass, of how many, and the first that does not.\n")
        file.writelines(f"# {name}: {sum(plugin.outcomes[name])} of {len(plugin.outcomes[name])}: {why}\n"
                        for name, why in plugin.why.items())
    sys.exit()
wrong = [name for name in listed if name in plugin.outcomes and name not in passed]
missing = [name for name in listed if name not in plugin.outcomes]
for name in wrong:
    print(f"{name}: {plugin.why[name]}")
print(f"{len(listed)} test functions, {sum(passed.get(name, 0) for name in listed)} cases, {len(missing)} that "
      f"NumPy {np.__version__} has not, {len(wrong)} wrong")
assert not wrong and len(missing) < len(listed) / 5
