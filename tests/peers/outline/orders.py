# SPDX-License-Identifier: Apache-2.0
"""The order in which functions take and give, beside what PyTorch's forward hooks saw.

Usage: orders.py DUOSCOPE_CLI [--write] Writes orders.md beside this file with --write. Twelve models are run with hooks
(arguments by position, then by keyword, and what is returned), saved as .pt2 with the signatures of all modules, and
exported to ONNX by both exporters. Each module is outlined, with the .pt2 beside the model and without, as exported and
after the common transforms; and of the quantized model, which was made with the .pt2 beside it, without; the values of its calls are computed by ONNX Runtime and found among those that the hooks
saw. Right: they come in the same order.
Needs numpy, onnx, onnxruntime, torch, transformers."""
import argparse
import collections
import json
import pathlib
import subprocess
import tempfile
import warnings

import numpy as np
import onnx
import onnxruntime as ort
import torch
from torch import nn
from torch.nn import functional as F

HERE = pathlib.Path(__file__).parent
WIDTH = 16


class SecondFirst(nn.Module):
    """Uses its second argument first, and has two that are given by keyword."""

    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, bias, hidden, mask=None, *, scale):
        k, q, v = self.k(hidden), self.q(hidden) * scale, self.v(hidden)
        w = torch.softmax(q @ k.transpose(1, 2) + mask + bias, -1)
        return w, self.o(w @ v)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.attn, self.ff = nn.LayerNorm(WIDTH), SecondFirst(), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, mask):
        w, y = self.attn(torch.relu(mask), self.norm(x), scale=torch.sigmoid(x[:, :, :1]), mask=mask + 1)
        return self.ff(x + y) + w.sum(), mask * 2


class Keywords(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(2))

    def forward(self, x, mask):
        for block in self.blocks:
            x, mask = block(x, mask)
        return x


class Film(nn.Module):
    def forward(self, gain, shift, x):
        return torch.tanh(x) * gain + shift


class Filmed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain, self.shift, self.film = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), Film()

    def forward(self, x, c):
        return self.film(self.gain(c), self.shift(c), x)


class Shared(nn.Module):
    """One module, called twice with its arguments exchanged."""

    def __init__(self):
        super().__init__()
        self.film, self.lin = Film(), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, c):
        y = self.film(torch.relu(c), self.lin(x), x)
        return self.film(y, x, torch.abs(c))


class Pairs(nn.Module):
    def forward(self, pair, options):
        first, second = pair
        return {"sum": second * 2 + first, "product": second * first * options["weight"]}


class Nested(nn.Module):
    """Tuples and dicts of tensors."""

    def __init__(self):
        super().__init__()
        self.pairs, self.lin = Pairs(), nn.Linear(WIDTH, WIDTH)

    def forward(self, x, c):
        got = self.pairs((self.lin(x), torch.relu(c)), options={"weight": torch.sigmoid(x)})
        return got["product"] - got["sum"] ** 2


class Cells(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTMCell(WIDTH, WIDTH), nn.GRUCell(WIDTH, WIDTH)

    def forward(self, x, h, c):
        h, c = self.lstm(x, (torch.tanh(h), torch.sin(c)))
        return self.gru(torch.relu(h), c)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(WIDTH, WIDTH, batch_first=True)

    def forward(self, x, h, c):
        y, (h, c) = self.rnn(x, (torch.tanh(h), torch.sin(c)))
        return y.sum(1) + h[0] * c[0]


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(WIDTH, 2, kdim=WIDTH, vdim=WIDTH, batch_first=True)
        self.attn._qkv_same_embed_dim = False
        self.one, self.two = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        for name in ("q", "k", "v"):
            setattr(self.attn, f"{name}_proj_weight", nn.Parameter(torch.randn(WIDTH, WIDTH)))
        self.attn.register_parameter("in_proj_weight", None)

    def forward(self, x, c):
        return self.attn(torch.relu(x), self.one(c), self.two(c), need_weights=False)[0]


class Decoding(nn.Module):
    def __init__(self):
        super().__init__()
        self.memory = nn.Linear(WIDTH, WIDTH)
        self.layer = nn.TransformerDecoderLayer(WIDTH, 2, 32, dropout=0.0, batch_first=True)

    def forward(self, x, c):
        return self.layer(torch.relu(x), self.memory(c))


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(WIDTH, WIDTH)

    def forward(self, gate, x):
        return self.lin(x), torch.sigmoid(gate) * x, gate + 1


class Gated(nn.Module):
    """Gives three values, two of which are read, in another order."""

    def __init__(self):
        super().__init__()
        self.gate, self.norm = Gate(), nn.LayerNorm(WIDTH)

    def forward(self, x, c):
        y, z, _ = self.gate(self.norm(x), torch.relu(c))
        return z * torch.softmax(y, -1)


class Skip(nn.Module):
    def forward(self, lateral, top):
        return F.interpolate(top, scale_factor=2.0) + lateral


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 4, 3, 2, 1)
        self.lateral, self.skip = nn.Conv2d(4, 4, 1), Skip()

    def forward(self, x):
        low = torch.relu(self.one(x))
        return self.skip(self.lateral(low), torch.relu(self.two(low)))


