#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small model with weights in blocks of 2, 4 and 8 bits, as ONNX Runtime's tool makes them (tests/data/blocks).

Usage: blocks.py OUT_FOLDER    Needs torch, onnx and onnxruntime.
"""
import sys

import onnx
import torch
from onnxruntime.quantization import QuantFormat, matmul_nbits_quantizer
from torch import nn

FORMS = ((4, True, "QOperator"), (4, False, "QOperator"), (2, True, "QOperator"), (8, False, "QOperator"),
    (4, True, "QDQ"))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(40, 24)
        self.b = nn.Linear(24, 12)

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


def main():
    folder = sys.argv[1]
    torch.manual_seed(3)
    path = f"{folder}/blocks.onnx"
    torch.onnx.export(Net().eval(), (torch.randn(1, 2, 40),), path, opset_version=17, dynamo=False, input_names=["x"],
        output_names=["y"], dynamic_axes={"x": {0: "b"}})
    for bits, symmetric, form in FORMS:
        config = matmul_nbits_quantizer.DefaultWeightOnlyQuantConfig(block_size=16, is_symmetric=symmetric,
            accuracy_level=0, quant_format=QuantFormat[form], bits=bits, op_types_to_quantize=("MatMul",))
        tool = matmul_nbits_quantizer.MatMulNBitsQuantizer(onnx.load(path), algo_config=config)
        tool.process()
        onnx.save(tool.model.model, f"{folder}/blocks.{form}.{'s' if symmetric else 'a'}{bits}.onnx")


if __name__ == "__main__":
    main()
