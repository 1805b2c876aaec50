# SPDX-License-Identifier: Apache-2.0
"""A network whose calls give arguments by keyword, with the signatures of all modules: tests/data/exports/keywords.*

Usage: export_signatures.py FOLDER Weights are random, stack traces left out. Needs onnx, torch."""
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / "cases")]
target = pathlib.Path(sys.argv.pop())  # the modules below read the command line

import onnx
import torch

import orders
from export_three_ways import pack
from export_dynamo import without_stack_traces as strip_model
from export_pt2 import without_stack_traces as strip_program

orders.WIDTH = 4
torch.manual_seed(0)
net = orders.Keywords().eval()
inputs = (torch.randn(2, 3, 4), torch.randn(2, 3, 3))
paths = tuple(name for name, _ in net.named_modules() if name)
program = torch.export.export(net, inputs, preserve_module_call_signature=paths)
strip_program(program.graph_module, ["stack_trace", "from_node", "torch_fn", "source_fn_stack"])
torch.export.save(program, target / "keywords.pt2")
pack(target / "keywords.pt2")
onnx.save(strip_model(torch.onnx.export(net, inputs, dynamo=True).model_proto), target / "keywords.dynamo.onnx")
torch.onnx.export(net, inputs, str(target / "keywords.script.onnx"), dynamo=False)
