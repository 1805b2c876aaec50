# SPDX-License-Identifier: Apache-2.0
"""Times our first picture beside Netron's layout and flat dot, of the same models. Prints the table of first_picture.md.

Usage: python first_picture.py BENCH [--sizes 1000 10000] [--masked 1000 10000] [--limit SECONDS] [--dot DOT]
  BENCH     duo_bench_graph
  --masked  sizes of models in which every block reads one input too, as attention reads its mask

Netron comes from its package on PyPI, unpacked into a folder that goes away, and its layout is run by node as it stands,
without a browser: what Netron does before (reading the file, making and measuring elements) and after it (drawing) is
not counted. dot places boxes and splines and writes them as text; its process is counted. Ours is what the window does
between knowing the model and showing it: what to open, the graph, its shape, its layout, which our bench reports. All
three are given the same nodes; ours draws at most 60 boxes of them at first, the others all. Seconds are of the
processor, so that a busy machine counts for little; the limit is by the clock."""
import argparse
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

BLOCK = 5
ROUNDS = 3


def residual_chain(nodes, is_masked):
    """Blocks of Conv, Relu, Conv, Add, Relu with a skip around the convolutions, a hundred in a layer; if masked, a Mul
    by an input instead of the last Relu."""
    tensors, made, last = [], [], "x"
    value = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, 16, 16])
    for block in range(nodes // BLOCK):
        layer = f"layer{block // 100}"
        scope = f"/{layer}/{layer}.{block % 100}"
        def add(kind, name, *inputs):
            made.append(helper.make_node(kind, inputs, [f"{scope}/{name}_output_0"], f"{scope}/{name}"))
            return made[-1].output[0]
        def weight(name):
            tensors.append(numpy_helper.from_array(np.zeros((8, 8, 1, 1), np.float32), f"{layer}.{block % 100}.{name}.weight"))
            return tensors[-1].name
        first = add("Relu", "relu/Relu", add("Conv", "conv1/Conv", last, weight("conv1")))
        both = add("Add", "Add", add("Conv", "conv2/Conv", first, weight("conv2")), last)
        last = add("Mul", "Mul", both, "mask") if is_masked else add("Relu", "relu_1/Relu", both)
    inputs = [value("x")] + ([value("mask")] if is_masked else [])
    graph = helper.make_graph(made, "main_graph", inputs, [value(last)], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def flat_graph(model):
    """Every node and every input and output as a box, every value between two of them as an edge."""
    names = [value.name for value in model.graph.input] + [node.op_type for node in model.graph.node]
    made = {value.name: index for index, value in enumerate(model.graph.input)}
    edges = []
    for index, node in enumerate(model.graph.node, len(model.graph.input)):
        edges += [(made[value], index) for value in node.input if value in made]
        made.update((value, index) for value in node.output)
    for value in model.graph.output:
        edges.append((made[value.name], len(names)))
        names.append(value.name)
    return {"boxes": [[8 * len(name) + 20, 28] for name in names], "edges": edges}


def dot_text(graph):
    lines = [f"{i} [width={w / 72:.3f}, height={h / 72:.3f}]" for i, (w, h) in enumerate(graph["boxes"])]
    lines += [f"{a} -> {b}" for a, b in graph["edges"]]
    return 'digraph { node [shape=box, fixedsize=true, label=""]\n' + "\n".join(lines) + "\n}\n"


def run(command, limit):
    """Seconds of the processor and output, or what went wrong."""
    before = os.times()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"not within {limit:g} s"
    after = os.times()
    if done.returncode != 0:
        problem = re.search(r"^(\w*Error.*)$", done.stderr, re.M)
        return None, "aborts: " + (problem.group(1) if problem else f"exit {done.returncode}")
    return after.children_user + after.children_system - before.children_user - before.children_system, done.stdout


def median_of(command, limit, seconds_in):
    """Median of the rounds, or what went wrong in the first one that did."""
    times = []
    for _ in range(ROUNDS):
        seconds, output = run(command, limit)
        if seconds is None:
            return None, output
        times.append(seconds_in(seconds, output))
    return statistics.median(times), ""


def unpack_netron(folder):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "netron"], check=True)
    wheel = next(folder.glob("netron-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    (folder / "netron" / "package.json").write_text('{"type": "module"}')
    return folder / "netron", wheel.name.split("-")[1]


def cell(ours, theirs, problem):
    if theirs is None:
        return f"{problem} | "
    return f"{theirs:.3f} | {theirs / ours:.0f}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("bench")
    arguments.add_argument("--sizes", type=int, nargs="*", default=[1000, 10000])
    arguments.add_argument("--masked", type=int, nargs="*", default=[])
    arguments.add_argument("--limit", type=float, default=300)
    arguments.add_argument("--dot", default="dot")
    chosen = arguments.parse_args()
    script = pathlib.Path(__file__).with_name("netron_layout.mjs")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        netron, version = unpack_netron(folder)
        node = run(["node", "--version"], 60)[1].strip()
        dot = subprocess.run([chosen.dot, "-V"], capture_output=True, text=True).stderr.strip()
        print(f"Netron {version} under node {node}, {dot}, Python {platform.python_version()}\n")
        print("| nodes | Duoscope, first picture, s | Netron's layout, s | ratio | flat dot, s | ratio |")
        print("|--:|--:|--:|--:|--:|--:|")
        for size, is_masked in [(n, False) for n in chosen.sizes] + [(n, True) for n in chosen.masked]:
            model, graph, text = folder / "model.onnx", folder / "graph.json", folder / "graph.dot"
            made = residual_chain(size, is_masked)
            onnx.save(made, model)
            flat = flat_graph(made)
            graph.write_text(json.dumps(flat))
            text.write_text(dot_text(flat))
            _, report = run([chosen.bench, str(model)], chosen.limit)
            found = re.search(r"first picture +([\d.]+) ms", report)
            if not found:
                sys.exit(f"{chosen.bench} says no time of a first picture: {report}")
            ours = float(found.group(1)) / 1000
            theirs = median_of(["node", str(script), str(netron), str(graph)], chosen.limit, lambda _, out: float(out))
            dots = median_of([chosen.dot, "-Tplain", "-o", str(folder / "out"), str(text)], chosen.limit, lambda s, _: s)
            print(f"| {size}{', masked' if is_masked else ''} | {ours:.3f} | {cell(ours, *theirs)} | {cell(ours, *dots)} |", flush=True)


if __name__ == "__main__":
    main()
