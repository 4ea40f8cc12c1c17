"""libufc and the libraries of the zoo's bodies: how they are made, and called."""
import concurrent.futures
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


def newer(path, *others):
    return os.path.exists(path) and all(os.path.getmtime(path) > os.path.getmtime(o) for o in others)


def put(path, make):
    """Makes a file by a function of a name to write to, whole when others see it."""
    temporary = f"{path}.{os.getpid()}"
    make(temporary)
    os.replace(temporary, path)


def link(build, output, *inputs):
    command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC",
               "-I" + os.path.join(HERE, "../../runtime"), *inputs, os.path.join(build, "libufc.so.0"), "-Wl,-rpath,$ORIGIN", "-lm", "-o"]
    put(output, lambda path: subprocess.run(command + [path], check=True))


def compile_body(build, folder, target, body):
    """What is wrong, or None."""
    library, ufc = os.path.join(folder, f"zoo-{body.name}.so"), os.path.join(build, "ufc")
    if newer(library, body.path, ufc, os.path.join(build, "libufcc.so.0")):
        return None
    base = f"{library}.{os.getpid()}"
    made = subprocess.run([ufc, "build", *target, "--prefix=zoo", body.path, "-o", base],
                          capture_output=True, text=True)
    print(made.stderr, end="", file=sys.stderr)
    if made.returncode != 0:
        return f"{body.name}: ufc build failed"
    link(build, library, base + ".o")
    os.remove(base + ".o")
    os.remove(base + ".h")
    return None


def prepare(build, folder, device, chosen, here):
    """Compiles bodies into a folder, beside a libufc, to be called here, or anywhere; False: some failed,
    which are named."""
    os.makedirs(folder, exist_ok=True)
    library, calls = os.path.join(build, "libufc.so.0"), os.path.join(folder, "zoo-calls.so")
    if not newer(calls, library, os.path.join(HERE, "zoo.c")):
        put(os.path.join(folder, "libufc.so.0"), lambda path: shutil.copy(library, path))
        link(build, calls, os.path.join(HERE, "zoo.c"))
    target = ["--target=host"] + ["--native"] * here if device == "cpu" else ["--target=cuda"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(pool.map(lambda b: compile_body(build, folder, target, b), chosen))
    for text in filter(None, wrong):
        print(text)
    return not any(wrong)


class Tensor(ctypes.Structure):
    """DLTensor."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("byte_offset", ctypes.c_uint64)]


def tensors(arrays):
    """DLTensors of arrays of NumPy or CuPy, and what must live as long."""
    made, keep = (Tensor * len(arrays))(), []
    for t, a in zip(made, arrays):
        shape = (ctypes.c_int64 * max(a.ndim, 1))(*a.shape)
        strides = (ctypes.c_int64 * max(a.ndim, 1))(*(s // a.itemsize for s in a.strides))
        keep += [shape, strides, a]
        on_gpu = not isinstance(a, numpy.ndarray)
        t.data, t.device_type, t.ndim = a.data.ptr if on_gpu else a.ctypes.data, 1 + on_gpu, a.ndim
        t.code, t.bits, t.lanes = CODES[a.dtype.kind], 8 * a.itemsize, 1
        t.shape, t.strides = ctypes.addressof(shape), ctypes.addressof(strides)
    return made, keep


class Library:
    """libufc with a context of the device, and the bodies' libraries of the folder."""

    def __init__(self, folder, device, threads=0):
        self.folder, self.compiler = folder, None
        self.zoo = ctypes.CDLL(os.path.join(folder, "zoo-calls.so"))
        self.zoo.zoo_call.restype = ctypes.c_double
        self.zoo.zoo_describe.restype = self.zoo.zoo_explain.restype = ctypes.c_char_p
        self.context, self.error = ctypes.c_void_p(), ctypes.create_string_buffer(1024)
        if self.zoo.ufc_context_new(ctypes.byref(self.context), device.encode(), threads, self.error):
            raise RuntimeError(self.error.value.decode())

    def ufunc(self, name):
        """The body's function in its library."""
        library = ctypes.CDLL(os.path.join(self.folder, f"zoo-{name}.so"))
        return ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, f"zoo_{name}_ufunc")))

    def loaded(self, body, special=False):
        """The body's function, compiled in this process as calls need its parts; special: whose calls
        have code made for them."""
        if self.compiler is None:
            os.environ["UFC_CACHE"] = "0"
            self.compiler = ctypes.CDLL(os.path.join(self.folder, "..", "libufcc.so.0"))
            self.compiler.ufcc_compile.restype = self.compiler.ufcc_function.restype = ctypes.c_void_p
        with open(body.path, "rb") as f:
            text = f.read()
        program = ctypes.c_void_p(
            self.compiler.ufcc_compile(body.path.encode(), text, ctypes.c_size_t(len(text)), None))
        if not program or not self.compiler.ufcc_load(program):
            raise RuntimeError(f"{body.name} cannot be compiled")
        if special:
            self.compiler.ufcc_specialize(program, None, 1)
        return ctypes.c_void_p(self.compiler.ufcc_function(program, body.name.encode()))

    def signature(self, ufunc):
        """Names of operands, their core dimensions and types, inputs first, and how many inputs."""
        text = ctypes.create_string_buffer(4096)
        names, core, signature = self.zoo.zoo_describe(ufunc, text, 4096).decode().split("|")
        names = names.split()
        outputs, inputs = re.fullmatch(r"(.+?)\((.*)\)", signature).groups()
        types_ = [t for part in (inputs, outputs) for t in re.findall(r"\w+", part)]
        dims = [[d.strip() for d in split(part)] for part in operands(core)] or [[]] * len(names)
        return names, dims, types_, len(re.findall(r"\w+", inputs))

    def call(self, ufunc, made, calls=1):
        seconds = self.zoo.zoo_call(self.context, ufunc, made, calls, self.error)
        if seconds < 0:
            raise RuntimeError(self.error.value.decode())
        return seconds

    def explain(self, ufunc, made):
        text = ctypes.create_string_buffer(4096)
        if self.zoo.zoo_explain(self.context, ufunc, made, text, 4096, self.error) is None:
            raise RuntimeError(self.error.value.decode())
        return json.loads(text.value.decode())


def operands(core):
    """What stands between the outermost parentheses: "(n),(k)->(max(n - k, 0))" has three."""
    depth, begin = 0, 0
    for at, c in enumerate(core):
        if c == "(":
            depth, begin = depth + 1, begin if depth else at + 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                yield core[begin:at]


def split(text):
    """At commas outside of parentheses."""
    return re.split(r",\s*(?![^()]*\))", text) if text.strip() else []
