#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of programs whose modules do different work, and that a tool leaves as one and the same file: whatever is said of
such nodes as a fact is wrong for one of the two. Writes lost_scopes.md.

Run: python lost_scopes.py; needs torch, onnx, onnxscript, onnxruntime, onnxsim, onnxslim."""
import contextlib
import io
import logging
import pathlib
import tempfile
import warnings

import onnx
import onnxruntime
import onnxsim
import onnxslim
import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
HERE = pathlib.Path(__file__).resolve().parent


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3, padding=1)

    def forward(self, x):
        return F.relu(self.conv(x))


class CallsBlock(nn.Module):
    """A block runs its convolution and a relu."""

    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x).sigmoid()


class ReadsBlock(CallsBlock):
    """The model itself works with the block's weight: neither the block nor its convolution runs."""

    def forward(self, x):
        return F.relu(F.conv2d(x, self.block.conv.weight, self.block.conv.bias, padding=1)).sigmoid()


class CallsLinear(nn.Module):
    """A linear layer runs over a sequence."""

    def __init__(self):
        super().__init__()
        self.out_proj = nn.Linear(8, 8)

    def forward(self, x):
        return self.out_proj(x).sigmoid()


class ReadsLinear(CallsLinear):
    """Its weight is read past it, as torch.nn.MultiheadAttention does with its out_proj."""

    def forward(self, x):
        return F.linear(x, self.out_proj.weight, self.out_proj.bias).sigmoid()


class Mixer(nn.Sequential):
    pass


class LoopingMixer(nn.Sequential):
    def forward(self, x):
        for _ in range(2):
            for module in self:
                x = module(x)
        return x


class CallsTwice(nn.Module):
    """A Sequential is called twice in a row."""

    kind = Mixer

    def __init__(self):
        super().__init__()
        self.mixer = self.kind(nn.Linear(8, 8), nn.Tanh())

    def forward(self, x):
        return self.mixer(self.mixer(x)).sigmoid()


class CallsLoop(CallsTwice):
    """It is called once, and runs its items twice itself."""

    kind = LoopingMixer

    def forward(self, x):
        return self.mixer(x).sigmoid()


class OneRelu(nn.Module):
    """One module `relu` is called twice; the first call goes into the convolution before it."""

    def __init__(self):
        super().__init__()
        self.conv, self.relu = nn.Conv2d(3, 3, 3, padding=1), nn.ReLU()

    def forward(self, x):
        return self.relu(x + self.relu(self.conv(x)))


class TwoRelus(OneRelu):
    """Two modules, `act` and `relu_1`, are called once each."""

    def __init__(self):
        super().__init__()
        self.act, self.relu_1 = nn.ReLU(), nn.ReLU()

    def forward(self, x):
        return self.relu_1(x + self.act(self.conv(x)))


class GeluModule(nn.Module):
    """A module computes the GELU between two layers."""

    def __init__(self):
        super().__init__()
        self.up, self.act, self.down = nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


class GeluOfItsOwn(GeluModule):
    """The model computes it itself."""

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


IMAGE, ROWS = torch.ones(1, 3, 8, 8), torch.ones(2, 4, 8)
PAIRS = (("convolution of a block", CallsBlock, ReadsBlock, IMAGE), ("linear layer over a sequence", CallsLinear, ReadsLinear, ROWS),
         ("Sequential twice", CallsTwice, CallsLoop, ROWS), ("relu_1", OneRelu, TwoRelus, IMAGE),
         ("GELU", GeluModule, GeluOfItsOwn, ROWS))


def optimized(path, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, f"ORT_ENABLE_{level}")
    options.optimized_model_filepath = f"{path}.{level}"
    options.log_severity_level = 4
    onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return onnx.load(f"{path}.{level}")


FORMS = {"exported": onnx.load, "onnxsim": lambda path: onnxsim.simplify(onnx.load(path))[0],
         "onnxslim": lambda path: onnxslim.slim(onnx.load(path)), "ORT basic": lambda path: optimized(path, "BASIC"),
         "ORT extended": lambda path: optimized(path, "EXTENDED"), "ORT all": lambda path: optimized(path, "ALL")}


def content(model):
    """The nodes with all they carry, values by the order they appear in: what values are called says nothing of modules."""
    names = {}
    number = lambda name: names.setdefault(name, len(names)) if name else -1
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    keys = [name for name in tensors if "." in name and "::" not in name]
    nodes = []
    for node in model.graph.node:
        read = [name if name in keys else number(name) for name in node.input]
        made = [number(name) for name in node.output]
        held = sorted(attribute.SerializeToString() for attribute in node.attribute)
        notes = sorted((note.key, note.value) for note in node.metadata_props)
        nodes.append((node.op_type, node.domain, node.name, read, made, held, notes))
    values = sorted((str(names.get(name, name)), tensor.raw_data) for name, tensor in tensors.items())
    return nodes, values


def main():
    table = "# What tools leave nothing of\nWritten by `lost_scopes.py`: pairs of programs, each exported and simplified or optimized. **same** where " \
        "the two files hold the same nodes, names, metadata, parameters and wiring; only what values are called is set aside, which " \
        "says nothing of modules. There no reader can tell the two programs apart, and only a guess can be made.\n\n"
    for title, first, second, _ in PAIRS:
        table += f"- **{title}**: {first.__doc__} Or: {second.__doc__}\n"
    table += "\n| pair | exporter | " + " | ".join(FORMS) + " |\n|---|---|" + "---|" * len(FORMS) + "\n"
    for title, first, second, inputs in PAIRS:
        for exporter, dynamo in (("TorchScript", False), ("torch.export", True)):
            cells = []
            with tempfile.TemporaryDirectory() as folder:
                paths = []
                for kind in (first, second):
                    torch.manual_seed(1)
                    model, path = kind().eval(), pathlib.Path(folder) / f"{kind.__name__}.onnx"
                    options = dict(dynamo=True, external_data=False) if dynamo else dict(dynamo=False, opset_version=17)
                    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                        torch.onnx.export(model, (inputs,), path, **options)
                    paths.append(path)
                for make in FORMS.values():
                    with contextlib.redirect_stdout(io.StringIO()):
                        one, other = (content(make(path)) for path in paths)
                    cells.append("**same**" if one == other else "differ")
            table += f"| {title} | {exporter} | " + " | ".join(cells) + " |\n"
    table += f"\ntorch {torch.__version__.split('+')[0]}, onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, " \
             f"onnxsim {onnxsim.__version__}, onnxslim {onnxslim.__version__}\n"
    (HERE / "lost_scopes.md").write_text(table)
    print(table)


if __name__ == "__main__":
    main()
