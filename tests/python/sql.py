"""examples/duckdb_udf.py."""

import pathlib
import subprocess
import sys

try:
    import duckdb, pyarrow
except ImportError:
    print("DuckDB or pyarrow is not installed")
    sys.exit(77)

example = pathlib.Path(__file__).parents[2] / "examples" / "duckdb_udf.py"
told = subprocess.run([sys.executable, example], capture_output=True, text=True)
assert told.stdout == "0.242 0.3989 0.242\n", told
