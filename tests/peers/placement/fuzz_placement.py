# SPDX-License-Identifier: Apache-2.0
"""Compares placement on random models. Usage: python fuzz_placement.py CLI FIRST_SEED COUNT [--keep FOLDER]"""
import argparse
import random
import sys
import traceback

import onnx

from compare_placement import difference
from nncf_placement import preprocessed
from random_models import random_model


def settings_for(source):
    settings = {"target_device": source.choice(["ANY", "ANY", "CPU", "GPU", "NPU"])}
    if source.random() < 0.4:
        settings["preset"] = source.choice(["performance", "mixed"])
    if source.random() < 0.3:
        settings["model_type"] = "transformer"
    if source.random() < 0.15:
        settings["quantize_outputs"] = True
    return settings


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cli")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", help="folder for the models that differ")
    arguments = parser.parse_args()
    failures = refused = 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        source = random.Random(seed)
        model = preprocessed(random_model(seed))
        settings = settings_for(source)
        names = [node.name for node in model.graph.node]
        ignored = source.sample(names, min(len(names), source.choice([0, 0, 1, 2])))
        try:
            missing, extra, _ = difference(arguments.cli, model, settings, ignored)
        except Exception as error:  # NNCF gives up on some graphs
            refused += 1
            print(f"seed {seed} {settings}: {''.join(traceback.format_exception_only(error)).strip()[:200]}", flush=True)
            continue
        if missing or extra:
            failures += 1
            print(f"seed {seed} {settings} ignored {ignored}: {len(names)} nodes", flush=True)
            for sign, lines in (("-", missing), ("+", extra)):
                for line in lines[:6]:
                    print(f"  {sign} {line}")
            if arguments.keep:
                onnx.save(model, f"{arguments.keep}/seed{seed}.onnx")
    print(f"{arguments.count} models, {failures} differ, {refused} not compared")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
