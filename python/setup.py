"""Builds the extension, and puts the libraries and the command beside it, which make has built, in
the folder $B (build/)."""

import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
from glob import glob

import numpy
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
B = os.path.join(ROOT, os.environ.get("B", "build"))
# Free-threaded builds of Python have no limited API.
LIMITED = not sysconfig.get_config_var("Py_GIL_DISABLED")
# Where there is JAX, its header of XLA's FFI is in jaxlib.
JAXLIB = importlib.util.find_spec("jaxlib")
XLA = [os.path.join(path, "include") for path in JAXLIB.submodule_search_locations] if JAXLIB else []
# What was compiled with it is another thing than what was not, as in pip's isolated builds.
WORK = os.path.join(B, "python", "xla" if XLA else "plain")
os.makedirs(WORK, exist_ok=True)
with open(os.path.join(ROOT, "runtime/ufc.h"), encoding="utf-8") as header:
    VERSION = re.search(r'UFC_VERSION "(.*)"', header.read())[1]


class Build(build_ext):
    def run(self):
        subprocess.run(["make", "-C", ROOT, f"B={os.path.relpath(B, ROOT)}", "all"], check=True,
                       stdout=subprocess.DEVNULL)
        super().run()
        package = os.path.join(os.path.abspath("."), "ufc") if self.inplace else os.path.join(
            self.build_lib, "ufc")
        for folder, names in ("lib", ["libufc.so.0", "libufcc.so.0"]), ("bin", ["ufc"]):
            os.makedirs(os.path.join(package, folder), exist_ok=True)
            for name in names:
                target = os.path.join(package, folder, name)
                shutil.copy(os.path.join(B, name), target)
                subprocess.run(["strip", "--strip-unneeded", target], check=True)


setup(
    version=VERSION,
    ext_modules=[
        Extension(
            "ufc._ufc",
            sorted(glob("src/*.c")),
            depends=sorted(glob("src/*.h") + glob("../runtime/*.h") + glob("../compiler/ufcc*.h")),
            include_dirs=[os.path.join(ROOT, "runtime"), os.path.join(ROOT, "compiler"),
                          numpy.get_include(), *XLA],
            library_dirs=[B],
            libraries=["ufcc", "ufc"],
            extra_compile_args=["-std=c11", "-Wall", "-Wextra", "-fvisibility=hidden"]
            + os.environ.get("WERROR", "").split(),
            extra_link_args=["-Wl,-rpath,$ORIGIN/lib", "-Wl,--as-needed", "-Wl,-s"],
            define_macros=[("Py_LIMITED_API", "0x030A0000")] if LIMITED else [],
            py_limited_api=LIMITED,
        )
    ],
    cmdclass={"build_ext": Build},
    options={
        "build": {"build_base": WORK},
        "egg_info": {"egg_base": WORK},
        "bdist_wheel": {"py_limited_api": "cp310"} if LIMITED else {},
    },
)
