#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cases again, through the torch.export based exporter (dynamo=True); tried with PyTorch 2.15.
Run: python export_dynamo.py OUTDIR; needs torch, onnx, onnxscript."""
import copy
import os
import sys
import warnings

import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F

target = sys.argv[1] if len(sys.argv) > 1 else "dynamo"
sys.argv = [sys.argv[0], target]  # the case modules read it when they are imported
import export_cases as e

warnings.filterwarnings("ignore")
torch.manual_seed(0)


class Inner(nn.Module):
    def __init__(s): super().__init__(); s.lin = nn.Linear(4, 4)
    def forward(s, x): return s.lin(x) * 2


class Rep(nn.Module):
    def __init__(s): super().__init__(); s.blk = Inner()
    def forward(s, x): return s.blk(s.blk(s.blk(x)))


class Clash(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4); s.fc_1 = nn.Linear(4, 4)
    def forward(s, x): return s.fc(F.relu(s.fc_1(F.relu(s.fc(x)))))


class TwoContainers(nn.Module):
    def __init__(s):
        super().__init__(); s.encoder = nn.Module(); s.decoder = nn.Module()
        s.encoder.layer = nn.ModuleList([Inner(), Inner()]); s.decoder.layer = nn.ModuleList([Inner(), Inner()])
    def forward(s, x):
        for l in s.encoder.layer: x = l(x)
        for l in s.decoder.layer: x = l(x)
        return x


class ParentRep(nn.Module):
    def __init__(s): super().__init__(); s.a = Rep(); s.b = Rep(); s.b.blk = s.a.blk
    def forward(s, x): return s.b(s.a(x))


class ParamShare(nn.Module):
    def __init__(s): super().__init__(); s.p = nn.Linear(4, 4); s.q = nn.Linear(4, 4); s.q.weight = s.p.weight; s.q.bias = s.p.bias
    def forward(s, x): return s.q(F.relu(s.p(x)))


class TiedThree(nn.Module):
    """Two embeddings and a head with one weight: three modules, not one."""
    def __init__(s):
        super().__init__(); s.enc = nn.Embedding(6, 4); s.dec = nn.Embedding(6, 4); s.head = nn.Linear(4, 6, bias=False)
        s.dec.weight = s.enc.weight; s.head.weight = s.enc.weight
    def forward(s, i): return s.head(F.relu(s.dec(i) + s.enc(i.flip(0))))


class Positions(nn.Module):
    """An embedding of constant numbers, which exporters compute ahead."""
    def __init__(s): super().__init__(); s.tok = nn.Embedding(6, 4); s.pos = nn.Embedding(3, 4)
    def forward(s, i): return F.relu(s.tok(i) + s.pos(torch.arange(3)))


row, image, sequence = torch.randn(2, 4), torch.randn(1, 3, 8, 8), torch.randn(2, 3, 4)
CASES = {
    "a_sibling": (e.Sibling(), row), "a2_handed": (e.Handed(), row), "b_shared_twice": (e.SharedTwice(), row),
    "b2_shared_alias": (e.SharedAlias(), row), "b3_shared_parents": (e.SharedParents(), image),
    "c_tied": (e.Tied(), torch.tensor([[1, 2]])), "c2_equal_not_tied": (e.EqualNotTied(), image),
    "d_functional": (e.FuncOuter(), row), "e_aux_eval": (e.Aux(), image), "f_seq_whole": (e.SeqWhole(), image),
    "f2_seq_items": (e.SeqItems(), image), "g_modulelist": (e.MList(), row), "h_lstm": (e.Rnn(nn.LSTM), sequence),
    "h3_lstmcell_loop": (e.CellLoop(), sequence), "i2_bertlike": (e.Bert(), torch.randn(1, 5, 8)),
    "k_buffers": (e.Outer2(), row), "r_repeat_nested": (Rep(), row), "r2_clash": (Clash(), row),
    "r3_two_containers": (TwoContainers(), row), "r4_parent_rep": (ParentRep(), row), "r5_param_share": (ParamShare(), row),
    "c3_tied_three": (TiedThree(), torch.tensor([1, 2, 3])), "l_positions": (Positions(), torch.tensor([1, 2, 3])),
}


def without_stack_traces(model):
    """Stack traces hold the paths of the machine that exported."""
    graph = model.graph
    for holder in [model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        kept = [copy.copy(p) for p in holder.metadata_props if not p.key.endswith("stack_trace")]
        del holder.metadata_props[:]
        holder.metadata_props.extend(kept)
    return model


if __name__ == "__main__":
    os.makedirs(target, exist_ok=True)
    for name, (module, example) in CASES.items():
        program = torch.onnx.export(module.eval(), (example,), dynamo=True)
        onnx.save(without_stack_traces(program.model_proto), os.path.join(target, name + ".onnx"))
