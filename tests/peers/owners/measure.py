#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports networks in several ways, asks `duoscope-cli scopes` for the owner of every parameter that a node works with,
with and without the checkpoint, and compares with what PyTorch used. Writes owners.md if no network is named.

Usage: python measure.py DUOSCOPE_CLI [FOLDER] [NETWORK...]   (FOLDER keeps the exports, about 5 GB, for the next time)
Needs torch, torchvision, transformers, onnx, onnxscript, onnxruntime, safetensors."""
import copy
import json
import pathlib
import pickle
import subprocess
import sys
import tempfile
import warnings

import onnx
import torch

import alignment
import exports
import networks
import truth

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """# Owners of parameters, against what PyTorch used
Written by `measure.py`. A read is one module whose parameters one node works with. It is right if the module is among the
node's storage scopes and the provenance is not `guess`. Wrong: a module stated as a fact that the node has nothing to do
with. The first six networks are those that the program was developed with; the reasons of deviations stand below the table.

| network | export | checkpoint | keys found | reads | right | guessed right | missing | wrong | right without | wrong without |
|---|---|---|---|---|---|---|---|---|---|---|
"""
NOTES = """
A read counts only where the export still has a node of its own for it: QOperator and dynamic models rename nodes, and only
those that can be told by their names are counted. Keys that are not found are `num_batches_tracked`, train-only heads, and in
QDQ and QOperator models bias and mean of some norms: the weight's integers fit several epsilons.

One deviation, in the expectation and not in what is found: t5 from torch.export adds the relative positions in one node and
a mask in the next; both lie between the same two values of PyTorch, and the mask has no owner.
"""


def scopes(cli, *arguments):
    done = subprocess.run([cli, "scopes", *map(str, arguments), "--json", "--quiet"], capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"{arguments}: {done.stderr.decode()}")
    return json.loads(done.stdout)


class Outcome:
    """Reads that are right, guessed right or missing; modules wrongly stated as facts."""

    def __init__(self, found, must, may):
        nodes = {node["name"]: node for node in found["nodes"]}
        self.right = self.guessed = 0
        self.missing, self.wrong = [], []
        for name, modules in must.items():
            for module in sorted(modules):
                held, guess = module in nodes[name]["storage"], nodes[name]["provenance"]["storage"] == "guess"
                self.right += held and not guess
                self.guessed += held and guess
                if not held:
                    self.missing.append((name, module, nodes[name]["storage"]))
        for name, node in nodes.items():
            if node["provenance"]["storage"] != "guess":
                self.wrong += [(name, module, sorted(may.get(name, []))) for module in node["storage"]
                               if module not in may.get(name, [])]

    def tell(self, when):
        for kind, places in (("missing", self.missing), ("wrong", self.wrong)):
            for place in places[:6]:
                print(f"    {kind} {when}: {place[0]}: '{place[1]}' {place[2]}", file=sys.stderr)


def row(cli, name, export, path, checkpoint, must, may):
    found = scopes(cli, path, "--checkpoint", checkpoint)
    coverage = found["coverage"]
    given, alone = Outcome(found, must, may), Outcome(scopes(cli, path), must, may)
    print(f"  {name} {export}", file=sys.stderr)
    given.tell("with the checkpoint")
    if alone.wrong:
        alone.tell("without")
    cells = (name, export, checkpoint.suffix, f"{sum(coverage['matched_by'].values())} of {coverage['keys']}",
             sum(map(len, must.values())), given.right, given.guessed, len(given.missing), len(given.wrong), alone.right,
             len(alone.wrong))
    return "| " + " | ".join(map(str, cells)) + " |\n"


def expected(name, folder, export, path, source):
    """The truth about an export; of a converted one that of its source, whose nodes kept their names."""
    cache = folder / f"{name}.{source}.truth"
    if not cache.exists():
        model, inputs = networks.make(name)
        recorder = truth.record(model, inputs)
        cache.write_bytes(pickle.dumps(alignment.expected_owners(path, recorder, inputs, model)))
    return pickle.loads(cache.read_bytes())


def main(cli, folder, names):
    warnings.filterwarnings("ignore")
    table = HEAD
    for name in names:
        checkpoints, paths = exports.make(name, folder)
        for i, (export, path) in enumerate(paths.items()):
            must, may, lost = expected(name, folder, export, paths[exports.source(export)], exports.source(export))
            if lost:
                print(f"  {name} {export}: no node for {sorted(lost)[:5]}", file=sys.stderr)
            if exports.source(export) != export:
                must, may = alignment.renamed(must, may, onnx.load(path).graph)
            line = row(cli, name, export, path, checkpoints[i % len(checkpoints)], must, may)
            print(line, end="", flush=True)
            table += line
    table += NOTES
    table += f"\ntorch {torch.__version__.split('+')[0]}, onnx {onnx.__version__}\n"
    if tuple(names) == networks.NAMES:
        (HERE / "owners.md").write_text(table)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else pathlib.Path(scratch)
        folder.mkdir(exist_ok=True)
        main(sys.argv[1], folder, tuple(sys.argv[3:]) or networks.NAMES)
