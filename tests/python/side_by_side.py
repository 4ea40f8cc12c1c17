"""examples/tutorials.txt: the right side of each section runs, and computes what NumPy does."""

import pathlib
import re

import numpy as np
from numpy.testing import assert_allclose

import ufc

page = (pathlib.Path(__file__).parents[2] / "examples" / "tutorials.txt").read_text()
sections = re.split(r"^(\d+)\. .*$", page, flags=re.M)[1:]
rng = np.random.default_rng(11)
a, b = np.arange(6), np.arange(4)
x, y, z, w, r, t = rng.uniform(0.1, 1, (6, 1000)).astype(np.float32)
image, gauss = rng.random((12, 9)), rng.random((5, 3))
table, rows = np.arange(12).reshape(3, 4), rng.random((7, 50)).astype(np.float32)
left, right = rng.random((3, 4, 5)).astype("f"), rng.random((3, 5, 6)).astype("f")


def convolved():
    wanted = np.zeros((16, 11))
    for i, j in np.ndindex(image.shape):
        wanted[i:i + 5, j:j + 3] += image[i, j] * gauss
    return wanted


u, v = r * np.cos(t), r * np.sin(t)
wanted = {
    1: a + b[:, np.newaxis],
    2: np.exp(-0.5 * x**2) / np.sqrt(2 * np.pi),
    3: np.hypot(u - u[::-1], v - v[::-1]),
    4: convolved(),
    5: np.sin(x) + np.cos(y) / np.sqrt(z),
    6: table + 1,
    7: rows.mean(-1),
    8: np.tanh(x / 255 * w),
    9: left @ right,
}
for number, text in zip(map(int, sections[::2]), sections[1::2]):
    code = "\n".join(line.partition("| ")[2] for line in text.splitlines())
    names = dict(globals(), table=table.copy())
    exec(code, names)
    assert_allclose(names["table"] if number == 6 else names["out"], wanted.pop(number), rtol=1e-4,
                    atol=1e-6, err_msg=str(number))
    if number == 5:
        assert_allclose(names["diff"], (x - y)**2, rtol=1e-5)
assert not wanted
