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
           the parts of complex numbers follow each other
    VALUE  results at some positions, in double precision (whole numbers: exact), one output after
           the other

A result may differ from VALUE by ATOL + RTOL * |VALUE|.
"""
import math

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from scipy.linalg import lu_factor
from scipy.ndimage import correlate1d
from scipy.signal import convolve2d, lfilter
from scipy.special import ndtr

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
    n = math.prod(shape) * (2 if dtype[0] == "c" else 1)
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
    if dtype[0] == "c":
        v = v[::2] + 1j * v[1::2]
    return v.astype(dtype).reshape(shape)


def polar_distance(rho1, theta1, rho2, theta2):
    x1, y1 = rho1 * np.cos(theta1), rho1 * np.sin(theta1)
    x2, y2 = rho2 * np.cos(theta2), rho2 * np.sin(theta2)
    return ((x1 - x2)**2 + (y1 - y2)**2)**0.5


def gaussian_pdf(x, mean, sigma):
    return np.exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * (2 * math.pi)**0.5)


def activate(x):
    return (np.exp(x) - np.exp(-x)) / (np.exp(x) + np.exp(-x))


def black_scholes(spot, strike, years, rate, volatility):
    spread = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    discounted = strike * np.exp(-rate * years)
    call = spot * ndtr(d1) - discounted * ndtr(d1 - spread)
    return call, call - spot + discounted


def mandelbrot(c, most):
    z, n = np.zeros_like(c), np.zeros(c.shape, "i4")
    with np.errstate(all="ignore"):
        for _ in range(int(most)):
            live = z.real**2 + z.imag**2 <= 4
            n += live
            z = np.where(live, z * z + c, z)
    return n


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, scale, offset, epsilon):
    mid = x.mean(-1, keepdims=True)
    return (x - mid) / np.sqrt(x.var(-1, keepdims=True) + epsilon) * scale + offset


def smooth(x):
    y = x.copy()
    y[..., 1:-1] = (x[..., :-2] + x[..., 1:-1] + x[..., 2:]) / 3
    return y


def accelerations(position, mass, softening):
    apart = position[..., None, :, :] - position[..., :, None, :]
    inverse = ((apart**2).sum(-1) + softening**2)**-1.5
    return (apart * inverse[..., None] * mass[..., None, :, None]).sum(-2)


def attend(q, k, v):
    return softmax(np.einsum("...d,...nd->...n", q, k) / math.sqrt(k.shape[-1])) @ v


def viterbi(start, step, seen):
    best, before = start + seen[0], []
    for now in seen[1:]:
        before.append((best[:, None] + step).argmax(0))
        best = (best[:, None] + step).max(0) + now
    path = [best.argmax()]
    for of in reversed(before):
        path.append(of[path[-1]])
    return np.array(path[::-1])


def lu(a):
    parts = [lu_factor(v) for v in a]
    places = np.tile(np.arange(a.shape[-1]), (len(a), 1))
    for (_, swaps), p in zip(parts, places):
        for i, at in enumerate(swaps):
            p[[i, at]] = p[[at, i]]
    return np.stack([v for v, _ in parts]), places


def each(f, core):
    """f over the loop dimensions before `core` ones of the first input."""
    def whole(x, *rest):
        flat = x.reshape((-1,) + x.shape[x.ndim - core:])
        return np.stack([f(v, *rest) for v in flat]).reshape(x.shape[:x.ndim - core] + f(flat[0], *rest).shape)
    return whole


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
    "black_scholes": black_scholes,
    "mandelbrot": mandelbrot,
    "gpu_polar": lambda p: np.stack([np.hypot(p[..., 0], p[..., 1]), np.arctan2(p[..., 1], p[..., 0])], -1),
    "cross": np.cross,
    "distances": lambda a, b: np.sqrt(((a[..., :, None, :] - b[..., None, :, :])**2).sum(-1)),
    "accelerations": accelerations,
    "batch_matrix_mult": np.matmul,
    "l2norm": lambda x: np.sqrt((x * x).sum(-1)),
    "inverse4": np.linalg.inv,
    "convolve": each(np.convolve, 1),
    "convolve2d": each(convolve2d, 2),
    "smooth": smooth,
    "blur": each(lambda x: np.correlate(x, np.array([1, 4, 6, 4, 1], x.dtype) / x.dtype.type(16)), 1),
    "low_pass": lambda x, gain, feedback: lfilter([gain], [1, -feedback], x),
    "gpu_average": lambda x: x.mean(-1),
    "gpu_average_2": lambda x: x.mean(-1),
    "gpu_sum": lambda x: x.sum(-1),
    "softmax": softmax,
    "layer_norm": layer_norm,
    "moments": lambda x: (x.mean(-1), x.var(-1)),
    "least": lambda x: (x.argmin(-1), x.min(-1)),
    "cumulative_sum": lambda x: x.cumsum(-1),
    "running_median": lambda x: np.median(sliding_window_view(x, 5, -1), -1).astype(x.dtype),
    "attend": attend,
    "viterbi": viterbi,
    "gram_factor": lambda x: np.linalg.cholesky(np.swapaxes(x, -1, -2) @ x),
    "lu": lu,
    "blur2d": lambda x, w: correlate1d(correlate1d(x, w, -1, mode="nearest"), w, -2, mode="nearest"),
    "fft256": np.fft.fft,
    "segment_sum": lambda x, key: np.bincount(key, x, 256).astype(x.dtype),
    "histogram": each(lambda x, low, high: np.histogram(x, 16, (low, high))[0], 1),
}

# One rounding of a float32 is 6e-8; a function of libm or libdevice has one to four of them.  A sum of n
# terms that a comprehension takes in k parts may have n / k; of these few are in the same direction.
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
black_scholes 1e-6 1e-4 uniform:f4:100000:1:80:120 uniform:f4:100000:2:80:120 uniform:f4:100000:3:0.1:2 #0.03 #0.2
black_scholes 1e-12 1e-12 uniform:f8:100000:1:80:120 uniform:f8:100000:2:80:120 uniform:f8:100000:3:0.1:2 #0.03 #0.2
mandelbrot 0 0 uniform:c8:200x150:1:-1.5:1.5 #50
mandelbrot 0 0 uniform:c16:200x150:1:-1.5:1.5 #50
gpu_polar 6e-7 0 normal:f4:100000x2:1:0:1
cross 1e-6 1e-6 uniform:f4:5000x3:1:-1:1 uniform:f4:5000x3:2:-1:1
distances 1e-14 0 uniform:f8:3x40x3:1:0:1 uniform:f8:30x3:2:1:2
distances 1e-6 0 uniform:f4:5x1x20x2:1:0:1 uniform:f4:4x30x2:2:1:2
accelerations 1e-11 1e-9 uniform:f8:2x60x3:1:-1:1 uniform:f8:60:2:0:1 #0.1
accelerations 1e-4 1e-2 uniform:f4:100x3:1:-1:1 uniform:f4:100:2:0:1 #0.1
batch_matrix_mult 1e-6 0 uniform:f4:10000x2x2:1:0:1 uniform:f4:10000x2x2:2:0:1
batch_matrix_mult 1e-6 0 uniform:f4:100x30x20:1:0:1 uniform:f4:20x10:2:0:1
batch_matrix_mult 1e-6 0 uniform:f4:64x1000:1:0:1 uniform:f4:1000x64:2:0:1
batch_matrix_mult 0 0 arange:f4:3x3:0:1:0 arange:f4:3x3:0:1:0
l2norm 1e-6 0 uniform:f4:1000x100:1:0:1
l2norm 1e-14 0 normal:f8:3x100000:1:0:1
inverse4 1e-9 1e-9 normal:f8:3000x4x4:1:0:1
inverse4 1e-6 1e-6 uniform:f4:1x4x4:3:0:1
convolve 1e-13 1e-13 normal:f8:20x3000:1:0:1 normal:f8:15:2:0:1
convolve 1e-6 0 uniform:f4:200x40:1:0:1 uniform:f4:60:2:0:1
convolve2d 1e-13 1e-13 normal:f8:200x150:1:0:1 normal:f8:15x15:2:0:1
convolve2d 1e-6 0 uniform:f4:50x20x30:1:0:1 uniform:f4:3x5:2:0:1
smooth 1e-14 1e-15 normal:f8:100x1000:1:0:1
smooth 2e-7 0 uniform:f4:100000:1:0:1
blur 1e-13 1e-13 normal:f8:100x1000:1:0:1
blur 1e-6 0 uniform:f4:100000:1:0:1
low_pass 1e-13 1e-13 normal:f8:100x1000:1:0:1 #0.25 #0.75
low_pass 1e-6 0 uniform:f4:3x10000:1:0:1 #0.25 #0.75
gpu_average 1e-6 0 uniform:f4:100000x8:1:0:1
gpu_average 1e-6 0 uniform:f4:1000x1000:1:0:1
gpu_average 0 0 arange:f4:20x5:0:0:0
gpu_average_2 0 0 arange:f4:20x5:0:0:0
gpu_average_2 1e-6 0 uniform:f4:4x200000:1:0:1
gpu_sum 0 0 arange:f4:20x5:0:0:0
gpu_sum 1e-6 0 uniform:f4:1000000:1:0:1
softmax 1e-13 0 normal:f8:100x1000:1:0:3
softmax 2e-6 0 normal:f4:30000x10:1:0:3
softmax 2e-6 0 normal:f4:2x50000:1:0:3
layer_norm 1e-12 1e-12 normal:f8:100x1000:1:3:2 normal:f8:1000:2:1:1 normal:f8:1000:3:0:1 #0.001
layer_norm 1e-6 1e-6 normal:f4:1000x64:1:3:2 normal:f4:64:2:1:1 normal:f4:64:3:0:1 #0.001
moments 1e-13 0 normal:f8:100x1000:1:3:2
moments 1e-10 0 normal:f8:100000:1:1000000:1
moments 2e-6 0 uniform:f4:1000x65:1:0:1
least 0 0 normal:f8:100x1000:1:3:2
least 0 0 uniform:f4:1000x65:1:0:1
cumulative_sum 0 0 grey:i8:1000x100:1:0:0
cumulative_sum 0 0 grey:f4:100x1000:1:0:0
running_median 0 0 uniform:f4:100x1000:1:0:1
running_median 0 0 grey:i4:20000:1:0:0
histogram 0 0 normal:f8:100x1000:1:0:1 #-2 #2
histogram 0 0 grey:f4:30000:1:0:0 #0 #256
attend 1e-13 1e-13 normal:f8:30x16:1:0:1 normal:f8:50x16:2:0:1 normal:f8:50x8:3:0:1
attend 2e-6 2e-6 normal:f4:4x64:1:0:1 normal:f4:1000x64:2:0:1 normal:f4:1000x64:3:0:1
viterbi 0 0 uniform:f8:30:1:-5:0 uniform:f8:30x30:2:-5:0 uniform:f8:200x30:3:-5:0
gram_factor 1e-12 1e-12 normal:f8:20x60x30:1:0:1
lu 1e-11 1e-12 normal:f8:20x40x40:1:0:1
blur2d 1e-13 1e-13 normal:f8:100x150:1:0:1 uniform:f8:7:2:0:0.2
blur2d 1e-6 1e-6 normal:f4:3x64x40:1:0:1 uniform:f4:4:2:0:0.2
fft256 1e-13 1e-12 normal:c16:100x256:1:0:1
segment_sum 0 0 grey:i8:30000:1:0:0 grey:i8:30000:2:0:0
segment_sum 1e-5 0 uniform:f4:30000:1:0:1 grey:i8:30000:2:0:0
"""


