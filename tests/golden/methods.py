"""methods.txt: NumPy's reduce, accumulate, reduceat, outer and at, and the keywords of calls; see make.py."""
import itertools
import math
import warnings

import numpy as np

OPS = {"b1": ["logical_and", "logical_or", "add"], "float": ["add", "maximum", "subtract"],
       "int": ["add", "multiply", "maximum", "subtract", "either"]}
# shape, strides, axes (None: all)
REDUCE = [((6,), None, 0), ((1,), None, 0), ((2, 3), None, 0), ((2, 3), None, 1), ((2, 3), None, None),
          ((2, 3), (1, 2), None), ((2, 3), (-3, -1), -1), ((3, 2), (0, 1), 0), ((3, 2), (1, 0), 0),
          ((3, 4, 5), None, (0, 2)), ((3, 4, 5), (1, 3, 12), (1,)), ((3, 4, 5), None, (-1, 0)),
          ((2, 3, 2, 5), None, (1, 3)), ((2, 1, 3), None, 1), ((1, 1), None, None), ((0, 3), None, 0),
          ((3, 0), None, 0), ((2, 0), None, 1), ((0, 3), None, 1), ((), None, ()), ((), None, 0),
          ((5,), None, ()), ((7,), (-2,), 0), ((9, 17), (1, 9), 0), ((17, 9), None, 0), ((2, 70), None, 1)]
LONG = [((130,), None, 0), ((3, 300), None, 1), ((300, 9), None, 0), ((1000,), (2,), 0), ((2, 8200), None, 1),
        ((257, 3), (1, 257), None), ((40, 12, 11), None, (0, 2)), ((35, 36), None, 0), ((2500, 33), None, 0)]
ACCUMULATE = [((6,), None, 0), ((2, 3), None, 0), ((2, 3), None, -1), ((9, 4), (1, 9), 0), ((3, 2, 9), None, 1),
              ((0, 3), None, 0), ((3, 0), None, 0), ((5,), (-1,), 0), ((4, 3), (0, 1), 0), ((200,), None, 0)]
LENGTHS = [1, 2, 7, 8, 9, 15, 16, 63, 127, 128, 129, 136, 200, 264, 1000, 1031, 4099, 9001, 70001]
AT = [((6,), None, 0, [0, 3, 1]), ((6,), None, 0, [5]), ((6,), None, 0, []), ((6,), None, 0, [0, 0, 4, 2, 5]),
      ((4, 5), None, 1, [0, 4, 2]), ((4, 5), (1, 4), 0, [3, 1]), ((2, 9, 3), None, -2, [0, 8, 8, 1]),
      ((300,), None, 0, [7, 150, 299]), ((0,), None, 0, []), ((5,), None, 0, [5]), ((5,), None, 0, [0, -1])]


def either(x, y):
    return y if x == 0 else x


