# SPDX-License-Identifier: Apache-2.0
"""Times `duoscope-cli plan` against NNCF's placement of the same models of growing size.

Usage: python time_placement.py CLI [--sizes 1000 2000 4000 10000] [--limit SECONDS]; prints the table of timing.md.
NNCF's time counts its graph and its quantizer setup, each said apart, with the file loaded, shapes inferred and patterns joined before; ours
the whole process, reading the file and writing JSON included. What NNCF does not end within the limit is a lower bound."""
import argparse
import json
import multiprocessing
import os
import pathlib
import platform
import subprocess
import tempfile
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BLOCK = 8  # nodes of a block


def network(nodes):
    """Blocks of Conv, Relu, Conv, Add, Relu, MaxPool, Sigmoid, Mul with a skip around the convolutions; all weights are one of four."""
    tensors = [numpy_helper.from_array(np.random.default_rng(i).standard_normal((8, 8, 1, 1)).astype(np.float32), f"w{i}") for i in range(4)]
    made, last = [], "x"
    for block in range(nodes // BLOCK):
        name = lambda kind: f"/block{block}/{kind}"
        add = lambda kind, suffix, *inputs, **more: made.append(
            helper.make_node(kind, inputs, [name(suffix)], name(suffix), **more)) or name(suffix)
        a = add("Relu", "relu1", add("Conv", "conv1", last, f"w{block % 4}"))
        b = add("Relu", "relu2", add("Add", "add", add("Conv", "conv2", a, f"w{(block + 1) % 4}"), last))
        pooled = add("MaxPool", "pool", b, kernel_shape=[1, 1])
        last = add("Mul", "gate", pooled, add("Sigmoid", "sigmoid", pooled))
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, 4, 4])
    graph = helper.make_graph(made, "chain", [value("x")], [value(last)], tensors)
    return onnx.shape_inference.infer_shapes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8))


def nncf_seconds(file, found):
    """Puts the seconds of both steps into `found` as they end, then the lines of the setup."""
    import nncf_placement
    from nncf.onnx.graph.nncf_graph_builder import GraphConverter

    nncf_placement.nncf_lines(nncf_placement.preprocessed(network(BLOCK)), {})  # patterns are joined once for all models
    model = nncf_placement.preprocessed(onnx.load(file))
    algorithm = nncf_placement.algorithm({})
    algorithm._set_backend_entity(model)
    algorithm._init_cache()
    found.put(None)
    start = time.perf_counter()
    graph = GraphConverter.create_nncf_graph(model)
    found.put(time.perf_counter() - start)
    start = time.perf_counter()
    setup = algorithm.find_quantization_setup(model, graph)
    found.put(time.perf_counter() - start)
    points, groups, _ = nncf_placement.points_of(graph, setup, algorithm)
    found.put(nncf_placement.lines_of(points, groups, nncf_placement.Names(model)))


def bounded(file, limit):
    """([seconds of the steps that ended], lines or None); the limit holds for both steps together."""
    found = multiprocessing.Queue()
    process = multiprocessing.Process(target=nncf_seconds, args=(file, found))
    process.start()
    found.get()
    end, seconds, lines = time.monotonic() + limit, [], None
    try:
        for _ in range(2):
            seconds.append(found.get(timeout=max(end - time.monotonic(), 0.001)))
        lines = found.get()
    except multiprocessing.queues.Empty:
        pass
    process.kill()
    process.join()
    return seconds, lines


def our_seconds(cli, file, folder):
    recipe = pathlib.Path(folder) / "r.recipe.json"
    recipe.write_text(json.dumps({"format": "duoscope-recipe", "version": 1, "quantization": {"nncf_compatible": True}}))
    times, plan = [], None
    for _ in range(5):
        start = time.perf_counter()
        result = subprocess.run([cli, "plan", file, "--json", "--quiet", "--recipe", recipe], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
        plan = json.loads(result.stdout)
    return sorted(times)[2], plan


def machine():
    names = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return f"{names[0] if names else platform.machine()}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} at the start"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 2000, 4000, 10000])
    parser.add_argument("--limit", type=float, default=300, help="seconds NNCF may take for a model")
    arguments = parser.parse_args()
    print(machine(), flush=True)
    print("| nodes | duoscope-cli plan, s | NNCF: graph, s | NNCF: setup, s | NNCF / Duoscope | setups |\n|---|---|---|---|---|---|", flush=True)
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/model.onnx"
            model = network(size)
            onnx.save(model, file)
            ours, plan = our_seconds(arguments.cli, file, folder)
            seconds, lines = bounded(file, arguments.limit)
            import nncf_placement
            same = "not known" if lines is None else "same" if lines == nncf_placement.duoscope_lines(plan, model) else "DIFFERENT"
            done = len(seconds) == 2
            cells = [f"{s:.2f}" for s in seconds] + ["not within the limit"] * (2 - len(seconds))
            ratio = (sum(seconds) if done else arguments.limit) / ours
            print(f"| {len(model.graph.node)} | {ours:.3f} | {' | '.join(cells)} | {'' if done else 'more than '}{ratio:.0f} | {same} |", flush=True)


if __name__ == "__main__":
    main()
