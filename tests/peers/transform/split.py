# SPDX-License-Identifier: Apache-2.0
"""Test cases of the Python package `onnx` for operators that stand for several, each written as these by us.

Outputs of both in onnxruntime on the inputs of the case are equal to 1e-5, in 16 bits to 5e-3. What is left as it was is
listed with the reason. Writes split.md.
Usage: split.py DUOSCOPE_CLI. Needs: pip install onnx onnxruntime numpy.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
import onnxruntime
from onnx.backend.test.case.node import collect_testcases

onnxruntime.set_default_logger_severity(4)
TABLE = pathlib.Path(__file__).with_name("split.md")
PASSES = {"Attention": "split-attention", "Gelu": "split-activations", "Gemm": "split-gemm", "GroupNormalization": "split-norms",
          "HardSwish": "split-activations", "LayerNormalization": "split-norms", "Mish": "split-activations",
          "RMSNormalization": "split-norms", "Swish": "split-activations"}


def outputs(path, feeds):
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"]).run(None, feeds)


def are_near(wanted, got):
    for a, b in zip(wanted, got):
        bound = 5e-3 if a.dtype == numpy.float16 else 1e-5
        if a.shape != b.shape or not numpy.allclose(a.astype(float), b.astype(float), bound, bound, equal_nan=True):
            return False
    return True


def outcome(cli, case, op_type, folder):
    source, target = folder / "source.onnx", folder / "target.onnx"
    onnx.save(case.model, source)
    feeds = {value.name: array for value, array in zip(case.model.graph.input, case.data_sets[0][0])}
    try:
        wanted = outputs(source, feeds)
    except Exception:
        return "the engine does not run it"
    made = subprocess.run([cli, "transform", str(source), "--static-shapes", "--enable", PASSES[op_type], "-o", str(target),
                           "--json", "--quiet"], capture_output=True, text=True)
    if made.returncode != 0:
        return "refused: " + made.stderr.strip()
    skipped = [each["why"] for row in json.loads(made.stdout)["passes"] if row["id"] == PASSES[op_type] for each in row["skipped"]]
    if not are_near(wanted, outputs(target, feeds)):
        return f"DIFFERS ({case.name})"
    if any(node.op_type == op_type for node in onnx.load(target).graph.node):
        return "left: " + (skipped[0] if skipped else "no word")
    return "written, equal"


def main():
    cli = sys.argv[1]
    warnings.simplefilter("ignore")
    lines = []
    cases = collect_testcases(None)
    for op_type in PASSES:
        counts = collections.Counter()
        for case in cases:
            if case.model is not None and "expanded" not in case.name and case.model.graph.node[0].op_type == op_type:
                with tempfile.TemporaryDirectory() as folder:
                    counts[outcome(cli, case, op_type, pathlib.Path(folder))] += 1
        lines += [f"| {op_type} | {count} | {what} |" for what, count in counts.most_common()]
    print("\n".join(lines))
    TABLE.write_text("\n".join([
        "# Operators written as several", "",
        f"Made by `split.py` with onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}; what is compared stands there.",
        "", "| operator | cases | outcome |", "|---|--:|---|", *lines]) + "\n")


main()
