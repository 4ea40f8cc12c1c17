#!/usr/bin/env python3
"""zoo.py: gufuncs and ufuncs as users write them, tests/bench/zoo/*.uf: checked against NumPy, or timed
beside the time that memory and arithmetic need at least.

    zoo.py BUILD --check [--called] [--device=sim|cpu|cuda] [PATTERN]
    zoo.py BUILD [--device=cuda|cpu] [PATTERN] [--seconds=S] [--total=S] [--limit=S]
                 [--peers=LIST] [--special] [--out=FILE.json] [--before=FILE.json] [--quick] [--brief]
    zoo.py BUILD --prepare DIR [--device=cuda|cpu] [PATTERN]

BUILD has ufc and libufc; or it is a DIR that --prepare made, with libraries of all bodies, libufc and
these scripts, which runs where there is no compiler.  PATTERN is a regular expression for names, or
`class=N`.  --check takes the small sizes; with --called only what their calls need is compiled, in this
process, where BUILD has libufcc.

A row is a body at a size: the time of a call, the median of bursts of 3 ms or more in --seconds (0.1),
by CUDA's events on a GPU; its bound, the largest of distinct bytes over the rate of a copy in the same
run, the operations that ufc counts over the GPU's rate, those that wait for one
another, and the time of a call that copies one element;
the fraction, bound over time; what ufc predicts over the time; the kernel; with --before a time of that
run, which its --out wrote, over this one's.  Peers: cupy, jax and torch on a GPU, numpy (on one thread)
and numba (on all) on the host; best/ufc is the best one's time over ufc's.  --special, where BUILD has
libufcc: ufc's time over that of code made for the call (ufcc_specialize), in the same bursts, and the
calls after which it has saved the time of the first one, which makes it.

On the host rows are left out whose operands have more than 2^24 elements.  --quick takes the first row
of each body; --brief prints only rows below half of their bounds.  A row that takes longer than --limit
seconds (5, and 10 for each peer) is stopped; after --total seconds no more are begun.

A body is one file with the function of its name.  Its comments hold the rest, a key a line, which may
be there several times:

    #: class N          1 maps with offsets, 2 reductions, 3 all pairs,
                        4 rows in several passes, 5 serial, 6 arrays within, 7 scatter, 8 heavy scalars
    #: from WHERE       who has it
    #: small SIZE       that --check takes
    #: size SIZE        that is timed, the most telling first; several have bars between:
                        m=8192 n=64 | calls=512x3 m=5 n=7 x:F
                        calls=SHAPE are the loop axes, of a ufunc the shape;
                        NAME:HOW an operand: C, F (the whole array in that order), T (the last two
                        axes swapped in memory), S (every second element of the last axis), R
                        (backwards), shared (by all calls), or its own loop axes, 512x1, commas between
    #: data STATEMENT   Python, of np, rng, dimensions and operands, that makes inputs of random ones, which
                        are uniform in [-1, 1), whole numbers in [0, 100)
    #: rtol X           instead of 2e-5 (float32), 1e-12 (float64), 2e-3 (float16), of the output's
                        greatest magnitude
    #: each             what follows computes one call, not all
    #: STATEMENT        Python that computes outputs (the first ones at least; a ufunc's are out, or out0 …)
                        of inputs, by their names, and of dimensions
    #: peers LIST       those of numpy, cupy, jax that can run these statements; their module is np
    #: torch EXPRESSION the same, of torch's arrays, for torch.compile
    #: numba STATEMENT  the same of one call, for Numba, as the body of a guvectorize or, of a ufunc,
                        what it returns
"""
import argparse
import concurrent.futures.process
import json
import math
import multiprocessing
import os
import select
import shutil
import statistics
import subprocess
import sys
import time

from zoo_body import Body, Size, bodies, difference, modules, numpy, wanted
from zoo_library import Library, prepare, tensors
from zoo_time import Gpu, Host, load_cupy, median, Peers

HERE = os.path.dirname(os.path.abspath(__file__))
CLASSES = {1: "maps", 2: "reductions", 3: "pairs", 4: "passes", 5: "serial", 6: "arrays", 7: "scatter",
           8: "scalar"}


