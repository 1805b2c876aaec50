#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models that other tools quantized: is every quantizer recovered, and is the model without them the float model?

Usage: recovered.py DUOSCOPE_CLI FLOAT.onnx=QUANTIZED.onnx... > recovered.md
Needs numpy, onnx and onnxruntime. The truth is read from the file's own scales and zero points with the onnx package;
how far the outputs are from those of the float model is measured on 8 seeded samples.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

# Where codes, scale and zero point stand, by operator; the last is what the operator gives (scale, zero point).
PORTS = {
    "QLinearConv": ([(3, 4, 5)], (6, 7)), "QLinearMatMul": ([(0, 1, 2), (3, 4, 5)], (6, 7)),
    "QGemm": ([(3, 4, 5)], (7, 8)), "QLinearAdd": ([(0, 1, 2), (3, 4, 5)], (6, 7)),
    "QLinearMul": ([(0, 1, 2), (3, 4, 5)], (6, 7)), "QLinearLeakyRelu": ([], (3, 4)), "QLinearSigmoid": ([], (3, 4)),
    "QLinearSoftmax": ([], (3, 4)), "QLinearAveragePool": ([], (3, 4)), "QLinearGlobalAveragePool": ([], (3, 4)),
    "QLinearConcat": ([], (0, 1)), "QLinearWhere": ([(1, 2, 3), (4, 5, 6)], (7, 8)),
}


def packed(node, constants):
    """Scales and zero points of blocks as DequantizeLinear has them: [blocks of K, N], which the node keeps as [N, blocks]."""
    facts = {a.name: a.i for a in node.attribute}
    bits, rows = facts.get("bits", 4), facts["N"]
    blocks = -(-facts["K"] // facts["block_size"])
    scales = constants[node.input[2]].astype(np.float32).reshape(rows, blocks)
    zeros = np.full((rows, blocks), 1 << (bits - 1), np.int64)
    if len(node.input) > 3 and node.input[3]:
        bytes_of_row = constants[node.input[3]].reshape(rows, -1)
        codes = [(bytes_of_row >> (bits * i)) & ((1 << bits) - 1) for i in range(8 // bits)]
        zeros = np.stack(codes, -1).reshape(rows, -1)[:, :blocks].astype(np.int64)
    return tuple(scales.T.ravel().tolist()), tuple(zeros.T.ravel().tolist())


def truth(path):
    """(scale, zero point) of every quantizer, sorted."""
    model = onnx.load(path)
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant" and node.attribute[0].name == "value":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    found = []

    def add(node, scale, zero):
        if scale >= len(node.input) or node.input[scale] not in constants:
            return
        scales = constants[node.input[scale]].astype(np.float32).ravel()
        has_zero = zero < len(node.input) and node.input[zero]
        zeros = constants[node.input[zero]].astype(np.int64).ravel() if has_zero else np.zeros(len(scales), np.int64)
        found.append((tuple(scales.tolist()), tuple(zeros.tolist())))

    for node in model.graph.node:
        if node.op_type == "QuantizeLinear" or (node.op_type == "DequantizeLinear" and node.input[0] in constants):
            add(node, 1, 2)
        elif node.op_type == "MatMulNBits":
            found.append(packed(node, constants))
        elif node.op_type in PORTS:
            ports, result = PORTS[node.op_type]
            for codes, scale, zero in ports:
                if node.input[codes] in constants:
                    add(node, scale, zero)
            add(node, *result)
    return sorted(found)


def feeds_of(session, seed):
    rng = np.random.default_rng(seed)
    feeds = {}
    for put in session.get_inputs():
        shape = [d if isinstance(d, int) and d > 0 else (1 if i == 0 else 32) for i, d in enumerate(put.shape)]
        feeds[put.name] = (rng.standard_normal(shape).astype(np.float32) if "float" in put.type
                           else rng.integers(0, 20, shape).astype(np.int64))
    return feeds


def sqnr(float_path, other_path):
    first = onnxruntime.InferenceSession(float_path, providers=["CPUExecutionProvider"])
    second = onnxruntime.InferenceSession(other_path, providers=["CPUExecutionProvider"])
    signal = noise = 0.0
    for seed in range(8):
        feeds = feeds_of(first, seed)
        for a, b in zip(first.run(None, feeds), second.run(None, feeds)):
            if a.dtype.kind == "f":
                signal += float(np.square(a.astype(np.float64)).sum())
                noise += float(np.square(a.astype(np.float64) - b).sum())
    return 10 * np.log10(signal / noise) if noise else float("inf")


def distance(float_path, other_path):
    try:
        return f"{sqnr(float_path, other_path):.1f}"
    except Exception:  # of onnxruntime, whose types have no common base
        return "does not run"


def row(cli, float_path, path, folder):
    out = os.path.join(folder, "float.onnx")
    run = subprocess.run([cli, "dequantize", path, "-o", out, "--json"], capture_output=True, text=True)
    if not run.stdout:
        return f"| {os.path.basename(path)} | {run.stderr.strip()} | | | | |"
    report = json.loads(run.stdout)
    wanted = truth(path)
    got = sorted((tuple(np.float32(s).item() for s in q["scale"]), tuple(q["zero_point"]))
                 for q in report["quantizers"] if q["scale"] and q["role"] != "bias" and q["form"] in ("pair", "codes", "operator", "packed"))
    biases = sorted((tuple(np.float32(s).item() for s in q["scale"]), tuple(q["zero_point"]))
                    for q in report["quantizers"] if q["role"] == "bias" and q["form"] == "codes")
    equal = sorted(got + biases) == wanted
    left = [n.op_type for n in onnx.load(out).graph.node
            if "Quantize" in n.op_type or n.op_type.startswith("QLinear") or n.op_type.endswith(("Integer", "NBits"))]
    before, after = distance(float_path, path), distance(float_path, out)
    return (f"| {os.path.basename(path)} | {len(report['quantizers'])} | "
            f"{'all' if equal else f'{len(got) + len(biases)} of {len(wanted)}'} | {len(report['not_recovered'])} | "
            f"{len(left)} | {before} → {after} |")


def main():
    cli = sys.argv[1]
    print("| file | quantizers | scales and zero points equal | not recovered | operators on codes left | SQNR to float, dB: as it is → dequantized |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for pair in sys.argv[2:]:
            float_path, path = pair.split("=")
            print(row(cli, float_path, path, folder), flush=True)


if __name__ == "__main__":
    main()
