# SPDX-License-Identifier: Apache-2.0
"""Small graphs that each show one rule of placement: branches, weights of every kind, shapes, integers, attention, tables."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper, shape_inference


class Graph:
    def __init__(self, opset=13):
        self.opset, self.nodes, self.tensors, self.inputs, self.outputs = opset, [], [], [], []

    def input(self, name, *shape, kind=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def weight(self, *shape, kind=np.float32):
        values = np.random.default_rng(len(self.tensors)).standard_normal(shape).astype(kind)
        return self.constant(values)

    def constant(self, values):
        self.tensors.append(numpy_helper.from_array(np.asarray(values), f"c{len(self.tensors)}"))
        return self.tensors[-1].name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def add(self, kind, *inputs, outputs=1, **attributes):
        names = [f"v{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, f"{kind}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def conv(self, x, out=8, inp=8, kernel=3, group=1):
        return self.add("Conv", x, self.weight(out, inp // group, kernel, kernel), self.weight(out), pads=[kernel // 2] * 4, group=group)

    def model(self, *outputs, kind=TensorProto.FLOAT):
        infos = [helper.make_tensor_value_info(name, kind, None) for name in outputs]
        graph = helper.make_graph(self.nodes, "synthetic", self.inputs, infos, self.tensors)
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8 if self.opset < 21 else 10)
        made = shape_inference.infer_shapes(made)
        return made


def linear():
    g = Graph()
    x = g.add("Relu", g.add("BatchNormalization", g.conv(g.input("x", 1, 3, 10, 10), 32, 3), *(g.weight(32) for _ in range(4))))
    return g.model(g.add("MatMul", g.add("Squeeze", g.add("GlobalAveragePool", x), g.ints(2, 3)), g.weight(32, 4)))


def several_inputs_and_outputs():
    g = Graph()
    a, b, c = (g.input(name, 1, 6, 3, 3) for name in "abc")
    ab = g.add("Add", a, b)
    return g.model(g.add("Concat", ab, c, axis=1), ab)


def integer_edges():
    g = Graph()
    x = g.conv(g.input("x", 1, 3, 10, 10), 8, 3)
    size = g.add("Cast", g.add("Gather", g.add("Shape", x), g.ints(2), axis=0), to=TensorProto.FLOAT)
    shape = g.add("Concat", g.ints(1, 8), g.ints(-1), axis=0)
    return g.model(g.add("Conv", g.add("Reshape", g.add("Reshape", x, shape), g.ints(1, 8, 10, 10)), g.weight(2, 8, 1, 1)),
                   g.add("Mul", x, g.add("Sqrt", size)))


def moved_weights():
    g = Graph()
    x = g.add("MatMul", g.input("x", 1, 5), g.add("Transpose", g.weight(4, 5), perm=[1, 0]))
    x = g.add("MatMul", x, g.add("Reshape", g.weight(12), g.ints(4, 3)))
    return g.model(g.add("Gemm", x, g.add("Identity", g.weight(6, 3)), g.weight(6), transB=1))


def weights_on_both_ports():
    g = Graph()
    x = g.add("MatMul", g.weight(6, 5), g.input("x", 5, 4))
    x = g.add("Gemm", g.weight(6, 3), x, g.weight(4), transA=1)
    return g.model(g.add("MatMul", x, g.weight(2, 4, 7)))


def shared_weights():
    g = Graph()
    w = g.weight(8, 8, 3, 3)
    x = g.conv(g.input("x", 1, 8, 9, 9))
    a, b = (g.add("Conv", y, w, pads=[1] * 4) for y in (x, g.add("Relu", x)))
    return g.model(g.add("Add", a, b))


def depthwise_and_groups():
    g = Graph()
    x = g.add("Relu", g.conv(g.input("x", 1, 8, 9, 9), group=8))
    x = g.add("Clip", g.conv(x, group=2), g.weight(), g.weight())
    return g.model(g.add("ConvTranspose", g.conv(g.add("Pad", x, g.ints(*[0] * 8)), 16, 8, group=8), g.weight(16, 4, 2, 2)))


def one_quantizable_operand():
    g = Graph()
    x = g.input("x", 1, 8, 9, 9)
    return g.model(g.add("Mul", g.add("Sigmoid", x), g.weight(1, 8, 1, 1)), g.add("Pow", g.add("Exp", x), g.weight(1)))


def branches_between_float_and_int8():
    g = Graph()
    x = g.conv(g.input("x", 1, 8, 9, 9))
    y = g.add("Relu", x)
    return g.model(g.conv(y), g.add("Softmax", y), g.add("AveragePool", g.add("MaxPool", y, kernel_shape=[2, 2]), kernel_shape=[2, 2]))


def concat_before_convolution():
    g = Graph()
    x = g.input("x", 1, 8, 9, 9)
    a, b = g.conv(x), g.add("Relu", g.conv(x))
    cat = g.add("Concat", a, g.add("Concat", b, g.add("MaxPool", x, kernel_shape=[1, 1]), axis=1), axis=1)
    left, right = g.add("Split", cat, outputs=2, axis=1)
    return g.model(g.conv(cat, 8, 24), g.conv(left, 8, 12), g.add("Tanh", right))


def concat_of_products():
    g = Graph()
    x, y = g.input("x", 2, 6), g.input("y", 2, 6)
    a, b = g.add("MatMul", x, g.weight(6, 6)), g.add("Add", y, g.weight(6))
    cat = g.add("Reshape", g.add("Concat", a, b, axis=1), g.ints(2, 12))
    return g.model(g.add("MatMul", cat, g.add("Transpose", cat, perm=[1, 0])))


def embedding():
    g = Graph()
    ids = g.input("ids", 1, 7, kind=TensorProto.INT64)
    rows = g.add("Gather", g.weight(20, 8), ids)
    return g.model(g.add("MatMul", g.add("Reshape", rows, g.ints(7, 8)), g.weight(8, 4)))


def two_embeddings_joined():
    g = Graph()
    ids = g.input("ids", 1, 7, kind=TensorProto.INT64)
    first = g.add("Gather", g.weight(20, 8), ids)
    second = g.add("MatMul", g.input("x", 1, 7, 8), g.weight(8, 8))
    return g.model(g.add("MatMul", g.add("Concat", first, second, axis=1), g.weight(8, 4)))


def shared_table():
    g = Graph()
    table, ids = g.weight(20, 8), g.input("ids", 1, 7, kind=TensorProto.INT64)
    rows = g.add("Gather", table, ids)
    return g.model(g.add("MatMul", g.add("Tanh", g.add("Add", rows, g.weight(8))), g.add("Transpose", table, perm=[1, 0])))


def squeeze_excite():
    g = Graph()
    x = g.add("Relu", g.conv(g.input("x", 1, 8, 9, 9)))
    gate = g.conv(g.add("GlobalAveragePool", x), 2, 8, 1)
    gate = g.add("HardSigmoid", g.conv(g.add("Relu", gate), 8, 2, 1))
    return g.model(g.conv(g.add("Mul", x, gate)))


def attention(opset=13):
    g = Graph(opset)
    x = g.input("x", 1, 6, 8)
    q, k, v = (g.add("Transpose", g.add("Reshape", g.add("Add", g.add("MatMul", x, g.weight(8, 8)), g.weight(8)), g.ints(1, 6, 2, 4)),
                     perm=perm) for perm in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
    scores = g.add("Softmax", g.add("Div", g.add("MatMul", q, k), g.weight(1)), axis=-1)
    out = g.add("Reshape", g.add("Transpose", g.add("MatMul", scores, v), perm=[0, 2, 1, 3]), g.ints(1, 6, 8))
    return g.model(g.add("Add", g.add("MatMul", out, g.weight(8, 8)), x))


def fused_attention():
    g = Graph(23)
    x = g.input("x", 1, 2, 6, 4)
    q, k, v = (g.add("MatMul", x, g.weight(4, 4)) for _ in range(3))
    cat = g.add("Concat", g.add("Attention", q, k, v), v, axis=3)
    return g.model(g.add("MatMul", cat, g.weight(8, 4)))


def rope():
    g = Graph()
    y = g.add("Transpose", g.add("MatMul", g.input("x", 1, 6, 8), g.weight(8, 4)), perm=[0, 2, 1])
    y = g.add("Concat", y, y, axis=-1)
    return g.model(g.add("Cos", y), g.add("Sin", y))


def positional_embedding():
    g = Graph()
    y = g.add("Mul", g.add("MatMul", g.add("Sub", g.add("Mul", g.input("x", 1, 6, 2), g.weight(1)), g.weight(1)), g.weight(2, 8)), g.weight(1))
    return g.model(g.add("Concat", g.add("Sin", y), g.add("Cos", y), axis=-1))


def post_processing():
    g = Graph()
    x = g.conv(g.input("x", 1, 8, 9, 9))
    flat = g.add("Reshape", g.add("Add", x, g.add("Relu", x)), g.ints(1, 648))
    values, places = g.add("TopK", g.add("Mul", flat, g.weight(1)), g.ints(5), outputs=2, axis=1)
    return g.model(g.add("Add", values, g.weight(1)), g.add("Gather", g.add("Reshape", x, g.ints(648)), places), g.add("AveragePool", x, kernel_shape=[2, 2]))


def layer_norms():
    g = Graph()
    x = g.add("MatMul", g.input("x", 1, 6, 8), g.weight(8, 8))
    centred = g.add("Sub", x, g.add("ReduceMean", x, axes=[-1]))
    variance = g.add("Add", g.add("ReduceMean", g.add("Pow", centred, g.weight(1)), axes=[-1]), g.weight(1))
    y = g.add("Add", g.add("Mul", g.add("Div", centred, g.add("Sqrt", variance)), g.weight(8)), g.weight(8))
    gelu = g.add("Mul", y, g.add("Add", g.add("Erf", g.add("Div", y, g.weight(1))), g.weight(1)))
    return g.model(g.add("MatMul", g.add("Mul", gelu, g.weight(1)), g.weight(8, 8)))


def per_tensor_opset():
    g = Graph(11)
    return g.model(g.conv(g.add("Relu", g.conv(g.input("x", 1, 3, 9, 9), 8, 3)), group=8))


def resized():
    g = Graph()
    x = g.conv(g.input("x", 1, 8, 4, 4))
    y = g.add("Resize", x, "", g.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest")
    return g.model(g.conv(g.add("Add", y, g.add("Resize", g.add("Relu", x), "", g.constant(np.array([1, 1, 2, 2], np.float32)), mode="linear"))))



def scattered():
    """Rows written over one another: behind the first operand nothing is quantized, behind the updates everything is."""
    g = Graph()
    x, rows = g.input("x", 4, 8), g.input("rows", 4, 8, kind=TensorProto.INT64)
    a = g.add("Erf", x)
    written = g.add("ScatterElements", g.add("ConstantOfShape", g.add("Shape", x)), rows, a, axis=0)
    written = g.add("ScatterElements", written, rows, g.add("Erf", a), axis=0)
    return g.model(g.add("Gemm", g.add("Flatten", written), g.weight(5, 8), g.weight(5), transB=1))


def read_by_a_body():
    """What a branch reads from outside is no edge: the branch hangs on its condition alone, and that on a shape."""
    g = Graph()
    boxes = g.add("Reshape", g.add("Erf", g.conv(g.input("x", 1, 8, 4, 4))), g.ints(-1, 4))
    kept = g.add("Gather", boxes, g.input("rows", 6, kind=TensorProto.INT64), axis=0)
    one = helper.make_tensor_value_info("one", TensorProto.INT64, [1])
    two = helper.make_tensor_value_info("two", TensorProto.INT64, [1])
    branches = [helper.make_graph([helper.make_node("Constant", [], ["one"], "one", value_ints=[1])], "then", [], [one]),
                helper.make_graph([helper.make_node("ReduceMax", [kept], ["most"], "most", keepdims=0),
                                   helper.make_node("Cast", ["most"], ["number"], "number", to=TensorProto.INT64),
                                   helper.make_node("Reshape", ["number", g.ints(1)], ["two"], "two")], "else", [], [two])]
    empty = g.add("Equal", g.add("ReduceProd", g.add("Shape", kept), keepdims=0), g.constant(np.array(0, np.int64)))
    chosen = g.add("If", empty, then_branch=branches[0], else_branch=branches[1])
    kept = g.add("Gather", kept, chosen, axis=0)
    return g.model(g.add("Mul", kept, g.input("scale", 1, 4)))


def weights_in_codes():
    """Weights behind quantizers of the file: NNCF quantizes them again, and a quantized activation too."""
    g = Graph()
    scale, zero = g.constant(np.float32(0.05)), g.constant(np.int8(0))
    codes = lambda *shape: g.constant(np.random.default_rng(3).integers(-100, 100, shape).astype(np.int8))
    x = g.add("Relu", g.add("Conv", g.input("x", 1, 8, 4, 4), g.add("DequantizeLinear", codes(8, 8, 1, 1), scale, zero)))
    x = g.add("DequantizeLinear", g.add("QuantizeLinear", x, scale, zero), scale, zero)
    shifted = g.add("DequantizeLinear", g.add("QuantizeLinear", g.weight(8, 8, 1, 1), scale, zero), scale, zero)
    x = g.add("Relu", g.add("Conv", x, shifted))
    turned = g.add("Transpose", g.add("DequantizeLinear", codes(5, 128), scale, zero), perm=[1, 0])
    return g.model(g.add("MatMul", g.add("Flatten", g.conv(x)), turned))


TRANSFORMER = [{"model_type": "transformer"}, {"model_type": "transformer", "target_device": "CPU_SPR"}]
MODELS = {make.__name__: (make, TRANSFORMER if make in (attention, rope, positional_embedding, fused_attention, layer_norms) else [])
          for make in (linear, several_inputs_and_outputs, integer_edges, moved_weights, weights_on_both_ports, shared_weights,
                       depthwise_and_groups, one_quantizable_operand, branches_between_float_and_int8, concat_before_convolution,
                       concat_of_products, embedding, two_embeddings_joined, shared_table, squeeze_excite, attention, fused_attention, rope,
                       positional_embedding, post_processing, layer_norms, per_tensor_opset, resized,
                       scattered, read_by_a_body, weights_in_codes)}
