"""python -m ufc: the command line."""

import os
import sys

command = os.path.join(os.path.dirname(__file__), "bin", "ufc")
os.execv(command, ["ufc"] + sys.argv[1:])