def check(folder, device, chosen, called):
    """True: all small sizes are right."""
    np = load_cupy() if device == "cuda" else numpy
    library, right, count = Library(folder, device), True, 0
    for body in chosen:
        try:
            if "scipy" in body.text("code") and "scipy" not in modules(numpy):
                continue
            ufunc = library.loaded(body) if called else library.ufunc(body.name)
            signature = library.signature(ufunc)
            for text in body.sizes("small"):
                size = Size(text)
                arrays = size.arrays(np, body, signature)
                made, keep = tensors(list(arrays.values()))
                library.call(ufunc, made)
                arrays = {k: a if np is numpy else np.asnumpy(a) for k, a in arrays.items()}
                with numpy.errstate(all="ignore"):
                    want = wanted(body, signature, size, arrays)
                for name, w in zip(signature[0][signature[3]:], want):
                    d = difference(body, arrays[name], w)
                    if d > 1:
                        print(f"{body.name} {text}: {name} differs by {d:.3g} of what is allowed")
                        right = False
                count += 1
                del keep
        except Exception as error:
            print(f"{body.name}: {type(error).__name__}: {error}")
            right = False
    print(f"{len(chosen)} bodies, {count} sizes on {device}")
    return right


# ---- rows, in a process of their own, which may be stopped


def warm(folder, device, chosen):
    """Has the driver compile bodies' kernels, which it keeps for the process that measures."""
    place, library = Gpu(), Library(folder, device)
    for body in chosen:
        try:
            ufunc = library.ufunc(body.name)
            arrays = Size(body.sizes("small")[0]).arrays(place.np, body, library.signature(ufunc))
            made, keep = tensors(list(arrays.values()))
            library.explain(ufunc, made)
            del keep
        except (OSError, RuntimeError):
            pass  # its rows tell


def warm_all(folder, device, chosen):
    """In as many processes as there are cores, since the driver compiles one module a process at a time."""
    n = os.cpu_count()
    with concurrent.futures.ProcessPoolExecutor(n, multiprocessing.get_context("spawn")) as pool:
        try:
            list(pool.map(warm, [folder] * n, [device] * n, [chosen[k::n] for k in range(n)]))
        except concurrent.futures.process.BrokenProcessPool:
            pass


def special(library, place, body, ufunc, made, seconds):
    """Times of general code and of code made for the call, in turn, and of the latter's first call."""
    own = library.loaded(body, special=True)
    general, special = (place.timed(lambda n, f=f: library.call(f, made, n)) for f in (ufunc, own))
    first = special(1)
    once = min(special(1) for _ in range(3))
    n = min(math.ceil(3e-3 / once), 1 << 16)
    times = [(general(n) / n, special(n) / n) for _ in range(min(max(7, int(seconds / (2 * n * once))), 99))]
    row = {"general": min(g for g, _ in times), "special": min(s for _, s in times), "first": first}
    return dict(row, gain=statistics.median(g / s for g, s in times))


def work(folder, device, chosen, names, seconds, specializes):
    """Answers lines of [body, size] with a line of JSON each, the first with rates."""
    chosen = {body.name: body for body in chosen}
    place = Host() if device == "cpu" else Gpu()
    library, out = Library(folder, device), os.dup(1)
    os.dup2(2, 1)  # what others print is no answer

    def answer(fields):
        os.write(out, (json.dumps(fields) + "\n").encode())

    burst, nbytes = place.copy()
    rate = nbytes / median(place.timed(burst), 0.1)
    one = library.ufunc("copy")
    made, keep = tensors([place.np.ones(1, "float32")] * 2)
    floor = median(place.timed(lambda n: library.call(one, made, n)), 0.05)
    answer({"rate": rate, "floor": floor})
    del burst, keep
    for line in sys.stdin:
        name, text = json.loads(line)
        try:
            row = measure(library, place, chosen[name], Size(text), names, seconds, specializes)
        except Exception as error:
            row = {"error": " ".join(f"{type(error).__name__}: {error}".split())[:200]}
        place.clean()
        answer(row)


def measure(library, place, body, size, names, seconds, specializes):
    ufunc = library.ufunc(body.name)
    signature = library.signature(ufunc)
    if sum(map(math.prod, size.shapes(signature))) > place.elements:
        return {"large": True}
    arrays = size.arrays(place.np, body, signature)
    made, keep = tensors(list(arrays.values()))
    row = library.explain(ufunc, made)
    row["seconds"] = median(place.timed(lambda n: library.call(ufunc, made, n)), seconds)
    inputs, row["peers"] = [arrays[n] for n in signature[0][:signature[3]]], {}
    for name in names:
        listed = name in body.text("peers").split() or name in ("numpy", "torch", "numba")
        try:
            f = getattr(Peers(), name)(body, signature, size, inputs, place) if listed else None
            if f is not None:
                f(1)
                row["peers"][name] = median(f, seconds)
        except Exception as error:
            row.setdefault("peer_errors", {})[name] = str(error)[:200]
    if specializes:
        row.update(special(library, place, body, ufunc, made, seconds))
    del keep
    return row


