# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/exports/functions.onnxscript.onnx: functions that call functions, as onnxscript writes them.

    write_functions.py OUT.onnx

Needs: onnx, onnxscript, numpy.
"""
import sys

import numpy as np
import onnx
from onnxscript import FLOAT, script
from onnxscript import opset18 as op
from onnxscript.values import Opset

library = Opset("my.lib", 1)


@script(library, default_opset=op)
def Gelu(x):
    c = op.Constant(value_float=0.7978845608)
    t = op.Tanh(c * (x + 0.044715 * x * x * x))
    return 0.5 * x * (1.0 + t)


@script(library, default_opset=op)
def Linear(x, w, b):
    return op.MatMul(x, w) + b


@script(library, default_opset=op)
def Leaky(x, alpha: float = 0.2):
    return op.LeakyRelu(x, alpha=alpha)


@script(library, default_opset=op)
def Block(x, w1, b1, w2, b2):
    h = Gelu(Linear(x, w1, b1))
    return Leaky(Linear(h, w2, b2), alpha=0.3) + x


@script(library, default_opset=op)
def main(
    x: FLOAT["N", 16],
    w1: FLOAT[16, 32],
    b1: FLOAT[32],
    w2: FLOAT[32, 16],
    b2: FLOAT[16],
    v1: FLOAT[16, 32],
    v2: FLOAT[32, 16],
) -> FLOAT["N", 16]:
    y = Block(x, w1, b1, w2, b2)
    z = Block(y, v1, b1, v2, b2)
    return op.Softmax(z)


def with_weights(model):
    random = np.random.default_rng(0)
    graph = model.graph
    for weight in list(graph.input)[1:]:
        dims = [dim.dim_value for dim in weight.type.tensor_type.shape.dim]
        values = (random.normal(size=dims).astype(np.float32)) * 0.2
        graph.initializer.append(onnx.numpy_helper.from_array(values, weight.name))
        graph.input.remove(weight)
    return model


if __name__ == "__main__":
    onnx.save(with_weights(main.to_model_proto()), sys.argv[1])
