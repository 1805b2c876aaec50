# SPDX-License-Identifier: Apache-2.0
"""Quantizes the sample models with ONNX Runtime's own Python tool: the yardstick for ours. Prints a table.

Usage: python quantize_samples.py [SAMPLES]   (u8 activations, s8 weights per channel, min-max, QDQ)"""
import logging
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "resources" / "samples"
MODELS = ("digits_conv.onnx", "digits_conv.dynamo.onnx", "digits_transformer.onnx", "digits_transformer.dynamo.onnx")
INT8_KERNELS = {"QLinearConv", "QGemm", "QLinearMatMul", "MatMulInteger", "MatMulIntegerToFloat"}
FLOAT_KERNELS = {"Conv", "FusedConv", "Gemm", "FusedGemm", "MatMul", "FusedMatMul"}


class ArrayReader(CalibrationDataReader):
    """Hands over one image at a time."""

    def __init__(self, images):
        self.feeds = iter([{"image": image[None]} for image in images])

    def get_next(self):
        return next(self.feeds, None)


def session(path, optimized=None):
    options = onnxruntime.SessionOptions()
    if optimized:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(optimized)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def accuracy(path, data):
    logits = session(path).run(None, {"image": data["image"]})[0]
    return 100 * float((logits.argmax(1) == data["labels"]).mean())


def int8_share(path, folder):
    """How many of the matrix operations run as int8 kernels in the graph that ONNX Runtime executes."""
    session(path, folder / "optimized.onnx")
    kinds = [node.op_type for node in onnx.load(folder / "optimized.onnx").graph.node]
    int8 = sum(kind in INT8_KERNELS for kind in kinds)
    return int8, int8 + sum(kind in FLOAT_KERNELS for kind in kinds)


def row(path, calibration, test, folder):
    prepared, int8 = folder / "prepared.onnx", folder / "int8.onnx"
    quant_pre_process(str(path), str(prepared))
    quantize_static(str(prepared), str(int8), ArrayReader(calibration["image"]), quant_format=QuantFormat.QDQ,
                    per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
    before, after = path.stat().st_size, int8.stat().st_size
    kernels, total = int8_share(int8, folder)
    return (f"| {path.name} | {accuracy(path, test):.2f} | {accuracy(int8, test):.2f} | {before} | {after} "
            f"| {before / after:.2f} | {kernels} of {total} |")


def main(samples):
    calibration, test = np.load(samples / "digits_calibration.npz"), np.load(samples / "digits_test.npz")
    print(f"onnxruntime {onnxruntime.__version__}, {len(calibration['image'])} calibration images, {len(test['labels'])} test images\n")
    print("| model | float % | int8 % | bytes | int8 bytes | ratio | int8 kernels |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            print(row(samples / name, calibration, test, pathlib.Path(folder)))


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES)
