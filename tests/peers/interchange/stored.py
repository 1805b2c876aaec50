#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small models that other tools quantized, for the tests: writes them and their quantizers into tests/data/quantized.

Usage: stored.py DUOSCOPE_CLI OUT_FOLDER. Needs torch (which makes the float model) and what made.py, made_nncf.py and
made_others.py need. The quantizers are read with the onnx package (recovered.py): all scales and zero points, sorted.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
import torch
from torch import nn

from recovered import truth

KEPT = ("QDQ.pt", "QDQ.pc", "QOperator.pt", "QOperator.pc", "nncf", "quark-XINT8", "quark-A8W8", "quark-U8S8_AAWS",
    "modelopt-max", "aimet", "olive")
HERE = os.path.dirname(os.path.abspath(__file__))


def float_model(path):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Conv2d(2, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 4, 3, groups=2), nn.Sigmoid(),
        nn.AvgPool2d(2), nn.Flatten(), nn.Linear(36, 3)).eval()
    torch.onnx.export(net, (torch.randn(1, 2, 8, 8),), path, dynamo=False, opset_version=17, input_names=["image"],
        output_names=["scores"])


def main():
    cli, target = sys.argv[1:3]
    os.makedirs(target, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/small.onnx"
        float_model(path)
        numpy.savez(f"{folder}/samples.npz", image=numpy.random.default_rng(0).standard_normal((32, 2, 8, 8)).astype("f"))
        for command in (["made.py", folder, path], ["made_nncf.py", folder, path],
                ["made_others.py", cli, f"{folder}/samples.npz", folder, path]):
            subprocess.run([sys.executable, f"{HERE}/{command[0]}", *command[1:]], check=False)
        quantizers = {}
        for kind in KEPT:
            made = f"{folder}/small.{kind}.onnx"
            if not os.path.exists(made):
                print(f"{kind}: not made")
                continue
            shutil.copy(made, target)
            quantizers[f"small.{kind}.onnx"] = [[list(scales), list(zeros)] for scales, zeros in truth(made)]
        with open(f"{target}/quantizers.json", "w", encoding="utf-8") as file:
            file.write(json.dumps(quantizers).replace('], "', '],\n"').replace("[[[", "\n[[["))
            file.write("\n")


if __name__ == "__main__":
    main()
