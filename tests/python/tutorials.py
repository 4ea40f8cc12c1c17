"""The tutorials that Numba and CuPy are taught with: their functions, side by side with NumPy."""

import pathlib

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import ufc

examples = pathlib.Path(__file__).parents[2] / "examples"
rng = np.random.default_rng(4)


def load(name):
    return ufc.load(examples / f"{name}.uf")


# CuPy and Numba on the GPU: a first ufunc, a density, device functions.
a, b = np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40])
assert_array_equal(load("add").add_ufunc(a, b), a + b)
matrix = np.arange(16).reshape(4, 4)
assert_array_equal(load("add").add_ufunc(b[:, np.newaxis], matrix), b[:, np.newaxis] + matrix)
x = rng.uniform(-3, 3, 1000000).astype(np.float32)
mean, sigma = np.float32(0), np.float32(1)
assert_allclose(load("gaussian").gaussian_pdf(x, mean, sigma),
                np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)), rtol=1e-6)
rho1, rho2 = rng.uniform(0.5, 1.5, (2, 100000)).astype(np.float32)
theta1, theta2 = rng.uniform(-np.pi, np.pi, (2, 100000)).astype(np.float32)
between = np.hypot(rho1 * np.cos(theta1) - rho2 * np.cos(theta2),
                   rho1 * np.sin(theta1) - rho2 * np.sin(theta2))
assert_allclose(load("polar").polar_distance(rho1, theta1, rho2, theta2), between, rtol=1e-4,
                atol=1e-6)

# CuPy: an image is convolved.
image = np.zeros((64, 48))
image[8::16, 8::16] = 1
p, q = np.meshgrid(np.linspace(-2, 2, 15), np.linspace(-2, 2, 15))
gauss = np.exp(-p * p - q * q)
wanted = np.zeros((78, 62))
for i, j in np.argwhere(image):
    wanted[i:i + 15, j:j + 15] += gauss
assert_allclose(load("signal").convolve2d(image, gauss), wanted)

# CUDA Python: fused and elementwise kernels.
m = load("elementwise")
x, y, z = rng.uniform(0.1, 1, (3, 10000))
assert_allclose(m.elementwise_computation(x, y, z), np.sin(x) + np.cos(y) / np.sqrt(z))
assert_array_equal(m.squared_diff(np.arange(10), 2), (np.arange(10) - 2) ** 2)
assert_array_equal(m.vadd(x.astype("f"), y.astype("f")), x.astype("f") + y.astype("f"))
assert_array_equal(load("increment").increment_a_2D_array(matrix), matrix + 1)

# Boost Python with your GPU: ufuncs, gufuncs with a signature, a device function, a layer.
x = rng.random(1000).astype(np.float32)
assert_allclose(load("sqrt").gpu_sqrt(x), np.sqrt(x), rtol=1e-6)
assert_allclose(load("arctan2").gpu_arctan2(x, x[::-1]), np.arctan2(x, x[::-1]), rtol=1e-6)
m = load("statistics")
assert_allclose(m.gpu_average(x.reshape(10, 100)), x.reshape(10, 100).mean(-1), rtol=1e-5)
assert_allclose(m.gpu_average_2(x), x.mean(), rtol=1e-5)
points = rng.random((50, 2)).astype(np.float32)
assert_allclose(load("geometry").gpu_polar(points),
                np.stack([np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])], -1),
                rtol=1e-5)
m = load("layer")
grey, weight = np.floor(256 * x), rng.random(1000).astype(np.float32)
step = m.gpu_activate(m.gpu_weigh(m.gpu_normalize(grey), weight))
assert_allclose(step, np.tanh(grey / 255 * weight), rtol=1e-4, atol=1e-6)
assert_allclose(m.layer(grey, weight), step, rtol=1e-6)

# Numba: sines and cosines, and matrices.
x, y = rng.random((2, 100000)).astype(np.float32)
assert_allclose(load("sincos").gpu_sincos(x, y), np.sin(x) * np.cos(y), rtol=1e-5)
a, b = rng.random((3, 20, 30)).astype(np.float32), rng.random((3, 30, 10)).astype(np.float32)
assert_allclose(load("linalg").batch_matrix_mult(a, b), a @ b, rtol=1e-5)
