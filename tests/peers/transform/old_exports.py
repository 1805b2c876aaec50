# SPDX-License-Identifier: Apache-2.0
"""Eight networks exported in opsets 7, 9, 11, 12 and 17 with the same drawn weights, each quantized by us.

All are quantized per channel, and the least SQNR of the outputs on the same drawn samples is beside that of opset 17 to
0.5 dB. Writes old_exports.md.
Usage: old_exports.py DUOSCOPE_CLI. Needs: pip install torch torchvision onnx numpy.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
import torch
import torchvision

TABLE = pathlib.Path(__file__).with_name("old_exports.md")
OPSETS = [17, 7, 9, 11, 12]
NAMES = ["resnet18", "squeezenet1_1", "mobilenet_v2", "mnasnet0_5", "efficientnet_b0", "googlenet", "densenet121", "shufflenet_v2_x0_5"]


def network(name):
    torch.manual_seed(1)
    options = {"aux_logits": False, "init_weights": True} if name == "googlenet" else {}
    model = getattr(torchvision.models, name)(**options)
    with torch.no_grad():  # norms that are not the identity
        for module in model.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 2)
    return model.eval()


def is_per_channel(path):
    model = onnx.load(path)
    sizes = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    return any(node.op_type == "DequantizeLinear" and sum(sizes.get(node.input[1], [])) > 1 for node in model.graph.node)


def quantized(cli, source, data, target):
    done = subprocess.run([cli, "quantize", str(source), "--data", str(data), "-o", str(target), "--json", "--quiet", "--no-cache"],
                          capture_output=True, text=True)
    if done.returncode > 1:
        return None, done.stderr.strip().splitlines()[0][:100]
    report = json.loads(done.stdout)
    return min(output["sqnr_db"] for output in report["outputs"]), report["quantizers"]


def row(cli, name, folder):
    model = network(name)
    data = folder / "data.npz"
    numpy.savez(data, x=numpy.random.default_rng(1).standard_normal((4, 3, 64, 64)).astype(numpy.float32))
    cells, known, holds = [], None, True
    for opset in OPSETS:
        source, target = folder / f"{opset}.onnx", folder / "q.onnx"
        try:
            torch.onnx.export(model, (torch.randn(1, 3, 64, 64),), str(source), opset_version=opset, dynamo=False, input_names=["x"])
        except Exception as error:
            cells.append(f"not exported: {str(error).splitlines()[0][:60]}")
            continue
        sqnr, what = quantized(cli, source, data, target)
        if sqnr is None:
            cells.append(what)
            holds = False
            continue
        known = sqnr if known is None else known
        per_channel = is_per_channel(target)
        holds = holds and per_channel and abs(sqnr - known) <= 0.5
        cells.append(f"{sqnr:.2f}" + ("" if per_channel else " per tensor"))
    return f"| {name} | " + " | ".join(cells) + f" | {'holds' if holds and known is not None else 'does not hold'} |"


def main():
    warnings.simplefilter("ignore")
    lines = []
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            lines.append(row(sys.argv[1], name, pathlib.Path(folder)))
        print(lines[-1], flush=True)
    TABLE.write_text("\n".join([
        "# Exports of old opsets", "",
        f"Made by `old_exports.py` with torch {torch.__version__} and torchvision {torchvision.__version__}: dB of the worst output, quantized"
        " per channel.", "", "| network | " + " | ".join(f"opset {opset}" for opset in OPSETS) + " | |",
        "|---|" + "--:|" * len(OPSETS) + "---|", *lines]) + "\n")


main()
