"""PyTorch's tensors on the CPU: views in all layouts, numbers beside them, what DLPack does not tell of
a tensor, and memory that stays as it was."""

import gc
import resource
import sys

try:
    import torch
except ImportError:
    print("PyTorch is not installed")
    sys.exit(77)
import numpy as np

import ufc

m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number = x + y
ufunc parts(z) : (float64, float64)(complex128) { return real(z), imag(z) }
gufunc product(a[m?,n], b[n,p?]) -> c[m?,p?] : T(T, T) for T in floating
{ c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j }
""")


def same(got, wanted):
    assert type(got) is torch.Tensor and got.dtype == wanted.dtype, got
    assert got.shape == wanted.shape and torch.equal(got, wanted), (got, wanted)


def fails(kind, words, call):
    try:
        call()
    except kind as e:
        assert words in str(e), e
        return
    raise AssertionError(f"no {kind.__name__}: {words}")


x = torch.arange(24.0, dtype=torch.float64).reshape(2, 3, 4)
for view in (x, x.permute(2, 0, 1), x[:, ::2], x[0, 0], x[:, :0], x[:0], torch.tensor(3.0), x[..., :1]):
    same(m.add(view, 1), view + 1)
    same(m.add(view, view), view + view)
    same(m.add(2, view), view + 2)
assert m.add(x.permute(2, 0, 1), 1).stride() == (x.permute(2, 0, 1) + 1).stride()
for name in "int8 uint8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split():
    t = torch.arange(5).to(getattr(torch, name))
    same(m.add(t, 3), t + 3)
    same(m.add(t, t), t + t)
same(m.add(x, x.numpy()), x + x)
same(m.add(x.numpy(), x), x + x)
same(m.product(x, x[0].T), x @ x[0].T)
same(m.product(x[0], x[0, 0]), x[0] @ x[0, 0])
same(m.add(x, 1, dtype="f", casting="same_kind"), (x + 1).float())
same(m.product(x, x[0].T, axes=[(1, 2), (0, 1), (-1, 1)]), (x @ x[0].T).permute(0, 2, 1))

# Outputs and masks.
out = torch.zeros(2, 3, 4, dtype=torch.float64)
for call in (lambda: m.add(x, 1, out=out), lambda: m.add(x, 1, out), lambda: m.add(x, 1, out=(out,))):
    out.zero_()
    assert call() is out
    same(out, x + 1)
m.add(x, 10, out=out, where=x > 5)
same(out, torch.where(x > 5, x + 10, x + 1))
real = torch.zeros(2, dtype=torch.float64)
z = torch.tensor([1 + 2j, 3 - 4j])
assert m.parts(z.to(torch.complex128), out=(real, None))[0] is real

# A tensor may be the conjugate, or the negative, of its memory, and may have a derivative.
z = z.to(torch.complex128)
same(m.parts(z.conj())[1], torch.tensor([-2.0, 4.0], dtype=torch.float64))
same(m.add(z.conj().imag, 0), -z.imag)
same(m.add(z.conj(), z), z.conj() + z)
fails(NotImplementedError, "derivative", lambda: m.add(x.clone().requires_grad_(), 1))
fails(NotImplementedError, "derivative", lambda: m.add(torch.nn.Parameter(x.clone()), 1))
same(m.add(torch.nn.Parameter(x, requires_grad=False), 1), x + 1)
with torch.no_grad():
    same(m.add(torch.nn.Parameter(x), 1), x + 1)
assert torch.equal(m.add(x.as_subclass(type("Sub", (torch.Tensor,), {})), 1), x + 1)
fails(TypeError, "no overload", lambda: m.product(z, z))
fails(ValueError, "shapes", lambda: m.add(x, torch.zeros(5)))
fails(ValueError, "device", lambda: m.add(torch.zeros(3, device="meta"), 1))

# Calls leave no memory behind.
a, b = torch.rand(16), torch.rand(16)
for n, call in ((10**5, lambda: m.add(a, b)), (10**5, lambda: m.add(a, b, out=a)),
                (10**4, lambda: m.add(a, b, where=True)), (10**4, lambda: m.parts(z))):
    for _ in range(1000):
        call()
    gc.collect()
    before = sys.getrefcount(a), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(n):
        call()
    gc.collect()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before[1]
    assert sys.getrefcount(a) == before[0] and grown < 1024, grown
assert np.array_equal(m.add(a, b).numpy(), (a + b).numpy())
