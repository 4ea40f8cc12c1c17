"""casting.txt: the keyword `casting` of calls, for all pairs of dtypes: of inputs, of outputs, with dtype, of outer.  See
make.py."""
import itertools
import warnings

import numpy as np

RULES = "no equiv safe same_kind unsafe".split()


def cases(m):
    View, A, B, C = m.View, m.A, m.B, m.C

    def call(op, method, ins, out, dtype, rule):
        """NumPy's result; TypeError where it refuses.  Of bfloat16 it has no rules: then by those of make.py."""
        own = [v.dtype for v in ins + ([] if out is None else [out])] + ([] if dtype is None else [dtype])
        if op == "copy":
            if m.BFLOAT16 in own:
                if not m.can_cast(ins[0].dtype, dtype or out.dtype, rule):
                    raise TypeError
                return m.convert(ins[0], dtype or out.dtype)
            r = np.empty(ins[0].shape, dtype or out.dtype)
            np.copyto(r, ins[0], casting=rule)
            return r
        f = getattr(np.add, method) if method else np.add
        if m.BFLOAT16 not in own:
            return f(*ins, casting=rule, dtype=dtype, out=out)
        wide = dtype or m.promote(ins[0].dtype, ins[1].dtype)
        if not all(m.can_cast(v.dtype, wide, rule) for v in ins):
            raise TypeError
        if out is not None and not m.can_cast(wide, out.dtype, rule):
            raise TypeError
        r = m.convert(f(*(m.convert(v, wide).astype("f8" if v.dtype.kind != "c" and wide.kind != "c" else "c16")
                          for v in ins)), wide)
        return r if out is None else m.convert(r, out.dtype)

    def case(op, method, rule, x, y=None, to=None, dtype=None):
        """Of arrays of x and y, or of x alone; into an array of `to`."""
        names = {A: x, **({B: y} if y else {}), **({C: to} if to else {})}
        views = {letter: View(letter, (3,), (-1,) if letter == A else None) for letter in names}
        text, buffers = [], {}
        for letter, name in names.items():
            size, seed = views[letter].offset + views[letter].high + 1, next(m.seeds)
            buffers[letter] = m.data(name, size, seed, "c")
            text.append(f"{letter}={name}*{size}#{seed}c")
        ins = [views[k].of(buffers[k]).copy() for k in (A, B) if k in names]
        out = views[C].of(buffers[C]).copy() if to else None
        name = op
        if op == "copy":  # a ufunc of one type each: that of the input or of the output
            name, t = "copy_" + m.dtype(dtype or x).name, m.dtype(dtype) if dtype else None
        else:
            t = m.dtype(dtype) if dtype else None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                r = call(op, method, ins, out, t, rule)
        except TypeError:
            result = "! EDTYPE"
        else:
            elements = m.run_lengths(m.spell(e) for e in r.ravel())
            shape = ",".join(map(str, r.shape))
            v = views.get(C)
            result = f"= 0: {m.brief(r.dtype)}[{shape}] {elements}" if not to else \
                "= C: " + " ".join(["_"] * v.offset + [elements] + ["_"] * (len(buffers[C]) - 3 - v.offset))
        keywords = [f"dtype={dtype}"] * (dtype is not None and op != "copy") + [f"casting={rule}"]
        m.lines.append(" ".join(
            [name + (f".{method}" if method else "")] + keywords + text + [":"]
            + [views[k].text() for k in (A, B) if k in names] + ["->"] + [views[C].text() if to else "new"] + [result]))

    for x, y in itertools.product(m.ALL, m.ALL):
        for rule in RULES:
            case("copy", None, rule, x, dtype=y)
            case("copy", None, rule, x, to=y)
            if "b1" in (x, y):  # NumPy's add of bool is a logical or
                continue
            case("add", None, rule, x, x, dtype=y)
            case("add", None, rule, x, x, to=y)
            if x != y and rule in ("no", "equiv", "safe"):  # all that follow are as safe
                case("add", None, rule, x, y)
        if "b1" not in (x, y):
            case("add", None, "unsafe", x, y, to="i1")
            case("add", "outer", RULES[(m.ALL.index(x) + m.ALL.index(y)) % 5], x, y, dtype="i2")
    for method in "reduce", "accumulate":  # these take none
        try:
            getattr(np.add, method)(np.zeros(3), casting="safe")
        except TypeError:
            seed = next(m.seeds)
            m.lines.append(f"add.{method} casting=safe A=f8*3#{seed}c : A+0[3] -> new ! any")
