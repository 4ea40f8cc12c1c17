"""%%ufc, with a shell that has what IPython's has."""

import numpy as np

import ufc


class Shell:
    def __init__(self):
        self.user_ns, self.shown, self.magics, self.display_pub = {}, [], {}, self

    def register_magic_function(self, function, kind, name):
        self.magics[name] = function
        assert kind == "cell"

    def publish(self, data):
        self.shown.append(data)


shell = Shell()
ufc.load_ipython_extension(shell)
cell = shell.magics["ufc"]
cell("", "ufunc twice(x) : T(T) for T in number = 2 * x\n")
assert shell.user_ns["twice"](3) == 6 and not shell.shown
cell("m --fast-math", "ufunc third(x) : float32(float32) = x / 3\n")
assert shell.user_ns["m"].third(np.float32(6)) == 2 and "third" not in shell.user_ns

cell("w", "ufunc one(x) : float32(float32) { let q = x; return x }\n")
assert "unused" in shell.shown.pop()["text/html"] and "w" in shell.user_ns

try:
    cell("", "ufunc bad(x) : float32(float32) = x < 3 and y\n")
except ufc.CompileError as error:
    assert error._render_traceback_() == []
else:
    raise AssertionError("no error")
page = shell.shown.pop()["text/html"]
assert "x &lt; 3" in page and "unknown name 'y'" in page and "<b style='color" in page
assert "\33" not in page and page.count("<b") == page.count("</b>")
for line in "a b", "1":
    try:
        cell(line, "")
    except ValueError as error:
        assert "one name" in str(error)
    else:
        raise AssertionError(line)
