# SPDX-License-Identifier: Apache-2.0
"""What functions save of a deep encoder: file size and the time to create a session, beside the flat model.

Usage: sharing.py DUOSCOPE_CLI [--write] Writes sharing.md beside this file with --write. Encoders of twelve layers are
exported by both exporters of PyTorch, outlined as a whole, and opened in ONNX Runtime with all its optimizations and
with none; times are the shortest of seven, one thread. Needs numpy, onnx, onnxruntime, torch, transformers."""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time
import warnings

import onnx
import onnxruntime as ort
import torch
from torch import nn

HERE = pathlib.Path(__file__).parent
LAYERS = 12


def bert():
    from transformers import BertConfig, BertModel
    config = BertConfig(vocab_size=100, hidden_size=64, num_hidden_layers=LAYERS, num_attention_heads=4,
                        intermediate_size=128, attn_implementation="eager")

    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = BertModel(config, add_pooling_layer=False)

        def forward(self, ids, mask):
            return self.bert(input_ids=ids, attention_mask=mask, return_dict=False)[0]

    return Wrapped(), (torch.randint(0, 100, (2, 8)), torch.ones(2, 8, dtype=torch.long))


def created_in(path, level):
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        times.append(time.perf_counter() - begin)
    return f"{min(times) * 1000:.0f}"


def structure_bytes(path):
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        for field in ("raw_data", "float_data", "int64_data"):
            tensor.ClearField(field)
    return model.ByteSize()


def row_of(name, path, functions, calls):
    none, every = ort.GraphOptimizationLevel.ORT_DISABLE_ALL, ort.GraphOptimizationLevel.ORT_ENABLE_ALL
    model = onnx.load(path)
    return [name, functions, calls, str(len(model.graph.node)), f"{path.stat().st_size / 1000:.0f}",
            f"{structure_bytes(path) / 1000:.0f}", created_in(path, none), created_in(path, every)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    torch.manual_seed(0)
    net, inputs = bert()
    for parameter in net.parameters():  # of equal ones, as biases are before training, exporters keep one
        nn.init.normal_(parameter, std=0.1)
    for exporter in ("dynamo", "script"):
        with tempfile.TemporaryDirectory() as scratch:
            flat, made = pathlib.Path(scratch) / "flat.onnx", pathlib.Path(scratch) / "functions.onnx"
            torch.onnx.export(net.eval(), inputs, str(flat), dynamo=exporter == "dynamo", external_data=False,
                              verbose=False)
            run = subprocess.run([arguments.cli, "outline", str(flat), "--all", "-o", str(made), "--json"],
                                 capture_output=True, text=True)
            functions = json.loads(run.stdout)["functions"]
            layer = max((one for one in functions if len(one["calls"]) == LAYERS), key=lambda one: one["nodes"])
            shared = sum(len(one["calls"]) >= LAYERS for one in functions)
            whole = sum(len(one["calls"]) for one in functions)
            rows.append(row_of(f"BertModel, {exporter}", flat, "", ""))
            rows.append(row_of(f"BertModel, {exporter}, outlined", made, f"{len(functions)}, of them {shared} shared by all layers",
                               f"{whole}, of {layer['name']} {len(layer['calls'])}"))
            for row in rows[-2:]:
                print(*row, sep=" | ", flush=True)
    if arguments.write:
        text = ("# What functions save of an encoder of twelve layers\nWritten by `sharing.py` (PyTorch "
                f"{torch.__version__.split('+')[0]}, ONNX Runtime {ort.__version__}). **structure**: the file without "
                "weights. **session**: milliseconds to create\none, without optimizations and with all; ONNX Runtime "
                "writes functions out first, so that they cost time rather than save it.\n\n"
                "| model | functions | calls | nodes of the graph | kB | structure, kB | session, none | session, all |\n"
                "|---|--:|--:|--:|--:|--:|--:|--:|\n")
        text += "".join("| " + " | ".join(row) + " |\n" for row in rows)
        (HERE / "sharing.md").write_text(text)


if __name__ == "__main__":
    main()
