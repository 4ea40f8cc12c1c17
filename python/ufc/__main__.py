"""python -m ufc: the command line."""

import os
import sys

from ._module import libdevice

command = os.path.join(os.path.dirname(__file__), "bin", "ufc")
if libdevice():
    os.environ["UFC_LIBDEVICE"] = libdevice()
os.execv(command, ["ufc"] + sys.argv[1:])
