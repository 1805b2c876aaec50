# SPDX-License-Identifier: Apache-2.0
"""Writes NNCF's quantizer setups of many networks to ../../data/placement, for tests/core/quantize/nncf_tables_test.cpp.

Usage: python make_tables.py [NAME...]; needs nncf, torch, torchvision, transformers, onnx (see README.md there).
A network is kept without its weights: they lie in zeros.bin, a file of zeros that the test makes beside the model. Values are named
by number, nodes keep their names."""
import json
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import make_structure
import nncf_placement
import synthetic_models
import torch_models

TARGET = pathlib.Path(__file__).resolve().parents[2] / "data" / "placement"
DEVICES = [{"target_device": device} for device in ("CPU", "GPU", "NPU")]
WIDE = {"activations_quantization_params": {"num_bits": 16}}
VARIANTS = [{}, {"preset": "mixed"}, {"target_device": "CPU_SPR"}, {"target_device": "NPU", **WIDE}]
EXTRA = {"resnet18": [*DEVICES, {"quantize_outputs": True}, {"weights_quantization_params": {"per_channel": False}},
                      {"weights_quantization_params": {"mode": "asymmetric"}}],
         "yolo_head": [{"target_device": "GPU", **WIDE}, {"target_device": "GPU", "preset": "mixed", **WIDE}]}
WEIGHT_PORTS = {"Conv": (1,), "ConvTranspose": (1,), "Gemm": (0, 1), "MatMul": (0, 1), "Gather": (0,)}


def weights_of(model):
    return {node.input[port] for node in model.graph.node for port in WEIGHT_PORTS.get(node.op_type, ()) if port < len(node.input)}


def share_other_tensors(model):
    """One tensor for all float constants of one shape that nobody takes for a weight."""
    weights, first, kept = weights_of(model), {}, []
    for tensor in model.graph.initializer:
        key = (tuple(tensor.dims), tensor.data_type)
        if tensor.data_type != TensorProto.FLOAT or tensor.name in weights or len(tensor.dims) == 0 or key not in first:
            kept.append(tensor)
            first.setdefault(key, tensor.name) if tensor.name not in weights else None
    known = {tensor.name for tensor in kept}
    dims = {tensor.name: (tuple(tensor.dims), tensor.data_type) for tensor in model.graph.initializer}
    for node in model.graph.node:
        for i, name in enumerate(node.input):
            if name in dims and name not in known:
                node.input[i] = first[dims[name]]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)


def rename_values(model):
    """Short names for everything but inputs and outputs of the model."""
    kept = {value.name for value in (*model.graph.input, *model.graph.output)}
    bodies = [attribute.g for node in model.graph.node for attribute in node.attribute if attribute.HasField("g")]
    kept.update(name for body in bodies for node in body.node for name in (*node.input, *node.output))
    names = {}
    short = lambda name: name if name in kept or not name else names.setdefault(name, f"v{len(names)}")
    for tensor in model.graph.initializer:
        tensor.name = short(tensor.name)
    for node in model.graph.node:
        for field in (node.input, node.output):
            for i, name in enumerate(field):
                field[i] = short(name)


def to_structure(model):
    make_structure.strip(model)
    del model.graph.value_info[:]
    share_other_tensors(model)
    rename_values(model)
    for tensor in model.graph.initializer:
        size = 1
        for dim in tensor.dims:
            size *= dim
        if size > 8 and tensor.data_type == TensorProto.FLOAT:
            make_structure.set_recipe(tensor, {"length": str(4 * size)})
            tensor.external_data[0].value = "zeros.bin"
    return model


def filled(model):
    for tensor in model.graph.initializer:
        if tensor.data_location == TensorProto.EXTERNAL:
            tensor.CopyFrom(numpy_helper.from_array(np.zeros(tensor.dims, np.float32), tensor.name))
    return model


def table_of(model, variants):
    rows, base = [], None
    for settings in variants:
        try:
            lines = nncf_placement.nncf_lines(model, settings)
        except IndexError:  # NNCF's CPU_SPR pass wants every operand to come from a convolution or product
            continue
        if base is None:
            base = lines
            rows.append({"settings": settings, "lines": lines})
        else:
            rows.append({"settings": settings, "without": [line for line in base if line not in lines],
                         "with": [line for line in lines if line not in base]})
    return rows


def write(name, model, variants):
    structure = to_structure(nncf_placement.preprocessed(model))  # NNCF removes casts to the type there is
    target = TARGET / f"{name}.onnx"
    target.write_bytes(structure.SerializeToString())
    full = nncf_placement.preprocessed(filled(onnx.load(target, load_external_data=False)))
    names = [node.name for node in full.graph.node]
    assert names == [node.name for node in structure.graph.node], "NNCF removed a node"
    text = json.dumps(table_of(full, variants), indent=0, separators=(",", ":"))
    (TARGET / f"{name}.json").write_text(text + "\n")
    print(name, len(names), "nodes", target.stat().st_size, len(text), flush=True)


def main(wanted):
    TARGET.mkdir(parents=True, exist_ok=True)
    for name, (make, extra) in synthetic_models.MODELS.items():
        if not wanted or name in wanted:
            write(name, make(), [*VARIANTS, *extra])
    for name, (_, extra) in torch_models.MODELS.items():
        if (not wanted and name not in torch_models.TOO_LARGE) or name in wanted:
            write(name, torch_models.export(name), [*VARIANTS, *extra, *EXTRA.get(name, [])])


if __name__ == "__main__":
    main(sys.argv[1:])