def bert():
    from transformers import BertConfig, BertModel
    config = BertConfig(vocab_size=50, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=2,
                        intermediate_size=32, attn_implementation="eager")
    net = BertModel(config, add_pooling_layer=False)

    class Wrapped(nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = net

        def forward(self, ids, mask):
            return self.bert(input_ids=ids, attention_mask=mask, return_dict=False)[0]

    ids = torch.randint(0, 50, (2, 6))
    mask = torch.ones(2, 6, dtype=torch.long)
    mask[1, 4:] = 0
    return Wrapped(), (ids, mask)


def models():
    def flat():
        return torch.randn(3, WIDTH)

    def long():
        return torch.randn(2, 5, WIDTH)

    yield "keywords", Keywords(), (long(), torch.randn(2, 5, 5))
    yield "film", Filmed(), (flat(), flat())
    yield "shared", Shared(), (flat(), flat())
    yield "nested", Nested(), (flat(), flat())
    yield "cells", Cells(), (flat(), flat(), flat())
    yield "recurrent", Recurrent(), (long(), torch.randn(1, 2, WIDTH), torch.randn(1, 2, WIDTH))
    yield "attending", Attending(), (long(), torch.randn(2, 7, WIDTH))
    yield "decoding", Decoding(), (long(), torch.randn(2, 7, WIDTH))
    yield "gated", Gated(), (flat(), flat())
    yield "pyramid", Pyramid(), (torch.randn(1, 3, 8, 8),)
    yield ("bert", *bert())
    from torchvision.ops import SqueezeExcitation
    yield "squeeze", nn.Sequential(nn.Conv2d(3, 8, 3), SqueezeExcitation(8, 4)), (torch.randn(1, 3, 8, 8),)


def tensors_of(tree):
    return [one.detach().clone() for one in torch.utils._pytree.tree_leaves(tree) if isinstance(one, torch.Tensor)]


def seen_by_hooks(net, inputs):
    """Per module path the calls, each as tensors taken and tensors given."""
    seen = collections.defaultdict(list)
    handles = []
    for path, module in net.named_modules():
        if path:
            handles.append(module.register_forward_hook(
                lambda _, args, kwargs, out, path=path: seen[path].append(
                    (tensors_of(args) + tensors_of(kwargs), tensors_of(out))), with_kwargs=True))
    with torch.no_grad():
        net(*inputs)
    for handle in handles:
        handle.remove()
    return seen


def exported(net, inputs, folder):
    paths = tuple(name for name, _ in net.named_modules() if name)
    files = {}
    with torch.no_grad():
        program = torch.export.export(net, inputs, preserve_module_call_signature=paths)
        torch.export.save(program, folder / "net.pt2")
        torch.onnx.export(net, inputs, str(folder / "dynamo.onnx"), dynamo=True, verbose=False)
        files["dynamo"] = folder / "dynamo.onnx"
        try:
            torch.onnx.export(net, inputs, str(folder / "script.onnx"), dynamo=False)
            files["script"] = folder / "script.onnx"
        except Exception as problem:  # noqa: BLE001
            print("script exporter:", str(problem)[-200:].splitlines()[-1])
    return files


def transformed(cli, model):
    target = model.with_name(model.stem + ".common.onnx")
    subprocess.run([cli, "transform", str(model), "-o", str(target)], capture_output=True, check=True)
    return target


def quantized(cli, model, program):
    target = model.with_name(model.stem + ".int8.onnx")
    run = subprocess.run([cli, "quantize", str(model), "--checkpoint", str(program), "--data", "random:4", "-o",
                          str(target)], capture_output=True, text=True)
    return target if run.returncode <= 1 else None


def in_float(model, name, known):
    """The value of the float model that this one stands for."""
    makers = {output: node for node in model.graph.node for output in node.output}
    while name not in known and name in makers and makers[name].op_type in ("QuantizeLinear", "DequantizeLinear"):
        name = makers[name].input[0]
    return name if name in known else name.removesuffix("_float")


def names_in(path):
    graph = onnx.load(path).graph
    return {value.name for value in graph.input} | {output for node in graph.node for output in node.output}


def given_by(model, call):
    """What a call gives: an output that is left open is an input that it gives back."""
    function = next(one for one in model.functions if (one.domain, one.name) == (call.domain, call.op_type))
    passed = {node.output[0]: node.input[0] for node in function.node if node.op_type == "Identity"}
    return [name or call.input[list(function.input).index(passed[function.output[place]])]
            for place, name in enumerate(call.output)]


def values_of(path, names, inputs):
    model = onnx.load(path)
    known = {value.name for value in model.graph.output}
    graph_inputs = {value.name for value in model.graph.input}
    for name in names:
        if name not in known and name not in graph_inputs:
            model.graph.output.append(onnx.ValueInfoProto(name=name))
            known.add(name)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feeds = {value.name: one.numpy() for value, one in zip(session.get_inputs(), inputs)}
    wanted = [name for name in names if name not in graph_inputs]
    found = dict(zip(wanted, session.run(wanted, feeds))) if wanted else {}
    return {**feeds, **found}


def is_same(value, tensor):
    other = tensor.numpy()
    return value.size == other.size and value.dtype == other.dtype and np.allclose(
        value.reshape(-1), other.reshape(-1), rtol=1e-3, atol=1e-4)


def verdict(values, tensors):
    """right, wrong, or unseen where a value is none of the call's."""
    at = -1
    is_right = True
    for value in values:
        places = [i for i, tensor in enumerate(tensors) if is_same(value, tensor)]
        if not places:
            return "unseen"
        later = [place for place in places if place > at]
        is_right = is_right and bool(later)
        at = later[0] if later else at
    return "right" if is_right else "wrong"


def outlined(cli, model, path, program, target):
    arguments = [cli, "outline", model, "--scope", path, "-o", target, "--json"]
    if program:
        arguments += ["--checkpoint", program]
    run = subprocess.run([str(one) for one in arguments], capture_output=True, text=True)
    try:
        return json.loads(run.stdout)["functions"]
    except (json.JSONDecodeError, KeyError):
        return []


def judge(cli, model, net_inputs, seen, program, folder, computed_by):
    counts = collections.Counter()
    for path, calls in seen.items():
        target = folder / "outlined.onnx"
        target.unlink(missing_ok=True)
        functions = {(one["domain"], one["name"]): one for one in outlined(cli, model, path, program, target)}
        if not functions or not target.exists():
            continue
        after, before, known = onnx.load(target), onnx.load(model), names_in(computed_by)
        for node in after.graph.node:
            function = functions.get((node.domain, node.op_type))
            if function is None or function["order"] == "only-one":
                continue
            taken = [in_float(before, name, known) for name in list(node.input)[:len(function["inputs"])]]
            outputs = [in_float(before, name, known) for name in given_by(after, node)]
            if not {*taken, *outputs} <= known:
                counts[function["order"], "unseen"] += 1
                continue
            values = values_of(computed_by, [*taken, *outputs], net_inputs)
            judged = [verdict([values[name] for name in taken], call[0]) for call in calls]
            given = [verdict([values[name] for name in outputs], call[1]) for call in calls]
            both = [("unseen" if "unseen" in pair else "wrong" if "wrong" in pair else "right")
                    for pair in zip(judged, given)]
            told = [one for one in both if one != "unseen"]
            counts[function["order"], told[0] if told else "unseen"] += 1
            if told and told[0] == "wrong" and function["order"] != "first-use":
                print("WRONG", model.name, path, function["order"])
            if not told:
                print("unseen", model.name, path, function["order"], judged, given)
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    rows = []
    for name, net, inputs in models():
        torch.manual_seed(0)
        net = net.eval()
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            seen = seen_by_hooks(net, inputs)
            files = exported(net, inputs, folder)
            files |= {f"{exporter}, transformed": transformed(arguments.cli, model)
                      for exporter, model in files.items()}
            ways = [(exporter, model, program, model) for exporter, model in files.items()
                    for program in (folder / "net.pt2", None)]
            for exporter in ("dynamo", "script"):
                if exporter in files and (made := quantized(arguments.cli, files[exporter], folder / "net.pt2")):
                    ways.append((f"{exporter}, quantized", made, None, files[exporter]))
            for exporter, model, program, computed_by in ways:
                counts = judge(arguments.cli, model, inputs, seen, program, folder, computed_by)
                row = [name, exporter, ".pt2" if program else "none"]
                for order in ("recorded", "class", "first-use"):
                    whole = sum(count for (kind, _), count in counts.items() if kind == order)
                    row.append(f"{counts[order, 'right']} of {whole}" if whole else "")
                row.append(str(sum(count for (_, how), count in counts.items() if how == "unseen")))
                rows.append(row)
                print(*row, sep=" | ", flush=True)
    if arguments.write:
        head = (HERE / "orders.md").read_text().split("\n| model")[0] if (HERE / "orders.md").exists() else ""
        lines = ["| model | exporter | beside it | recorded | class | first-use, a guess | not compared |",
                 "|---|---|---|--:|--:|--:|--:|", *("| " + " | ".join(row) + " |" for row in rows)]
        (HERE / "orders.md").write_text(head.rstrip() + "\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
