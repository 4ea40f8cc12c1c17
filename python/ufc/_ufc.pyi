"""The extension module, of python/src/."""

from typing import Any, Callable, Optional, Tuple

import numpy as np

version: str

# severity, message, warning, file, line, column, end_line, end_column, source
Told = Tuple[str, str, Optional[str], Optional[str], int, int, int, int, Optional[str]]

def compile(
    name: str,
    text: str,
    targets: int,  # UFCC_HOST | UFCC_CUDA
    only: Optional[str],
    cache: Optional[str],
    libdevice: Optional[str],
    fp_contract: bool,
    ftz: bool,
    fast_math: bool,
    line_info: bool,
    check: bool,
    warnings_are_errors: bool,
    warnings: Tuple[str, ...],
    files: Tuple[Tuple[str, bytes], ...],  # what imports of these names are, without reading files
    /,
) -> Tuple[Optional[Program], list[Told]]:
    """Compiles a source, and loads it; None after errors, which are among what is told."""

def emit(kind: str, source: tuple, /) -> Tuple[Optional[str], list[Told]]:
    """The "ptx", "llvm" or "asm" of a source, given as compile takes it."""

def call(
    function: Function,
    inputs: tuple,  # NumPy's arrays, numbers, capsules of DLPack
    outputs: tuple,  # writable arrays or capsules; None: it is to be made
    where: Any,  # True, or an array
    casting: Optional[str],
    dtype: Optional[str],  # a name, as float32
    axes: Optional[Tuple[Tuple[int, ...], ...]],
    axis: Optional[int],
    keepdims: bool,
    stream: int,  # a CUstream
    # makes a result, of a shape, a type's name and strides: an array, and its capsule; None: ufc does
    make: Optional[Callable],
    /,
) -> tuple:
    """Calls a function by ufc_call_with: what `make` has made, without it capsules of DLPack,
    versioned; None of given outputs."""

def method(
    function: Function,
    name: str,  # reduce, accumulate, reduceat, at
    operands: tuple,  # the array, indices of reduceat and at, the other operand of at
    output: Any,  # None: it is to be made
    where: Any,
    dtype: Optional[str],
    axes: Optional[Tuple[int, ...]],  # None: all
    keepdims: bool,
    initial: Any,  # a number, or None
    stream: int,
    make: Optional[Callable],
    /,
) -> tuple:
    """A method of a ufunc; the rest is as of call."""

def explain(*args: Any) -> dict[str, Any]:
    """Describes, with the arguments of call, how that would go."""

def on_device(array: np.ndarray, device: int, /) -> Any:
    """A capsule of DLPack, versioned, of an array whose memory is a GPU's."""

def order(device: int, before: int, after: int, /) -> None:
    """Makes the second stream of a GPU wait for what the first has now."""

def profile(work: Callable[[], Any], device: int, stream: int, calls: int, /) -> tuple:
    """Times of work() on a stream of a GPU, or, with -1, on the host: how many, and of the host's and
    the device's time mean, standard deviation, least, median, greatest, in seconds."""

def find_libdevice() -> Optional[str]:
    """Where the compiler finds libdevice.10.bc."""

def publish(function: Function, key: str, /) -> None:
    """Lets XLA's programs call a function by a key, as long as the process lives."""

def xla_targets() -> Optional[dict[str, Any]]:
    """Handlers of XLA's FFI, in capsules, by platform; None where they were not built."""

def array(capsule: Any, /) -> np.ndarray:
    """An array over what call has made, which it owns."""

def unversioned(capsule: Any, /) -> Any:
    """Makes a capsule of DLPack one that is older than versions."""

class Program:
    @property
    def names(self) -> Tuple[str, ...]: ...
    @property
    def declarations(self) -> Tuple[str, ...]: ...
    @property
    def imports(self) -> Tuple[Tuple[str, bytes], ...]: ...

class Function:
    def __new__(
        cls,
        program: Program,
        name: str,
        # called with the function, the arguments and the keywords of a call:
        dispatch: Callable,  # with arguments that are not NumPy's
        retry: Callable,  # that NumPy's ufunc has refused, with its TypeError, or of a fault its ValueError
    ) -> Function: ...
    def __call__(self, *args: Any, **keywords: Any) -> Any: ...
    program: Program
    numpy: np.ufunc
    comment: Optional[str]
    signature: Optional[str]
    nin: int
    nout: int
    nargs: int
    operands: Tuple[str, ...]
    overloads: Tuple[str, ...]
    own: bool  # this version of NumPy cannot call its np.ufunc
    checks: bool  # its subscripts are tested