def cases(m):
    View, Number, A, B, C, D = m.View, m.Number, m.A, m.B, m.C, m.D
    turn = itertools.count()

    def function(op):
        if op == "either":
            return np.frompyfunc(either, 2, 1, identity=0)
        return m.OPERATIONS[op] if isinstance(m.OPERATIONS[op], np.ufunc) else getattr(np, op)

    def half_along(x, kw):
        """Whether ufc reduces a half in float32, and NumPy does not: bfloat16, and along a far axis."""
        x = np.asarray(x)
        return "dtype" not in kw and (x.dtype == m.BFLOAT16 or (x.dtype == "f2" and x.ndim > 1))

    def call(op, method, ins, out, where, kw):
        """NumPy's result; TypeError where ufc would not store it."""
        f, x = function(op), ins[0]
        if op == "either":
            given = x.dtype
            ins = [x.astype(object)] + ins[1:]
        kw = {k: m.dtype(v) if k == "dtype" else v for k, v in kw.items()}
        if where is not None:
            kw["where"] = where
        if method is None:
            if out is not None and not np.can_cast(np.result_type(*ins), out.dtype, kw.get("casting", "same_kind")):
                raise TypeError
            return f(*ins, **kw, **({} if out is None else {"out": out}))
        if out is not None and method not in ("at", "outer"):
            kw["dtype"] = np.result_type(x, out)
            if not np.can_cast(kw["dtype"], out.dtype, "same_kind"):
                raise TypeError
            r = getattr(f, method)(*ins, **kw)
            if r.shape != out.shape:
                raise m.WrongShape
            out[...] = r
            return out
        if op in ("add", "subtract", "multiply") and method in ("reduce", "reduceat") and half_along(x, kw):
            return np.asarray(getattr(f, method)(x.astype("f4"), *ins[1:], **kw)).astype(x.dtype)
        if op == "multiply" and np.asarray(x).dtype.kind == "c" and method == "reduce":
            return getattr(f, method)(x.astype("G"), **kw).astype(x.dtype)
        r = getattr(f, method)(*ins, **kw)
        if method == "outer" and out is not None:
            out[...] = r
        return np.asarray(r).astype(given) if op == "either" else r

    def expect(op, method, ins, out, where, kw, buffers):
        after = {k: b.copy() for k, b in buffers.items()}
        values = [v.value if isinstance(v, Number) else v.of(buffers[v.letter]).copy() for v in ins]
        place = out.of(after[out.letter]) if out else None
        if method == "at":
            values[0] = place = ins[0].of(after[ins[0].letter])
            out = ins[0]
        mask = where.of(buffers[where.letter]).copy() if where else None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                r = call(op, method, values, place, mask, kw)
        except m.WrongShape:
            return "! ESHAPE"
        except TypeError:
            return "! EDTYPE" if method is None or out else "! any"
        except (ValueError, IndexError, OverflowError):
            return "! any"
        if not out:
            r = np.asarray(r)
            return (f"= 0: {m.brief(r.dtype)}[{','.join(map(str, r.shape))}] "
                    + m.run_lengths(m.spell(e) for e in r.ravel()))
        places = {out.offset + sum(i * s for i, s in zip(index, out.strides)) for index in np.ndindex(*out.shape)}
        return f"= {out.letter}: " + m.run_lengths(
            m.spell(e) if i in places else "_" for i, e in enumerate(after[out.letter]))

    def case(op, method, ins, out=None, dtypes="i4", kinds="s", ulps=None, gpu=None, where=None, fill=None, **kw):
        """fill: a letter and its elements.  gpu: the tolerance on GPUs."""
        views = [v for v in [*ins, out, where] if isinstance(v, View)]
        text, buffers = [], {}
        for letter in sorted({v.letter for v in views}):
            size = max(v.offset + v.high for v in views if v.letter == letter) + 2
            name = dtypes[letter] if isinstance(dtypes, dict) else dtypes
            if where and letter == where.letter:
                name = dtypes[letter] if isinstance(dtypes, dict) and letter in dtypes else "b1"
            kind = kinds.get(letter, "s") if isinstance(kinds, dict) else kinds
            if fill and letter == fill[0]:
                view = next(v for v in views if v.letter == letter)
                buffers[letter] = np.zeros(size, m.dtype(name))
                view.of(buffers[letter])[...] = np.array(fill[1]).reshape(view.shape)
                elements = ",".join(str(int(e)) for e in buffers[letter])
                text.append(f"{letter}={name}*{size}:{elements}")
                continue
            seed = next(m.seeds)
            buffers[letter] = m.data(name, size, seed, kind)
            text.append(f"{letter}={name}*{size}#{seed}{kind}")
        words = []
        for k, v in kw.items():
            if k == "axis":
                v = "none" if v is None else ",".join(map(str, v)) or "()" if isinstance(v, tuple) else v
            words.append(k if v is True else f"{k}={v}")
        tolerance = [f"~{ulps}"] if ulps is not None else [f"^{gpu}"] if gpu is not None else []
        m.lines.append(" ".join(
            [op + (f".{method}" if method else "")] + words + tolerance + text + [":"] + [v.text() for v in ins]
            + ([f"?{where.text()}"] if where else []) + (["->"] if method != "at" else [])
            + ([out.text() if out else "new"] if method != "at" else [])
            + [expect(op, method, ins, out, where, kw, buffers)]).rstrip())

    def operation(name):
        ops = OPS["b1" if name == "b1" else "float" if name in m.FLOATS else "int"]
        return ops[next(turn) % len(ops)]

    def result(shape, axes):
        axes = range(len(shape)) if axes is None else [a % max(len(shape), 1) for a in
                                                       (axes if isinstance(axes, tuple) else (axes,))]
        return tuple(n for i, n in enumerate(shape) if i not in axes)

    def several(shape, axes):
        return axes is None or (isinstance(axes, tuple) and len(axes) != 1)

    # reduce
    for name in m.DTYPES:
        for k, (shape, strides, axes) in enumerate(REDUCE):
            op = operation(name)
            if several(shape, axes) and op in ("subtract", "either"):
                op = "add"
            kw = {"axis": axes}
            if k % 3 == 1:
                kw["keepdims"] = True
            if k % 4 == 2 and name != "b1":
                kw["initial"] = 3
            mask = None
            if k % 5 in (1, 4) and (op in ("add", "multiply", "logical_and", "logical_or") or "initial" in kw) and op != "either":
                mask = View(C, [n if i != k % 2 else 1 for i, n in enumerate(shape)][k % 3 == 2:])
            case(op, "reduce", [View(A, shape, strides)], None, name, where=mask, **kw)
            if k % 3 == 0 and op != "either":
                small = result(shape, axes)
                case("logical_or" if op == "add" and name == "b1" else op, "reduce", [View(A, shape, strides)],
                     View(B, small, None if k % 2 else [-(3 * i + 1) * 5 ** i for i in range(len(small))]),
                     name, axis=axes)
    for k, (shape, strides, axes) in enumerate(LONG):
        for name in ["i1", "u2", "i8", "f4", "f8"][k % 2::2] + ["f4"]:
            op = operation(name)
            if op == "either" or several(shape, axes):
                op = "add"
            case(op, "reduce", [View(A, shape, strides)], None, name, axis=axes)
            if math.prod(shape) < 3000:
                case("add", "reduce", [View(A, shape, strides)], None, name, axis=axes, where=View(C, shape))
    case("either", "reduce", [View(A, (300, 2), None)], None, "i2", {A: "z"}, axis=0)
    case("either", "reduce", [View(A, (2, 300), None)], None, "i1", {A: "z"}, axis=1)
    case("either", "reduce", [View(A, (9000,), None)], None, "u4", {A: "z"})
    for n in LENGTHS:
        for name in m.FLOATS:  # bit for bit, on the host
            case("add", "reduce", [View(A, (n,), None, 0)], None, name, "f", gpu=10000)
            if n < 300:
                case("subtract", "reduce", [View(A, (n,), (2,), 0)], None, name, "f")
    for name in m.FLOATS:
        case("maximum", "reduce", [View(A, (5, 40))], None, name, "x", 0, axis=1)
        case("minimum", "reduce", [View(A, (40, 5))], None, name, "x", 0, axis=0)
        case("multiply", "reduce", [View(A, (4, 5))], None, name, "c", axis=1, initial=2)

    # dtypes: of results, of outputs
    for x, y in itertools.product(m.DTYPES, m.DTYPES):
        if y != "b1":
            case("add", "reduce", [View(A, (2, 3))], View(B, (3,)), {A: x, B: y}, axis=0)
            if np.can_cast(m.dtype(x), m.dtype(y), "same_kind") or (x in m.INTEGERS and y in m.INTEGERS):
                case("add", "reduce", [View(A, (2, 3))], None, x, axis=1, dtype=y)
                case("add", "accumulate", [View(A, (3,))], None, x, dtype=y)
    case("add", "reduce", [Number(7)])
    case("add", "reduce", [Number(2.5)], axis=-1)
    for op, shape, kw in [("maximum", (0, 3), {}), ("maximum", (2, 0), {"axis": 1}), ("maximum", (0, 0), {}),
                          ("add", (2, 3), {"axis": 2}), ("add", (2, 3), {"axis": -3}), ("add", (), {"axis": 1}),
                          ("add", (2, 3), {"axis": (0, 0)}), ("add", (2, 3), {"axis": (0, -2)}),
                          ("less", (4,), {}), ("maximum", (3,), {"where": View(C, (3,))}),
                          ("add", (3,), {"where": View(C, (2, 3))}), ("add", (3,), {"where": View(C, (2,))})]:
        case(op, "reduce", [View(A, shape)], None, "i4", **kw)
    case("add", "reduce", [View(A, (3,))], None, {A: "i2", C: "i1"}, where=View(C, (3,)))
    case("add", "reduce", [View(A, (3,))], None, "i1", dtype="i1", initial=300)
    for shape in [(2,), (1, 3), (3, 1), ()]:
        case("add", "reduce", [View(A, (2, 3))], View(B, shape), "i4")
    case("add", "reduce", [View(A, (2, 3))], View(B, (1, 3)), "i4", keepdims=True)

    # memory that is shared
    for x, out in [((3, 1), 1), ((3, 1), 2), ((-3, -1), 3), ((1, 3), 4)]:
        case("add", "reduce", [View(A, (3, 3), x)], View(A, (3,), (1,), out), "i4", axis=0)
        case("subtract", "reduce", [View(A, (3, 3), x)], View(A, (3,), (-3,), 6 + out), "f4", axis=1)
        case("add", "accumulate", [View(A, (3, 3), x)], View(A, (3, 3), (3, 1), out), "i8", axis=out % 2)
        case("subtract", "accumulate", [View(A, (8,), (1,), 2)], View(A, (8,), (1,), out), "f8")

    # accumulate, reduceat
    for name in m.DTYPES:
        for k, (shape, strides, axis) in enumerate(ACCUMULATE):
            op = operation(name)
            op = "add" if op == "either" else op
            case(op, "accumulate", [View(A, shape, strides)], None, name, axis=axis)
            if k % 3 == 0:
                case("logical_or" if name == "b1" else "add", "accumulate", [View(A, shape, strides)],
                     View(B, shape, [10 ** i for i in range(len(shape))]), name, axis=axis)
        for k, (shape, strides, axis, indices) in enumerate(AT):
            op = operation(name)
            op = "add" if op == "either" else op
            case(op, "reduceat", [View(A, shape, strides), View(D, (len(indices),), None if k % 2 else (2,))], None,
                 {A: name, D: ["i8", "i4", "i1", "i2"][k % 4]}, fill=(D, indices), axis=axis)
    for name in m.FLOATS:
        case("add", "accumulate", [View(A, (500,))], None, name, "f")
        case("subtract", "accumulate", [View(A, (20, 3))], None, name, "f")
    case("add", "accumulate", [View(A, (3000,))], None, "i4")
    case("add", "accumulate", [View(A, (2, 2100))], None, "u1", axis=1)
    case("add", "accumulate", [View(A, ())])
    case("add", "accumulate", [View(A, (2, 2))], axis=(0, 1))
    case("add", "reduceat", [View(A, (5,)), View(D, (2, 1))], None, {A: "i4", D: "i8"}, fill=(D, [0, 1]))
    case("add", "reduceat", [View(A, (5,)), View(D, (2,))], None, {A: "i4", D: "f8"}, fill=(D, [0, 1]))

    # outer, at
    for name in m.NUMBERS:
        for x, y in [((3,), (4,)), ((), (2,)), ((2,), ()), ((2, 3), (2,)), ((0,), (3,)), ((2, 1), (1, 2))]:
            op = m.operation(name)
            case(op, "outer", [View(A, x), View(B, y)], None, name)
        case("less", "outer", [View(A, (3,)), View(B, (2,), (2,))], View(C, (3, 2), (1, 3)), {A: name, B: name, C: "b1"})
        for k, (shape, indices, y) in enumerate([((5,), [0, 1, 1, -1, 0], (5,)), ((5,), [2, 2], ()),
                                                 ((4, 3), [3, 0, 3], (3, 3)), ((4, 3), [3, 0, 3], (3,)),
                                                 ((3, 2, 2), [-3, 2], (2, 1, 2)), ((5,), [], (1,))]):
            strides = [None, (-2,), (1, 4), None, (1, 3, 6), None][k]
            case(["add", "subtract", "maximum"][k % 3], "at",
                 [View(A, shape, strides), View(D, (len(indices),)), View(B, y)], None,
                 {A: name, B: name, D: "i8"}, fill=(D, indices))
        case("add", "at", [View(A, (4,)), View(D, (3,)), Number(2)], None, {A: name, D: "i4"}, fill=(D, [0, 0, 1]))
    case("add", "at", [View(A, (4,), (2,)), View(D, (2,)), View(B, (2,))], None, {A: "f8", B: "i2", D: "i8"}, fill=(D, [0, 0]))
    case("add", "at", [View(A, (4,)), View(D, (1,)), Number(2)], None, {A: "i4", D: "i8"}, fill=(D, [4]))
    case("add", "at", [View(A, (4,)), View(D, (1,)), Number(2)], None, {A: "i4", D: "i8"}, fill=(D, [-5]))
    case("add", "at", [View(A, (4,)), View(D, (1,)), View(B, (2,))], None, {A: "i4", B: "i4", D: "i8"}, fill=(D, [1]))

    # keywords of calls
    for name in m.NUMBERS:
        for x, mask, out in [((7,), (7,), (1,)), ((2, 3), (3,), (1, 2)), ((2, 3), (2, 1), (3, 1)), ((3,), (2, 1), (3, 1))]:
            shape = np.broadcast_shapes(x, mask)
            case(m.operation(name), None, [View(A, x), View(B, (1,))], View(D, shape, out), name, where=View(C, mask))
        case("add", None, [View(A, (5,)), View(B, (5,))], View(A, (5,)), name, where=View(C, (5,)))
        case("add", None, [View(A, (4,)), View(A, (4,))], View(A, (4,), (1,), 2), name, where=View(C, (4,), (-1,)))
        for y in m.NUMBERS:
            if np.can_cast(m.dtype(name), m.dtype(y), "same_kind") or name in m.INTEGERS and y in m.INTEGERS:
                case("add", None, [View(A, (3,)), View(B, (3,))], None, name, dtype=y)
                case("add", None, [View(A, (3,)), View(B, (3,))], None, name, dtype=y, casting="safe")
                case("add", None, [View(A, (3,)), View(B, (3,))], None, name, dtype=y, casting="unsafe")
            case("add", None, [View(A, (3,)), View(B, (3,))], None, {A: name, B: y}, casting="no")
    case("add", None, [View(A, (3,)), View(B, (3,))], View(C, (3,)), {A: "i4", B: "i4", C: "i1"}, casting="safe")
    case("add", None, [View(A, (3,)), View(B, (3,))], View(C, (3,)), {A: "i4", B: "i4", C: "u1"}, casting="unsafe")
    case("add", None, [View(A, (3,)), View(B, (3,))], View(D, (3,)), "i4", where=View(C, (2,)))

    # halves and complex numbers; seeds of their own, so that types.txt's stay
    seeds, m.seeds = m.seeds, itertools.count(1 << 20)
    for name in m.NEW:
        for k, (shape, strides, axes) in enumerate(REDUCE + LONG[::2]):
            op = OPS["float"][k % 3]
            op = "add" if several(shape, axes) and op == "subtract" else op
            kw = {"axis": axes}
            if k % 3 == 1:
                kw["keepdims"] = True
            if k % 4 == 2:
                kw["initial"] = 3
            mask = View(C, shape) if k % 5 == 1 and op == "add" else None
            case(op, "reduce", [View(A, shape, strides)], None, name, where=mask, **kw)
        for n in LENGTHS[::3] if name == "bf2" else LENGTHS:  # bit for bit, on the host
            case("add", "reduce", [View(A, (n,), None, 0)], None, name, "f", gpu=10000)
        for k, (shape, strides, axis) in enumerate(ACCUMULATE):
            case(OPS["float"][k % 3], "accumulate", [View(A, shape, strides)], None, name, axis=axis)
        for k, (shape, strides, axis, indices) in enumerate(AT):
            case(OPS["float"][k % 3], "reduceat", [View(A, shape, strides), View(D, (len(indices),))], None,
                 {A: name, D: "i8"}, fill=(D, indices), axis=axis)
        case("multiply", "reduce", [View(A, (5, 3))], None, name, "c", axis=0)
        case("multiply", "accumulate", [View(A, (4, 3))], None, name, "c", axis=0)
        case("maximum", "reduce", [View(A, (5, 40))], None, name, "x", 0, axis=1)
        case("minimum", "reduce", [View(A, (40, 5))], None, name, "x", 0, axis=0)
        case("add", "accumulate", [View(A, (500,))], None, name, "f")
        case("subtract", "reduce", [View(A, (300,))], None, name, "f")
        for x, y in [((3,), (4,)), ((2, 3), (2,)), ((0,), (3,))]:
            case("subtract", "outer", [View(A, x), View(B, y)], None, name)
        for k, (shape, indices, y) in enumerate([((5,), [0, 1, 1, -1, 0], (5,)), ((4, 3), [3, 0, 3], (3, 3)),
                                                 ((3, 2, 2), [-3, 2], (2, 1, 2))]):
            case(OPS["float"][k], "at", [View(A, shape), View(D, (len(indices),)), View(B, y)], None,
                 {A: name, B: name, D: "i8"}, fill=(D, indices))
        case("add", "at", [View(A, (4,)), View(D, (3,)), Number(2)], None, {A: name, D: "i4"}, fill=(D, [0, 0, 1]))
        for y in m.NEW + ["f4", "f8"]:
            if "bf2" not in (name, y):
                case("add", "reduce", [View(A, (2, 3))], View(B, (3,)), {A: name, B: y}, axis=0)
                if np.can_cast(m.dtype(name), m.dtype(y), "same_kind"):
                    case("add", "reduce", [View(A, (2, 3))], None, name, axis=1, dtype=y)
        case("add", None, [View(A, (5,)), View(B, (5,))], View(D, (5,)), name, where=View(C, (5,)))
    m.seeds = seeds
