"""Functions are copied, pickled, compared and hashed by their source, its options and their name;
copies share the code."""

import copy
import multiprocessing
import pickle
import subprocess
import sys

import numpy as np

import ufc

TEXT = """
ufunc twice(x) : T(T) for T in number = 2 * x
gufunc total(x[n]) -> y : float64(float64) { y = sum(v for v in x) }
"""


def run(function, x):
    return function(x)


if __name__ == "__main__":
    m, again = ufc.compile(TEXT), ufc.compile(TEXT)
    other = ufc.compile(TEXT, fast_math=True)
    assert m.twice == again.twice and hash(m.twice) == hash(again.twice)
    assert m.twice != other.twice and m.twice != m.total and m.twice != 3
    assert m.twice.program is again.twice.program and m.twice.program is not other.twice.program
    assert m.twice.__dask_tokenize__() != other.twice.__dask_tokenize__()
    assert copy.copy(m.twice) is m.twice and copy.deepcopy([m.twice])[0] is m.twice
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        f = pickle.loads(pickle.dumps(m.twice, protocol))
        assert f == m.twice and f.program is m.twice.program and f(4) == 8

    # In a process that has not seen the source.
    program = "import pickle, sys; f = pickle.load(sys.stdin.buffer); print(f(21), f.ptx[:2] == '//')"
    told = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(m.twice),
                          capture_output=True, check=True)
    assert told.stdout == b"42 True\n", told

    for method in "fork", "spawn":
        with multiprocessing.get_context(method).Pool(2) as pool:
            x = [np.arange(n + 1.0) for n in range(6)]
            assert pool.starmap(run, [(m.total, v) for v in x]) == [v.sum() for v in x]
