import os
from typing import Any, Iterable, Iterator, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _ufc

__version__: str

class Diagnostic(NamedTuple):
    severity: str
    message: str
    warning: Optional[str]
    file: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    source: Optional[str]
    @property
    def shade(self) -> str: ...
    def text(self, colour: bool) -> str: ...

class CompileError(Exception):
    diagnostics: Tuple[Diagnostic, ...]

class CompileWarning(UserWarning): ...

class Spread(NamedTuple):
    mean: float
    std: float
    min: float
    median: float
    max: float

class Times(NamedTuple):
    calls: int
    host: Spread
    device: Spread
    bytes: int
    @property
    def rate(self) -> float: ...

class Function(_ufc.Function):
    @property
    def source(self) -> str: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def identity(self) -> Any: ...
    @property
    def ptx(self) -> str: ...
    @property
    def llvm(self) -> str: ...
    @property
    def asm(self) -> str: ...
    def __call__(self, *args: Any, out: Any = ..., where: Any = ..., stream: Optional[int] = ...,
                 **keywords: Any) -> Any: ...
    def reduce(self, array: Any, axis: Any = ..., dtype: Any = ..., out: Any = ...,
               **keywords: Any) -> Any: ...
    def accumulate(self, array: Any, axis: int = ..., dtype: Any = ..., out: Any = ...,
                   **keywords: Any) -> Any: ...
    def reduceat(self, array: Any, indices: Any, axis: int = ..., dtype: Any = ..., out: Any = ...,
                 **keywords: Any) -> Any: ...
    def outer(self, a: Any, b: Any, /, **keywords: Any) -> Any: ...
    def at(self, array: Any, indices: Any, *b: Any, **keywords: Any) -> None: ...
    def explain(self, *args: Any, **keywords: Any) -> dict[str, Any]: ...
    def bench(self, *args: Any, seconds: float = ..., **keywords: Any) -> Times: ...

class Module:
    def __getattr__(self, name: str) -> Function: ...
    def __iter__(self) -> Iterator[Function]: ...

_Path = Union[str, os.PathLike[str]]

def compile(
    text: str,
    name: _Path = ...,
    *,
    targets: Union[str, Iterable[str]] = ...,
    only: Optional[str] = ...,
    cache: Optional[_Path] = ...,
    libdevice: Optional[_Path] = ...,
    fp_contract: bool = ...,
    ftz: bool = ...,
    fast_math: bool = ...,
    line_info: bool = ...,
    check: bool = ...,
    warnings_are_errors: bool = ...,
    warnings: Iterable[str] = ...,
) -> Module: ...
def load(path: _Path, **options: Any) -> Module: ...
def ufunc(text: str, **options: Any) -> Function: ...
def load_ipython_extension(shell: Any) -> None: ...
