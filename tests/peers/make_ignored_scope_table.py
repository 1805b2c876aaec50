#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes which nodes NNCF's own IgnoredScope resolution ignores on four models, for
tests/core/rules/pattern_table_test.cpp. Each case has one IgnoredScope and a bit per node of the model, as a
hexadecimal number, the first node being the lowest bit; "pseudo" names what NNCF caught that is no node of the file.
Run: python3 make_ignored_scope_table.py [FILE]; needs nncf and onnx. The seed is fixed."""
import json
import pathlib
import random
import sys

import nncf
import onnx
from nncf.onnx.graph.nncf_graph_builder import GraphConverter
from nncf.scopes import get_ignored_node_names_from_ignored_scope

from make_pattern_table import MODELS, ROOT, generated

TARGET = ROOT / "tests" / "data" / "patterns" / "ignored_scope_table.json"
MOST_PATHS = 2000  # NNCF walks every simple path


def descendants(model):
    """Of every node by name: the ones its outputs lead to directly."""
    producers = {output: node.name for node in model.graph.node for output in node.output}
    below = {node.name: set() for node in model.graph.node}
    for node in model.graph.node:
        for value in node.input:
            if value in producers:
                below[producers[value]].add(node.name)
    return below


def paths_between(below, start, end, known=None):
    known = {} if known is None else known
    if start == end:
        return 1
    if start not in known:
        known[start] = sum(paths_between(below, child, end, known) for child in below[start])
    return known[start]


def subgraphs(model, count, source):
    """Ends with few enough paths between them; some without any."""
    names = [node.name for node in model.graph.node]
    below = descendants(model)
    made = []
    while len(made) < count:
        ends = [source.sample(names, source.randint(1, 2)) for _ in range(2)]
        reach = [paths_between(below, a, b) for a in ends[0] for b in ends[1]]
        if max(reach) <= MOST_PATHS and (sum(reach) > 0 or source.random() < 0.1):
            made.append({"inputs": ends[0], "outputs": ends[1]})
    return made


def scopes(model, source):
    names = [node.name for node in model.graph.node]
    types = sorted({node.op_type for node in model.graph.node})
    for name in source.sample(names, 6) + ["no such node", names[0].upper(), names[0][:-1]]:
        yield {"names": [name]}
    for pattern in generated(30, source) + [".*", "", "conv1", "/?conv1"]:
        yield {"patterns": [pattern]}
    for kind in types + ["conv", "Con", "NoSuchType"]:
        yield {"types": [kind]}
    for subgraph in subgraphs(model, 14, source):
        yield {"subgraphs": [subgraph]}
    yield {"subgraphs": [{"inputs": [names[3]], "outputs": [names[3]]}]}
    for _ in range(4):
        yield {"names": source.sample(names, 3), "patterns": generated(2, source), "types": source.sample(types, 2),
               "subgraphs": subgraphs(model, 2, source)}


def resolve(scope, graph):
    fields = dict(scope, subgraphs=[nncf.Subgraph(**item) for item in scope.get("subgraphs", [])])
    return get_ignored_node_names_from_ignored_scope(nncf.IgnoredScope(**fields), graph, strict=False)


def cases(path, source):
    model = onnx.load(ROOT / path)
    graph = GraphConverter.create_nncf_graph(model)
    names = [node.name for node in model.graph.node]
    known = {node.node_name for node in graph.get_all_nodes()}
    assert known >= set(names), set(names) - known
    for scope in scopes(model, source):
        caught = resolve(scope, graph)
        bits = sum(1 << i for i, name in enumerate(names) if name in caught)
        case = {"scope": scope, "nodes": format(bits, "x")}
        if caught - set(names):
            case["pseudo"] = sorted(caught - set(names))
        yield case


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    source = random.Random(7)
    models = []
    for path in MODELS:
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases(path, source))
        models.append('{"model": "%s", "cases": [\n%s\n]}' % (path, lines))
    target.write_text('{"nncf": "%s", "models": [\n%s\n]}\n' % (nncf.__version__, ",\n".join(models)), encoding="utf-8")
