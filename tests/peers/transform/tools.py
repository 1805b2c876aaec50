# SPDX-License-Identifier: Apache-2.0
"""Models transformed by us, by onnxslim, by onnxsim and by ONNX Runtime's offline extended optimization, side by side.

Counts nodes without Constant; names kept: of the nodes left, how many have a name that the original has; scopes kept:
of the nodes left, how many stand in the execution scope that the original has for their name. CPU seconds, the least of
three, are those of whole commands from file to file with all that they start, and beside them of the others' call alone,
without the start of Python, reading and writing. Ours is held against both: the second leaves out for them what it
counts for us. Of a run the least of 50 with one thread, which other work on the machine moves least. Outputs on drawn
inputs are compared with those of the original. Ours and the others hold for the sizes of the file (--static-shapes).
Writes tools.md.
Usage: tools.py DUOSCOPE_CLI MODEL... Needs: pip install onnx onnxruntime onnxslim onnxsim numpy.
"""
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(4)
TABLE = pathlib.Path(__file__).with_name("tools.md")
TYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(bool)": numpy.bool_,
         "tensor(int32)": numpy.int32}
CALLS = {
    "onnxslim": "import onnxslim; model = onnx.load(source); start(); model = onnxslim.slim(model); stop(); onnx.save(model, target)",
    "onnxsim": "import onnxsim; model = onnx.load(source); start(); model, _ = onnxsim.simplify(model); stop(); onnx.save(model, target)",
    "onnxruntime": "import onnxruntime as ort; o = ort.SessionOptions(); o.optimized_model_filepath = target; "
                   "o.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED; o.intra_op_num_threads = 1; "
                   "start(); ort.InferenceSession(source, o, providers=['CPUExecutionProvider']); stop()",
}
PRELUDE = """
import sys, time, onnx
source, target = sys.argv[1:]
at = [0.0]
def start(): at[0] = time.process_time()
def stop(): print("CPU", time.process_time() - at[0])
"""


def timed(command):
    """What a command prints, and the CPU seconds of it and all that it starts; nothing where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost(command):
    """The least of three: CPU seconds of the command, and of the call in it where it tells them."""
    runs = [timed(command) for _ in range(3)]
    if None in runs:
        return None
    calls = [float(line.split()[1]) for out, _ in runs for line in out.splitlines() if line.startswith("CPU ")]
    return min(seconds for _, seconds in runs), min(calls, default=None)


def command_of(cli, tool, source, target):
    if tool == "duoscope":
        return [cli, "transform", source, "--static-shapes", "-o", target]
    return [sys.executable, "-c", PRELUDE + CALLS[tool], source, target]


def nodes(path):
    return [node for node in onnx.load(path, load_external_data=False).graph.node if node.op_type != "Constant"]


def scopes(cli, path):
    done = subprocess.run([cli, "scopes", path, "--json"], capture_output=True, text=True)
    found = {}
    if done.returncode == 0:
        for node in json.loads(done.stdout)["nodes"]:
            found[node["name"]] = node["execution"]
    return found


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def drawn(running):
    numbers = numpy.random.default_rng(1)
    feeds = {}
    for each in running.get_inputs():
        shape = [size if isinstance(size, int) else 1 for size in each.shape]
        kind = TYPES[each.type]
        is_float = kind == numpy.float32
        feeds[each.name] = (numbers.standard_normal(shape) if is_float else numbers.integers(0, 2, shape)).astype(kind)
    return feeds


def milliseconds(running, feeds):
    times = []
    for _ in range(50):
        at = time.perf_counter()
        running.run(None, feeds)
        times.append((time.perf_counter() - at) * 1000)
    return min(times)


def distance(wanted, got):
    worst = 0.0
    for a, b in zip(wanted, got):
        if a.size:
            scale = max(float(numpy.abs(a.astype(numpy.float64)).max()), 1e-9)
            worst = max(worst, float(numpy.abs(a.astype(numpy.float64) - b.astype(numpy.float64)).max()) / scale)
    return worst


def row(cli, tool, source, target, original, known, feeds, wanted):
    seconds = cost(command_of(cli, tool, source, target))
    if seconds is None:
        return f"| | {tool} | refused | | | | | | |"
    whole, call = seconds
    left = nodes(target)
    names = {node.name for node in nodes(source) if node.name}
    kept = sum(node.name in names for node in left)
    now = scopes(cli, target)
    same = sum(node.name in known and known[node.name] == now.get(node.name) for node in left)
    try:
        running = session(target)
        got = running.run(None, feeds)
        run, far = f"{milliseconds(running, feeds):.2f}", f"{distance(wanted, got):.0e}"
    except Exception as error:
        run, far = "fails", str(error).splitlines()[0][:40]
    share = lambda count: f"{100 * count / max(1, len(left)):.0f} %"
    return f"| | {tool} | {len(left)} | {share(kept)} | {share(same)} | {whole:.3f} | {'' if call is None else f'{call:.3f}'} | {run} | {far} |", len(left), whole, call


def main():
    cli, *models = sys.argv[1:]
    lines = []
    fewer = faster = faster_call = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in models:
            running = session(source)
            feeds = drawn(running)
            wanted = running.run(None, feeds)
            original = len(nodes(source))
            known = scopes(cli, source)
            lines.append(f"| {pathlib.Path(source).name.split('.')[0]} | | {original} | | | | | {milliseconds(running, feeds):.2f} | |")
            counts = {}
            for tool in ["duoscope", *CALLS]:
                made = row(cli, tool, source, str(pathlib.Path(folder) / "out.onnx"), original, known, feeds, wanted)
                if isinstance(made, tuple):
                    lines.append(made[0])
                    counts[tool] = made[1:]
                else:
                    lines.append(made)
            if "duoscope" in counts and "onnxslim" in counts:
                (ours, mine, _), (slim, whole, call) = counts["duoscope"], counts["onnxslim"]
                fewer += ours <= slim
                faster += whole >= 5 * mine
                faster_call += call >= 5 * mine
            print("\n".join(lines[-5:]), flush=True)
    import onnxsim
    import onnxslim
    TABLE.write_text("\n".join([
        "# Transformed beside other tools", "",
        f"Made by `tools.py` with onnxslim {onnxslim.__version__}, onnxsim {onnxsim.__version__} and onnxruntime"
        f" {onnxruntime.__version__}, on torch.onnx exports.",
        "What the columns mean stands there. The machine did other work: only times of one model are to be compared.", "",
        f"Nodes not more than onnxslim's: {fewer} of {len(models)} models. At least 5 times faster than it: {faster}, command"
        f" beside command; {faster_call}, our whole command beside its call alone.", "",
        "| model | tool | nodes | names kept | scopes kept | CPU s | of the call | run ms | outputs differ by |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|"] + lines) + "\n")


main()
