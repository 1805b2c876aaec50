#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A module whose calls leave no frame, with stack traces: hidden.pt2, hidden.dynamo.onnx and hidden.script.onnx by PyTorch 2.15,
hidden.flat.pt2 by PyTorch 2.5.1 (run it once with each). Paths in the traces are cut to begin below the folder of packages, or at this file.
Run: python export_hidden.py OUTDIR; needs torch, onnx, onnxscript."""
import os
import re
import sys

import torch
import torch.nn as nn

target = sys.argv[1] if len(sys.argv) > 1 else "exports"
is_new = tuple(int(x) for x in torch.__version__.split(".")[:2]) >= (2, 8)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.acts = [nn.ReLU()]
        self.layers = [nn.Linear(4, 4).requires_grad_(False)]

    def forward(self, x):
        x = self.fc.forward(x)
        x = self.acts[0](x)
        return self.layers[0](x)


class Hidden(nn.Module):
    """Of three calls in the block none goes through a registered module's __call__."""
    def __init__(self):
        super().__init__()
        self.blk = Block()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        x = torch.tanh(self.blk(x))
        return self.head(x)


def without_folders(trace):
    trace = re.sub(r'File "[^"]*/site-packages/', 'File "/lib/site-packages/', trace)
    return re.sub(r'File "[^"]*/([^"/]*export_hidden.py)"', r'File "\1"', trace)


if __name__ == "__main__":
    os.makedirs(target, exist_ok=True)
    torch.manual_seed(0)
    module, example = Hidden().eval(), (torch.randn(2, 4),)
    program = torch.export.export(module, example, strict=False)
    for node in program.graph.nodes:
        if node.meta.get("stack_trace"):
            node.meta["stack_trace"] = without_folders(node.meta["stack_trace"])
        for key in ("from_node", "source_fn_stack"):
            node.meta.pop(key, None)
    torch.export.save(program, os.path.join(target, "hidden" + (".pt2" if is_new else ".flat.pt2")))
    if is_new:
        import onnx
        model = torch.onnx.export(module, example, dynamo=True).model_proto
        for node in model.graph.node:
            for entry in node.metadata_props:
                if entry.key.endswith("stack_trace"):
                    entry.value = without_folders(entry.value)
        onnx.save(model, os.path.join(target, "hidden.dynamo.onnx"))
        torch.onnx.export(module, example, os.path.join(target, "hidden.script.onnx"), dynamo=False)
