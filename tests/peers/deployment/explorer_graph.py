# SPDX-License-Identifier: Apache-2.0
"""Graphs for Model Explorer, held against its own classes (graph_builder.py).

Prints a row for each file: nodes, edges, ports with a quantizer, namespaces. Stops at a key that the classes do not
have, at an id that stands twice and at an edge from nowhere. Usage: explorer_graph.py graph.model_explorer.json...
Needs: pip install --no-deps ai-edge-model-explorer; of it that file alone is loaded.
"""
import dataclasses
import importlib.util
import json
import pathlib
import sys


def loaded():
    package = pathlib.Path(importlib.util.find_spec("model_explorer").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location("graph_builder", package / "graph_builder.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["graph_builder"] = module
    spec.loader.exec_module(module)
    return module


def made(kind, members):
    unknown = set(members) - {field.name for field in dataclasses.fields(kind)}
    if unknown:
        sys.exit(f"{kind.__name__} has no {sorted(unknown)}")
    return kind(**members)


def row(builder, path):
    graph = made(builder.Graph, made(builder.GraphCollection, json.loads(path.read_text("utf-8"))).graphs[0])
    nodes = [made(builder.GraphNode, node) for node in graph.nodes]
    ids = {node.id for node in nodes}
    if len(ids) != len(nodes):
        sys.exit(f"{path}: an id stands twice")
    edges = [made(builder.IncomingEdge, edge) for node in nodes for edge in node.incomingEdges]
    if any(edge.sourceNodeId not in ids for edge in edges):
        sys.exit(f"{path}: an edge comes from nowhere")
    ports = [made(builder.MetadataItem, item) for node in nodes for item in node.inputsMetadata + node.outputsMetadata]
    pairs = [made(builder.KeyValue, pair) for each in ports + nodes for pair in each.attrs]
    for node in nodes:
        if node.style:
            made(builder.GraphNodeStyle, node.style)
    quantizers = sum(pair.key == "quantizer" for pair in pairs)
    return f"| {path} | {len(nodes)} | {len(edges)} | {quantizers} | {len({node.namespace for node in nodes})} |"


print("| file | nodes | edges | quantizers | namespaces |")
print("|---|--:|--:|--:|--:|")
for each in sys.argv[1:]:
    print(row(loaded(), pathlib.Path(each)), flush=True)
