#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""State dictionaries of the modules behind ../../data/cases/*.onnx: builds them again in the order of the export scripts, from
the same seed, and keeps those whose tensors equal the ones left in the ONNX file. Tried with PyTorch 2.15.
Run: python save_case_states.py CASES OUTDIR; needs torch, onnx."""
import os
import sys
import textwrap
import types

import onnx
import torch
from onnx import numpy_helper

cases, target = sys.argv[1:3]
WANTED = ["b2_shared_alias", "b3_shared_parents", "c_tied", "e_aux_eval", "h_lstm", "i_transformer", "i2_bertlike", "k_buffers",
          "r4_parent_rep", "r5_param_share", "r6_weight_norm"]
os.makedirs(target, exist_ok=True)
sys.argv = ["export_cases.py", os.path.join(target, "..")]


def save(name, module):
    if name not in WANTED:
        return
    left = {i.name: numpy_helper.to_array(i) for i in onnx.load(os.path.join(cases, name + ".onnx")).graph.initializer}
    state = module.state_dict()
    wrong = [key for key, tensor in state.items() if key in left and not (tensor.numpy() == left[key]).all()]
    if wrong:
        print(name, "differs in", wrong)
        return
    torch.save(state, os.path.join(target, name + ".pth"))


def run(script, name):
    here = os.path.dirname(os.path.abspath(__file__))
    source = open(os.path.join(here, script)).read().split('tvexp("resnet18"')[0]
    source = source.replace("torch.onnx.export(m, args, f, **kw)", "save(name, m); return")
    module = types.ModuleType(name)
    module.__dict__.update(save=save, __file__=os.path.join(here, script))
    if name == "export_cases":
        sys.modules["export_cases"] = module
    exec(compile(source, script, "exec"), module.__dict__)
    return module


if __name__ == "__main__":
    first = run("export_cases.py", "export_cases")
    run("export_cases2.py", "export_cases2")
    torch.manual_seed(0)
    source = open(first.__file__).read()
    main = source[source.index("    x4 = torch.randn"):].split('    export("l_unused"')[0]
    exec(textwrap.dedent(main), first.__dict__)
