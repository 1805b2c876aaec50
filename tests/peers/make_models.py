# SPDX-License-Identifier: Apache-2.0
"""Writes the small complete test models of ../data/models. Usage: python make_models.py [FOLDER]; needs onnx and numpy."""
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MODELS = pathlib.Path(__file__).resolve().parents[1] / "data" / "models"
FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
IR_OF_OPSET = {9: 4, 11: 6, 13: 7, 17: 8}


def weights(shape, seed, kind=np.float32):
    """Values around 0 whose size keeps activations near 1."""
    fan_in = max(1, int(np.prod(shape[1:])))
    return (np.random.default_rng(seed).standard_normal(shape) / np.sqrt(fan_in)).astype(kind)


def constant(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def value(name, shape, kind=FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, initializers, opset=17, imports=(), **rest):
    graph = helper.make_graph(nodes, "main_graph", inputs, outputs, initializers)
    return helper.make_model(graph, producer_name="duoscope-tests", ir_version=IR_OF_OPSET.get(opset, 8),
                             opset_imports=[helper.make_opsetid("", opset), *imports], **rest)


def conv_net(opset, kind=np.float32, names=("conv1", "relu1", "conv2", "add", "pool", "flatten", "fc")):
    """Conv, Relu, Conv, residual Add, pooling, Gemm; names are the node names."""
    node = lambda index, op, ins, out, **attributes: helper.make_node(op, ins, [out], name=names[index], **attributes)
    nodes = [node(0, "Conv", ["image", "conv1.weight", "conv1.bias"], "c1", pads=[1] * 4), node(1, "Relu", ["c1"], "r1"),
             node(2, "Conv", ["r1", "conv2.weight", "conv2.bias"], "c2", pads=[1] * 4), node(3, "Add", ["r1", "c2"], "sum"),
             node(4, "GlobalAveragePool", ["sum"], "pooled"), node(5, "Flatten", ["pooled"], "flat"),
             node(6, "Gemm", ["flat", "fc.weight", "fc.bias"], "logits", transB=1)]
    shapes = {"conv1.weight": (16, 3, 3, 3), "conv1.bias": (16,), "conv2.weight": (16, 16, 3, 3), "conv2.bias": (16,),
              "fc.weight": (10, 16), "fc.bias": (10,)}
    initializers = [constant(name, weights(shape, seed, kind)) for seed, (name, shape) in enumerate(shapes.items())]
    element = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    return model(nodes, [value("image", ["batch", 3, 16, 16], element)], [value("logits", ["batch", 10], element)], initializers, opset)


def unnamed_nodes():
    """Unnamed nodes, and two nodes that already have the names these would get (`Relu:r1`, `GlobalAveragePool:pooled`)."""
    return conv_net(17, names=("GlobalAveragePool:pooled", "", "", "Relu:r1", "", "flatten", "fc"))


def duplicate_names():
    """Two nodes named `conv` (ONNX Runtime refuses the file as it is) and two unnamed ones."""
    return conv_net(17, names=("conv", "", "conv", "add", "", "flatten", "fc"))


def symbolic():
    """Every dimension of the input but the channels is a name; one input has no shape at all beyond its rank."""
    net = conv_net(17)
    for dim, name in zip(net.graph.input[0].type.tensor_type.shape.dim, ("batch", None, "height", "width")):
        if name:
            dim.dim_param = name
    net.graph.input.append(value("bias", ["batch", None]))
    net.graph.node[-1].output[0] = "fc_out"
    net.graph.node.append(helper.make_node("Add", ["fc_out", "bias"], ["logits"], name="add_bias"))
    return net


def double_mlp():
    """Double precision throughout (ONNX Runtime has no double convolution on the CPU)."""
    nodes = [helper.make_node("Gemm", ["x", "a.weight", "a.bias"], ["h"], name="a", transB=1), helper.make_node("Relu", ["h"], ["r"], name="relu"),
             helper.make_node("MatMul", ["r", "b.weight"], ["y"], name="b")]
    initializers = [constant("a.weight", weights((32, 16), 1, np.float64)), constant("a.bias", weights((32,), 2, np.float64)),
                    constant("b.weight", weights((32, 8), 3, np.float64))]
    return model(nodes, [value("x", ["batch", 16], TensorProto.DOUBLE)], [value("y", ["batch", 8], TensorProto.DOUBLE)], initializers)


def half_part():
    """A float model with one layer in half precision between casts: only the float layers can be quantized."""
    nodes = [helper.make_node("MatMul", ["x", "a.weight"], ["h"], name="a"), helper.make_node("Cast", ["h"], ["h16"], name="to_half", to=TensorProto.FLOAT16),
             helper.make_node("MatMul", ["h16", "b.weight"], ["b16"], name="b"), helper.make_node("Cast", ["b16"], ["b32"], name="to_float", to=FLOAT),
             helper.make_node("MatMul", ["b32", "c.weight"], ["y"], name="c")]
    initializers = [constant("a.weight", weights((16, 32), 1)), constant("b.weight", weights((32, 32), 2, np.float16)), constant("c.weight", weights((32, 8), 3))]
    return model(nodes, [value("x", ["batch", 16])], [value("y", ["batch", 8])], initializers)


def partly_quantized():
    """conv1 of the small network already stands between QuantizeLinear and DequantizeLinear, with an int8 weight and an int32 bias."""
    net = conv_net(13)
    graph, one = net.graph, lambda number: np.float32(number)
    old = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    scale = np.maximum(np.abs(old["conv1.weight"]).max((1, 2, 3)) / 127, 1e-8).astype(np.float32)
    quantized = np.clip(np.rint(old["conv1.weight"] / scale[:, None, None, None]), -127, 127).astype(np.int8)
    bias_scale = scale * one(0.03)
    kept = [tensor for tensor in graph.initializer if not tensor.name.startswith("conv1")]
    del graph.initializer[:]
    graph.initializer.extend(kept + [
        constant("image_scale", one(0.03)), constant("image_zero", np.uint8(128)), constant("c1_scale", one(0.05)), constant("c1_zero", np.uint8(100)),
        constant("conv1.weight_quantized", quantized), constant("conv1.weight_scale", scale), constant("conv1.weight_zero", np.zeros(16, np.int8)),
        constant("conv1.bias_quantized", np.rint(old["conv1.bias"] / bias_scale).astype(np.int32)), constant("conv1.bias_scale", bias_scale),
        constant("conv1.bias_zero", np.zeros(16, np.int32))])
    conv, *others = list(graph.node)
    conv.input[:], conv.output[:] = ["image_dq", "conv1.weight_dq", "conv1.bias_dq"], ["c1_float"]
    q = lambda op, ins, out, **attributes: helper.make_node(op, ins, [out], name=out, **attributes)
    del graph.node[:]
    graph.node.extend([
        q("QuantizeLinear", ["image", "image_scale", "image_zero"], "image_q"), q("DequantizeLinear", ["image_q", "image_scale", "image_zero"], "image_dq"),
        q("DequantizeLinear", ["conv1.weight_quantized", "conv1.weight_scale", "conv1.weight_zero"], "conv1.weight_dq", axis=0),
        q("DequantizeLinear", ["conv1.bias_quantized", "conv1.bias_scale", "conv1.bias_zero"], "conv1.bias_dq", axis=0), conv,
        q("QuantizeLinear", ["c1_float", "c1_scale", "c1_zero"], "c1_q"), q("DequantizeLinear", ["c1_q", "c1_scale", "c1_zero"], "c1"), *others])
    return net


def branches():
    """If with a weight of its own in one branch and an outer weight in the other; the condition is an input."""
    then = helper.make_graph([helper.make_node("MatMul", ["x", "then.weight"], ["t"], name="then_matmul")], "then_graph", [], [value("t", ["batch", 16])],
                             [constant("then.weight", weights((16, 16), 1))])
    other = helper.make_graph([helper.make_node("MatMul", ["x", "outer.weight"], ["e0"], name="else_matmul"), helper.make_node("Relu", ["e0"], ["e"])],
                              "else_graph", [], [value("e", ["batch", 16])])
    nodes = [helper.make_node("If", ["flag"], ["chosen"], name="choose", then_branch=then, else_branch=other),
             helper.make_node("MatMul", ["chosen", "outer.weight"], ["y"], name="after")]
    return model(nodes, [value("x", ["batch", 16]), value("flag", [], BOOL)], [value("y", ["batch", 16])], [constant("outer.weight", weights((16, 16), 2))])


def loop():
    """Three turns of one layer; the body reads an outer weight and holds an If of its own."""
    first = helper.make_graph([helper.make_node("Relu", ["h"], ["first"], name="relu")], "first_graph", [], [value("first", ["batch", 16])])
    later = helper.make_graph([helper.make_node("Tanh", ["h"], ["later"], name="tanh")], "later_graph", [], [value("later", ["batch", 16])])
    body = helper.make_graph(
        [helper.make_node("MatMul", ["state", "layer.weight"], ["h"], name="matmul"), helper.make_node("Equal", ["turn", "zero"], ["is_first"], name="is_first"),
         helper.make_node("If", ["is_first"], ["next"], name="inner", then_branch=first, else_branch=later),
         helper.make_node("Identity", ["going"], ["go_on"], name="go_on")],
        "body", [value("turn", [], INT64), value("going", [], BOOL), value("state", ["batch", 16])],
        [value("go_on", [], BOOL), value("next", ["batch", 16])], [constant("zero", np.int64(0))])
    nodes = [helper.make_node("Loop", ["turns", "", "x"], ["y"], name="repeat", body=body)]
    return model(nodes, [value("x", ["batch", 16])], [value("y", ["batch", 16])], [constant("turns", np.int64(3)), constant("layer.weight", weights((16, 16), 1))])


def scan():
    """A recurrent cell over a sequence."""
    body = helper.make_graph(
        [helper.make_node("MatMul", ["x_t", "cell.input"], ["a"], name="input"), helper.make_node("MatMul", ["h", "cell.hidden"], ["b"], name="hidden"),
         helper.make_node("Add", ["a", "b"], ["sum"], name="sum"), helper.make_node("Tanh", ["sum"], ["h_next"], name="tanh"),
         helper.make_node("Identity", ["h_next"], ["y_t"], name="copy")],
        "cell", [value("h", ["batch", 16]), value("x_t", ["batch", 8])], [value("h_next", ["batch", 16]), value("y_t", ["batch", 16])])
    nodes = [helper.make_node("Scan", ["h0", "x"], ["h_last", "y"], name="scan", body=body, num_scan_inputs=1)]
    return model(nodes, [value("h0", ["batch", 16]), value("x", ["time", "batch", 8])], [value("h_last", ["batch", 16]), value("y", ["time", "batch", 16])],
                 [constant("cell.input", weights((8, 16), 1)), constant("cell.hidden", weights((16, 16), 2))])


def functions():
    """A function called twice that calls another one, which has an If inside and an attribute handed down."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    then = helper.make_graph([helper.make_node("Relu", ["v"], ["t"], name="relu")], "then_graph", [], [helper.make_empty_tensor_value_info("t")])
    other = helper.make_graph([helper.make_node("Identity", ["v"], ["e"], name="copy")], "else_graph", [], [helper.make_empty_tensor_value_info("e")])
    softened = helper.make_node("LeakyRelu", ["w"], ["v"], name="soften")
    softened.attribute.add(name="alpha", type=onnx.AttributeProto.FLOAT, ref_attr_name="slope")
    gate = helper.make_function("local", "Gate", ["w", "flag"], ["out"], [softened, helper.make_node("If", ["flag"], ["out"], name="gate", then_branch=then, else_branch=other)],
                                imports, ["slope"])
    call_gate = helper.make_node("Gate", ["m", "flag"], ["out"], name="gate", domain="local", slope=0.1)
    layer = helper.make_function("local", "Layer", ["x", "weight", "flag"], ["out"], [helper.make_node("MatMul", ["x", "weight"], ["m"], name="matmul"), call_gate], imports)
    nodes = [helper.make_node("Layer", ["x", "first.weight", "flag"], ["h"], name="first", domain="local"),
             helper.make_node("Layer", ["h", "second.weight", "flag"], ["y"], name="second", domain="local")]
    return model(nodes, [value("x", ["batch", 16]), value("flag", [], BOOL)], [value("y", ["batch", 16])],
                 [constant("first.weight", weights((16, 16), 1)), constant("second.weight", weights((16, 16), 2))], imports=imports[1:], functions=[gate, layer])


def write_external(folder):
    """The small network with its weights in two files: one at offsets, one whole and without `length`."""
    net = conv_net(17)
    folder.mkdir(parents=True, exist_ok=True)
    stores = {"first.bin": bytearray(), "second.bin": bytearray()}
    for tensor in net.graph.initializer:
        file = "second.bin" if tensor.name == "fc.weight" else "first.bin"
        entries = {"location": file}
        if file == "first.bin":
            stores[file].extend(bytes(-len(stores[file]) % 64))
            entries |= {"offset": str(len(stores[file])), "length": str(len(tensor.raw_data))}
        stores[file].extend(tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, text in entries.items():
            tensor.external_data.add(key=key, value=text)
    for file, content in stores.items():
        (folder / file).write_bytes(content)
    onnx.save(net, folder / "external.onnx")


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    models = {"opset9": conv_net(9), "opset11": conv_net(11), "opset13": conv_net(13), "half": conv_net(17, np.float16), "half_part": half_part(),
              "double": double_mlp(), "partly_quantized": partly_quantized(), "symbolic": symbolic(), "unnamed_nodes": unnamed_nodes(), "duplicate_names": duplicate_names(),
              "branches": branches(), "loop": loop(), "scan": scan(), "functions": functions()}
    for name, made in models.items():
        onnx.checker.check_model(made, full_check=True)
        onnx.save(made, folder / f"{name}.onnx")
    write_external(folder / "external")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else MODELS)
