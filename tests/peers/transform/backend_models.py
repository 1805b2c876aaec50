# SPDX-License-Identifier: Apache-2.0
"""The small models that the Python package `onnx` ships with inputs, each transformed by us and run before and after.

Both run in onnxruntime with its own graph optimization off, on the inputs shipped with the model; the outputs must be
equal bit for bit, or within 1e-5 where a pass says that it keeps them to rounding only, and a second run of the transformation must change nothing. Writes backend_models.md.
Usage: backend_models.py DUOSCOPE_CLI [DATA]. DATA is onnx/backend/test/data of a package that has `node` in it (up to
onnx 1.16). Needs: pip install onnx onnxruntime numpy.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(4)
CLI = sys.argv[1]
DATA = pathlib.Path(sys.argv[2] if len(sys.argv) > 2
                    else pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data")
TABLE = pathlib.Path(__file__).with_name("backend_models.md")


def session(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def value(path, kind):
    data = path.read_bytes()
    if kind == "sequence_type":
        proto = onnx.SequenceProto()
        proto.ParseFromString(data)
        return numpy_helper.to_list(proto)
    if kind == "optional_type":
        proto = onnx.OptionalProto()
        proto.ParseFromString(data)
        return numpy_helper.to_optional(proto)
    proto = onnx.TensorProto()
    proto.ParseFromString(data)
    return numpy_helper.to_array(proto)


def feeds(folder, model):
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [each for each in model.graph.input if each.name not in constants]
    files = [(each, folder / f"input_{index}.pb") for index, each in enumerate(inputs)]
    return {each.name: value(file, each.type.WhichOneof("value")) for each, file in files if file.exists()}


def are_close(left, right):
    left, right = numpy.asarray(left), numpy.asarray(right)
    return left.dtype == right.dtype and left.shape == right.shape and numpy.allclose(left, right, 1e-5, 1e-6)


def are_equal(left, right):
    if isinstance(left, (list, dict)):
        return repr(left) == repr(right)
    left, right = numpy.asarray(left), numpy.asarray(right)
    return left.dtype == right.dtype and left.shape == right.shape and \
        (left.tobytes() == right.tobytes() if left.dtype != object else left.tolist() == right.tolist())


def transform(path, out):
    done = subprocess.run([CLI, "transform", str(path), "-o", str(out), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def outcome(path, folder, passes):
    report = transform(path, folder / "once.onnx")
    if isinstance(report, str):
        return "refused: " + report.split(":")[1].strip()
    applied = {each["id"]: each["applied"] for each in report["passes"] if each["applied"]}
    passes.update(applied)
    is_exact = all(each["exact"] or not each["applied"] for each in report["passes"])
    again = transform(folder / "once.onnx", folder / "twice.onnx")
    if isinstance(again, str) or any(each["applied"] for each in again["passes"]):
        return "a second run changes something"
    try:
        before = session(path)
    except Exception:
        return "the engine cannot run the original"
    try:
        after = session(folder / "once.onnx")
    except Exception as error:
        return "the engine cannot load the result: " + str(error).splitlines()[0][:120]
    ran = False
    for samples in sorted(path.parent.glob("test_data_set_*")):
        try:
            fed = feeds(samples, onnx.load(path))
            wanted = before.run(None, fed)
        except Exception:
            continue
        ran = True
        if not all(map(are_equal if is_exact else are_close, wanted, after.run(None, fed))):
            return "outputs differ"
    if not ran:
        return "the engine cannot run the original"
    return "equal, changed" if applied else "equal, nothing to do"


def main():
    counts = collections.Counter()
    passes = collections.Counter()
    named = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        for path in sorted(DATA.glob("*/*/model.onnx")):
            found = outcome(path, pathlib.Path(name), passes)
            counts[found] += 1
            if not found.startswith(("equal", "the engine cannot run the original")):
                named[found].append(path.parent.name)
    lines = ["# Shipped models, transformed", "",
             f"Made by `backend_models.py` with onnxruntime {onnxruntime.__version__} on the models of the package",
             "`onnx` 1.16.2: stage `common`, outputs compared bit for bit (to rounding where a pass says so), the engine's own optimization off.", "",
             "| models | outcome |", "|--:|---|"]
    lines += [f"| {count} | {found} |" for found, count in counts.most_common()]
    lines += ["", "| pass | nodes |", "|---|--:|"] + [f"| {each} | {count} |" for each, count in passes.most_common()]
    for found, models in named.items():
        lines += ["", f"{found}: " + ", ".join(models)]
    TABLE.write_text("\n".join(lines) + "\n")


main()
