#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""annotate beside PyTorch's own _annotate_modules_for_dynamo, on the same modules.

    python annotate.py FOLDER [DUOSCOPE_CLI [TABLE.md]]

Writes the files of the networks to FOLDER, and uses those that are there already.

Needs torch with torch.distributed (2.15), onnx and onnxscript. Each network is saved as a whole module, as TorchScript,
as a program (.pt2) and as ONNX of both exporters; what duoscope-cli marks of each file is compared with the modules that
the real function marked: the paths, and which of them are one object.
"""
import json
import pathlib
import subprocess
import sys
import warnings

import torch
from torch import nn
from torch.distributed.fsdp._dynamo_utils import _annotate_modules_for_dynamo

warnings.filterwarnings("ignore")


class Block(nn.Module):
    def __init__(self, act=None):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.act = act or nn.ReLU()

    def forward(self, x):
        return self.act(self.lin(x))


class Chain(nn.Module):
    """Runs its children one after the other, by whatever names they have."""

    def __init__(self, **children):
        super().__init__()
        for name, child in children.items():
            setattr(self, name, child)
        self.order = list(children)

    def forward(self, x):
        for name in self.order:
            child = getattr(self, name)
            if isinstance(child, nn.ModuleList):
                for item in child:
                    x = item(x)
            elif isinstance(child, nn.ModuleDict):
                for item in child.values():
                    x = item(x)
            elif child is not None:
                x = child(x)
        return x


class Unused(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = Block()
        self.aux = nn.Sequential(nn.Linear(4, 4), nn.Dropout())

    def forward(self, x):
        return self.body(x)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4, bias=False)
        self.second = nn.Linear(4, 4, bias=False)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(self.first(x))


def shared():
    block = Block()
    return Chain(a=Chain(blk=block), b=Chain(blk=block, own=nn.Linear(4, 4)))


def one_relu():
    relu = nn.ReLU()
    return Chain(a=Block(relu), b=Block(relu), c=relu)


def diamond():
    core = Chain(one=Block(), two=nn.LayerNorm(4))
    return Chain(left=Chain(core=core, pre=nn.Linear(4, 4)), right=Chain(post=nn.Linear(4, 4), core=core))


def aliased():
    net = Chain(enc=Block(), dec=Block())
    net.alias = net.enc
    return net


def containers():
    item = Block()
    return Chain(items=nn.ModuleList([item, Block(), item]), named=nn.ModuleDict({"x": Block(), "y": item}))


def with_none():
    net = Chain(a=Block(), b=Block())
    net.register_module("nothing", None)
    return net


def transformer():
    layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


# name, network, calls of the function: root, ignored, use_orig_params
CASES = [
    ("plain", lambda: Chain(a=Block(), b=Block()), [("", [], True)]),
    ("part of the tree", lambda: Chain(a=Block(), b=Block()), [("b", [], True)]),
    ("shared block", shared, [("", [], True)]),
    ("shared block from one side", shared, [("b", [], False)]),
    ("shared block ignored by its other path", shared, [("b", ["a.blk"], True)]),
    ("ignored, children are marked", shared, [("", ["a", "b.blk"], True)]),
    ("nested ignored", diamond, [("", ["left.core", "left.core.one.lin", "right"], True)]),
    ("root ignored", diamond, [("", [""], True)]),
    ("root ignored below", diamond, [("right", ["right", "right.core.two"], True)]),
    ("one ReLU under four paths", one_relu, [("", [], True)]),
    ("one ReLU ignored", one_relu, [("", ["b.act"], True)]),
    ("alias beside", aliased, [("", ["alias.lin"], True)]),
    ("alias as root", aliased, [("alias", [], True)]),
    ("containers, an item twice", containers, [("", ["items", "named.y.act"], True)]),
    ("tied weights of two layers", Tied, [("", ["second"], True)]),
    ("a head that never runs", Unused, [("", ["aux.0"], True)]),
    ("no child", with_none, [("", [], True)]),
    ("marked twice", diamond, [("", [], True), ("right", ["right.post"], False)]),
    ("TransformerEncoder", transformer, [("", ["layers.0.norm1", "layers.1"], True)]),
]


def truth(make, calls):
    """Paths by object, and the flag that each object has."""
    torch.manual_seed(0)
    net = make().eval()
    for root, ignored, flag in calls:
        _annotate_modules_for_dynamo(net.get_submodule(root), {net.get_submodule(p) for p in ignored}, flag)
    objects = {}
    for path, module in net.named_modules(remove_duplicate=False):
        if getattr(module, "_is_fsdp_managed_module", False):
            objects.setdefault(id(module), (set(), module._fsdp_use_orig_params))[0].add(path)
    for module in net.modules():
        for flag in ("_is_fsdp_managed_module", "_fsdp_use_orig_params"):
            if hasattr(module, flag):
                delattr(module, flag)
    return net, {frozenset(paths): flag for paths, flag in objects.values()}


def files_of(net, folder):
    """Name of the form, model file, checkpoint."""
    x = torch.randn(1, 3, 4) if isinstance(net, nn.TransformerEncoder) else torch.randn(1, 4)
    onnx, dynamo, whole, script, program = (folder / name for name in ("m.onnx", "d.onnx", "m.pth", "m.pt", "m.pt2"))
    forms = [("whole module", onnx, whole), ("TorchScript", dynamo, script), (".pt2", program, None),
             ("ONNX, dynamo", dynamo, None), ("ONNX, TorchScript exporter", onnx, None)]
    if program.exists():
        return forms
    folder.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(net, (x,), str(onnx), dynamo=False, verbose=False)
    torch.onnx.export(net, (x,), str(dynamo), dynamo=True, verbose=False)
    torch.save(net, whole)
    torch.jit.save(torch.jit.trace(net, x, check_trace=False), str(script))
    torch.export.save(torch.export.export(net, (x,)), program)
    return forms


def ours(cli, model, checkpoint, calls, folder):
    recipe = folder / "m.recipe.json"
    marks = [{"root": root, "ignored": ignored, "settings": {"use_orig_params": flag}} for root, ignored, flag in calls]
    recipe.write_text(json.dumps({"format": "duoscope-recipe", "version": 1, "marks": marks}))
    command = [cli, "annotate", str(model), "--recipe", str(recipe), "--json", "--quiet"]
    run = subprocess.run(command + (["--checkpoint", str(checkpoint)] if checkpoint else []), capture_output=True,
                         text=True, check=False)
    if run.returncode:
        return run.stderr.strip().splitlines()[-1] if run.stderr else f"exit {run.returncode}", None
    report = json.loads(run.stdout)
    return {frozenset([m["module"], *m["aliases"]]): m["settings"]["use_orig_params"] for m in report["modules"]}, report


def verdict(real, found, report, isExact):
    if report is None:
        return "refused: " + found.split(": ")[-1]
    if real == found:
        return "equal"
    if isExact:
        return "DIFFERS"
    missing = len(set().union(*real) - set().union(*found)) if found else -1
    wrong = len(set().union(*found) - set().union(*real))
    apart = sum(1 for paths in real if paths not in found and any(paths & other for other in found))
    told = report["counts"]["doubtful"] > 0
    text = f"{missing} paths not known" if missing else ""
    if wrong:
        text += f"{', ' if text else ''}{wrong} paths too many{' (said to be doubtful)' if told and not apart else ''}"
    if apart:
        text += f"{', ' if text else ''}{apart} objects otherwise{' (said to be doubtful)' if told else ''}"
    return text or "settings differ"


def main():
    cli = sys.argv[2] if len(sys.argv) > 2 else None
    rows = []
    for number, (name, make, calls) in enumerate(CASES):
        net, real = truth(make, calls)
        folder = pathlib.Path(sys.argv[1]) / str(number)
        forms = files_of(net, folder)
        if cli is None:
            continue
        cells = []
        for form, model, checkpoint in forms:
            found, report = ours(cli, model, checkpoint, calls, folder)
            cells.append(verdict(real, found, report, form == "whole module"))
        paths = sum(len(p) for p in real)
        rows.append([name, str(len(real)), str(paths), *cells])
        print(" | ".join(rows[-1]), flush=True)
    lines = ["# annotate beside _annotate_modules_for_dynamo", "",
             f"torch {torch.__version__.split('+')[0]}; what `annotate.py` here prints. Equal: the same paths are marked,",
             "the same of them are one object, and the setting of each is the same. An ONNX file alone knows only modules",
             "that store or run something; names of modules it does not know are refused, as said.", "",
             "| case | objects | paths | ONNX + whole module | ONNX + TorchScript | .pt2 | ONNX, dynamo | ONNX, "
             "TorchScript exporter |", "|---|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    if len(sys.argv) > 3:
        pathlib.Path(sys.argv[3]).write_text("\n".join(lines) + "\n")
    return any("DIFFERS" in cell for row in rows for cell in row)


if __name__ == "__main__":
    sys.exit(main())
