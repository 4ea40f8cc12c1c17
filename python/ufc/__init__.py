"""NumPy-style universal functions, compiled for CPUs and GPUs.

    import numpy as np, ufc

    m = ufc.compile('''
    ufunc density(x, mean, sigma) : T(T, T, T) for T in floating
        = exp(-0.5 * ((x - mean) / sigma)**2) / (sigma * sqrt(2 * pi))
    ''')
    m.density(np.linspace(-3, 3, 7), 0, 1)

compile(text) compiles a source, load(path) a file, ufunc(expression) one expression; the functions
of a source are attributes of the Module that they return.  m.density.numpy is an np.ufunc, which
runs on all cores: it has reduce, accumulate, outer, reduceat and at, and takes out, where, axis,
axes, keepdims, casting and dtype.  m.density itself calls it for NumPy's arrays and for numbers;
other arrays, of PyTorch, JAX, CuPy and whatever has DLPack or __cuda_array_interface__, are computed
where they are, on their library's current stream, and the result is an array of their library, from
its own allocator where that is PyTorch's, CuPy's or Numba's; JAX's jit, vmap and scan take functions
as they are, with the keywords where, axis, axes, keepdims, casting and dtype; torch.compile keeps
them in its graphs, and torch.vmap gives them batches; objects with __array_ufunc__, as those of Dask,
xarray and pandas, get the function by that protocol.

In notebooks `%load_ext ufc` makes cells that begin with %%ufc sources.

Nothing is compiled for a type before it is first called, and what was compiled is kept for the next
process, in ~/.cache/ufc.  `python -m ufc` is the command line.
"""

from ._ufc import version as __version__  # the first: it says where ufc cannot be imported
from ._diagnostic import CompileError, CompileWarning, Diagnostic
from ._module import Function, Module, compile, load, ufunc


def load_ipython_extension(shell):
    from . import _notebook
    _notebook.load_ipython_extension(shell)


__all__ = ["CompileError", "CompileWarning", "Diagnostic", "Function", "Module", "compile", "load",
           "ufunc"]