class Worker:
    """The process that measures, and its answers."""

    def __init__(self, arguments):
        self.arguments, self.process = arguments, None

    def start(self):
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), *self.arguments, "--work"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self.answer(120)

    def answer(self, limit):
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        self.process.kill()
        status, self.process = self.process.wait(), None
        return {"error": "it died" if ready and status else f"more than {limit:g} s"}

    def ask(self, limit, *task):
        if self.process is None:
            self.start()
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return self.answer(limit)


# ---- the table


def complete(row, rates):
    """Adds a row's bound, what it is by, and the fraction of it that is reached."""
    bounds = {"bytes": row["bytes"] / rates["rate"], "call": rates["floor"], row["work_by"]: row["work"]}
    row["by"] = max(bounds, key=bounds.get)
    row["bound"] = bounds[row["by"]]
    row["fraction"] = row["bound"] / row["seconds"]
    if row["peers"]:
        row["best"] = min(row["peers"], key=row["peers"].get)
        row["ratio"] = row["peers"][row["best"]] / row["seconds"]


HEAD = f"{'':44} {'µs':>10} {'bound':>9} {'by':7} {'':5} {'predicted':9} kernel    best/ufc  before/now"


def line_of(row):
    name = f"{row['name']} {row['size']}"
    if "error" in row:
        return f"{name:44} {row['error']}"
    line = (f"{name:44} {row['seconds'] * 1e6:10.1f} {row['bound'] * 1e6:9.1f} {row['by'][:7]:7} "
            f"{row['fraction']:5.2f} {row['predicted'] / row['seconds']:9.2f} {row['kernel']:9} ")
    line += f"{row['ratio']:8.2f} {row['best']:5}" if "best" in row else ""
    line += f" x{row['before'] / row['seconds']:.2f}" if "before" in row else ""
    if "special" in row:
        saved = row["special"] * (row["gain"] - 1)
        pays = f"after {row['first'] / saved:.0f}" if row["gain"] > 1.02 else "never"
        line += f" special x{row['gain']:.2f} pays {pays}"
    return line.rstrip()


def short(row):
    """A line of a row for --brief, or nothing: it is half as fast as its bound, or faster."""
    name = f"{row['name']} {row['size']}"[:40]
    if "error" in row:
        return f"{name:40} {row['error'][:40]}\n"
    slow = row["fraction"] < 0.5
    return f"{name:40} {row['seconds'] * 1e6:8.0f} {row['fraction']:.3f} {row['kernel']}\n" if slow else ""


def distribution(rows):
    """A line of each class and of all."""
    yield f"{'':12} rows  median   10%  worst  predicted  best/ufc  worst  before/now  worst"
    for kind in sorted({row["class"] for row in rows}) + [None]:
        some = [row for row in rows if kind in (row["class"], None) and "error" not in row]
        if not some:
            continue
        fractions = sorted(row["fraction"] for row in some)
        near = [1 / 1.5 <= row["predicted"] / row["seconds"] <= 1.5 for row in some]
        ratios = [row["ratio"] for row in some if "ratio" in row]
        gains = [row["before"] / row["seconds"] for row in some if "before" in row]
        label = f"{kind} {CLASSES[kind]}" if kind else "all"
        yield (f"{label:12} {len(some):4}  {statistics.median(fractions):6.2f} "
               f"{fractions[len(fractions) // 10]:5.2f}  {fractions[0]:5.3f} "
               f"{statistics.mean(near):10.2f} {mean(ratios):9.2f} {min(ratios, default=math.nan):6.2f} "
               f"{mean(gains):11.2f} {min(gains, default=math.nan):6.2f}")
    own = [row["gain"] for row in rows if "gain" in row]
    if own:
        yield f"{'special':12} {len(own):4}  mean {mean(own):.2f}  worst {min(own):.2f}  best {max(own):.2f}"
    old = sorted(row["bound"] / row["before"] for row in rows if "before" in row)
    if old:
        yield f"{'before':12} {len(old):4}  {statistics.median(old):6.2f} {old[len(old) // 10]:5.2f}  {old[0]:5.3f}"


