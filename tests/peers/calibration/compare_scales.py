# SPDX-License-Identifier: Apache-2.0
"""Quantizes small models with NNCF and with Duoscope from the same samples and compares every scale and zero point.

Needs nncf, onnx, numpy:
    python compare_scales.py DUOSCOPE_CLI      compares; prints what differs
    python compare_scales.py --write FOLDER    writes models, samples and NNCF's scales (tests/data/calibration/nncf)
"""
import json
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import nncf
from nncf.common.quantization.structs import QuantizationScheme
from nncf.quantization.advanced_parameters import AdvancedQuantizationParameters, OverflowFix, QuantizationParameters
from nncf.quantization.range_estimator import RangeEstimatorParametersSet

rng = np.random.default_rng(7)


class Net:
    def __init__(self, name, opset=13):
        self.name, self.opset = name, opset
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []

    def input(self, name, shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def output(self, name, shape):
        self.outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))

    def weight(self, name, *shape, scale=1.0):
        self.weights.append(numpy_helper.from_array((rng.standard_normal(shape) * scale).astype(np.float32), name))
        return name

    def ints(self, name, values):
        self.weights.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def node(self, op, inputs, outputs, **attributes):
        self.nodes.append(helper.make_node(op, inputs, outputs, f"{op}_{len(self.nodes)}", **attributes))
        return outputs[0]

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        return model


def conv():
    n = Net("conv")
    x = n.input("x", [1, 3, 16, 16])
    a = n.node("Conv", [x, n.weight("w", 8, 3, 3, 3), n.weight("b", 8)], ["a"], pads=[1, 1, 1, 1])
    a = n.node("Relu", [a], ["r"])
    a = n.node("Conv", [a, n.weight("w2", 8, 1, 3, 3), n.weight("b2", 8)], ["d"], group=8)
    a = n.node("GlobalAveragePool", [a], ["g"])
    a = n.node("Flatten", [a], ["f"])
    n.node("Gemm", [a, n.weight("w3", 10, 8), n.weight("b3", 10)], ["y"], transB=1)
    n.output("y", [1, 10])
    return n.model()


def linear():
    n = Net("linear")
    x = n.input("x", [1, 3, 4, 2])
    a = n.node("Reshape", [x, n.ints("s", [1, 3, 2, 4])], ["a"])
    b = n.node("MatMul", [a, n.weight("w", 1, 3, 4, 5)], ["b"])
    c = n.node("Relu", [b], ["c"])
    n.node("Add", [c, n.weight("k", 1, 1, 5)], ["d"])
    n.node("MatMul", ["d", n.weight("w2", 5, 5)], ["y"])
    n.output("y", [1, 3, 2, 5])
    return n.model()


def branches():
    n = Net("branches")
    x, z = n.input("x", [1, 4, 8, 8]), n.input("z", [1, 4, 8, 8])
    a = n.node("Conv", [x, n.weight("w1", 4, 4, 1, 1)], ["a"])
    b = n.node("Conv", [z, n.weight("w2", 4, 4, 1, 1, scale=3)], ["b"])
    c = n.node("Concat", [a, b], ["c"], axis=1)
    d = n.node("Conv", [c, n.weight("w3", 8, 8, 3, 3)], ["d"])
    e = n.node("Sigmoid", [d], ["e"])
    f = n.node("Mul", [d, e], ["f"])
    n.node("Add", [f, d], ["y"])
    n.output("y", [1, 8, 6, 6])
    return n.model()


def embedding():
    n = Net("embedding")
    n.inputs.append(helper.make_tensor_value_info("ids", TensorProto.INT64, [1, 6]))
    a = n.node("Gather", [n.weight("table", 20, 8), "ids"], ["a"])
    b = n.node("MatMul", [a, n.weight("w", 8, 8)], ["b"])
    c = n.node("Softmax", [b], ["c"], axis=-1)
    n.node("MatMul", [c, n.weight("w2", 8, 4)], ["y"])
    n.output("y", [1, 6, 4])
    return n.model()


def attention():
    n = Net("attention")
    x = n.input("x", [1, 6, 8])
    q = n.node("MatMul", [x, n.weight("wq", 8, 8)], ["q"])
    k = n.node("MatMul", [x, n.weight("wk", 8, 8)], ["k"])
    v = n.node("MatMul", [x, n.weight("wv", 8, 8)], ["v"])
    t = n.node("Transpose", [k], ["t"], perm=[0, 2, 1])
    s = n.node("MatMul", [q, t], ["s"])
    p = n.node("Softmax", [s], ["p"], axis=-1)
    o = n.node("MatMul", [p, v], ["o"])
    n.node("Add", [o, x], ["y"])
    n.output("y", [1, 6, 8])
    return n.model()


