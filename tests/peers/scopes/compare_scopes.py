#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random networks through both exporters; what duoscope-cli says of each operation against what PyTorch's hooks saw.
Run: python compare_scopes.py DUOSCOPE_CLI [COUNT [FIRST_SEED]] [--keep DIR] [--only named|recorded]; needs torch, onnx, onnxscript."""
import argparse
import collections
import json
import logging
import os
import random
import subprocess
import tempfile
import warnings

import torch

import random_modules
import truth

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
LINEAR = ("Gemm", "MatMul")


def export(model, inputs, path, dynamo):
    if dynamo:
        program = torch.onnx.export(model, inputs, dynamo=True, verbose=False)
        program.save(path)
    else:
        torch.onnx.export(model, inputs, path, dynamo=False, do_constant_folding=True)


def said(cli, path, extra=()):
    run = subprocess.run([cli, "scopes", path, "--json", "--quiet", *extra], capture_output=True, text=True, check=False)
    return json.loads(run.stdout) if run.returncode == 0 else {"error": run.stderr}


def align(ops, nodes):
    """Operations and nodes of one kind are in the same order; nothing if their numbers differ."""
    pairs = []
    for kind in sorted({o.kind for o in ops}):
        types = LINEAR if kind == "linear" else truth.KINDS[kind]
        mine = [o for o in ops if o.kind == kind]
        theirs = [n for n in nodes if n["op_type"] in types]
        if len(mine) != len(theirs):
            return None
        pairs += list(zip(mine, theirs))
    return pairs


def verdicts(facts, op, node):
    wrong = []
    right = facts.execution(op.call)
    if node["execution"] not in right:
        wrong.append("execution" if node["provenance"]["execution"] != "guess" else "execution-guess")
    owners = facts.storage(op)
    if set(node["storage"]) != set(owners):
        wrong.append("storage" if node["provenance"]["storage"] != "guess" else "storage-guess")
    if not wrong and node["differs"] != facts.differs(op, node["execution"]):
        wrong.append("differs")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("count", type=int, nargs="?", default=50)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--keep")
    parser.add_argument("--only", choices=["named", "recorded"])
    parser.add_argument("--odd", type=float, default=0.1)
    parser.add_argument("--rank", type=int, default=2)
    parser.add_argument("--show", type=int, default=3)
    options = parser.parse_args()
    counts = collections.Counter()
    folder = options.keep or tempfile.mkdtemp()
    os.makedirs(folder, exist_ok=True)
    for seed in range(options.first, options.first + options.count):
        torch.manual_seed(seed)
        maker = random_modules.Maker(random.Random(seed), options.odd)
        model = maker.block(3).eval()
        inputs = (torch.randn(*([2] * (options.rank - 1)), random_modules.WIDTH),)
        recorder = truth.record(model, inputs)
        if not recorder.ops or len(recorder.ops) > 400:
            continue
        for dynamo in (False, True):
            way = "recorded" if dynamo else "named"
            if options.only and options.only != way:
                continue
            path = os.path.join(folder, f"{seed}.{way}.onnx")
            if not os.path.exists(path):
                try:
                    export(model, inputs, path, dynamo)
                except Exception as error:  # the exporter's own limits
                    counts[way, "not exported"] += 1
                    continue
            answer = said(options.cli, path)
            if "error" in answer:
                print(f"seed {seed} {way}: {answer['error']}")
                counts[way, "refused"] += 1
                continue
            facts = truth.Truth(model, recorder, aliases=dynamo)
            pairs = align(recorder.ops, answer["nodes"])
            if pairs is None:
                counts[way, "merged by the exporter"] += 1
                continue
            shown = 0
            bad = False
            for op, node in pairs:
                if facts.is_hidden(op.call):
                    counts[way, "hidden"] += 1
                    continue
                counts[way, "operations"] += 1
                for wrong in verdicts(facts, op, node):
                    bad = True
                    counts[way, wrong] += 1
                    if shown < options.show:
                        shown += 1
                        print(f"seed {seed} {way} {node['name']}: {wrong}: said {node['execution']} {node['storage']}"
                              f" {node['differs']}; is {' or '.join(sorted(facts.execution(op.call)))} {facts.storage(op)}")
            counts[way, "models"] += 1
            counts[way, "models with errors"] += bad
    for key, count in sorted(counts.items()):
        print(*key, count)


if __name__ == "__main__":
    main()
