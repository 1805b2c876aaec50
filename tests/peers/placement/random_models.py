# SPDX-License-Identifier: Apache-2.0
"""Random networks of all operators and blocks that placement knows, for comparing with NNCF. Every data tensor is [1, 4, 8, 8]."""
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [1, 4, 8, 8]
UNARY = ["Relu", "LeakyRelu", "Sigmoid", "HardSigmoid", "Elu", "Selu", "Softmax", "Tanh", "Erf", "Exp", "Abs", "Floor",
         "Sqrt", "Reciprocal", "Identity", "Dropout", "Softplus", "Neg", "Sin"]
BINARY = ["Add", "Add", "Add", "Mul", "Mul", "Sub", "Div", "Max", "Min", "Sum", "Mean"]


class Builder:
    def __init__(self, seed, opset=13):
        self.random = random.Random(seed)
        self.opset = opset
        self.nodes, self.weights, self.inputs = [], [], []
        self.pool = []
        self.shared = {}

    def weight(self, *shape):
        name = f"w{len(self.weights)}"
        values = np.random.default_rng(len(self.weights)).standard_normal(shape).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def ints(self, *values):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def node(self, kind, inputs, outputs=1, **attributes):
        index = len(self.nodes)
        names = [f"t{index}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, f"{kind.lower()}_{index}", **attributes))
        return names[0] if outputs == 1 else names

    def pick(self):
        recent = self.pool[-6:]
        return self.random.choice(recent if self.random.random() < 0.85 else self.pool)

    def constant(self):
        shape = self.random.choice([(1,), (1, 4, 1, 1), (4, 8, 8)])
        if self.random.random() < 0.15:
            return self.node("Constant", [], value=numpy_helper.from_array(np.ones(shape, np.float32)))
        return self.weight(*shape)

    def same_size(self, x):
        """Any operator that keeps the shape."""
        return self.random.choice(BLOCKS)(self, x)


def conv(b, x, out=4, inp=4):
    kernel = b.random.choice([1, 3])
    group = b.random.choice([1, 1, 1, 4, 2]) if (out, inp) == (4, 4) else 1
    key = (kernel, group, out, inp)
    if key in b.shared and b.random.random() < 0.1:
        w = b.shared[key]
    else:
        w = b.shared[key] = b.weight(out, inp // group, kernel, kernel)
    if b.random.random() < 0.05:
        w = b.node("Identity", [w])
    bias = [b.weight(out)] if b.random.random() < 0.6 else []
    return b.node("Conv", [x, w, *bias], kernel_shape=[kernel] * 2, pads=[kernel // 2] * 4, group=group)


def conv_transpose(b, x):
    return b.node("ConvTranspose", [x, b.weight(4, 4, 1, 1)])


def batch_norm(b, x):
    return b.node("BatchNormalization", [x, b.weight(4), b.weight(4), b.weight(4), b.weight(4)])


def unary(b, x):
    return b.node(b.random.choice(UNARY), [x])


def relu(b, x):
    return b.node(b.random.choice(["Relu", "Relu", "LeakyRelu", "Sigmoid"]), [x])


def clip(b, x):
    return b.node("Clip", [x, b.weight()])


def with_constant(b, x):
    operands = [x, b.constant()]
    b.random.shuffle(operands)
    return b.node(b.random.choice(["Add", "Mul", "Sub", "Div", "Max", "Pow"]), operands)


def binary(b, x):
    return b.node(b.random.choice(BINARY), [x, b.pick()])


def swish(b, x):
    return b.node("Mul", [x, b.node(b.random.choice(["Sigmoid", "HardSigmoid"]), [x])])


def hard_swish(b, x):
    y = b.node("Mul", [x, b.node("Clip", [b.node("Add", [x, b.weight(1)]), b.weight(), b.weight()])])
    return b.node("Div", [y, b.weight(1)]) if b.random.random() < 0.7 else y


def gelu(b, x):
    y = b.node("Add", [b.node("Erf", [b.node("Div", [x, b.weight(1)])]), b.weight(1)])
    y = b.node("Mul", [x, y])
    return b.node("Mul", [y, b.weight(1)]) if b.random.random() < 0.6 else y


def norm(b, x):
    mean = b.node("ReduceMean", [x], axes=[-1])
    centred = b.node("Sub", [x, mean])
    variance = b.node("ReduceMean", [b.node("Pow", [centred, b.weight(1)])], axes=[-1])
    y = b.node("Div", [centred, b.node("Sqrt", [b.node("Add", [variance, b.weight(1)])])])
    return b.node("Add", [b.node("Mul", [y, b.weight(8)]), b.weight(8)]) if b.random.random() < 0.8 else y


def squeeze_excite(b, x):
    pool = b.node("GlobalAveragePool", [x]) if b.random.random() < 0.5 else b.node("ReduceMean", [x], axes=[2, 3])
    y = b.node("Conv", [pool, b.weight(2, 4, 1, 1), b.weight(2)])
    y = b.random.choice([relu, swish, hard_swish])(b, y)
    y = b.node("Conv", [y, b.weight(4, 2, 1, 1), b.weight(4)])
    return b.node("Mul", [b.node(b.random.choice(["Sigmoid", "HardSigmoid"]), [y]), x])


def concat(b, x):
    parts = [x] + [b.pick() for _ in range(b.random.randint(1, 3))]
    if b.random.random() < 0.15:
        parts.append(b.weight(1, 4, 8, 8))
    y = b.node("Concat", parts, axis=1)
    middle = b.random.random()
    if middle < 0.2:
        y = relu(b, y)
    elif middle < 0.35:
        y = b.node("MaxPool", [y], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    elif middle < 0.45:
        y = b.node("Concat", [y, b.pick()], axis=1)
        parts.append(x)
    if b.random.random() < 0.7:
        return b.node("Conv", [y, b.weight(4, 4 * len(parts), 1, 1)])
    return b.node("Slice", [y, b.ints(0), b.ints(4), b.ints(1)])


def split(b, x):
    left, right = b.node("Split", [x], outputs=2, axis=1)
    if b.random.random() < 0.6:
        right = relu(b, right)
    if b.random.random() < 0.4:
        left = b.node("Conv", [left, b.weight(2, 2, 1, 1)])
    return b.node("Concat", [left, right], axis=1)


def matmul(b, x):
    draw = b.random.random()
    if draw < 0.55:
        y = b.node("MatMul", [x, b.weight(8, 8)])
    elif draw < 0.65:
        y = b.node("MatMul", [b.weight(8, 8), x])
    elif draw < 0.75:
        y = b.node("MatMul", [x, b.node("Transpose", [b.weight(8, 8)], perm=[1, 0])])
    else:
        y = b.node("MatMul", [x, b.pick()])
    return b.node("Add", [y, b.weight(8)]) if b.random.random() < 0.5 else y


def gemm(b, x):
    flat = b.node("Reshape", [x, b.ints(32, 8)])
    y = b.node("Gemm", [flat, b.weight(8, 8), b.weight(8)], transB=b.random.randint(0, 1))
    return b.node("Reshape", [y, b.ints(*SHAPE)])


def attention(b, x):
    q, k, v = (b.node("MatMul", [x, b.weight(8, 8)]) for _ in range(3))
    scores = b.node("MatMul", [q, b.node("Transpose", [k], perm=[0, 1, 3, 2])])
    scores = b.node("Softmax", [b.node("Div", [scores, b.weight(1)])], axis=-1)
    moved = b.node("Transpose", [b.node("Transpose", [v], perm=[0, 1, 3, 2])], perm=[0, 1, 3, 2])
    return b.node("Add", [b.node("MatMul", [scores, moved if b.random.random() < 0.7 else v]), x])


def pool(b, x):
    return b.node(b.random.choice(["MaxPool", "AveragePool"]), [x], kernel_shape=[3, 3], pads=[1, 1, 1, 1])


def move(b, x):
    kind = b.random.choice(["Transpose", "Reshape", "Pad", "SpaceToDepth", "Unsqueeze", "Tile", "Gather", "Expand", "Resize", "ReduceMax"])
    if kind == "Transpose":
        return b.node("Transpose", [b.node("Transpose", [x], perm=[0, 2, 3, 1])], perm=[0, 3, 1, 2])
    if kind == "Reshape":
        return b.node("Reshape", [b.node("Reshape", [x, b.ints(1, 256)]), b.ints(*SHAPE)])
    if kind == "Pad":
        return b.node("Pad", [x, b.ints(*[0] * 8)])
    if kind == "SpaceToDepth":
        return b.node("DepthToSpace", [b.node("SpaceToDepth", [x], blocksize=2)], blocksize=2)
    if kind == "Unsqueeze":
        return b.node("Squeeze", [b.node("Unsqueeze", [x, b.ints(0)]), b.ints(0)])
    if kind == "Tile":
        return b.node("Tile", [x, b.ints(1, 1, 1, 1)])
    if kind == "Gather":
        return b.node("Gather", [x, b.ints(0, 1, 2, 3)], axis=1)
    if kind == "Expand":
        return b.node("Expand", [x, b.ints(1, 1, 1, 1)])
    if kind == "ReduceMax":
        return b.node("Add", [b.node("ReduceMax", [x], axes=[-1]), x])
    return b.node("Resize", [x, "", b.resize_scales()], mode=b.random.choice(["nearest", "linear"]))


def resize_scales(self):
    name = f"w{len(self.weights)}"
    self.weights.append(numpy_helper.from_array(np.ones(4, np.float32), name))
    return name


Builder.resize_scales = resize_scales


def linear_squeeze(b, x):
    y = b.node("MatMul", [x, b.weight(8, 1)])
    y = b.node("Squeeze", [y, b.ints(3)])
    if b.random.random() < 0.5:
        y = b.node("Add", [y, b.weight(8)])
    return b.node("Add", [b.node("Unsqueeze", [relu(b, y), b.ints(3)]), x])


def shaped(b, x):
    shape = b.node("Shape", [b.random.choice([x, b.pick()])])
    if b.random.random() < 0.4:
        shape = b.node("Mul", [shape, b.ints(1)])
    return b.node("Reshape", [x, shape])


def shape_scaled(b, x):
    size = b.node("Cast", [b.node("Gather", [b.node("Shape", [x]), b.ints(3)], axis=0)], to=TensorProto.FLOAT)
    return b.node("Div", [x, b.node("Sqrt", [size])])


def compared(b, x):
    flag = b.node(b.random.choice(["Greater", "Less", "Equal"]), [x, b.pick()])
    return b.node("Where", [flag, x, b.pick()])


def cast(b, x):
    kind = b.random.choice([TensorProto.FLOAT16, TensorProto.INT32])
    return b.node("Cast", [b.node("Cast", [x], to=kind)], to=TensorProto.FLOAT)


def top_k(b, x):
    values, indices = b.node("TopK", [x, b.ints(8)], outputs=2, axis=-1)
    return b.node("GatherElements", [x, indices], axis=-1) if b.random.random() < 0.5 else values


def quantized(b, x):
    scale, zero = b.weight(), f"w{len(b.weights)}"
    b.weights.append(numpy_helper.from_array(np.array(3, np.uint8), zero))
    return b.node("DequantizeLinear", [b.node("QuantizeLinear", [x, scale, zero]), scale, zero])


def rope(b, x):
    y = b.node("Transpose", [b.node("MatMul", [x, b.weight(8, 8)])], perm=[0, 1, 3, 2])
    y = b.node("Concat", [y, y], axis=1)
    y = b.node("Add", [b.node("Cos", [y]), b.node("Sin", [y])])
    return b.node("Slice", [y, b.ints(0), b.ints(4), b.ints(1)])


def sam(b, x):
    y = b.node("Mul", [b.node("MatMul", [x, b.weight(8, 8)]), b.weight(1)])
    y = b.node("Concat", [b.node("Cos", [y]), b.node("Sin", [y])], axis=1)
    return b.node("Slice", [y, b.ints(0), b.ints(4), b.ints(1)])


def embedding(b, x):
    rows = b.node("Gather", [b.weight(32, 8), "ids"], axis=0)
    rows = b.node("Reshape", [rows, b.ints(*SHAPE)])
    return b.node("Add", [rows, x]) if b.random.random() < 0.5 else b.node("Concat", [rows, x], axis=1) and rows


BLOCKS = ([conv] * 12 + [relu] * 5 + [unary] * 3 + [batch_norm] * 3 + [with_constant] * 4 + [binary] * 6 + [concat] * 5 + [matmul] * 5
          + [pool] * 2 + [move] * 4 + [split] * 2 + [swish, hard_swish, gelu, norm, squeeze_excite, gemm, attention, clip, conv_transpose,
             shaped, shape_scaled, compared, cast, top_k, linear_squeeze, quantized, rope, sam, embedding])


def random_model(seed, size=None):
    b = Builder(seed)
    b.pool = [f"x{i}" for i in range(b.random.randint(1, 2))]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in b.pool]
    inputs.append(helper.make_tensor_value_info("ids", TensorProto.INT64, [1, 4, 8]))
    for _ in range(size or b.random.randint(2, 14)):
        b.pool.append(b.same_size(b.pick()))
    read = {name for node in b.nodes for name in node.input}
    loose = [node.output[0] for node in b.nodes if len(node.output) == 1 and node.output[0] not in read and node.op_type != "Constant"]
    kept = [name for name in loose if b.random.random() < 0.8] or loose[-1:] or b.pool[-1:]
    if b.random.random() < 0.2:
        kept.append(b.pool[-2] if b.pool[-2] not in kept and not b.pool[-2].startswith("x") else kept[0])
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in dict.fromkeys(kept)]
    graph = helper.make_graph(b.nodes, f"random{seed}", inputs, outputs, b.weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", b.opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(model)
