# SPDX-License-Identifier: Apache-2.0
"""Runs `duoscope-cli plan` and NNCF on the same models and prints where they differ.

Usage: python compare_placement.py CLI MODEL.onnx... [--settings JSON]; structures (*.structure.onnx) are filled first."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import make_structure
import nncf_placement


def duoscope(cli, file, settings, folder, ignored=()):
    rules = [{"action": "ignore", "kind": "name", "value": name} for name in ignored]
    recipe = pathlib.Path(folder) / "recipe.json"
    recipe.write_text(json.dumps({"format": "duoscope-recipe", "version": 1, "rules": rules, "validate": False,
                                  "quantization": {"nncf_compatible": True, **settings}}))
    result = subprocess.run([cli, "plan", file, "--json", "--quiet", "--recipe", recipe], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout)


def difference(cli, model, settings, ignored=(), folder=None):
    """(lines only NNCF has, lines only Duoscope has)."""
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        file = f"{scratch}/model.onnx"
        onnx.save(model, file)
        ours = nncf_placement.duoscope_lines(duoscope(cli, file, settings, scratch, ignored), model)
    theirs = nncf_placement.nncf_lines(model, settings, ignored)
    return [line for line in theirs if line not in ours], [line for line in ours if line not in theirs], len(theirs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--settings", default="{}")
    parser.add_argument("--all", action="store_true", help="every device and preset")
    arguments = parser.parse_args()
    variants = [json.loads(arguments.settings)]
    if arguments.all:
        variants = [{**variants[0], "target_device": device, "preset": preset}
                    for device in ("ANY", "CPU", "GPU", "NPU", "CPU_SPR") for preset in ("performance", "mixed")]
    failures = 0
    for file in arguments.models:
        model = nncf_placement.preprocessed(make_structure.from_structure(onnx.load(file)) if ".structure." in file else onnx.load(file))
        for settings in variants:
            missing, extra, count = difference(arguments.cli, model, settings)
            failures += bool(missing or extra)
            print(f"{file} {json.dumps(settings)}: {count} lines, {'same' if not missing and not extra else 'DIFFERENT'}")
            for sign, lines in (("-", missing), ("+", extra)):
                for line in lines[:12]:
                    print(f"  {sign} {line}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
