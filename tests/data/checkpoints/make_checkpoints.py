#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints of one small network in every format PyTorch and safetensors write (torch 2.15, safetensors 0.8).

    python make_checkpoints.py [FOLDER]      writes beside itself, or to FOLDER

The network has what tells readers apart: an embedding tied to the head, a block registered under two names, buffers
inside and outside the state dict, a container, a module that holds nothing, and a head that never runs.
"""
import json
import pathlib
import sys
import warnings

import safetensors.torch
import torch
from torch import nn

warnings.filterwarnings("ignore")
folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
folder = folder if folder.is_dir() else folder.parent


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.register_buffer("pos", torch.arange(2.0))
        self.register_buffer("tmp", torch.zeros(2), persistent=False)

    def forward(self, x):
        return self.lin(x) + self.pos + self.tmp


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(3, 2)
        self.blk = Block()
        self.alias = self.blk
        self.seq = nn.Sequential(nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.ReLU())
        self.head = nn.Linear(2, 3, bias=False)
        self.head.weight = self.emb.weight
        self.aux = nn.Linear(2, 2)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.head(self.alias(self.blk(self.emb(x)))) * self.scale


def number_parameters(net):
    """Every element of every tensor has a value of its own: 1, 2, 3, ..."""
    count = 0
    for tensor in list(net.parameters()) + list(net.buffers()):
        with torch.no_grad():
            tensor.copy_(torch.arange(count + 1, count + 1 + tensor.numel()).reshape(tensor.shape))
        count += tensor.numel()


net = Net().eval()
number_parameters(net)
state = net.state_dict()
tokens = torch.tensor([[1, 2]])

torch.save(state, folder / "state_dict.pth")
torch.save(state, folder / "state_dict_protocol5.pth", pickle_protocol=5)
torch.save(state, folder / "legacy.pth", _use_new_zipfile_serialization=False)
torch.save({"epoch": 3, "best": torch.tensor(0.5), "optimizer": torch.optim.AdamW(net.parameters()).state_dict(),
            "state_dict": state, "ema": {"scale": torch.ones(())}}, folder / "training.pth")
torch.save(net, folder / "whole_module.pth")
torch.save({
    "transposed": torch.arange(6.0).reshape(2, 3).t(),
    "stepped": torch.arange(10)[2:9:3],
    "slice": torch.arange(10.0)[4:7],
    "expanded": torch.ones(1).expand(3),
    "huge": torch.ones(1).expand(1 << 40),
    "scalar": torch.tensor(3.0),
    "empty": torch.zeros(0, 3),
    "bfloat16": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
    "float8": torch.tensor([1.0, 2.0]).to(torch.float8_e4m3fn),
    "uint16": torch.tensor([1, 65535], dtype=torch.uint16),
    "bool": torch.tensor([True, False]),
    "complex": torch.tensor([1 + 2j]),
    "parameter": nn.Parameter(torch.tensor([7.0])),
    "quantized": torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.qint8),
    "sparse": torch.eye(2).to_sparse(),
    "conjugated": torch.tensor([1 + 2j]).conj(),
    "meta": torch.ones(2, device="meta"),
    "number": 5,
}, folder / "tensor_kinds.pth")

torch.jit.save(torch.jit.script(net), str(folder / "scripted.pt"))
torch.jit.save(torch.jit.trace(net, tokens), str(folder / "traced.pt"))
torch.export.save(torch.export.export(net, (tokens,)), folder / "exported.pt2")

untied = {name: tensor.clone() for name, tensor in state.items() if name not in ("head.weight", "alias.pos")}
untied = {name: tensor for name, tensor in untied.items() if not name.startswith("alias.")}
safetensors.torch.save_file(untied, folder / "plain.safetensors")
safetensors.torch.save_model(net, str(folder / "model.safetensors"))

names = list(untied)
shards = {"part-1-of-2.safetensors": names[:5], "part-2-of-2.safetensors": names[5:]}
for file, keys in shards.items():
    safetensors.torch.save_file({key: untied[key] for key in keys}, folder / file)
index = {"metadata": {"total_size": sum(t.numel() * t.element_size() for t in untied.values())},
         "weight_map": {key: file for file, keys in shards.items() for key in keys}}
(folder / "sharded.safetensors.index.json").write_text(json.dumps(index, indent=1) + "\n")
