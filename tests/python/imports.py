"""What a source imports is part of what it is: an edited file is seen by the next load, and a pickled
function has its imports with it."""

import os
import pickle
import subprocess
import sys
import tempfile

import ufc

with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, "lib"))
    main, part = os.path.join(folder, "main.uf"), os.path.join(folder, "lib", "part.uf")

    def write(path, text):
        with open(path, "w") as file:
            file.write(text)

    write(main, "import \"lib/part.uf\"\nufunc f(x) : float64(float64) = part(x) + 1")
    write(part, "def part(x) = 2 * x")
    first, same = ufc.load(main), ufc.load(main)
    assert first.f(3.0) == 7 and first.f == same.f and first.f.program is same.f.program
    write(part, "def part(x) = 9 * x")
    second = ufc.load(main)
    assert second.f(3.0) == 28 and first.f(3.0) == 7
    assert first.f != second.f and first.f.__dask_tokenize__() != second.f.__dask_tokenize__()

    # Where there are no files, in a process of its own; f is the text of before the edit.
    kept = pickle.dumps(first.f)
    os.remove(part)
    os.remove(main)
    assert pickle.loads(kept) == first.f
    program = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f(3.0), len(f.ptx) > 0)"
    told = subprocess.run([sys.executable, "-c", program], input=kept, capture_output=True, cwd="/")
    assert told.stdout == b"7.0 True\n", told
