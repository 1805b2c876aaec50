# SPDX-License-Identifier: Apache-2.0
"""Trained models quantized by Duoscope, ONNX Runtime's tool and NNCF: what is left of their answers, size, speed, cost.

Every tool gets the same calibration samples and its own defaults. Writes trained.md beside this file. Usage:
trained.py DUOSCOPE_CLI FOLDER [NAME...] [--nncf PYTHON]. FOLDER holds the packages as real_files.py unpacks them;
PYTHON has nncf (its dependencies want other versions). Needs numpy, pillow, scikit-image, onnx, onnxruntime, and for the
sentence encoder torch, transformers, tokenizers."""
import argparse
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).parent
ORT = """
import sys, pathlib, numpy as np
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
model, data, output = sys.argv[1:4]
class Reader(CalibrationDataReader):
    def __init__(self):
        self.files = iter(sorted(pathlib.Path(data).glob("*.npz")))
    def get_next(self):
        file = next(self.files, None)
        return None if file is None else dict(np.load(file))
ready = output + ".pre.onnx"
try:
    quant_pre_process(model, ready)
except Exception:
    quant_pre_process(model, ready, skip_symbolic_shape=True)
import onnxruntime
for attempt, per_channel in ((ready, True), (model, True), (ready, False), (model, False)):
    try:
        quantize_static(attempt, output, Reader(), quant_format=QuantFormat.QDQ, per_channel=per_channel,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
        onnxruntime.InferenceSession(output, providers=["CPUExecutionProvider"])
    except Exception as error:
        pathlib.Path(output).unlink(missing_ok=True)
        print(type(error).__name__, " ".join(str(error).split())[-90:])
        continue
    print("" if attempt == ready and per_channel else "not " + " ".join(
        ["preprocessed"] * (attempt != ready) + ["per channel"] * (not per_channel)))
    break
"""
NNCF = """
import sys, pathlib, numpy as np, onnx, nncf
model, data, output = sys.argv[1:4]
files = sorted(pathlib.Path(data).glob("*.npz"))
samples = [dict(np.load(f)) for f in files]
onnx.save(nncf.quantize(onnx.load(model), nncf.Dataset(samples), subset_size=len(samples)), output)
"""


# A process starts with the peak of the one that started it, so a small one has to.
LAUNCH = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, file=sys.stderr)
"""


def measured(command, log):
    """Exit code, CPU seconds and peak megabytes of a process with its children."""
    with open(log, "w") as out:
        subprocess.run([sys.executable, "-c", LAUNCH, *command], stdout=out, stderr=subprocess.STDOUT, check=True,
            cwd=log.parent) # some tools leave files where they run
    lines = log.read_text(errors="replace").strip().splitlines()
    log.write_text("\n".join(lines[:-1]))
    code, cpu, peak = lines[-1].split()
    return int(code), float(cpu), float(peak)


def save_samples(samples, folder):
    folder.mkdir()
    for i, sample in enumerate(samples):
        np.savez(folder / f"{i:05}.npz", **sample)


def session(path, threads=2):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def answers(path, samples):
    one = session(path)
    return [one.run(None, sample) for sample in samples]


def relative_speed(paths, samples, rounds=7):
    """How much faster each model is than the first, by the lower quartile of interleaved runs."""
    sessions = [session(path) for path in paths]
    seconds = [[] for _ in paths]
    chosen = samples[:6]
    for turn in range(rounds + 1):
        for i, one in enumerate(sessions):
            start = time.perf_counter()
            for sample in chosen:
                one.run(None, sample)
            if turn > 0:
                seconds[i].append(time.perf_counter() - start)
    quartiles = [np.percentile(taken, 25) for taken in seconds]
    return [quartiles[0] / taken for taken in quartiles]


def agreement(exact, outputs):
    """Signal to noise of the first output over all samples, in dB."""
    signal = sum(float(np.sum(np.square(a[0].astype(np.float64)))) for a in exact)
    noise = sum(float(np.sum(np.square(a[0].astype(np.float64) - b[0]))) if a[0].shape == b[0].shape else np.inf
                for a, b in zip(exact, outputs))
    return np.inf if noise == 0 else 10 * np.log10(signal / noise)


def remark(has_file, code, lines):
    """Our verdict, how often the other tool had to be asked, or why there is nothing."""
    verdicts = [line.split(None, 1)[1].split(":")[0] for line in lines if line.startswith("verdict ") and ":" in line]
    if verdicts:
        return verdicts[0] + (f" (exit {code})" if code else "")
    if code == 0 and has_file:
        return lines[-1] if lines and lines[-1].startswith("not ") else ""
    return f"exit {code}: {lines[-1][:100] if lines else ''}".replace("|", "/")


def compare(task, tools, scratch):
    data = scratch / "data"
    save_samples(task.calibration, data)
    made = []
    for tool, command in tools.items():
        output = scratch / f"{tool}.onnx"
        names = {"{model}": str(task.model), "{data}": str(data), "{output}": str(output)}
        code, cpu, peak = measured([names.get(part, part) for part in command], scratch / f"{tool}.log")
        text = (scratch / f"{tool}.log").read_text(errors="replace").strip().splitlines()
        made.append((tool, output if output.exists() else None, code, cpu, peak, remark(output.exists(), code, text)))
    runs = {task.model: answers(task.model, task.test)}
    for i, (tool, path, code, cpu, peak, last) in enumerate(made):
        if path:
            try:
                runs[path] = answers(path, task.test)
            except Exception as error:  # the engine's own classes of errors have no common base
                made[i] = (tool, None, code, cpu, peak, "the file does not load: " + " ".join(str(error).split())[-100:])
    speeds = dict(zip(runs, relative_speed(list(runs), task.test)))
    exact = runs[task.model]
    unit = "right" if task.truth else "as float"
    size = task.model.stat().st_size
    rows = [(task.name, "float", f"{100 * task.score(exact, exact):.1f} % {unit}", "", f"{size / 1e6:.1f}", "1.00", "", "", "")]
    for tool, path, code, cpu, peak, last in made:
        if path is None:
            rows.append((task.name, tool, "none", "", "", "", f"{cpu:.1f}", f"{peak:.0f}", last))
            continue
        rows.append((task.name, tool, f"{100 * task.score(exact, runs[path]):.1f} %", f"{agreement(exact, runs[path]):.1f}",
            f"{path.stat().st_size / 1e6:.1f}", f"{speeds[path]:.2f}", f"{cpu:.1f}", f"{peak:.0f}",
            last))
    return rows


HEAD = """# Trained models, three tools
Written by `trained.py`; what the models are asked is in `tasks.py`. **answers**: right ones where the truth is known, else those that
are the float model's. **SQNR** of the first output, over all test samples. **speed**: float is 1, ONNX Runtime's Python package, two threads, interleaved.
**CPU s** and **MB** of the whole quantizing process, Python's start and imports included where the tool is Python; of Duoscope's two
processes the megabytes of the larger. ONNX Runtime's tool is asked again, without preprocessing and then per tensor, where the
engine does not load what it wrote; the remark says so, and what Duoscope's own verdict was.

