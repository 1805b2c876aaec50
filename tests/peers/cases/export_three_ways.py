#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Larger modules, each saved in every way at hand: NAME.dynamo.onnx, NAME.script.onnx and NAME.pt2 by PyTorch 2.15,
NAME.flat.pt2 by PyTorch 2.5.1 (run it once with each). Run: python export_three_ways.py OUTDIR; needs torch, onnx, onnxscript,
transformers (5.23; 4.46 beside PyTorch 2.5.1). Weights are random. To stay below 60 kB, archives of the two language
models are packed again with compression, and their ONNX nodes lack "namespace", which says what two other keys say."""
import copy
import os
import sys
import warnings
import zipfile

target = sys.argv[1] if len(sys.argv) > 1 else "exports"
import torch
import torch.nn as nn
from export_dynamo import without_stack_traces as strip_model
from export_pt2 import TwoLevels, is_new, without_stack_traces as strip_program

warnings.filterwarnings("ignore")


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.randn(4))

    def forward(self, x):
        return torch.relu(self.lin(x)) * self.scale


class Mid(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.own = nn.Linear(4, 4)
        self.blk = block

    def forward(self, x):
        return self.blk(self.own(self.blk(x)))


class Levels(nn.Module):
    """A block called by the root, and twice by another module that holds it, too."""
    def __init__(self):
        super().__init__()
        self.blk = Block()
        self.mid = Mid(self.blk)

    def forward(self, x):
        return self.mid(torch.tanh(self.blk(x)))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        return self.head(self.enc(x))


old = {} if is_new else {"attn_implementation": "eager"}


def bert():
    from transformers import BertConfig, BertForMaskedLM
    return BertForMaskedLM(BertConfig(vocab_size=12, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=8, return_dict=False, **old))


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel
    return GPT2LMHeadModel(GPT2Config(vocab_size=12, n_positions=8, n_embd=8, n_layer=1, n_head=2, use_cache=False,
        bos_token_id=0, eos_token_id=0, **old))


# A finished mask and positions keep what computes them out of the graph.
mask = torch.zeros(1, 1, 4, 4) if is_new else torch.ones(1, 4)
text = {"input_ids": torch.tensor([[1, 2, 3, 4]]), "attention_mask": mask, "position_ids": torch.arange(4)[None]}
CASES = {
    "two_levels": (TwoLevels, torch.randn(2, 4)), "levels": (Levels, torch.randn(2, 4)),
    "encoder": (Encoder, torch.randn(2, 3, 8)), "bert": (bert, text), "gpt2": (gpt2, text),
}


def arguments(example):
    return ((), example) if isinstance(example, dict) else ((example,), {})


def save_program(module, example, path):
    program = torch.export.export(module, *arguments(example), strict=False)
    strip_program(program.graph_module, ["stack_trace", "from_node", "torch_fn", "source_fn_stack"])
    torch.export.save(program, path)


def save_dynamo(module, example, path, is_large):
    import onnx
    inputs, named = arguments(example)
    model = strip_model(torch.onnx.export(module, inputs, kwargs=named, dynamo=True).model_proto)
    for node in model.graph.node if is_large else []:
        kept = [copy.copy(entry) for entry in node.metadata_props if entry.key != "namespace"]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
    onnx.save(model, path)


def pack(path):
    with zipfile.ZipFile(path) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    os.makedirs(target, exist_ok=True)
    for name, (make, example) in CASES.items():
        torch.manual_seed(0)
        module = make().eval()
        path = os.path.join(target, name)
        program = path + (".pt2" if is_new else ".flat.pt2")
        save_program(module, example, program)
        if example is text:
            pack(program)
        if is_new:
            save_dynamo(module, example, path + ".dynamo.onnx", example is text)
            inputs, named = arguments(example)
            torch.onnx.export(module, inputs, path + ".script.onnx", kwargs=named, dynamo=False)
