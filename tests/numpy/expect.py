#!/usr/bin/env python3
"""Compares the expectations of this folder's cases with NumPy, and writes those that are missing.

    python3 tests/numpy/expect.py [FILE...]

A .txt file here holds what NumPy's own tests assert, a line a case, each below the name of the test
function (`# TestDivision.test_division_int`).  golden/replay.c runs the lines on each device:

    [VARIABLE=VALUES...] OPERATION [KEYWORD...] [~ULPS] INPUT... [?MASK] [-> OUTPUT...] = RESULT... | ! STATUS

    i4{5,10,-90}          an array; golden/literal.h describes it
    2.5                   a number, weak; True, inf and 1-2j too
    @0                    as an output: the first input itself
    T=i1,i2 N=1..9        the line stands for a line for each value of T and N

OPERATION, KEYWORD, ~ULPS and STATUS are those of golden/make.py.  A result is the output's dtype,
shape and elements; that of `at` is its array.  A line without a result gets NumPy's, in its
place; where NumPy's dtypes or values differ between the values of the variables, the line is
written out for each.  `ours` before the = says that NumPy's answer is another: why is in LIST; `host`
after the operation, that GPUs refuse the call.  In differs.txt NumPy's answer follows, as a comment.
"""
import ast
import glob
import itertools
import math
import os
import re
import sys
import warnings

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
import make  # noqa: E402

ARRAY = re.compile(r"(b1|[iu][1248]|f[248]|c8|c16)(\[[-\d,]*\])?(\([-\d,]*\))?\{([^}]*)\}$")
NAMES = {"float_max": "fmax", "float_min": "fmin", "bool_square": "square", "bool_conj": "conj", "bool_round": "round"}
CASTS = {f"copy_{t}": lambda x, casting, t=t: np.asarray(x).astype(t) for t in ("int8", "uint8", "int32")}


def item(t, word):
    word, _, times = word.partition("*")
    n = int(times or 1)
    if ".." in word:
        return list(range(*map(int, word.split(".."))))
    if word in ("min", "max"):
        limits = np.finfo(t) if t.kind == "f" else np.iinfo("u1" if t == "?" else t)
        return [getattr(limits, word)] * n
    if t.kind == "c":
        return [complex(word)] * n
    return [float(word) if t.kind == "f" else int(word)] * n


