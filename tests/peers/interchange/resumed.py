#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A state resumed on other files of the same network: by what are its quantizers found, and how many are not?

Usage: resumed.py DUOSCOPE_CLI MODEL.onnx[=OTHER_EXPORT.onnx]... ; needs onnx, onnxslim and onnxsim. Each model is quantized
with random data, and its state resumed on the same file, on one in a shuffled order, with other names of nodes and values,
as onnxslim and onnxsim leave it, and on another exporter's. Prints a row for each: quantizers found by name, by execution
scope, by storage owner and by their position, and those that are not found.
"""
import collections
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile

import onnx
import onnxsim
import onnxslim


def run(*arguments):
    done = subprocess.run(list(arguments) + ["--json"], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def reads(node):
    """Values that a node or its bodies read."""
    names = set(node.input)
    for attribute in node.attribute:
        for body in ([attribute.g] if attribute.HasField("g") else []) + list(attribute.graphs):
            for inner in body.node:
                names |= reads(inner)
            names |= {output.name for output in body.output}
    return names


def shuffled(model, draw):
    """In another order that is a topological one, too."""
    left = list(model.graph.node)
    made_here = {output for node in left for output in node.output}
    ready_values = set()
    order = []
    while left:
        ready = [node for node in left if not (reads(node) & made_here) - ready_values]
        node = draw.choice(ready)
        left.remove(node)
        ready_values |= set(node.output)
        order.append(node)
    del model.graph.node[:]
    model.graph.node.extend(order)


def renamed(model, _):
    """Nodes of the main graph, and the values between them, by numbers; parameters, inputs and outputs keep theirs."""
    kept = {port.name for port in list(model.graph.input) + list(model.graph.output)}
    names = {}

    def rename(node):
        for list_ in (node.input, node.output):
            list_[:] = [names.get(name, name) for name in list_]
        for attribute in node.attribute:
            if attribute.HasField("g"):
                for inner in attribute.g.node:
                    rename(inner)
                for output in attribute.g.output:
                    output.name = names.get(output.name, output.name)

    for number, node in enumerate(model.graph.node):
        node.name = f"n{number}"
        names |= {output: f"v{number}_{port}" for port, output in enumerate(node.output) if output and output not in kept}
    for node in model.graph.node:
        rename(node)
    del model.graph.value_info[:]


def main():
    cli = sys.argv[1]
    print("| model | resumed on | quantizers | name | scope | storage | position | not found |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for argument in sys.argv[2:]:
        path, _, other = argument.partition("=")
        with tempfile.TemporaryDirectory() as folder:
            at = lambda name: os.path.join(folder, name)
            run(cli, "quantize", path, "--data", "random:2", "-o", at("q.onnx"))
            with open(at("q.state.json")) as file:
                wanted = len(json.load(file)["builder_state"]["quantization"]["quantizer_setup"]["quantization_points"])
            variants = [("the same", path)]
            for name, change in (("shuffled", shuffled), ("renamed", renamed)):
                model = onnx.load(path)
                change(model, random.Random(1))
                onnx.save(model, at(name + ".onnx"))
                variants.append((name, at(name + ".onnx")))
            with contextlib.redirect_stdout(sys.stderr):
                onnxslim.slim(path, at("slim.onnx"))
                onnx.save(onnxsim.simplify(onnx.load(path))[0], at("sim.onnx"))
            variants += [("onnxslim", at("slim.onnx")), ("onnxsim", at("sim.onnx"))]
            if other:
                variants.append((os.path.basename(other), other))
            for name, variant in variants:
                report = run(cli, "resume", variant, "--state", at("q.state.json"), "-o", at("r.onnx"))
                by = collections.Counter(point["by"] for point in report["points"])
                found = sum(by.values())
                print(f"| {os.path.basename(path)} | {name} | {wanted} | " + " | ".join(
                    str(by[way]) for way in ("name", "scope", "storage", "position")) + f" | {wanted - found} |", flush=True)


if __name__ == "__main__":
    main()
