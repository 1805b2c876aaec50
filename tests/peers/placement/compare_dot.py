# SPDX-License-Identifier: Apache-2.0
"""Compares `duoscope-cli graph` with the .dot that NNCF writes of the model it quantized: node keys and types, edges, shapes and styles.

Usage: python compare_dot.py CLI NAME...; names of torch_models.py and synthetic_models.py, or .onnx files. Node for node, as NNCF's own tests do it."""
import json
import pathlib
import subprocess
import sys
import tempfile

import networkx
import nncf
import numpy as np
import onnx
from nncf.common.utils.dot_file_rw import write_dot_graph
from nncf.onnx.graph.nncf_graph_builder import GraphConverter
from nncf.onnx.quantization.backend_parameters import BackendParameters

import nncf_placement
import synthetic_models
import torch_models


def feeds(model):
    weights = {tensor.name for tensor in model.graph.initializer}
    source = np.random.default_rng(1)
    found = {}
    for value in model.graph.input:
        if value.name in weights:
            continue
        shape = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        found[value.name] = source.standard_normal(shape).astype(kind) if kind.kind == "f" else np.ones(shape, kind)
    return found


def nncf_graph(model, folder):
    parameters = nncf.AdvancedQuantizationParameters(disable_bias_correction=True,
                                                     backend_params={BackendParameters.COMPRESS_WEIGHTS: False})
    quantized = nncf.quantize(model, nncf.Dataset([feeds(model)]), subset_size=1, advanced_parameters=parameters)
    graph = GraphConverter.create_nncf_graph(quantized).get_graph_for_structure_analysis(extended=True)
    dot = pathlib.Path(folder) / "nncf.dot"
    write_dot_graph(graph, dot)  # which takes colons out of names
    return networkx.nx_pydot.read_dot(dot)


def our_graph(cli, model, folder):
    file, recipe, dot = (pathlib.Path(folder) / name for name in ("m.onnx", "r.recipe.json", "m.dot"))
    onnx.save(model, file)
    recipe.write_text(json.dumps({"format": "duoscope-recipe", "version": 1, "quantization": {"nncf_compatible": True}}))
    subprocess.run([cli, "graph", file, "--recipe", recipe, "-o", dot, "--quiet"], check=True, capture_output=True)
    return networkx.nx_pydot.read_dot(dot)


def plain(text):
    return str(text).strip('"')


def lines(graph):
    keys = lambda attributes: " ".join(f"{key}={plain(value)}" for key, value in sorted(attributes.items()))
    found = {f"{plain(node)} [{keys(attributes)}]" for node, attributes in graph.nodes(data=True) if plain(node) != "\\n"}
    return found | {f"{plain(a)} -> {plain(b)} [{keys(attributes)}]" for a, b, attributes in graph.edges(data=True)}


def model_of(name):
    if name.endswith(".onnx"):
        return onnx.load(name)
    return torch_models.export(name) if name in torch_models.MODELS else synthetic_models.MODELS[name][0]()


def main(cli, names):
    failures = 0
    for name in names:
        model = nncf_placement.preprocessed(model_of(name))
        with tempfile.TemporaryDirectory() as folder:
            ours = lines(our_graph(cli, model, folder))
            try:
                theirs = lines(nncf_graph(model, folder))
            except Exception as error:  # NNCF gives up where statistics are not finite
                print(f"{name}: NNCF stops: {str(error).strip().splitlines()[-1][:120]}", flush=True)
                continue
        failures += ours != theirs
        print(f"{name}: {len(theirs)} lines, {len(theirs - ours)} missing, {len(ours - theirs)} too many", flush=True)
        for sign, rest in (("-", theirs - ours), ("+", ours - theirs)):
            for line in sorted(rest)[:6]:
                print(f"  {sign} {line}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or list(synthetic_models.MODELS))