def transposed():
    n = Net("transposed")
    x = n.input("x", [1, 4, 5, 5])
    a = n.node("ConvTranspose", [x, n.weight("w", 4, 6, 2, 2)], ["a"], strides=[2, 2])
    a = n.node("BatchNormalization", [a, n.weight("g", 6), n.weight("be", 6), n.weight("m", 6), "v"], ["bn"])
    n.weights.append(numpy_helper.from_array(np.abs(rng.standard_normal(6)).astype(np.float32) + 0.5, "v"))
    a = n.node("Relu", [a], ["r"])
    a = n.node("MaxPool", [a], ["p"], kernel_shape=[2, 2], strides=[2, 2])
    n.node("Conv", [a, n.weight("w2", 2, 6, 1, 1)], ["y"])
    n.output("y", [1, 2, 5, 5])
    return n.model()


def small():
    """Ranges near nothing, a dead channel, a positive input."""
    n = Net("small")
    x = n.input("x", [1, 2, 6, 6])
    w = n.weight("w", 3, 2, 1, 1, scale=1e-6)
    a = n.node("Conv", [x, w], ["a"])
    b = n.node("Abs", [a], ["b"])
    n.node("Conv", [b, n.weight("w2", 3, 3, 1, 1)], ["y"])
    n.output("y", [1, 3, 6, 6])
    return n.model()


MODELS = [conv, linear, branches, embedding, attention, transposed, small]
SETTINGS = [
    {"preset": "performance"},
    {"preset": "mixed"},
    {"preset": "mixed", "overflow_fix": "enable"},
    {"preset": "performance", "overflow_fix": "first_layer_only"},
    {"preset": "mixed", "overflow_fix": "disable"},
    {"preset": "mixed", "model_type": "transformer"},
    {"preset": "performance", "quantize_outputs": True},
    {"preset": "mixed", "target_device": "CPU"},
    {"preset": "mixed", "target_device": "GPU"},
    {"activations_quantization_params": {"mode": "asymmetric", "per_channel": False}},
    {"weights_quantization_params": {"per_channel": False}},
    {"activations_range_estimator_params": "MINMAX"},
    {"activations_range_estimator_params": "MEDIAN_MINMAX"},
    {"activations_range_estimator_params": "MEAN_NO_OUTLIERS_MINMAX"},
    {"activations_range_estimator_params": "MEAN_QUANTILE"},
]


def feeds(model, count):
    out = []
    for _ in range(count):
        one = {}
        for value in model.graph.input:
            shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
            if value.type.tensor_type.elem_type == TensorProto.INT64:
                one[value.name] = rng.integers(0, 20, shape)
            else:
                one[value.name] = rng.standard_normal(shape).astype(np.float32) * 2 + 0.3
        out.append(one)
    return out


def by_nncf(model, samples, settings):
    parameters = dict(settings)
    advanced = AdvancedQuantizationParameters(disable_bias_correction=True)
    if "overflow_fix" in parameters:
        advanced.overflow_fix = OverflowFix(parameters.pop("overflow_fix"))
    if "quantize_outputs" in parameters:
        advanced.quantize_outputs = parameters.pop("quantize_outputs")
    advanced.smooth_quant_alphas.matmul = -1
    for key in ("activations_quantization_params", "weights_quantization_params"):
        if key in parameters:
            fields = dict(parameters.pop(key))
            if "mode" in fields:
                fields["mode"] = QuantizationScheme(fields["mode"])
            setattr(advanced, key, QuantizationParameters(**fields))
    if "activations_range_estimator_params" in parameters:
        name = parameters.pop("activations_range_estimator_params")
        advanced.activations_range_estimator_params = getattr(RangeEstimatorParametersSet, name)
    if "preset" in parameters:
        parameters["preset"] = nncf.QuantizationPreset(parameters["preset"])
    if "model_type" in parameters:
        parameters["model_type"] = nncf.ModelType(parameters["model_type"])
    if "target_device" in parameters:
        parameters["target_device"] = nncf.TargetDevice(parameters["target_device"])
    return nncf.quantize(model, nncf.Dataset(samples), subset_size=len(samples), advanced_parameters=advanced,
                         fast_bias_correction=True, **parameters)


def by_duoscope(cli, model, samples, settings, folder):
    onnx.save(model, folder / "m.onnx")
    np.savez(folder / "d.npz", **{k: np.stack([s[k] for s in samples]) for k in samples[0]})
    quantization = {"nncf_compatible": True, "disable_bias_correction": True, "smooth_quant_alphas": {"matmul": -1}, **settings}
    recipe = {"format": "duoscope-recipe", "version": 1, "rules": [], "quantization": quantization}
    (folder / "r.json").write_text(json.dumps(recipe))
    run = subprocess.run([cli, "quantize", folder / "m.onnx", "--data", folder / "d.npz", "--recipe", folder / "r.json",
                          "-o", folder / "q.onnx", "--quiet", "--no-cache"], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr)
    return onnx.load(folder / "q.onnx")


