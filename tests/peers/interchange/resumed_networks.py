#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks with random weights, each written by both of PyTorch's exporters, for resumed.py.

Usage: resumed_networks.py FOLDER; needs torch, torchvision, transformers, onnx and onnxscript. Writes NAME.onnx (TorchScript)
and NAME.dynamo.onnx.
"""
import pathlib
import sys

import torch
import transformers

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "owners"))
import networks

SMALL = dict(
    small_bert=(transformers.BertModel, transformers.BertConfig(vocab_size=512, hidden_size=64, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=256, max_position_embeddings=64, attn_implementation="eager")),
    small_gpt2=(transformers.GPT2LMHeadModel, transformers.GPT2Config(vocab_size=512, n_positions=64, n_embd=64, n_layer=2,
        n_head=4, attn_implementation="eager", use_cache=False)))


def make(name):
    if name not in SMALL:
        return networks.make(name)
    torch.manual_seed(3)
    kind, config = SMALL[name]
    wrapper = networks.Pooled if name == "small_bert" else networks.Text
    model = networks.live_in(wrapper(kind(config)))
    for module in model.modules():  # equal ones would be one tensor in the file
        if isinstance(getattr(module, "bias", None), torch.nn.Parameter):
            torch.nn.init.normal_(module.bias, 0, 0.1)
    return model, (torch.randint(0, 500, (1, 16)),)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("resnet18", "mobilenet_v2", "shufflenet_v2_x1_0", "unet", *SMALL):
        model, example = make(name)
        torch.onnx.export(model, example, str(folder / f"{name}.onnx"), dynamo=False, opset_version=17)
        torch.onnx.export(model, example, dynamo=True, opset_version=18).save(str(folder / f"{name}.dynamo.onnx"))


if __name__ == "__main__":
    main()