def mean(values):
    return statistics.geometric_mean(values) if values else math.nan


def before(path):
    """Seconds by body and size of a run's --out."""
    if path is None:
        return {}
    with open(path) as f:
        return {(row["name"], row["size"]): row["seconds"] for row in json.load(f)["rows"] if "seconds" in row}


def bench(options, folder, device, chosen, arguments):
    worker, rows, old = Worker(arguments), [], before(options.before)
    begin, left = time.monotonic(), 0
    if device != "cpu":
        warm_all(folder, device, chosen)
    warmed = time.monotonic() - begin
    rates = worker.start()
    if "error" in rates:
        print("zoo.py: " + rates["error"])
        return False
    print(f"copy {rates['rate'] * 1e-9:.0f} GB/s, a call {rates['floor'] * 1e6:.2f} µs, "
          f"compiled in {warmed:.1f} s, ready in {time.monotonic() - begin:.1f} s")
    print("below half of the bound, or without a time: µs, fraction" if options.brief else HEAD)
    for body, text in ((body, text) for body in chosen for text in body.sizes("size")):
        if options.quick and rows and rows[-1]["name"] == body.name:
            continue
        if time.monotonic() - begin > options.total:
            left += 1
            continue
        row = worker.ask(options.limit, body.name, text)
        if "large" in row:
            continue
        row.update({"name": body.name, "size": text, "class": body.kind})
        if "error" not in row:
            complete(row, rates)
            if (body.name, text) in old:
                row["before"] = old[body.name, text]
        rows.append(row)
        print(short(row) if options.brief else line_of(row) + "\n", end="", flush=True)
    print("\n".join(distribution(rows)))
    wrong = sum("error" in row for row in rows)
    print(f"{len(rows)} rows in {time.monotonic() - begin:.0f} s, {wrong} without a time, {left} left out")
    if options.out:
        with open(options.out, "w") as f:
            json.dump(dict(rates, rows=rows), f)
    return True


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("pattern", nargs="?", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--called", action="store_true")
    parser.add_argument("--prepare")
    parser.add_argument("--device", default=None)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--total", type=float, default=math.inf)
    parser.add_argument("--limit", type=float, default=5)
    parser.add_argument("--peers", default=None)
    parser.add_argument("--out")
    parser.add_argument("--before")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--brief", action="store_true")
    parser.add_argument("--special", action="store_true")
    parser.add_argument("--work", action="store_true")
    options = parser.parse_intermixed_args()
    device = options.device or ("sim" if options.check else "cuda")
    chosen = bodies(os.path.join(HERE, "zoo"), options.pattern)
    folder, good = options.build, True
    if options.check and device == "cuda":
        load_cupy()  # nothing is compiled where it is missing
    if os.path.exists(os.path.join(folder, "ufc")) and not options.work:
        target = options.prepare or os.path.join(folder, "zoo-" + ("host" if device == "cpu" else "gpu"))
        one = [Body(os.path.join(HERE, "zoo", "copy.uf"))]
        made = [] if options.called else chosen + [b for b in one if not b.matches(options.pattern)]
        good = prepare(folder, target, device, made, not options.prepare)
        if options.prepare:
            for script in ("zoo.py", "zoo_body.py", "zoo_library.py", "zoo_time.py"):
                shutil.copy(os.path.join(HERE, script), target)
            shutil.copytree(os.path.join(HERE, "zoo"), os.path.join(target, "zoo"), dirs_exist_ok=True)
            return good
        folder = target
    if options.check:
        return check(folder, device, chosen, options.called) and good
    peers = ((Host if device == "cpu" else Gpu).peers if options.peers is None
             else [p for p in options.peers.split(",") if p])
    if options.work:
        return work(folder, device, chosen, peers, options.seconds, options.special)
    options.limit += 10 * len(peers)
    arguments = [folder, options.pattern, "--device=" + device, f"--seconds={options.seconds}",
                 "--peers=" + ",".join(peers)] + ["--special"] * options.special
    return bench(options, folder, device, chosen, arguments)


if __name__ == "__main__":
    sys.exit(0 if main() is not False else 1)
