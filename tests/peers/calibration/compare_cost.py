# SPDX-License-Identifier: Apache-2.0
"""Time and peak memory of quantizing one model with the same samples by Duoscope, ONNX Runtime and NNCF.

Usage: python compare_cost.py DUOSCOPE_CLI SAMPLES MODEL.onnx [MODEL.onnx ...] [--python OTHER] > compare_cost.md
Every run is a process of its own; of the runs of one tool the least of each number counts. CPU seconds say the same on a
busy machine, where the wall clock does not. `--python`: an interpreter that has nncf. Needs numpy, onnx, onnxruntime."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

RUNS = 2
VERSIONS = "import nncf, onnxruntime, onnx; print('onnxruntime', onnxruntime.__version__, 'nncf', nncf.__version__, 'onnx', onnx.__version__)"

ORT = """
import sys, time, json
import numpy
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
class Reader(CalibrationDataReader):
    def __init__(self, path):
        data = numpy.load(path)
        count = len(next(iter(data.values())))
        self.feeds = iter([{name: array[i:i + 1] for name, array in data.items()} for i in range(count)])
    def get_next(self):
        return next(self.feeds, None)
model, data, target, method = sys.argv[1:5]
start = time.perf_counter()
quant_pre_process(model, target + ".prepared.onnx")
quantize_static(target + ".prepared.onnx", target, Reader(data), quant_format=QuantFormat.QDQ, per_channel=True,
                activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                calibrate_method=getattr(CalibrationMethod, method), extra_options={"WeightSymmetric": True})
print(json.dumps({"work": time.perf_counter() - start}))
"""

NNCF = """
import sys, time, json
import numpy, onnx, nncf
model, data, target, kind = sys.argv[1:5]
start = time.perf_counter()
arrays = numpy.load(data)
count = len(next(iter(arrays.values())))
feeds = [{name: array[i:i + 1] for name, array in arrays.items()} for i in range(count)]
proto = onnx.load(model)
transformer = nncf.ModelType.TRANSFORMER if kind == "transformer" else None
result = nncf.quantize(proto, nncf.Dataset(feeds), subset_size=count, model_type=transformer)
onnx.save(result, target)
print(json.dumps({"work": time.perf_counter() - start}))
"""


def run(command, log):
    """Wall seconds, CPU seconds, wall seconds of the work alone, peak memory in MB; nothing where it fails."""
    start = time.perf_counter()
    with open(log, "wb") as err:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err)
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code != 0 and not (code == 1 and "quantize" in command):  # 1: done, with findings
        return None
    lines = [line for line in out.decode().splitlines() if line.startswith('{"work"')]
    work = json.loads(lines[-1])["work"] if lines else seconds
    return seconds, usage.ru_utime + usage.ru_stime, work, usage.ru_maxrss / 1024


def best(command, log):
    runs = [run(command, log) for _ in range(RUNS)]
    runs = [r for r in runs if r]
    if not runs:
        return None
    return tuple(min(column) for column in zip(*runs))


def samples_for(model, count, path):
    import numpy
    import onnx
    proto = onnx.load(model, load_external_data=False)
    constants = {tensor.name for tensor in proto.graph.initializer}
    random = numpy.random.default_rng(0)
    arrays = {}
    for value in proto.graph.input:
        if value.name in constants:
            continue
        tensor = value.type.tensor_type
        dims = [d.dim_value or (1 if i == 0 else 32) for i, d in enumerate(tensor.shape.dim)]
        dims[0] = count
        if tensor.elem_type == onnx.TensorProto.FLOAT:
            arrays[value.name] = random.standard_normal(dims).astype(numpy.float32)
        else:
            arrays[value.name] = random.integers(0, 2, dims).astype(numpy.int64)
    numpy.savez(path, **arrays)


def recipe(folder, estimator):
    path = folder / f"{estimator}.json"
    path.write_text(json.dumps({"format": "duoscope-recipe", "version": 1,
                                "quantization": {"activations_range_estimator_params": estimator}}))
    return str(path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("samples", type=int)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    print("# Quantizing by Duoscope, ONNX Runtime and NNCF: time and peak memory\n")
    peers = subprocess.run([options.python, "-c", VERSIONS], capture_output=True, text=True).stdout.strip().splitlines()[-1]
    own = subprocess.run([options.cli, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{own}; {peers}. {options.samples} random samples, batch 1, {os.cpu_count()} CPUs, load "
          f"{os.getloadavg()[0]:.1f} at the start; made by `compare_cost.py`. `seconds`: wall clock of the whole process, "
          f"`CPU`: its CPU seconds, `work`: wall clock without starting Python and importing, least of {RUNS} each; memory: "
          "peak resident, whole process. NNCF and Duoscope with fast bias correction, ONNX Runtime has none. Ratios are to "
          "the Duoscope run with the same estimator (NNCF: with extremes).\n")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model in options.models:
            kind = "transformer" if "encoder" in model or "transformer" in model or "bert" in model else "other"
            data = str(folder / "data.npz")
            samples_for(model, options.samples, data)
            target = str(folder / "out.onnx")
            log = str(folder / "log")
            print(f"\n## {pathlib.Path(model).stem}\n\n| tool | seconds | CPU | work | peak MB | times the seconds | times the CPU "
                  "| times the memory |\n|---|---|---|---|---|---|---|---|")
            ours = {}
            cli = [options.cli, "quantize", model, "--data", data, "-o", target, "--quiet"]
            rows = [("duoscope, extremes", cli + ["--no-cache"], "MinMax"),
                    ("duoscope, percentile", cli + ["--no-cache", "--recipe", recipe(folder, "PERCENTILE")], "Percentile"),
                    ("duoscope, entropy", cli + ["--no-cache", "--recipe", recipe(folder, "ENTROPY")], "Entropy")]
            ort = [options.python, "-c", ORT, model, data, target]
            rows += [(f"onnxruntime, {m}", ort + [m], m) for m in ("MinMax", "Percentile", "Entropy")]
            rows += [("nncf", [options.python, "-c", NNCF, model, data, target, kind], "MinMax")]
            for title, command, method in rows:
                result = best(command, log)
                if result is None:
                    reason = pathlib.Path(log).read_text(errors="replace").strip().splitlines()
                    print(f"| {title} | failed: {reason[-1][:120] if reason else '?'} | | | | | | |", flush=True)
                    continue
                seconds, cpu, work, memory = result
                base = ours.setdefault(method, result)
                print(f"| {title} | {seconds:.2f} | {cpu:.2f} | {work:.2f} | {memory:.0f} | {work / base[2]:.1f} | "
                      f"{cpu / base[1]:.1f} | {memory / base[3]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