def results(name, inputs):
    r = KERNELS[name](*inputs)
    flat = [np.asarray(v).ravel() for v in (r if isinstance(r, tuple) else (r,))]
    return [v.view(v.real.dtype) if v.dtype.kind == "c" else v for v in flat]


def write(path):
    lines = []
    for call in CALLS.strip().splitlines():
        name, rtol, atol, *specs = call.split()
        inputs = [make(s) for s in specs if s != "in-place"]
        exact = [a if isinstance(a, float) or a.dtype.kind in "ic" else a.astype("f8") for a in inputs]
        values = []
        for reference, own in zip(results(name, exact), results(name, inputs)):
            # NumPy itself, in the inputs' own dtypes, meets the tolerance
            slack = float(atol) + float(rtol) * np.abs(reference) - np.abs(own - reference)
            if slack.min() < 0:
                print(f"{name}: NumPy's own result is outside the tolerance by {-slack.min():g}")
            places = splitmix64(np.arange(SAMPLES, dtype="u8")) % np.uint64(len(reference))
            values += [str(v) if v.dtype.kind == "i" else repr(v.item()) for v in reference[places]]
        lines.append(" ".join([call, "="] + values))
    with open(path, "w") as f:
        f.write("# made by make.py; read by tests/examples/tutorial.c\n" + "\n".join(lines) + "\n")
    print(f"{path.rsplit('/', 1)[-1]}: {len(lines)} calls")
