"""gufuncs.txt: what numpy/_core/tests/test_ufunc.py asserts of gufuncs, case by case (its names stand beside them), and
strides, types and overlap; computed by NumPy's own test gufuncs.  See make.py."""
import itertools
import random
import warnings

import numpy as np
import numpy._core._umath_tests as umt


def minmax(x, out=None, axis=-1, keepdims=False):
    return tuple(f(x, axis=axis, keepdims=keepdims, out=o) for f, o in zip((np.min, np.max), out or (None, None)))


def axpy(a, x, y, out=None):
    wide = "f8" if np.result_type(a, x, y).kind == "f" else "i8"
    r = (np.asarray(a)[..., None] * x + y).astype(wide)
    if out is None:
        return r
    out[...] = r
    return out


FUNCTIONS = {name: getattr(umt, name) for name in
             "inner1d innerwt matrix_multiply matmul cumsum cross1d conv1d_full euclidean_pdist".split()}
FUNCTIONS.update(minmax=minmax, axpy=axpy)


def cases(m):
    View, Number, A, B, C, D = m.View, m.Number, m.A, m.B, m.C, m.D
    Z, r = "Z", random.Random(20)

    def expect(op, ins, outs, kw, buffers):
        after = {k: b.copy() for k, b in buffers.items()}
        values = [v.value if isinstance(v, Number) else v.of(buffers[v.letter]).copy() for v in ins]
        places = [o.of(after[o.letter]) if o else None for o in outs]
        given = {k: m.dtype(v) if k == "dtype" else v for k, v in kw.items()}
        if any(p is not None for p in places):
            given["out"] = places[0] if len(places) == 1 else tuple(places)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                r = FUNCTIONS[op](*values, **given)
        except (TypeError, ValueError):  # AxisError is a ValueError
            return "! any"
        r = r if isinstance(r, tuple) else (r,)
        words = []
        for k, (o, v) in enumerate(zip(outs, r)):
            if not o:
                v = np.asarray(v)
                words.append(f"{k}: {v.dtype.str[1:]}[{','.join(map(str, v.shape))}] "
                             + m.run_lengths(m.spell(e) for e in v.ravel()))
        for letter in sorted({o.letter for o in outs if o}):
            written = {o.offset + sum(i * s for i, s in zip(index, o.strides)) for o in outs
                       if o and o.letter == letter for index in np.ndindex(*o.shape)}
            words.append(f"{letter}: " + m.run_lengths(
                m.spell(e) if i in written else "_" for i, e in enumerate(after[letter])))
        return "= " + " ".join(words)

    def keyword(k, v):
        if v is True:
            return k
        if k == "axes":
            v = "".join(f"({','.join(map(str, t if isinstance(t, tuple) else (t,)))})" for t in v) or "none"
        return f"{k}={v}"

    def case(op, *ins, out=None, dtypes="i8", **kw):
        outs = list(out) if isinstance(out, tuple) else [out] * (2 if op == "minmax" else 1)
        views = [v for v in [*ins, *outs] if isinstance(v, View)]
        text, buffers = [], {}
        for letter in sorted({v.letter for v in views}):
            size = max(v.offset + v.high for v in views if v.letter == letter) + 2
            name = dtypes[letter] if isinstance(dtypes, dict) else dtypes
            seed = next(m.seeds)
            buffers[letter] = m.data(name, size, seed, "s")
            text.append(f"{letter}={name}*{size}#{seed}s")
        m.lines.append(" ".join(
            [op] + [keyword(k, v) for k, v in kw.items()] + text + [":"] + [v.text() for v in ins] + ["->"]
            + [o.text() if o else "new" for o in outs] + [expect(op, ins, outs, kw, buffers)]).rstrip())

    a, b, c = (lambda *shape, **k: View(A, shape, **k)), (lambda *shape, **k: View(B, shape, **k)), \
              (lambda *shape, **k: View(C, shape, **k))
    out = lambda *shape, **k: View(Z, shape, **k)

    # test_axes_argument: of inner1d
    x, y = a(3, 3, 3), b(3, 1, 3)
    case("inner1d", x, y)
    for axes in ([(-1,), (-1,), ()], [-1, -1], [0, 0], [0, 2], [-1], [-1, -1, -1], [-1, -1, (-1,)],
                 [-1, (-2, -1), ()], [0, 1], [0, 3], [-4, 0], []):
        case("inner1d", x, y, axes=axes)
    # of matrix_multiply
    x, y = a(2, 3, 2), b(2, 2, 2, 1)
    mm = "matrix_multiply"
    case(mm, x, y)
    last = (-2, -1)
    for axes in ([last, last, last], [(1, 2), (2, 3), (2, 3)], [(0, -1), (1, 2), last], [], [last], [last, last],
                 [-1, -1, -1], [last, last, -1], [last, last, (-2, -2)], [last, (0, 0), last], [last, last, (0, 1)],
                 [last, last, (3, 0)], [last, last, (0, 4)], [(0, 1), last, last]):
        case(mm, x, y, axes=axes)
    case(mm, x, y, out=out(2, 2, 3, 1), axes=[(1, 2), (2, 3), (2, 3)])
    case(mm, x, y, out=out(1, 2, 2, 3), axes=[last, last, (3, 0)])
    case(mm, x, y, out=out(2, 2, 3, 1), axes=[last, last, (3, 0)])
    case(mm, a(2, 2), b(2))
    case(mm, a(2, 2), b(2, 2), out=out(2))
    case(mm, a(2), b(2, 2), axes=[0, 1])
    case(mm, a(2, 2), b(2, 2), out=out(2), axes=[0, 1])
    case(mm, x, y, axis=1)
    # test_axis_argument
    x, y = a(3, 3, 3), b(3, 1, 3)
    case("inner1d", x, y, axis=-1)
    case("inner1d", x, y, axis=-1, out=out(3, 3))
    case("inner1d", x, y, axis=0)
    case("inner1d", x, y, axis=3)
    case("inner1d", a(2, 3), b(2, 3), axis=0, axes=[0, 0])
    case("innerwt", a(2, 3), b(2, 3), c(2, 3), axis=0)
    for axis in (0, 1, -1, 2):
        case("cumsum", a(2, 3), axis=axis)
        case("cumsum", a(2, 3), axis=axis, out=out(2, 3))
        case("cumsum", a(2, 3), axis=axis, out=a(2, 3))
    case("cumsum", a(2, 3), axis=0, out=out(1, 2, 3))
    case("cumsum", a(2, 3), axis=0, out=out(3, 2))
    # test_keepdims_argument
    case("inner1d", x, y, keepdims=True)
    case("inner1d", x, y, keepdims=True, out=out(3, 3, 1))
    case("inner1d", x, y, keepdims=True, out=out(3, 3, 3))
    for axis in (0, 1, -1):
        case("inner1d", a(3, 2, 3), b(3, 2, 3), keepdims=True, axis=axis)
    for axes in ([(-1,), (-1,), (-1,)], [0, 0, 0], [0, 2], [0, 2, 2], [0, 2, 0], [0, 2, 1], [0, 0], [0, 0, ()]):
        case("inner1d", x, y, keepdims=True, axes=axes)
    case("innerwt", a(2, 3), b(2, 3), c(2, 3), keepdims=True)
    case("innerwt", a(2, 3), b(2, 3), c(2, 3), keepdims=True, axis=0)
    case(mm, a(2, 2), b(2, 2), keepdims=True)
    case("cumsum", a(2, 3), keepdims=True)
    case("minmax", a(4, 3), keepdims=True, axis=0)
    case("minmax", a(4, 3), keepdims=True, axis=0, out=(out(1, 3), View(D, (1, 3), (9, -2))))
    # test_innerwt, test_innerwt_empty
    case("innerwt", a(2, 3), b(2, 3), c(2, 3))
    case("innerwt", a(2, 3, 4), b(2, 3, 4), c(2, 3, 4))
    case("innerwt", a(0), b(0), c(0), dtypes="f8")
    # test_cross1d
    case("cross1d", a(3, 3), b(3, 3), dtypes="f8")
    case("cross1d", a(3), b(3, 3), out=out(3, 3), dtypes="f8")
    case("cross1d", a(4, 4), b(4, 4), dtypes="f8")
    case("cross1d", a(3, 3), b(4), dtypes="f8")
    case("cross1d", a(3, 3), b(3), out=out(3, 4), dtypes="f8")
    case("cross1d", a(3, 3), b(3), out=out(3), dtypes="f8")
    # test_can_ignore_signature
    mats, vec, col = a(2, 3, 2), b(2), b(2, 1)
    cols, row, rows, one = b(2, 2, 2, 1), b(3), b(4, 2, 1, 1, 3), b(1, 3)
    for f in (mm, "matmul"):
        case(f, mats, col)
        case(f, mats, vec)
        case(f, mats, cols)
        case(f, one, mats)
        case(f, row, mats)
        case(f, rows, mats)
        case(f, one, c(3, 1))
        case(f, rows, View(C, (4, 2, 1, 3, 1), (6, 3, 3, 1, 3)))
        case(f, rows, View(C, (4, 2, 1, 3, 1), (6, 3, 3, 1, 3)), out=out(4, 2, 1, 1, 1))
        case(f, row, c(3))
        case(f, row, c(3), out=out(1, 1))
        case(f, a(3, 2), Number(3))
        case(f, a(3, 2), vec, axes=[(0, 1), (0,), (0,)])
        case(f, a(2, 3), vec, axes=[(1, 0), 0, 0])
        case(f, a(2, 3), vec, axes=[(1, 0), (0, 1), 0])
        case(f, a(3, 2), vec, out=out(3, 1))
        case(f, a(3, 2), vec, out=out(3))
    # test_matrix_multiply, test_matrix_multiply_umath_empty
    case(mm, a(0, 10), b(10, 0))
    case(mm, a(10, 0), b(0, 10))
    case("matmul", a(3, 0), b(0))
    for p, q in itertools.product(itertools.permutations(range(3)), repeat=2):
        shapes, strides = [(2, 3, 4)] * 2, (12, 4, 1)
        v = View(A, [shapes[0][i] for i in p], [strides[i] for i in p])
        w = View(B, [shapes[1][i] for i in q], [strides[i] for i in q])
        for s in ([], [0], [1], [2]):
            cut = lambda u: [1 if i in s else n for i, n in enumerate(u.shape)]
            case(mm, View(A, cut(v), v.strides), View(B, cut(w), w.strides), dtypes=r.choice(["i8", "f8"]))
        case(mm, View(A, v.shape, [-n for n in v.strides]), View(B, w.shape, [-n for n in w.strides]))
    # test_euclidean_pdist: its p is computed here, and an output need not be given
    case("euclidean_pdist", a(4, 1), out=out(6), dtypes="f8")
    case("euclidean_pdist", a(2, 4, 1), out=out(2, 6), dtypes="f8")
    case("euclidean_pdist", a(1, 3), out=out(0), dtypes="f8")
    # test_cumsum
    case("cumsum", a(10))
    # TestGUFuncProcessCoreDims
    case("conv1d_full", a(5), b(13), dtypes="f8")
    case("conv1d_full", a(5), b(13), out=out(17), dtypes="f8")
    case("conv1d_full", a(3, 6), b(2, 1, 7), dtypes="f8")
    case("conv1d_full", a(1, 2), b(2, 3), out=out(2, 3), dtypes="f8")
    case("conv1d_full", a(0), b(0), dtypes="f8")
    case("conv1d_full", a(0), b(3), dtypes="f8")
    # numbers, loop dimensions, given outputs
    case("inner1d", Number(3), b(3))
    case("axpy", Number(3), a(3), b(2, 3), out=None)
    case("axpy", Number(2.5), a(3), b(2, 3), dtypes="f4")
    case("axpy", c(4, 1), a(3), b(2, 1, 3))
    case("inner1d", a(5, 1, 3), b(4, 3))
    case("inner1d", a(4, 3), b(5, 3))
    case("inner1d", a(2, 1), b(2, 3))
    case("inner1d", a(0, 3), b(1, 3))
    case("inner1d", a(0, 3), b(2, 3))
    case("inner1d", a(2, 0), b(2, 0))
    case("inner1d", a(2, 3), b(2, 3), out=out(4, 2))
    case("inner1d", a(2, 3), b(2, 3), out=out(3))
    case("inner1d", a(2, 3), b(2, 3), out=out())
    case(mm, a(2, 3), b(3, 2), out=out(5, 2, 2))
    case(mm, a(2, 3), b(3, 2), out=out(2, 3))
    case(mm, a(4, 2, 3), b(3, 2), out=out(2, 2))
    case("minmax", a(4, 3))
    case("minmax", a(2, 4, 3), out=(out(2, 4, strides=(1, 3)), out(2, 4, strides=(1, 3), offset=13)))
    # types: inputs are converted, results stored under same_kind
    for t in m.DTYPES:
        case("inner1d", a(3, 4), b(4), dtypes=t)
        case("inner1d", a(3, 4), b(4), dtypes={A: t, B: "f4"})
        case("cumsum", View(A, (4, 3), (1, -4)), dtypes=t)
        case("cumsum", View(A, (4, 3), (0, 1)), out=View(Z, (4, 3), (-1, 4)), dtypes={A: t, Z: "f4"})
        case("cumsum", a(4, 3), out=out(4, 3), dtypes={A: "i2", Z: t})
        case(mm, View(A, (3, 2), (1, 3)), View(B, (5, 2, 3), (0, 3, 1)), dtypes={A: t, B: "i4"})
    case("inner1d", a(3, 4), b(3, 4), dtype="i8", casting="unsafe", dtypes="f8")
    case("inner1d", a(3, 4), b(3, 4), dtype="f8")
    case("inner1d", a(3, 4), b(3, 4), dtype="f4")
    case("inner1d", a(3, 4), b(3, 4), casting="no", dtypes={A: "i4", B: "i8"})
    # memory that inputs and outputs share
    case("cumsum", a(6), out=a(6))
    case("cumsum", View(A, (6,), (1,), 1), out=View(A, (6,), (1,), 3))
    case("cumsum", View(A, (6,), (1,), 3), out=View(A, (6,), (1,), 1))
    case("cumsum", View(A, (6,), (-1,), 6), out=View(A, (6,), (1,), 1))
    case("cumsum", View(A, (6,), (2,), 1), out=View(A, (6,), (2,), 2))
    case("cumsum", View(A, (3, 4), (4, 1), 1), out=View(A, (3, 4), (1, 3), 1))
    case(mm, View(A, (3, 3), None, 1), View(A, (3, 3), None, 1), out=View(A, (3, 3), None, 1))
    case(mm, View(A, (3, 3), None, 1), View(A, (3, 3), (1, 3), 1), out=View(A, (3, 3), None, 4))
    case(mm, View(A, (3, 3), None, 1), View(B, (2, 3, 3)), out=View(A, (2, 3, 3), None, 1))
    case("minmax", View(A, (4, 3), None, 1), out=(View(A, (4,), (3,), 1), View(A, (4,), (3,), 2)))
    case("axpy", View(A, (4, 1), (1, 1), 2), View(A, (3,), None, 1), View(B, (4, 3)), out=View(A, (4, 3), None, 1))
    case("inner1d", View(A, (4, 3), None, 1), View(A, (3,), (0,), 2), out=View(A, (4,), None, 5))
    # random strides, zero and negative too

    def some(letter, shape, is_out=False):
        order, strides, step = r.sample(range(len(shape)), len(shape)), [0] * len(shape), r.choice([1, 1, 2])
        for i in order:
            strides[i] = step * r.choice([1, 1, -1])
            if not is_out and r.random() < 0.15:
                strides[i] = 0
            else:
                step *= shape[i]
                step += r.choice([0, 0, 1])
        return View(letter, shape, strides)

    for k in range(150):
        d = [r.choice([1, 2, 3, 5]) for _ in range(6)]
        loop = d[:r.choice([0, 1, 2, 3])]
        part = lambda: [n if r.random() < 0.8 else 1 for n in loop[r.randrange(len(loop) + 1) if loop else 0:]]
        f = ["inner1d", mm, "cumsum", "conv1d_full", "matmul", "axpy"][k % 6]
        t = "f8" if f == "conv1d_full" else r.choice(["i8", "f8", "i4", "f4"])
        t = "f8" if (f, t) == ("matmul", "f4") else t  # of which NumPy has an overload
        n, p, q = r.choice([0, 1, 2, 3, 4, 7]), d[4], d[5]
        core = {"inner1d": [[n], [n]], "cumsum": [[n]], "conv1d_full": [[n], [p]], "axpy": [[], [n], [n]]}.get(
            f, [[p, n], [n, q]])
        result = {"inner1d": [], "cumsum": [n], "conv1d_full": [n + p - 1], "axpy": [n]}.get(f, [p, q])
        loops = [part() for _ in core]
        ins = [some("ABC"[i], l + s) for i, (l, s) in enumerate(zip(loops, core))]
        whole = list(np.broadcast_shapes(*loops))
        case(f, *ins, out=some(Z, whole + result, True) if k % 2 else None, dtypes=t)
    # rows with gaps, which begin where a vector may
    for t in ("f8", "i8"):
        case(mm, a(5, 1), b(1, 3), out=View(Z, (5, 3), (4, 1), 2), dtypes=t)
        case("cumsum", View(A, (5, 6), (8, 1), 2), out=View(Z, (5, 6), (8, 1), 2), dtypes=t)
    # calls that blocks share, along the elements and across them
    for t in ("f8", "i8"):
        for shape, axis in (((3, 1500), 1), ((2, 9000), 1), ((300, 40), 0), ((3000, 33), 0), ((2, 600, 35), 1)):
            case("inner1d", a(*shape), b(*shape), axis=axis, dtypes=t)
            case("minmax", View(A, shape, None, 3), axis=axis, dtypes=t)
