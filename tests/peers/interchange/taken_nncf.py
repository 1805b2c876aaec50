#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Setups in NNCF's own classes: does NNCF take ours, and does its own come back the same?

Usage: taken_nncf.py DUOSCOPE_CLI FLOAT.onnx... ; needs nncf 3.4. Prints a row for each model.
"""
import json
import os
import subprocess
import sys
import tempfile

from nncf.common.quantization.quantizer_setup import SingleConfigQuantizerSetup


def run(*arguments):
    done = subprocess.run(list(arguments) + ["--json"], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def with_sorted_groups(setup):
    """NNCF keeps the members of groups as sets."""
    return {key: {group: sorted(members) if isinstance(members, list) else members for group, members in value.items()}
            for key, value in setup.items()}


def main():
    cli = sys.argv[1]
    print("| model | points | taken by NNCF, and equal when it writes them | NNCF's text read here: the same state |")
    print("|---|---|---|---|")
    for path in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            at = lambda name: os.path.join(folder, name)
            with open(at("r.recipe.json"), "w") as out:
                json.dump({"format": "duoscope-recipe", "version": 1, "transforms": False, "quantization": {"model_type": "none"}}, out)
            run(cli, "quantize", path, "--data", "random:4", "-o", at("q.onnx"), "--recipe", at("r.recipe.json"))
            run(cli, "statistics", path, "--data", "random:4", "-o", at("s"), "--recipe", at("r.recipe.json"))
            run(cli, "convert-state", path, "--from", at("q.state.json"), "--to", "nncf-setup", "-o", at("n.json"))
            ours = json.load(open(at("n.json")))
            setup = SingleConfigQuantizerSetup.from_state(ours)
            theirs = json.loads(json.dumps(setup.get_state()))
            equal = with_sorted_groups(theirs) == with_sorted_groups(ours)
            with open(at("t.json"), "w") as out:
                json.dump(theirs, out)
            run(cli, "convert-state", path, "--from", at("t.json"), "--statistics", at("s"), "--recipe", at("r.recipe.json"), "--to",
                "state", "-o", at("t.state.json"))
            same = subprocess.run([cli, "compare", at("q.state.json"), at("t.state.json"), "--setup"],
                                  capture_output=True, text=True)
            print(f"| {os.path.basename(path)} | {len(setup.quantization_points)} | "
                  f"{'equal' if equal else 'other'} | {'yes' if same.returncode == 0 else 'no'} |", flush=True)


if __name__ == "__main__":
    main()
