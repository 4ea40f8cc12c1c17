"""Sources as modules, whose attributes are functions."""

import functools
import glob
import inspect
import os
import re
import sys
import weakref
from typing import NamedTuple, Optional, Tuple

import numpy as np

from . import _dispatch, _ufc
from ._diagnostic import take

_TARGETS = {"host": 1, "cuda": 2}


class Source(NamedTuple):
    """A source with its options: all that decides what a program is, as _ufc.compile takes it.

    files are the texts of its imports: those of a program have them, so that it can be compiled
    again where the files are not, or are others by now.
    """

    name: str
    text: str
    targets: int
    only: Optional[str]
    cache: Optional[str]
    libdevice: Optional[str]
    fp_contract: bool
    ftz: bool
    fast_math: bool
    line_info: bool
    check: bool
    warnings_are_errors: bool
    warnings: Tuple[str, ...]
    files: Tuple[Tuple[str, bytes], ...] = ()


# Programs that are in use, so that a copy that comes by pickle shares the code of the others.  Those
# with imports are found by these' texts, and so not before a source is compiled.
_programs = weakref.WeakValueDictionary()


def _compile(source, stacklevel):
    """The program of a source, and the source with its imports."""
    program = _programs.get(source)
    if program is None:
        program, told = _ufc.compile(*_complete(source))
        take(told, program is None, stacklevel + 1)
        source = source._replace(files=program.imports)
        program = _programs.setdefault(source, program)
    return program, source


@functools.lru_cache(maxsize=None)
def libdevice():
    """NVIDIA's wheel has libdevice, wherever Python finds packages; None: the compiler finds it."""
    if _ufc.find_libdevice():
        return None
    tail = os.path.join("nvidia", "*", "nvvm", "libdevice", "libdevice.10.bc")
    found = [path for folder in sys.path for path in sorted(glob.glob(os.path.join(folder, tail)))]
    return found[-1] if found else None


def _complete(source):
    """A source with what this machine is to give: that is no part of what a function is."""
    return source if source.libdevice else source._replace(libdevice=libdevice())


def _rebuild(source, name):
    """The function that was pickled."""
    program, source = _compile(source, 1)
    return Function(program, name, source)


