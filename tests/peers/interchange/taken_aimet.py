#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Encodings between this program and AIMET: does AIMET load ours, and are its own read whole?

Usage: taken_aimet.py DUOSCOPE_CLI FLOAT.onnx... ; needs aimet-onnx 2.42. Prints a row for each model and form.
"""
import json
import os
import subprocess
import sys
import tempfile

import onnx
from aimet_onnx.quantsim import QuantizationSimModel, load_encodings_to_sim
from aimet_onnx.utils import duplicate_shared_initializers


def run(*arguments):
    done = subprocess.run(list(arguments) + ["--json"], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def numbers(sim, tensor):
    """(scales, zero points of unsigned codes) of an enabled quantizer; None where there is none."""
    quantizer = sim.qc_quantize_op_dict.get(tensor)
    encodings = quantizer.get_encodings() if quantizer is not None and quantizer.enabled else None
    return [(e.delta, -int(e.offset)) for e in encodings] if encodings else None


def truth(file, form):
    """{tensor: [(scale, zero point of unsigned codes)]}"""
    document = json.load(open(file))
    wanted = {}
    for section in ("activation_encodings", "param_encodings"):
        entries = document[section]
        for name, entry in entries.items() if form == "aimet-0.6.1" else [(e["name"], e) for e in entries]:
            wanted[name] = ([(c["scale"], -c["offset"]) for c in entry] if form == "aimet-0.6.1"
                            else [(s, -o) for s, o in zip(entry["scale"], entry["offset"])])
    return wanted


def row(cli, path, form, folder):
    at = lambda name: os.path.join(folder, name)
    run(cli, "quantize", path, "--data", "random:4", "-o", at("q.onnx"), "--no-transform", "--model-type", "none")
    run(cli, "convert-state", at("q.onnx"), "--to", form, "-o", at("e.json"))
    model = onnx.load(path)
    duplicate_shared_initializers(model.graph)
    sim = QuantizationSimModel(model, config_file="htp_v73")
    load_encodings_to_sim(sim, at("e.json"), strict=False)
    wanted = truth(at("e.json"), form)
    there = {tensor: numbers(sim, tensor) for tensor in wanted if numbers(sim, tensor)}
    equal = sum(len(there[t]) == len(wanted[t])
                and all(abs(a[0] - b[0]) <= 1e-6 * b[0] and a[1] == b[1] for a, b in zip(there[t], wanted[t]))
                for t in there)
    sim.export(folder, "own", export_model=False)
    back = run(cli, "convert-state", path, "--from", at("own.encodings"), "--to", "state", "-o", at("s.json"))["from"]
    return f"{len(wanted)} | {equal} of {len(there)} | {back['used']} of {back['entries']}"


def main():
    cli = sys.argv[1]
    print("| model | form | entries | there in AIMET, equal | AIMET's own file: entries used here |")
    print("|---|---|---|---|---|")
    for path in sys.argv[2:]:
        for form in ("aimet-0.6.1", "aimet-1.0.0"):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    cells = row(cli, path, form, folder)
                except (RuntimeError, ValueError, AssertionError) as error:
                    cells = f"refused: {str(error).splitlines()[0]} | |"
                print(f"| {os.path.basename(path)} | {form} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
