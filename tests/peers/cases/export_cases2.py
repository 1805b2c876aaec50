# SPDX-License-Identifier: Apache-2.0
"""Second batch: naming ambiguities + torchvision models (random weights)."""
import sys, os, collections, re
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_cases import *
from export_cases import torch, nn, F, onnx, out
x4 = torch.randn(2, 4); im = torch.randn(1, 3, 8, 8)
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
    "two different linear modules with the SAME Parameter objects"
    def __init__(s): super().__init__(); s.p = nn.Linear(4, 4); s.q = nn.Linear(4, 4); s.q.weight = s.p.weight; s.q.bias = s.p.bias
    def forward(s, x): return s.q(F.relu(s.p(x)))
class WN(nn.Module):
    def __init__(s): super().__init__(); s.c = nn.utils.weight_norm(nn.Conv2d(3, 4, 1))
    def forward(s, x): return s.c(x)
class ScriptCalls(nn.Module):
    def __init__(s): super().__init__(); s.blk = torch.jit.script(Inner())
    def forward(s, x): return s.blk(x) + 1
export("r_repeat_nested", Rep(), x4)
export("r2_clash", Clash(), x4)
export("r3_two_containers", TwoContainers(), x4)
export("r4_parent_rep", ParentRep(), x4)
export("r5_param_share", ParamShare(), x4)
export("r6_weight_norm", WN(), im)
export("r7_script_inside", ScriptCalls(), x4)
export("r8_functions_rep", Rep(), x4, export_modules_as_functions={Inner})
export("r9_functions_nested", ParentRep(), x4, export_modules_as_functions=True)
export("s_opset17_ln", BertLayer(), torch.randn(1, 5, 8), opset_version=17)
import torchvision.models as tv
big = {}
def tvexp(name, m, sz=64, **kw):
    m.eval(); f = os.path.join(out, "tv_" + name + ".onnx")
    x = torch.randn(1, 3, sz, sz)
    try: torch.onnx.export(m, x, f, opset_version=kw.get("opset_version", 17), export_params=kw.get("params", True))
    except Exception as e: print("=== tv", name, "FAILED", type(e).__name__, str(e)[:300]); return
    p = onnx.load(f); g = p.graph
    inits = {i.name for i in g.initializer}; sd = m.state_dict()
    miss = [k for k in sd if k not in inits]
    ren = [i for i in inits if i not in sd]
    scopes = collections.Counter(n.name.rsplit("/", 1)[0] for n in g.node)
    noscope = [n.name for n in g.node if not n.name.startswith("/")]
    ident = [(n.input[0], n.output[0]) for n in g.node if n.op_type == "Identity"]
    print("=== tv %s nodes=%d inits=%d sd=%d missing=%d renamed=%d noscope=%d identity=%d size=%d" % (name, len(g.node), len(inits), len(sd), len(miss), len(ren), len(noscope), len(ident), os.path.getsize(f)))
    print("  ops", dict(collections.Counter(n.op_type for n in g.node)))
    print("  renamed", sorted(ren)[:6], "missing", miss[:8], "noscope", noscope[:6], "identity", ident[:3])
    print("  sample", [n.name for n in g.node][:40:4])
    # execution scope -> storage scope of the initializers its nodes use
    d = []
    for n in g.node:
        ex = [c for c in n.name.split("/")[1:-1]]
        for i in n.input:
            if i in sd: d.append((n.name, i))
    bad = []
    for nm, i in d:
        parts = nm.split("/")[1:-1]; fq = i.rsplit(".", 1)[0]
        last = re.sub(r"_\d+$", "", parts[-1]) if parts else ""
        if not (fq == "" or fq.endswith(last)): bad.append((nm, i))
    print("  exec/storage leaf mismatch", len(bad), bad[:5])
tvexp("resnet18", tv.resnet18(num_classes=10))
tvexp("vgg11", tv.vgg11(num_classes=10), 32)
tvexp("mobilenet_v2", tv.mobilenet_v2(num_classes=10))
tvexp("densenet121", tv.densenet121(num_classes=10))
tvexp("googlenet_aux", tv.googlenet(num_classes=10, aux_logits=True, init_weights=False), 96)
tvexp("inception_v3", tv.inception_v3(num_classes=10, aux_logits=True, init_weights=False), 128)
tvexp("squeezenet1_1", tv.squeezenet1_1(num_classes=10))
tvexp("vit_b_16_small", tv.VisionTransformer(32, 16, 2, 2, 16, 32, num_classes=10), 32)
tvexp("swin_t", tv.swin_t(num_classes=10))
tvexp("efficientnet_b0", tv.efficientnet_b0(num_classes=10))
tvexp("shufflenet", tv.shufflenet_v2_x0_5(num_classes=10))
tvexp("fcn_resnet50_aux", tv.segmentation.fcn_resnet50(weights=None, weights_backbone=None, aux_loss=True), 64)
