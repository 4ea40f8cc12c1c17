"""The examples' kernels on a million elements, as the tutorials call them.

A line of tutorial.txt is one call, read by tests/examples/tutorial.c:

    KERNEL RTOL ATOL INPUT... = VALUE...

    INPUT  KIND:DTYPE:SHAPE:SEED:A:B, with KIND
             uniform   in [A, B)
             normal    a sum of twelve uniform numbers: mean A, deviation B
             grey      whole numbers in [0, 256)
             arange    from A on
             linspace  from A to B, both included
             points    column A (0 or 1) of a table of two correlated normal columns
           or #NUMBER; `in-place` says that the first input is the output too
    VALUE  results at some positions, in double precision (whole numbers: exact)

A result may differ from VALUE by ATOL + RTOL * |VALUE|.
"""
import math

import numpy as np

N = 1000000
SAMPLES = 150


def splitmix64(x):
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def unit(seed, n):
    k = np.arange(n, dtype="u8") + np.uint64(seed << 32)
    return (splitmix64(k) >> np.uint64(11)).astype("f8") * 2.0**-53


def gauss(seed, n):
    total = np.zeros(n)
    for j in range(12):
        total += unit(seed * 16 + j, n)
    return total - 6


def make(spec):
    """The array of an INPUT."""
    if spec[0] == "#":
        return float(spec[1:])
    kind, dtype, shape, seed, a, b = spec.split(":")
    shape, seed, a, b = [int(s) for s in shape.split("x")], int(seed), float(a), float(b)
    n = math.prod(shape)
    if kind == "uniform":
        v = a + (b - a) * unit(seed, n)
    elif kind == "normal":
        v = a + b * gauss(seed, n)
    elif kind == "grey":
        v = np.floor(256 * unit(seed, n))
    elif kind == "arange":
        v = a + np.arange(n)
    elif kind == "linspace":
        v = a + np.arange(n) * ((b - a) / (n - 1))
    else:
        x = gauss(seed, n)
        v = 0.9 * x + 0.4358898943540674 * gauss(seed + 1, n) if a == 1 else x
    return v.astype(dtype).reshape(shape)


def polar_distance(rho1, theta1, rho2, theta2):
    x1, y1 = rho1 * np.cos(theta1), rho1 * np.sin(theta1)
    x2, y2 = rho2 * np.cos(theta2), rho2 * np.sin(theta2)
    return ((x1 - x2)**2 + (y1 - y2)**2)**0.5


def gaussian_pdf(x, mean, sigma):
    return np.exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * (2 * math.pi)**0.5)


def activate(x):
    return (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))


KERNELS = {
    "gaussian_pdf": gaussian_pdf,
    "polar_distance": polar_distance,
    "add_ufunc": np.add,
    "gpu_sqrt": np.sqrt,
    "gpu_arctan2": np.arctan2,
    "gpu_normalize": lambda x: x / 255,
    "gpu_weigh": np.multiply,
    "gpu_activate": activate,
    "layer": lambda x, w: activate(x / 255 * w),
    "gpu_sincos": lambda x, y: np.sin(x) * np.cos(y),
    "gpu_powers": lambda p, q, r, s: np.sqrt(p**2 + q**3 + r**4 + s**5),
    "softplus": lambda x: np.maximum(0, x) + np.log1p(np.exp(-np.abs(x))),
    "elementwise_computation": lambda x, y, z: np.sin(x) + np.cos(y) / np.sqrt(z),
    "squared_diff": lambda x, y: (x - y) * (x - y),
    "elementwise_square": np.square,
    "vadd": np.add,
    "increment_a_2D_array": lambda x: x + 1,
}

# One rounding of a float32 is 6e-8; a function of libm or libdevice has one to four of them.
CALLS = f"""
gaussian_pdf 2e-6 0 uniform:f4:{N}:1:-3:3 #0 #1
gaussian_pdf 1e-14 0 uniform:f8:{N}:1:-3:3 #0.5 #1.5
gaussian_pdf 2e-6 0 uniform:f4:{N}:1:-3:3 normal:f4:{N}:2:0:0.25 uniform:f4:{N}:3:1:2
polar_distance 1e-7 5e-7 uniform:f4:{N}:1:0.5:1.5 uniform:f4:{N}:2:-3.141592653589793:3.141592653589793 uniform:f4:{N}:3:0.5:1.5 uniform:f4:{N}:4:-3.141592653589793:3.141592653589793
add_ufunc 0 0 arange:i8:1000x1:0:10:0 arange:i8:1000x1000:0:0:0
gpu_sqrt 6e-8 0 arange:f4:{N}:0:0:0
gpu_arctan2 6e-7 0 points:f4:{N}:1:1:0 points:f4:{N}:1:0:0
gpu_normalize 6e-8 0 grey:f4:{N}:1:0:0
gpu_weigh 6e-8 0 uniform:f4:{N}:1:0:1 normal:f4:{N}:2:0.5:0.1
gpu_activate 1e-6 2e-7 uniform:f4:{N}:1:-1:1
layer 1e-6 2e-7 grey:f4:{N}:1:0:0 normal:f4:{N}:2:0.5:0.1
gpu_sincos 1e-14 1e-16 linspace:f8:{N}:0:0:3.141592653589793 linspace:f8:{N}:0:0:3.141592653589793
gpu_sincos 1e-6 1e-7 linspace:f4:{N}:0:0:3.141592653589793 linspace:f4:{N}:0:0:3.141592653589793
gpu_powers 1e-6 0 uniform:f4:{N}:1:0:1 uniform:f4:{N}:2:0:1 uniform:f4:{N}:3:0:1 uniform:f4:{N}:4:0:1
softplus 1e-14 0 uniform:f8:100000:1:0:1
softplus 1e-6 0 uniform:f4:{N}:1:-10:10
elementwise_computation 1e-13 1e-15 arange:i8:{N}:0:0:0 arange:i8:{N}:0:10:0 arange:i8:{N}:0:20:0
squared_diff 0 0 arange:i8:{N}:0:10:0 grey:i8:{N}:1:0:0
elementwise_square 6e-8 0 arange:f4:{N}:0:0:0
vadd 6e-8 0 arange:f4:{N}:0:0:0 uniform:f4:{N}:1:0:1
increment_a_2D_array 0 0 grey:i4:1000x1000:1:0:0 in-place
increment_a_2D_array 6e-8 0 uniform:f4:1000x1000:1:0:1 in-place
"""


def write(path):
    lines = []
    for call in CALLS.strip().splitlines():
        name, rtol, atol, *specs = call.split()
        inputs = [make(s) for s in specs if s != "in-place"]
        exact = [a if isinstance(a, float) or a.dtype.kind == "i" else a.astype("f8") for a in inputs]
        reference = np.asarray(KERNELS[name](*exact)).ravel()
        n = len(reference)
        # NumPy itself, in the inputs' own dtypes, meets the tolerance
        own = np.asarray(KERNELS[name](*inputs)).ravel()
        slack = float(atol) + float(rtol) * np.abs(reference) - np.abs(own - reference)
        if slack.min() < 0:
            print(f"{name}: NumPy's own result is outside the tolerance by {-slack.min():g}")
        places = splitmix64(np.arange(SAMPLES, dtype="u8")) % np.uint64(n)
        values = [str(v) if v.dtype.kind == "i" else repr(v.item()) for v in reference[places]]
        lines.append(" ".join([call, "="] + values))
    with open(path, "w") as f:
        f.write("# made by make.py; read by tests/examples/tutorial.c\n" + "\n".join(lines) + "\n")
    print(f"{path.rsplit('/', 1)[-1]}: {len(lines)} calls")
