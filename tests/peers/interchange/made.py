#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes float models in every form of ONNX Runtime's quantizer, with random samples: scales need not be good here.

Usage: made.py OUT_FOLDER FLOAT.onnx...    Needs numpy, onnx and onnxruntime.
"""
import os
import sys

import numpy as np
import onnx
import onnxruntime
from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, matmul_nbits_quantizer,
    quantize_dynamic, quantize_static)

# Of weights in blocks: bits, whether symmetric, and as what.
BLOCKS = ((4, True, "QOperator"), (4, False, "QOperator"), (8, True, "QOperator"), (8, False, "QOperator"),
    (2, True, "QOperator"), (2, False, "QOperator"), (4, True, "QDQ"), (4, False, "QDQ"))


class Random(CalibrationDataReader):
    def __init__(self, path, samples=8):
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        rng = np.random.default_rng(0)
        self.feeds = iter([{put.name: value(put, rng) for put in session.get_inputs()} for _ in range(samples)])

    def get_next(self):
        return next(self.feeds, None)


def value(put, rng):
    shape = [d if isinstance(d, int) and d > 0 else (1 if i == 0 else 32) for i, d in enumerate(put.shape)]
    return rng.standard_normal(shape).astype(np.float32) if "float" in put.type else rng.integers(0, 50, shape)


def attempt(target, make):
    try:
        make()
    except Exception as error:  # of the tool, about what it cannot do
        print(f"{os.path.basename(target)}: {str(error).splitlines()[0][:120]}")


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for path in sys.argv[2:]:
        base = os.path.join(folder, os.path.basename(path)[: -len(".onnx")])
        for form in ("QDQ", "QOperator"):
            for spread in ("pt", "pc"):
                target = f"{base}.{form}.{spread}.onnx"
                attempt(target, lambda: quantize_static(
                    path, target, Random(path), quant_format=QuantFormat[form], per_channel=spread == "pc",
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8))
        for kind in ("QInt8", "QUInt8"):
            target = f"{base}.dyn{kind}.onnx"
            attempt(target, lambda: quantize_dynamic(path, target, weight_type=QuantType[kind]))
        for bits, symmetric, form in BLOCKS:
            target = f"{base}.{'s' if symmetric else 'a'}{bits}.{form}.onnx"

            def pack():
                config = matmul_nbits_quantizer.DefaultWeightOnlyQuantConfig(block_size=32, is_symmetric=symmetric,
                    accuracy_level=0, quant_format=QuantFormat[form], bits=bits, op_types_to_quantize=("MatMul",))
                tool = matmul_nbits_quantizer.MatMulNBitsQuantizer(onnx.load(path), algo_config=config)
                tool.process()
                onnx.save(tool.model.model, target)

            attempt(target, pack)


if __name__ == "__main__":
    main()
