"""torch.compile: functions are in one graph with what is around them, as operators that know their
results' shapes and types; vmap: they take batches at once, or one by one where a missing dimension is
told by a rank.  What a mask leaves out is 0 in both, since there is no array that it could stay in."""

import sys
import warnings

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)
import ufc

warnings.simplefilter("ignore") # PyTorch's own
m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc less(x, y) : bool(T, T) for T in floating = x < y
ufunc polar(r, t) : (T, T)(T, T) for T in float32 | float64 { return r * cos(t), r * sin(t) }
gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : float32(float32, float32), float64(float64, float64)
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
gufunc mean(x[n]) -> y : float32(float32) { y = sum(v for v in x) / n }
""")
x, y = torch.rand(3, 4), torch.rand(4)


def around(f):
    def g(*args):
        made = f(*args)
        return [v + 1 if v.dtype != torch.bool else ~v for v in
                (made if isinstance(made, tuple) else (made,))]
    return g


def out(x):
    made = torch.empty_like(x)
    m.add(x, 1, out=made)
    return made


def out_where(x):
    made = torch.full_like(x, 7)
    m.add(x, 1, out=made, where=x > 0.5)
    return made


cases = [
    (lambda x: m.add(x, 1, where=x > 0.5), lambda x: torch.where(x > 0.5, x + 1, 0), (x,)),
    (lambda x, y: m.add(y, y, where=x > 0.5), lambda x, y: torch.where(x > 0.5, y + y, 0), (x, y)),
    (out_where, lambda x: torch.where(x > 0.5, x + 1, 7), (x,)),
    (m.add, lambda x, y: x + y, (x, y)),
    (m.add, lambda x, y: x + y, (x.T, x.T)),
    (lambda x: m.add(x, 1), lambda x: x + 1, (x,)),
    (lambda x: m.add(2j, x), lambda x: 2j + x, (x,)),
    (lambda x: m.add(m.add(x, x), x[0]), lambda x: x + x + x[0], (x,)),
    (lambda x: m.less(x, 0.5), lambda x: x < 0.5, (x,)),
    (m.polar, lambda x, y: (x * y.cos(), x * y.sin()), (x, y)),
    (m.product, lambda x, y: x @ y, (x, x.T)),
    (m.product, lambda x, y: x @ y, (x, y)),
    (lambda x: m.mean(x, axis=0), lambda x: x.mean(0), (x,)),
    (lambda x: m.mean(x, keepdims=True), lambda x: x.mean(1, keepdim=True), (x,)),
    (lambda x: m.add(x, 1, dtype="float64"), lambda x: x.double() + 1, (x,)),
    (out, lambda x: x + 1, (x,)),
]
for f, wanted, args in cases:
    torch._dynamo.reset() # which counts how often the one body of g was compiled
    compiled = torch.compile(around(f), fullgraph=True, backend="aot_eager")
    for got, v in zip(compiled(*args), around(wanted)(*args), strict=True):
        assert got.dtype == v.dtype and torch.allclose(got, v), (got, v)

# Other shapes, and functions that were made after the compiler was imported.
late = ufc.ufunc("x * y : float32(float32, float32)")
compiled = torch.compile(lambda x, y: late(x, y) + m.add(x, y), fullgraph=True, backend="aot_eager")
for n in 1, 5, 6, 100:
    a, b = torch.rand(n, 4), torch.rand(4)
    assert torch.allclose(compiled(a, b), a * b + a + b)

from ufc import _torch # noqa: E402

for function, args in (m.add, (x, y)), (m.add, (x, 2)), (m.polar, (x, y)), (m.product, (x, y)):
    kinds = "".join("t" if isinstance(v, torch.Tensor) else "n" for v in args)
    torch.library.opcheck(_torch._operator(function, kinds), args)
torch.library.opcheck(_torch._operator(m.add, "ttw"), (x, y, x > 0.5))
torch.library.opcheck(_torch._operator(m.mean, "t"), (x,), {"axis": 0})

# vmap: of one operand, of another, of ranks that differ, nested, of missing dimensions, with axes.
vmap = torch.vmap
z = torch.rand(5, 3, 4)
for got, v in (
        (vmap(m.add)(x, x), x + x),
        (vmap(m.add, in_dims=(0, None))(x, y), x + y),
        (vmap(m.add, in_dims=(None, 0))(y, x), x + y),
        (vmap(m.add, in_dims=(0, None))(y, x), y[:, None, None] + x),
        (vmap(m.add, in_dims=1, out_dims=1)(x, x), x + x),
        (vmap(lambda r: m.add(r, 2))(x), x + 2),
        (vmap(vmap(m.add, (None, 0)), (0, None))(y, y), y[:, None] + y),
        (vmap(lambda r: m.add(r, 1, where=r > 0.5))(x), torch.where(x > 0.5, x + 1, 0)),
        (vmap(lambda k: m.add(y, 1, where=k))(x > 0.5), torch.where(x > 0.5, y + 1, 0)),
        (vmap(m.polar, in_dims=(0, None))(x, y)[1], x * y.sin()),
        (vmap(m.product, in_dims=(0, None))(z, x.T), z @ x.T),
        (vmap(m.product, in_dims=(0, None))(z, y), z @ y),
        (vmap(m.product, in_dims=(0, None))(x, x.T), x @ x.T),
        (vmap(lambda a: m.mean(a, axis=0))(z), z.mean(1)),
        (vmap(lambda a: m.mean(a, axis=-2, keepdims=True))(z), z.mean(1, keepdim=True)),
        (torch.compile(vmap(m.add), fullgraph=True, backend="aot_eager")(x, x), x + x)):
    assert type(got) is torch.Tensor and got.dtype == v.dtype and got.shape == v.shape, (got, v)
    assert torch.allclose(got, v), (got, v)

for wrong in (lambda: torch.compile(m.add, fullgraph=True, backend="aot_eager")(x, y[:3]),
              lambda: torch.compile(lambda x: m.add(x, 1), fullgraph=True, backend="aot_eager")(
                  x.clone().requires_grad_())):
    try:
        wrong()
    except Exception as e:
        assert "shapes do not broadcast" in str(e) or "derivative" in str(e), e
    else:
        raise AssertionError
