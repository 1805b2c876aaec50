# SPDX-License-Identifier: Apache-2.0
"""Models of opsets below 13 that the Python package `onnx` ships with expected results, converted by us.

Each is exported with every node ignored, so that the conversion alone changes it, and run in onnxruntime: are the
results those of the test data, and bit for bit those of the original where onnxruntime runs it (from opset 7 on)?
Writes old_opsets.md. Usage: old_opsets.py DUOSCOPE_CLI. Needs: pip install onnx onnxruntime numpy.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper

onnxruntime.set_default_logger_severity(3)
DATA = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
TABLE = pathlib.Path(__file__).with_name("old_opsets.md")
IGNORE_ALL = {"format": "duoscope-recipe", "version": 1, "quantization": {},
              "rules": [{"action": "ignore", "kind": "pattern", "value": ".*"}]}


def opset_of(path):
    model = onnx.load(path, load_external_data=False)
    return max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=0)


def tensor(path):
    proto = onnx.TensorProto()
    proto.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(proto)


def session(path):
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])


def samples(folder, runner):
    """Feeds and expected results; made feeds without results where the model comes without data."""
    for data in sorted(folder.glob("test_data_set_*")):
        feeds = {port.name: tensor(data / f"input_{i}.pb") for i, port in enumerate(runner.get_inputs())}
        yield feeds, [tensor(data / f"output_{i}.pb") for i in range(len(runner.get_outputs()))]
    if not list(folder.glob("test_data_set_*")):
        made = numpy.random.default_rng(1)
        shapes = {port.name: [d if isinstance(d, int) else 1 for d in port.shape] for port in runner.get_inputs()}
        yield {name: made.standard_normal(shape).astype(numpy.float32) for name, shape in shapes.items()}, None


def equal(a, b):
    return a.shape == b.shape and numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def close(a, b):
    is_close = a.dtype.kind == "f" and a.shape == b.shape and numpy.allclose(a, b, rtol=1e-3, atol=1e-5, equal_nan=True)
    return is_close or equal(a, b)


def check(path, converted):
    """What came out: a line of the table."""
    runner = session(converted)
    try:
        original = session(path)
    except Exception:  # no kernel of this opset
        original = None
    verdicts = []
    for feeds, expected in samples(path.parent, runner):
        results = runner.run(None, feeds)
        if expected is not None and not all(map(close, expected, results)):
            return "results differ from the test data"
        if original is None:
            verdicts.append("as expected; the original does not run" if expected is not None else "not compared")
        elif all(map(equal, original.run(None, feeds), results)):
            verdicts.append("as expected, bit for bit the original's" if expected is not None
                            else "bit for bit the original's")
        else:
            return "results differ from the original's"
    return verdicts[0]


def main():
    counts = collections.Counter()
    remarks = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        recipe = folder / "ignore.recipe.json"
        recipe.write_text(json.dumps(IGNORE_ALL))
        for path in sorted(DATA.rglob("*.onnx")):
            opset = opset_of(path)
            if not 0 < opset < 13:
                continue
            target = folder / "converted.onnx"
            target.unlink(missing_ok=True)
            run = subprocess.run([sys.argv[1], "quantize", path, "--recipe", recipe, "--data", "random:1", "--no-cache",
                                  "-o", target], capture_output=True, text=True)
            if target.exists():
                outcome = check(path, target)
            else:
                outcome = "not exported"
                reason = re.sub(r"; give data.*|; name the.*|\. Name:.*", "", run.stderr.strip().splitlines()[-1])
                remarks.append(f"- {path.parent.name}: {reason}")
            counts[opset, outcome] += 1
    lines = ["# Models of old opsets", "",
             f"Made by `old_opsets.py` with onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}.", "",
             "| opset | models | outcome |", "|--:|--:|---|"]
    lines += [f"| {opset} | {number} | {outcome} |" for (opset, outcome), number in sorted(counts.items())]
    lines += ["", "Not exported, because the engine or random data cannot run them:", ""] + remarks
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