class Function(_ufc.Function):
    """A ufunc or gufunc: call it with arrays, as a NumPy ufunc.

    numpy is the np.ufunc.  A call takes its keywords, and for arrays on a GPU `stream`, a CUstream
    as an int; by default it is the library's current one, which else waits for it.
    """

    __slots__ = ("_source", "_allowed", "__dict__", "__weakref__")

    def __new__(cls, program, name, source):
        self = super().__new__(cls, program, name, _dispatch.call, _dispatch.retry)
        self._source = source
        self._allowed = False # in graphs of PyTorch
        return self

    # What it is

    @property
    def __doc__(self):
        names, declarations = self.program.names, self.program.declarations
        kind = "ufunc" if self.signature is None else "gufunc"
        first = f"{kind} {declarations[names.index(self.__name__)]}"
        return f"{first}\n\n{self.comment}" if self.comment else first

    @property
    def source(self):
        """The text that it was compiled from."""
        return self._source.text

    @property
    def types(self):
        """NumPy's types of the overloads, as of an np.ufunc: 'ff->f'."""
        return self.numpy.types

    @property
    def identity(self):
        return self.numpy.identity

    @property
    def __signature__(self):
        inputs = self.operands[: self.nin]
        only = inspect.Parameter.POSITIONAL_ONLY
        parameters = [inspect.Parameter(name, only) for name in inputs]
        for name, default in [("out", None), ("where", True), ("stream", None)]:
            parameters.append(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
        return inspect.Signature(parameters)

    def __repr__(self):
        return f"<ufc {'ufunc' if self.signature is None else 'gufunc'} '{self.__name__}'>"

    # Copies are the function itself; others are made again from the source.

    def __reduce__(self):
        return _rebuild, (self._source, self.__name__)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __eq__(self, other):
        if not isinstance(other, Function):
            return NotImplemented
        return (self._source, self.__name__) == (other._source, other.__name__)

    def __hash__(self):
        # PyTorch's compiler asks for it where it meets an object that is called, before all else: then
        # it is told of the function, and not earlier, as importing it takes seconds.
        if not self._allowed and "torch._dynamo.decorators" in sys.modules:
            self._allowed = True
            from . import _torch
            _torch.allow(self)
        return hash((self._source, self.__name__))

    def __dask_tokenize__(self):
        return ("ufc", *self._source, self.__name__)

    # NumPy's methods, which arrays of other libraries have where they are, too

    def reduce(self, array, axis=0, dtype=None, out=None, **keywords):
        return _dispatch.method(self, "reduce", (array,),
                                dict(keywords, axis=axis, dtype=dtype, out=out))

    def accumulate(self, array, axis=0, dtype=None, out=None, **keywords):
        return _dispatch.method(self, "accumulate", (array,),
                                dict(keywords, axis=axis, dtype=dtype, out=out))

    def reduceat(self, array, indices, axis=0, dtype=None, out=None, **keywords):
        return _dispatch.method(self, "reduceat", (array, indices),
                                dict(keywords, axis=axis, dtype=dtype, out=out))

    def outer(self, a, b, /, **keywords):
        return _dispatch.outer(self, a, b, keywords)

    def at(self, array, indices, *b, **keywords):
        return _dispatch.method(self, "at", (array, indices, *b), keywords)

    # How it goes

    def explain(self, *args, **keywords):
        """How ufc would compute a call: a dict, as `ufc explain` tells."""
        return _dispatch.explain(self, args, keywords)

    def bench(self, *args, seconds=0.2, **keywords):
        """Times a call for about so many seconds: Times."""
        return _dispatch.bench(self, args, keywords, seconds)

    @property
    def ptx(self):
        """The PTX of all its overloads."""
        return self._emit("ptx")

    @property
    def llvm(self):
        """The LLVM IR of its overloads, as it was optimised."""
        return self._emit("llvm")

    @property
    def asm(self):
        """The assembly of its host code."""
        return self._emit("asm")

    def _emit(self, kind):
        text, told = _ufc.emit(kind, tuple(_complete(self._source)._replace(only=self.__name__)))
        take([] if text is not None else told, text is None, 3)
        return text


class Module:
    """A compiled source: its functions are its attributes."""

    def __init__(self, source, stacklevel=1):
        program, source = _compile(source, stacklevel + 1)
        self.__source__ = source.text
        self.__name__ = os.path.splitext(os.path.basename(source.name))[0]
        self.__all__ = program.names if source.only is None else (source.only,)
        for name in self.__all__:
            setattr(self, name, Function(program, name, source))

    def __iter__(self):
        return (getattr(self, name) for name in self.__all__)

    def __repr__(self):
        return f"<ufc module '{self.__name__}': {', '.join(self.__all__) or 'no functions'}>"


def _source_of(text, name="string.uf", *, targets=("host", "cuda"), only=None, cache=None,
               libdevice=None, fp_contract=False, ftz=False, fast_math=False, line_info=False,
               check=False, warnings_are_errors=False, warnings=(), **unknown):
    for option in unknown:
        raise TypeError(f"there is no option {option!r}: help(ufc.compile) lists them")
    bits = 0
    for target in (targets,) if isinstance(targets, str) else targets:
        if target not in _TARGETS:
            raise ValueError(f"{target!r} is no target: these are 'host' and 'cuda'")
        bits |= _TARGETS[target]
    path = [None if p is None else os.fspath(p) for p in (cache, libdevice)]
    return Source(os.fspath(name), text, bits, only, *path, bool(fp_contract), bool(ftz),
                  bool(fast_math), bool(line_info), bool(check), bool(warnings_are_errors),
                  tuple(warnings))


def compile(text, name="string.uf", **options):
    """Compiles a source, and returns a Module with its functions.

    name is shown in messages; imports are read relative to its folder.  Options:

    targets      'host', 'cuda', or both, which is the default
    only         the only function that is checked and made
    cache        the folder that keeps code; "0": none; None: as the command line has it
    libdevice    the path of libdevice.10.bc; None: it is found
    fast_math, fp_contract, ftz, line_info, check, warnings_are_errors
                 as the options of `ufc build`
    warnings     names as behind -W: "double", "no-unused", "all"

    Errors are a CompileError, with diagnostics; warnings are CompileWarnings.
    """
    return Module(_source_of(text, name, **options), 2)


def load(path, **options):
    """Compiles a file: see compile."""
    path = os.fspath(path)
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return Module(_source_of(text, path, **options), 2)


_WORDS = set("if else and or not True False for in pi e inf nan".split())


def _parameters(expression):
    """The names of an expression that are neither called, the language's, keywords of a call nor a
    comprehension's own, as they come."""
    names = {}
    own = set(re.findall(r"\b(\w+)\s+in\b", expression))
    for match in re.finditer(r"(?<!\w)(?<!\d\.)[A-Za-z_]\w*(?!\w)(?!\s*(?:\(|=[^=]))", expression):
        if match[0] not in _WORDS | own:
            names[match[0]] = None
    return list(names)


def ufunc(text, **options):
    """Compiles one expression with its types: ufunc("x * x + y : float32(float32, float32)").

    Parameters are the names in it, in their order there.  A declaration has its own:
    ufunc("square(x) : T(T) for T in floating = x * x").
    """
    if re.match(r"\s*[A-Za-z_]\w*\s*\([^()]*\)\s*:[^=]*=[^=]", text):
        source = "ufunc " + text
    else:
        expression, colon, types = text.rpartition(":")
        if not colon:
            raise ValueError("types are missing: write 'x * x : float32(float32)'")
        source = f"ufunc f({', '.join(_parameters(expression))}) : {types.strip()} = {expression}"
    module = Module(_source_of(source, "ufunc.uf", **options), 2)
    return next(iter(module))
