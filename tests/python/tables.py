"""pandas and xarray: the function itself is computed, whatever its name is, and labels stay."""

import sys

try:
    import pandas as pd
    import xarray as xr
except ImportError:
    print("pandas or xarray is not installed")
    sys.exit(77)
import numpy as np

import ufc

m = ufc.compile("""
ufunc add(x, y) : T(T, T) for T in number with identity 0 = x + 10 * y
ufunc divmod(x, y) : (T, T)(T, T) for T in floating { return x + y, x - y }
gufunc centred(x[n]) -> y[n] : float64(float64) { let s = sum(v for v in x); y[i] = x[i] - s / n for i }
""")
s = pd.Series([1.0, 2.0, 3.0], index=list("abc"))
assert m.add(s, s).equals(s * 11) and m.add(1.0, s).equals(1 + 10 * s)
assert m.divmod(s, 2.0)[1].equals(s - 2)
assert m.add.reduce(s) == m.add.numpy.reduce(s.to_numpy()) == 321
frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
assert m.add(frame, frame).equals(frame * 11)
assert list(m.add.reduce(frame)) == [21, 43]

x = xr.DataArray(np.arange(6.0).reshape(2, 3), dims=("t", "p"), coords={"t": [10, 20]}, name="q")
assert m.add(x, x.isel(t=0)).equals(x + 10 * x.isel(t=0)) and m.add(x, 1).name == "q"
assert m.divmod(x, 2.0)[0].equals(x + 2)
made = xr.apply_ufunc(m.centred, x, input_core_dims=[["p"]], output_core_dims=[["p"]])
assert made.equals(x - x.mean("p")) and list(made.t) == [10, 20]
