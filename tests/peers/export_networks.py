# SPDX-License-Identifier: Apache-2.0
"""Exports ResNet-18, MobileNetV2 and a BERT encoder with random weights and keeps their structure in ../data/models.

Usage: python export_networks.py [FOLDER]; needs torch, torchvision, transformers, onnx, onnxscript."""
import pathlib
import sys
import tempfile

import onnx
import torch
import torchvision
from transformers import BertConfig, BertModel

import make_structure

MODELS = pathlib.Path(__file__).resolve().parents[1] / "data" / "models"


class BertEncoder(torch.nn.Module):
    """Only the tensors of BERT's output, so that both exporters see plain outputs."""

    def __init__(self):
        super().__init__()
        config = BertConfig(vocab_size=8192, hidden_size=128, num_hidden_layers=3, num_attention_heads=4, intermediate_size=512,
                            max_position_embeddings=256, attn_implementation="eager")
        self.bert = BertModel(config)

    def forward(self, input_ids, attention_mask, token_type_ids):
        out = self.bert(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        return out.last_hidden_state, out.pooler_output


def with_lived_in_statistics(model):
    """Batch norms as after training: fresh ones are all equal, and exporters then merge them."""
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.weight, 0.8, 1.2)
            torch.nn.init.normal_(module.bias, 0, 0.1)
            torch.nn.init.normal_(module.running_mean, 0, 0.1)
            torch.nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model.eval()


def classic(model, example, names, axes, path):
    torch.onnx.export(model, example, path, dynamo=False, opset_version=17, dynamic_axes=axes, **names)
    return onnx.load(path)


def modern(model, example, names, axes):
    dims = {name: torch.export.Dim(name) for axis in axes.values() for name in axis.values()}
    shapes = tuple({index: dims[dim] for index, dim in axes[name].items()} for name in names["input_names"])
    return torch.onnx.export(model, example, dynamo=True, dynamic_shapes=shapes, **names).model_proto


def vision(network, **options):
    names = dict(input_names=["image"], output_names=["logits"])
    axes = {"image": {0: "batch"}, "logits": {0: "batch"}}
    return with_lived_in_statistics(network(weights=None, **options)), (torch.randn(2, 3, 224, 224),), names, axes


def bert():
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    names = dict(input_names=inputs, output_names=["last_hidden_state", "pooler_output"])
    axes = {name: {0: "batch", 1: "sequence"} for name in (*inputs, "last_hidden_state")} | {"pooler_output": {0: "batch"}}
    ids = torch.randint(0, 8192, (2, 12))
    return BertEncoder().eval(), (ids, torch.ones_like(ids), torch.zeros_like(ids)), names, axes


def keep(model, folder, name):
    target = folder / f"{name}.structure.onnx"
    onnx.save(make_structure.to_structure(model), target)
    print(f"{name}: {len(model.graph.node)} nodes, {target.stat().st_size} bytes", flush=True)


def main(folder):
    sources = {"resnet18": lambda: vision(torchvision.models.resnet18), "mobilenet_v2": lambda: vision(torchvision.models.mobilenet_v2),
               "bert_encoder": bert}
    with tempfile.TemporaryDirectory() as scratch:
        for name, make in sources.items():
            torch.manual_seed(5)
            model, example, names, axes = make()
            keep(classic(model, example, names, axes, f"{scratch}/{name}.onnx"), folder, name)
            if name != "mobilenet_v2":
                keep(modern(model, example, names, axes), folder, f"{name}.dynamo")


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else MODELS
    target.mkdir(parents=True, exist_ok=True)
    main(target)
