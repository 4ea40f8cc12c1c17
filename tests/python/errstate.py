"""No exception flag is raised: not by divisions, not by what fills vectors, on any thread."""

import numpy as np

import ufc

m = ufc.compile("""
ufunc inverse(x) : T(T) for T in floating = 1 / x
ufunc wave(x, y) : T(T, T) for T in floating = exp(x) * sqrt(y) + log(x)
ufunc add(x, y) : T(T, T) for T in floating with identity 0 = x + y
gufunc normalize(x[n]) -> y[n] : float64(float64) { let s = sum(v for v in x); y[i] = x[i] / s for i }
""")
special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324, 1])

with np.errstate(all="raise"):
    for n in 1, 3, 9, 16, 1000, 200000:
        for dtype in np.float16, np.float32, np.float64:
            with np.errstate(all="ignore"):
                x = np.resize(special, n).astype(dtype)
            m.inverse(x)
            m.wave(x, x[::-1])
            m.add.reduce(x)
            m.add.accumulate(x)
        m.normalize(np.zeros((4, n)))
    assert np.isnan(m.normalize(np.zeros(3))).all()

# NumPy's own flags are as before.
with np.errstate(divide="raise"):
    m.inverse(np.zeros(3))
    try:
        np.divide(np.ones(3), np.zeros(3))
    except FloatingPointError:
        pass
    else:
        raise AssertionError("NumPy's own division is not seen")
