#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cases again, saved by torch.export.save; tried with PyTorch 2.15 (archive layout) and 2.5.1 (flat layout).
Run: python export_pt2.py OUTDIR; needs torch, onnx. Stack traces are left out: they hold paths of the machine."""
import os
import sys
import warnings

import torch
import torch.nn as nn

target = sys.argv[1] if len(sys.argv) > 1 else "pt2"
import export_cases as e
from export_dynamo import CASES, Clash, Inner, ParamShare, ParentRep, Rep

warnings.filterwarnings("ignore")
torch.manual_seed(0)
row, sequence = torch.randn(2, 4), torch.randn(2, 3, 4)
is_new = tuple(int(x) for x in torch.__version__.split(".")[:2]) >= (2, 8)


class TwoLevels(nn.Module):
    """A block called three times that calls its own child three times."""
    def __init__(self):
        super().__init__()
        self.blk = Thrice()
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.blk(self.act(self.blk(self.blk(x)))))


class Thrice(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    def forward(self, x):
        return self.lin(self.lin(self.lin(x))) * 2


class Branch(nn.Module):
    """A branch, symbolic sizes."""
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)

    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: self.a(x) + 1, lambda x: self.b(x), (x,)) * x.shape[0]


class Control(nn.Module):
    """A branch and a loop, symbolic sizes, an infinite number, a constant."""
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.b = nn.Linear(4, 4)

    def forward(self, x):
        y = torch.cond(x.sum() > 0, lambda x: self.a(x) + 1, lambda x: self.b(x), (x,))
        z = torch.ops.higher_order.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, self.a(v)), (torch.tensor(0), y), ())
        return z[1] * x.shape[0], torch.full((x.shape[0],), float("inf"))


class Strided(nn.Module):
    """Parameters that do not lie densely, a view of another tensor, and a name that an input has, too."""
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 2, 2).to(memory_format=torch.channels_last)
        base = torch.arange(12.0).reshape(3, 4)
        self.x = nn.Parameter(base.t())
        self.register_buffer("part", base[1:, 1:3])
        self.register_buffer("sixteen", torch.tensor([0.5, -2.0], dtype=torch.float16))
        self.register_buffer("brain", torch.tensor([0.5, -2.0], dtype=torch.bfloat16))
        self.register_buffer("count", torch.tensor(7))

    def forward(self, x):
        return self.conv(x).sum() + self.x.sum() + self.part.sum() + self.sixteen.sum() + self.brain.sum() + self.count


MORE = {
    "two_levels": (TwoLevels(), row, {}),
    "strided": (Strided(), torch.randn(1, 3, 4, 4), {}),
    "strict_alias": (e.SharedAlias(), row, {"strict": True}),
    "strict_parent_rep": (ParentRep(), row, {"strict": True}),
    "strict_param_share": (ParamShare(), row, {"strict": True}),
    "strict_sibling": (e.Sibling(), row, {"strict": True}),
}
if is_new:
    sizes = ({0: torch.export.Dim("batch", min=2, max=64)},)
    MORE["branch"] = (Branch(), row, {"strict": False, "dynamic_shapes": sizes})
    MORE["strict_control"] = (Control(), row, {"strict": True, "dynamic_shapes": sizes})
else:
    MORE["strict_control"] = (Control(), row, {"strict": True})


def without_stack_traces(module, left_out):
    for graph in [m.graph for m in module.modules() if isinstance(m, torch.fx.GraphModule)]:
        for node in graph.nodes:
            for key in left_out:
                node.meta.pop(key, None)


if __name__ == "__main__":
    os.makedirs(target, exist_ok=True)
    cases = {name: (module, example, {"strict": False}) for name, (module, example) in CASES.items()} | MORE
    for name, (module, example, options) in cases.items():
        try:
            program = torch.export.export(module.eval(), (example,), **options)
        except Exception as problem:
            print(name, "cannot be exported:", str(problem).splitlines()[0])
            continue
        # the largest one without names of functions too, to stay below 60 kB
        without_stack_traces(program.graph_module, ["stack_trace", "from_node"] + ["torch_fn"] * (name == "i2_bertlike"))
        torch.export.save(program, os.path.join(target, name + ".pt2"))