| task | tool | answers | SQNR dB | MB file | speed | CPU s | MB | remark |
|---|---|---|--:|--:|--:|--:|--:|---|
"""


def number(cell):
    return float(cell.split()[0])


def beside_peers(rows):
    """How each row of ours stands beside the peers' rows of the same task: lines for what a reader would look up."""
    worse, slower, larger = [], [], []
    tasks_of = list(dict.fromkeys(row[0] for row in rows))
    for task in tasks_of:
        ours = next((row for row in rows if row[:2] == (task, "Duoscope") and row[2] != "none"), None)
        peers = [row for row in rows if row[0] == task and row[1] not in ("float", "Duoscope") and row[2] != "none"]
        if ours is None:
            worse.append(f"{task}: no file")
            continue
        behind = max((number(row[2]) - number(ours[2]) for row in peers), default=0)
        if behind > 0.5:
            worse.append(f"{task}: {behind:.1f} points")
        fastest = max(peers, key=lambda row: number(row[5]), default=None)
        if fastest and number(fastest[5]) > 1.05 * number(ours[5]):
            slower.append(f"{task}: {fastest[1]} {fastest[5]} beside {ours[5]}, with {fastest[2]} beside {ours[2]} of the answers")
        if any(number(row[7]) < number(ours[7]) for row in peers):
            larger.append(task)
    said = lambda items: "; ".join(items) if items else "none"
    return [f"Over half a point below the better peer: {said(worse)}.",
        f"A peer's file is over 5 % faster: {said(slower)}.", f"A peer needs less memory: {said(larger)}."]


def machine(loads, nncf):
    """What the numbers were measured on, and beside how much else."""
    import onnxruntime
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    vnni = "with" if any("vnni" in line for line in lines) else "without"
    text = (f"{name} ({platform.machine()}, {vnni} VNNI), {os.cpu_count()} cores, load {min(loads):.1f} to {max(loads):.1f} "
        f"(runs are interleaved, so that it slows all alike); onnxruntime {onnxruntime.__version__}")
    if nncf:
        text += ", nncf " + subprocess.run([nncf, "-c", "import importlib.metadata as m; print(m.version('nncf'))"],
            capture_output=True, text=True).stdout.strip()
    return text


def write_table(rows, measured_on):
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    (HERE / "trained.md").write_text(
        "\n\n".join([HEAD + table, "\n".join(f"- {line}" for line in beside_peers(rows)), measured_on]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--nncf", help="a Python that has nncf")
    parser.add_argument("--only", help="this tool alone, for trying")
    options = parser.parse_args()
    sys.path.insert(0, str(HERE))
    from tasks import tasks
    tools = {"Duoscope": [str(pathlib.Path(options.cli).resolve()), "quantize", "{model}", "--data", "{data}", "--no-cache", "-o", "{output}"],
        "ONNX Runtime": [sys.executable, "-c", ORT, "{model}", "{data}", "{output}"]}
    if options.nncf:
        tools["NNCF"] = [options.nncf, "-c", NNCF, "{model}", "{data}", "{output}"]
    if options.only:
        tools = {options.only: tools[options.only]}
    rows, loads = [], []
    for name, make in tasks(options.folder.resolve()):
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            for row in compare(make(name), tools, pathlib.Path(scratch)):
                rows.append(row)
                print("| " + " | ".join(row) + " |", flush=True)
        loads.append(os.getloadavg()[0])
    if not options.names and not options.only:
        write_table(rows, machine(loads, options.nncf))


if __name__ == "__main__":
    main()