def array(word):
    """None: it is none."""
    m = ARRAY.match(word)
    if not m:
        return None
    t = make.dtype(m[1])
    if m[4][:1] == "#":
        shape = [int(n) for n in m[2][1:-1].split(",") if n]
        return make.data(m[1], math.prod(shape), int(m[4][1:-1]), m[4][-1]).reshape(shape)
    elements = [e for w in m[4].split(",") if w for e in item(t, w)]
    shape = [int(n) for n in m[2][1:-1].split(",") if n] if m[2] else [len(elements)]
    a = np.array((elements * (math.prod(shape) // max(len(elements), 1) + 1))[:math.prod(shape)], t).reshape(shape)
    if not m[3]:
        return a
    steps = [int(s) for s in m[3][1:-1].split(",") if s]
    span = [(n - 1) * s for n, s in zip(shape, steps)]
    low = sum(min(s, 0) for s in span)
    buffer = np.zeros(sum(max(s, 0) for s in span) - low + 1, t)
    view = np.lib.stride_tricks.as_strided(buffer[-low:], shape, [s * t.itemsize for s in steps])
    view[...] = a
    return view


def spell(v):
    if v.dtype.kind == "c":
        im = make.spell(v.imag)
        return make.spell(v.real) + ("" if im[0] == "-" else "+") + im + "j"
    return make.spell(v)


def literal(a):
    a = np.asarray(a)
    name = a.dtype.str[1:] if a.dtype != "?" else "b1"
    words = [spell(e) for e in a.ravel()]
    n = len(words)
    period = next((p for p in range(1, n // 2 + 1) if words == (words[:p] * (n // p + 1))[:n]), n)
    runs = [f"{w}*{k}" if k > 2 else ",".join([w] * k)
            for w, k in ((w, len(list(g))) for w, g in itertools.groupby(words[:period]))]
    shape = "" if a.ndim == 1 and period == n else f"[{','.join(map(str, a.shape))}]"
    return f"{name}{shape}{{{','.join(runs)}}}"


def number(word):
    for kind in (int, float, complex):
        try:
            return kind(word)
        except ValueError:
            pass
    return {"True": True, "False": False}[word]


def keyword(word):
    name, _, value = word.partition("=")
    if name == "axes" and value[0] == "(":
        return name, [tuple(int(a) for a in t.split(",") if a) for t in re.findall(r"\(([^)]*)\)", value)]
    if name == "axis":
        axes = tuple(int(a) for a in value.split(",") if a) if value[0] not in "n(" else None if value == "none" else ()
        return "axis", axes[0] if axes and len(axes) == 1 else axes
    return name, {"keepdims": True, "initial": None, "casting": value}.get(name) if name not in ("dtype", "initial") \
        else make.dtype(value) if name == "dtype" else number(value)


def numpys(name):
    return CASTS.get(name) or getattr(np, NAMES.get(name, name))


def evaluate(line, find=numpys):
    """Results of a case without variables, as literals, by NumPy or whoever finds functions by their
    names; `! any`: it raises."""
    words = line.split()
    name, _, method = words[0].partition(".")
    f = find(name)
    ins, outs, kw, to = [], [], {}, None
    for w in words[1:]:
        if w[0] in "~^" or w in ("host", "ours"):
            continue
        if w == "->":
            to = outs
        elif w[0] == "?":
            kw["where"] = array(w[1:])
        elif w[0] == "@":
            outs.append(ins[int(w[1:])])
        elif array(w) is not None:
            (ins if to is None else to).append(array(w))
        elif "=" in w or w == "keepdims":
            k, v = keyword(w)
            kw[k] = v
        else:
            ins.append(number(w))
    if outs:
        kw["out"] = outs[0] if len(outs) == 1 else tuple(outs)
    if method == "outer" and outs:
        del kw["out"]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            r = getattr(f, method)(*ins, **kw) if method else f(*ins, **kw)
    except (TypeError, ValueError, IndexError, OverflowError):
        return "! any"
    results = [ins[0]] if method == "at" else list(r) if isinstance(r, tuple) else [r]
    return "= " + " ".join(literal(v) for v in results)


def lines_of(line, bound=()):
    """Each line that the variables stand for, with their values."""
    m = re.match(r"([A-Z])=(\S+) ", line)
    if not m:
        return [(bound, line)]
    values = list(map(str, range(*map(int, m[2].split(".."))))) if ".." in m[2] else m[2].split(",")
    alone = re.compile(rf"(?<![A-Za-z0-9]){m[1]}(?![A-Za-z0-9])")
    return [x for v in values for x in lines_of(alone.sub(v, line[m.end():]), (*bound, (m[1], v)))]


def agree(ours, theirs, line):
    if ours[0] != "=" or theirs[0] != "=":
        return ours[0] == theirs[0]
    m = re.search(r" [~^](\S+)", line)
    for x, y in itertools.zip_longest(map(array, ours[2:].split()), map(array, theirs[2:].split())):
        if x is None or y is None or x.dtype != y.dtype or x.shape != y.shape:
            return False
        size = abs(y) # of a complex number, for both of its parts
        if x.dtype.kind == "c" and x.ndim:
            x, y = (a.view(a.real.dtype).reshape(*a.shape, 2) for a in (x, y))
            size = np.stack([size, size], -1)
        if x.dtype.kind not in "fc":
            ok = x == y
        else:
            close = float(m[1]) * np.finfo(x.dtype).eps * np.maximum(size, np.finfo(x.dtype).tiny) if m else 0
            with np.errstate(invalid="ignore"):
                ok = (x == y) | np.isnan(x) & np.isnan(y) | (abs(x - y) <= close if m else False)
            if not m and x.dtype.kind == "f":
                ok &= (np.signbit(x) == np.signbit(y)) | np.isnan(x)
        if not np.all(ok):
            return False
    return True


def completed(line, where):
    """The line or, without a result, it with NumPy's, perhaps in several lines; after `# NumPy:` NumPy's too."""
    case, comment, _ = line.partition(" # NumPy:")
    if comment:
        call, ours = re.match(r"(.*?) ours ([=!] .*)$", case).groups()
        theirs = evaluate(call)
        if agree(ours, theirs, call):
            print(f"{where}: {case}\n    NumPy: the same")
        return [f"{case}{comment} {theirs}"]
    m = re.match(r"(.*?) ([=!] .*)$", line)
    if m:
        if " ours" not in m[1]:
            for _, each in lines_of(line):
                call, ours = re.match(r"(.*?) ([=!] .*)$", each).groups()
                theirs = evaluate(call)
                if not agree(ours, theirs, call):
                    print(f"{where}: {each}\n    NumPy: {theirs}")
        return [line]
    results = [(bound, each, evaluate(each)) for bound, each in lines_of(line)]
    general = set()
    for bound, _, r in results:
        for name, value in bound:
            r = re.sub(rf"(?<![A-Za-z0-9]){value}(?=[\[{{\](])" if not value.isdigit() else rf"(?<=\[){value}(?=\])", name, r)
        general.add(r)
    if len(general) == 1:
        return [f"{line} {general.pop()}"]
    return [f"{each} {r}" for _, each, r in results]


def complete(path):
    with open(path) as f:
        lines = f.read().splitlines()
    after = [new for n, line in enumerate(lines, 1)
             for new in ([line] if not line or line[0] == "#" else completed(line, f"{path}:{n}"))]
    if after != lines:
        with open(path, "w") as f:
            f.write("\n".join(after) + "\n")


def missing():
    """The test functions of the installed NumPy that LIST does not have."""
    with open(os.path.join(HERE, "LIST")) as f:
        listed = {line.split()[0] for line in f if line.strip()}
    for name in "test_umath.py", "test_ufunc.py", "test_mem_overlap.py", "test_nditer.py":
        path = os.path.join(os.path.dirname(np.__file__), "_core", "tests", name)
        if not os.path.exists(path):
            continue
        with open(path) as f:
            top = ast.parse(f.read()).body
        for prefix, body in [("", top)] + [(c.name + ".", c.body) for c in top if isinstance(c, ast.ClassDef)]:
            for d in body:
                if isinstance(d, ast.FunctionDef) and d.name.startswith("test") and prefix + d.name not in listed:
                    print(f"{prefix}{d.name}, of {name}, is not in LIST")


if __name__ == "__main__":
    for path in sys.argv[1:] or glob.glob(os.path.join(HERE, "*.txt")):
        complete(path)
    missing()
