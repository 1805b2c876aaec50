#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists of a configuration in ONNX Runtime's quantizer, which Olive and winml-cli run: does it quantize what the plan says?

Usage: taken_config.py DUOSCOPE_CLI FLOAT.onnx... ; needs onnx and onnxruntime. Prints a row for each model: Conv, MatMul
and Gemm that the plan quantizes, that the tool quantized with the lists, and that both did.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

HEAVY = ("Conv", "MatMul", "Gemm")


class OneSample(CalibrationDataReader):
    """Normal numbers; sizes that are open are 1 in front, 3 behind that, 48 further back."""

    def __init__(self, path):
        draw = numpy.random.RandomState(0)
        feed = {}
        for port in onnxruntime.InferenceSession(path).get_inputs():
            shape = [size if isinstance(size, int) and size > 0 else (1, 3, 48, 48, 48)[axis] for axis, size in enumerate(port.shape)]
            feed[port.name] = draw.randn(*shape).astype(numpy.float32) if "float" in port.type else numpy.ones(
                shape, numpy.int32 if "int32" in port.type else numpy.int64)
        self.left = [feed]

    def get_next(self):
        return self.left.pop() if self.left else None


def said(*arguments):
    return json.loads(subprocess.run(list(arguments), capture_output=True, text=True, check=True).stdout)


def quantized_by_tool(path, config, out):
    types = {"int8": QuantType.QInt8, "uint8": QuantType.QUInt8}
    quantize_static(path, out, OneSample(path), quant_format=QuantFormat.QDQ, per_channel=config["per_channel"],
        op_types_to_quantize=config["op_types_to_quantize"], nodes_to_exclude=config["nodes_to_exclude"],
        activation_type=types[config["activation_type"]], weight_type=types[config["precision"]],
        extra_options={"WeightSymmetric": config["weight_symmetric"], "ActivationSymmetric": config["activation_symmetric"]})
    nodes = onnx.load(out).graph.node
    maker = {output: node.op_type for node in nodes for output in node.output}
    return {node.name for node in nodes
            if node.op_type in HEAVY and all(maker.get(read) == "DequantizeLinear" for read in node.input[:2])}


def main():
    cli = sys.argv[1]
    print("| model | the plan | the tool | both |")
    print("|---|---|---|---|")
    for path in sys.argv[2:]:
        config = said(cli, "convert-state", path, "--to", "olive")["passes"]["quantization"]
        plan = said(cli, "plan", path, "--json")["decisions"]
        heavy = {node.name for node in onnx.load(path, load_external_data=False).graph.node if node.op_type in HEAVY}
        ours = {node["node"] for node in plan if node["state"] == "quantized"} & heavy
        with tempfile.TemporaryDirectory() as folder:
            theirs = quantized_by_tool(path, config, os.path.join(folder, "q.onnx"))
        print(f"| {os.path.basename(path)} | {len(ours)} | {len(theirs)} | {len(ours & theirs)} |", flush=True)


if __name__ == "__main__":
    main()
