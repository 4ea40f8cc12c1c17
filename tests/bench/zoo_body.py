"""A body of the zoo, as zoo.py describes its file: its arrays at a size, and what NumPy gives."""
import importlib
import math
import os
import re
import sys

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
try:
    import numpy
except ImportError:
    print("zoo.py: NumPy is missing: it makes the arrays (pip install numpy)")
    sys.exit(77)

KEYS = ("class", "from", "small", "size", "data", "rtol", "each", "peers", "torch", "numba")
RTOL = {"float16": 2e-3, "float32": 2e-5, "float64": 1e-12, "complex64": 2e-5, "complex128": 1e-12}


class Body:
    """A file of the zoo: its keys, each a list; the reference's statements under "code"."""

    def __init__(self, path):
        self.path, self.name = path, os.path.basename(path)[:-3]
        self.keys = {key: [] for key in KEYS + ("code",)}
        with open(path) as f:
            for line in re.findall(r"^#: (.*)$", f.read(), re.M):
                key, _, rest = line.partition(" ")
                if key in KEYS and not rest.startswith("="):
                    self.keys[key] += [rest]
                else:
                    self.keys["code"] += [line]
        self.kind = int(self.keys["class"][0])
        self.each = bool(self.keys["each"])

    def text(self, key):
        return "\n".join(self.keys[key])

    def sizes(self, key):
        return [" ".join(size.split()) for line in self.keys[key] for size in line.split("|")]

    def matches(self, pattern):
        return f"class={self.kind}" == pattern or re.search(pattern, self.name)


def bodies(folder, pattern):
    paths = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".uf"))
    return [body for body in map(Body, paths) if body.matches(pattern)]


# ---- arrays


class Size:
    """A size's text, and the arrays of a body in it."""

    def __init__(self, text):
        self.text, self.loop, self.dims, self.how = text, (), {}, {}
        for word in text.split():
            name, sign, value = re.fullmatch(r"(\w+)([=:])(.*)", word).groups()
            if sign == ":":
                self.how[name] = value.split(",")
            elif name == "calls":
                self.loop = shape(value)
            else:
                self.dims[name] = int(value)

    def shapes(self, signature):
        """The operands' shapes, inputs first."""
        shapes = []
        for name, core in zip(*signature[:2]):
            how = self.how.get(name, [])
            loop = () if "shared" in how else next((shape(h) for h in how if h[0].isdigit()), self.loop)
            shapes.append(loop + tuple(eval(d, {"min": min, "max": max}, dict(self.dims)) for d in core))
        return shapes

    def arrays(self, np, body, signature):
        """Inputs and outputs by name; outputs are zeros."""
        names, _, dtypes, nin = signature
        made = {}
        rng = np.random.default_rng(1)
        for k, (name, sizes, dtype) in enumerate(zip(names, self.shapes(signature), dtypes)):
            made[name] = fill(np, rng, sizes, dtype) if k < nin else np.zeros(sizes, dtype)
        given = dict(made, **self.dims, np=np, rng=rng)
        exec(body.text("data"), given)
        for name, dtype in zip(names, dtypes):
            made[name] = lay(np, np.asarray(given[name]).astype(dtype), self.how.get(name, []))
        return made


def shape(text):
    return tuple(map(int, text.split("x")))


def fill(np, rng, sizes, dtype):
    if numpy.dtype(dtype).kind in "iub":
        return rng.integers(0, 2 if dtype == "bool" else 100, sizes).astype(dtype)
    draw = "float32" if dtype in ("float16", "float32", "complex64") else "float64"
    a = 2 * rng.random(sizes, dtype=draw) - 1
    if numpy.dtype(dtype).kind == "c":
        a = a + 1j * (2 * rng.random(sizes, dtype=draw) - 1)
    return a.astype(dtype)


def lay(np, a, how):
    if "F" in how:
        a = np.asfortranarray(a)
    if "T" in how:
        a = np.swapaxes(np.ascontiguousarray(np.swapaxes(a, -1, -2)), -1, -2)
    if "S" in how:
        wide = np.zeros(a.shape[:-1] + (2 * a.shape[-1],), a.dtype)
        wide[..., ::2] = a
        a = wide[..., ::2]
    if "R" in how:
        a = np.ascontiguousarray(a[..., ::-1])[..., ::-1]
    return a


# ---- the reference


def modules(np):
    """What references may use by these names, of a module of arrays; scipy is its SciPy, if there is one."""
    scope = {"np": np, "math": math}
    name = {"numpy": "scipy", "cupy": "cupyx.scipy", "jax.numpy": "jax.scipy"}[np.__name__]
    try:
        for part in ("ndimage", "signal", "special"):
            importlib.import_module(f"{name}.{part}")
        scope["scipy"] = sys.modules[name]
    except ImportError:
        pass
    return scope


def reference(np, body, signature, size):
    """A function of the inputs, which gives the outputs."""
    names, nin = signature[0], signature[3]
    code, base = compile(body.text("code"), body.path, "exec"), dict(modules(np), **size.dims)

    def run(*inputs):
        given = dict(base, **dict(zip(names, inputs)))
        exec(code, given)
        return [given[name] for name in names[nin:] if name in given]
    return run


def wanted(body, signature, size, arrays):
    """The outputs by the reference, of floats in float64."""
    names, dims, _, nin = signature
    inputs = [widen(arrays[name]) for name in names[:nin]]
    run = reference(numpy, body, signature, size)
    if not body.each:
        return run(*inputs)
    outputs = [numpy.zeros_like(widen(arrays[n])) for n in names[nin:]]
    inputs = [numpy.broadcast_to(a, size.loop + a.shape[a.ndim - len(d):]) for a, d in zip(inputs, dims)]
    for at in numpy.ndindex(*size.loop):
        values = run(*(a[at] for a in inputs))
        for output, value in zip(outputs, values):
            output[at] = value
    return outputs[:len(values)]


def widen(a):
    kinds = {"f": "float64", "c": "complex128"}
    return a.astype(kinds.get(a.dtype.kind, a.dtype))


def difference(body, got, want):
    """The greatest difference, over what is allowed: more than 1 is wrong."""
    want = numpy.broadcast_to(numpy.asarray(want), got.shape)
    if got.dtype.kind in "iub":
        return 0 if numpy.array_equal(got, want) else math.inf
    rtol = float(body.keys["rtol"][0]) if body.keys["rtol"] else RTOL[got.dtype.name]
    if not numpy.array_equal(numpy.isnan(got), numpy.isnan(want)):
        return math.inf
    with numpy.errstate(invalid="ignore"):
        wrong = numpy.where(numpy.isnan(want) | (got == want), 0, numpy.abs(widen(got) - want))
    top = numpy.max(numpy.abs(want), initial=0, where=numpy.isfinite(want))
    return float(numpy.max(wrong, initial=0)) / (rtol * top) if numpy.any(wrong) else 0
