#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `duoscope-cli scopes` tells of files of other producers, and by what. Writes told.md.

Run: python told.py DUOSCOPE_CLI FILE...; needs onnx, numpy. Where FILE.npz lies beside a file (`../producer_files.py` writes it),
the module of every product is known from the values of its weight: **checked** products, **wrong** ones that are told
otherwise and not called a guess."""
import collections
import json
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """# What names tell, producer by producer
Written by `told.py`; the files are those of `tests/data/producers/README.md` and of published packages. **nodes**: no
Constants. **told**: share of nodes with an execution scope that is no guess; **execution**, **storage**: nodes by what tells it.
**checked**: products whose module the values of their weight tell; **wrong**: those told otherwise, not as a guess.

| file | nodes | told | execution | storage | checked | wrong |
|---|--:|--:|---|---|--:|--:|
"""


def sorted_values(array):
    return np.sort(np.asarray(array, np.float32).ravel())


def judged(path, told):
    """@return checked, wrong"""
    truth = path.with_name(path.name + ".npz")
    if not truth.exists():
        return "-", "-"
    owners = {module: sorted_values(values) for module, values in np.load(truth).items()}
    graph = onnx.load(path).graph
    constants = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    checked = wrong = 0
    for node in graph.node:
        for name in node.input[1:2] if node.op_type in ("Gemm", "MatMul", "Conv") else ():
            values = sorted_values(constants[name]) if name in constants else np.zeros(0)
            found = [m for m, own in owners.items() if own.shape == values.shape and np.allclose(own, values, atol=1e-6)]
            if len(found) != 1:
                continue
            checked += 1
            scope = told[node.name]
            if scope["provenance"]["execution"] != "guess" and scope["execution"] != found[0]:
                wrong += 1
                print(f"    wrong: {node.name}: said {scope['execution']}, is {found[0]}")
    return checked, wrong


def counted(nodes, fact):
    counts = collections.Counter(node["provenance"][fact] for node in nodes)
    return ", ".join(f"{kind} {count}" for kind, count in counts.most_common())


def main():
    table = HEAD
    for path in map(pathlib.Path, sys.argv[2:]):
        done = subprocess.run([sys.argv[1], "scopes", str(path), "--json", "--quiet"], capture_output=True, text=True, check=True)
        nodes = [node for node in json.loads(done.stdout)["nodes"] if node["op_type"] != "Constant"]
        told = sum(node["provenance"]["execution"] != "guess" for node in nodes)
        checked, wrong = judged(path, {node["name"]: node for node in nodes})
        line = f"| {path.stem} | {len(nodes)} | {100 * told / len(nodes):.1f} % | {counted(nodes, 'execution')} | " \
            f"{counted(nodes, 'storage')} | {checked} | {wrong} |"
        print(line, flush=True)
        table += line + "\n"
    (HERE / "told.md").write_text(table)


if __name__ == "__main__":
    main()