def parameters_of(model, original):
    """By the value a quantizer stands on: {value: sorted [(scale, zero point, type)]}."""
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    floats = {t.name: numpy_helper.to_array(t) for t in original.graph.initializer}
    producer = {o: n for n in model.graph.node for o in n.output}
    consumers = {}
    for node in model.graph.node:
        for port, i in enumerate(node.input):
            consumers.setdefault(i, []).append((node, port))
    found = {}
    names = {o for n in original.graph.node for o in n.output}
    for node in model.graph.node:
        if node.op_type != "DequantizeLinear":
            continue
        scale = np.atleast_1d(constants[node.input[1]]).astype(np.float64)
        zero = np.atleast_1d(constants[node.input[2]]).astype(np.int64) if len(node.input) > 2 and node.input[2] else np.zeros(1, np.int64)
        kind = constants[node.input[2]].dtype.name if len(node.input) > 2 and node.input[2] in constants else "?"
        if kind == "int32":
            continue
        source = producer.get(node.input[0])
        if source is not None and source.op_type == "QuantizeLinear" and source.input[0] not in constants:
            key = source.input[0]
            for ending in ("_kept_float", "_float"):  # what Duoscope calls the value before a quantizer
                if key.endswith(ending) and key not in names:
                    key = key[: -len(ending)]
        else:  # a weight: by reader
            reader, port = consumers[node.output[0]][0]
            key = f"weight of {reader.name}:{port}"
        found.setdefault(key, []).append((tuple(scale), tuple(zero) if len(set(zero)) > 1 else (int(zero[0]),), kind))
    return {k: sorted(set(v)) for k, v in found.items()}


def same(a, b):
    if len(a) != len(b):
        return False
    for (s, z, t), (u, y, v) in zip(a, b):
        s, u = np.array(s), np.array(u)
        if z != y or t != v:
            return False
        if s.shape != u.shape and not (s.size == 1 or u.size == 1):
            return False
        if not np.allclose(s, u, rtol=3e-7, atol=0):
            return False
    return True


def show(found):
    if found is None:
        return "nothing"
    return "; ".join(f"{t} zero {z[:4]} x{len(s)} scale {[float(x) for x in s[:3]]}" for s, z, t in found)


def of_nncf(make, model, samples, settings):
    try:
        return parameters_of(by_nncf(model, samples, settings), model)
    except nncf.errors.InternalError as error:
        print(make.__name__, settings, "left out, NNCF cannot write it:", str(error)[:80])
        return None


def compare(cli):
    bad = total = 0
    for make in MODELS:
        model = make()
        for count in (1, 5):
            samples = feeds(model, count)
            for settings in SETTINGS:
                a = of_nncf(make, model, samples, settings)
                if a is None:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    b = parameters_of(by_duoscope(cli, model, samples, settings, Path(folder)), model)
                total += 1
                wrong = [n for n in sorted(set(a) | set(b)) if n not in a or n not in b or not same(a[n], b[n])]
                bad += bool(wrong)
                for n in wrong:
                    print(make.__name__, count, settings, n, "\n  nncf", show(a.get(n)), "\n  ours", show(b.get(n)))
    print(f"{total - bad} of {total} equal; nncf {nncf.__version__}, onnx {onnx.__version__}")


def write(folder):
    rows = []
    for make in MODELS:
        model, name = make(), make.__name__
        samples = feeds(model, 3)
        onnx.save(model, folder / f"{name}.onnx")
        np.savez_compressed(folder / f"{name}.npz", **{k: np.stack([s[k] for s in samples]) for k in samples[0]})
        for settings in SETTINGS:
            found = of_nncf(make, model, samples, settings)
            if found is None:
                continue
            quantizers = {key: [{"type": t, "zero_point": list(z), "scale": [float(np.float32(x)) for x in s]}
                                for s, z, t in entries] for key, entries in found.items()}
            rows.append({"model": name, "settings": settings, "quantizers": quantizers})
    text = json.dumps({"nncf": nncf.__version__, "runs": rows}, separators=(",", ":")).replace('{"model"', '\n{"model"')
    (folder / "scales.json").write_text(text + "\n")


def main():
    logging.disable(logging.CRITICAL)
    if sys.argv[1] == "--write":
        write(Path(sys.argv[2]))
    else:
        compare(sys.argv[1])


main()
