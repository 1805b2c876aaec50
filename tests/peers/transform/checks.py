# SPDX-License-Identifier: Apache-2.0
"""What has to hold of a model and of what `transform` makes of it, for the scripts beside this one.

Outputs are those of onnxruntime without its own optimization, on one thread.
"""
import hashlib
import json
import pathlib
import random
import subprocess

import numpy
import onnx
import onnxruntime

onnxruntime.set_default_logger_severity(4)
BOUND = 1e-5  # of the largest value of an output


def session(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def distance(wanted, got):
    """Of the output that moved most, as a part of its largest value."""
    if len(wanted) != len(got):
        return float("inf")
    worst = 0.0
    for a, b in zip(wanted, got):
        a, b = numpy.asarray(a).astype(float), numpy.asarray(b).astype(float)
        if a.shape != b.shape or (numpy.isfinite(a) != numpy.isfinite(b)).any():
            return float("inf")
        known = numpy.isfinite(a)
        if known.any():
            worst = max(worst, float(numpy.abs(a - b)[known].max() / max(numpy.abs(a)[known].max(), 1e-9)))
    return worst


def transform(cli, source, target, *options):
    done = subprocess.run([cli, "transform", str(source), "-o", str(target), "--json", "--quiet", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def bodies(node):
    return [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]


def content(graph):
    """All that a graph says, whatever the order of its nodes."""
    def text(attribute):
        return (attribute.name, content(attribute.g)) if attribute.type == onnx.AttributeProto.GRAPH else attribute.SerializeToString(deterministic=True)

    nodes = sorted((node.op_type, node.domain, node.name, tuple(node.input), tuple(node.output), sorted(str(text(each)) for each in node.attribute),
                    sorted((each.key, each.value) for each in node.metadata_props)) for node in graph.node)
    tensors = sorted((each.name, hashlib.sha1(each.SerializeToString(deterministic=True)).hexdigest()) for each in graph.initializer)
    types = sorted(each.SerializeToString(deterministic=True) for each in graph.value_info)
    return nodes, tensors, types, [each.name for each in graph.input], [each.name for each in graph.output]


def are_same(left, right):
    return content(onnx.load(left).graph) == content(onnx.load(right).graph)


def reads(node):
    inside = {name for body in bodies(node) for each in body.node for name in reads(each)}
    return set(node.input) | inside | {each.name for body in bodies(node) for each in body.output}


def shuffle(graph, numbers):
    """Another order in which each node still stands behind what it reads, in bodies too."""
    for node in graph.node:
        for body in bodies(node):
            shuffle(body, numbers)
    nodes = list(graph.node)
    maker = {name: index for index, node in enumerate(nodes) for name in node.output if name}
    waits = [{maker[name] for name in reads(node) if maker.get(name, index) != index} for index, node in enumerate(nodes)]
    readers = [[] for _ in nodes]
    for index, before in enumerate(waits):
        for each in before:
            readers[each].append(index)
    left = [len(each) for each in waits]
    ready = [index for index, count in enumerate(left) if count == 0]
    order = []
    while ready:
        index = ready.pop(numbers.randrange(len(ready)))
        order.append(nodes[index])
        for each in readers[index]:
            left[each] -= 1
            if left[each] == 0:
                ready.append(each)
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in order]
    del graph.node[:]
    graph.node.extend(copies)


def findings(cli, source, folder, fed, options=(), targets=("ort-cpu",)):
    """What does not hold, the report of stage common, and how far outputs move.
    @param fed inputs by name, one set for each run"""
    folder = pathlib.Path(folder)
    one, two, three, mixed = (folder / f"{name}.onnx" for name in ("one", "two", "three", "mixed"))
    before = session(source)
    wanted = [before.run(None, each) for each in fed]

    def moved(path):
        after = session(path)
        return max((distance(old, after.run(None, each)) for old, each in zip(wanted, fed)), default=0.0)

    report = transform(cli, source, one, *options)
    wrong, far = [], moved(one)
    if any(each["applied"] for each in transform(cli, one, two, *options)["passes"]) or not are_same(one, two):
        wrong.append("a second run changes something")
    for target in targets:
        asked = ["--stage", "target", "--profile", target, *options]
        transform(cli, one, two, *asked)
        transform(cli, source, three, *asked)
        far = max(far, moved(three))
        if not are_same(two, three):
            wrong.append(f"common and then {target} is not {target} alone")
        if any(each["applied"] for each in transform(cli, three, two, *asked)["passes"]):
            wrong.append(f"a second run for {target} changes something")
    model = onnx.load(source)
    shuffle(model.graph, random.Random(1))
    onnx.save(model, mixed)
    transform(cli, mixed, two, *options)
    if not are_same(one, two):
        wrong.append("another order of nodes gives another graph")
    return wrong, report, far
