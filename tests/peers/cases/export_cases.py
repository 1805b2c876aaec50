# SPDX-License-Identifier: Apache-2.0
"""Exports small modules with the TorchScript ONNX exporter (torch 1.13) to study scopes.
Run: python export_cases.py OUTDIR"""
import sys, os, warnings, json
import torch, torch.nn as nn, torch.nn.functional as F, onnx
warnings.filterwarnings("ignore")
out = sys.argv[1] if len(sys.argv) > 1 else "onnx"
os.makedirs(out, exist_ok=True)
torch.manual_seed(0)
report = {}

def walk(g, pre=""):
    for n in g.node:
        yield pre, n
        for a in n.attribute:
            if a.type == onnx.AttributeProto.GRAPH:
                yield from walk(a.g, pre + "  [%s.%s] " % (n.name, a.name))

def export(name, m, args, **kw):
    train = kw.pop("train", False)
    m.train(train)
    sd = list(m.state_dict().keys())
    f = os.path.join(out, name + ".onnx")
    kw.setdefault("opset_version", 15)
    if train: kw["training"] = torch.onnx.TrainingMode.TRAINING
    try:
        torch.onnx.export(m, args, f, **kw)
    except Exception as e:
        print("=== %s FAILED %s: %s" % (name, type(e).__name__, str(e)[:600])); return
    p = onnx.load(f)
    g = p.graph
    print("=== %s ir=%d opset=%s producer=%s/%s nodes=%d" % (name, p.ir_version, [(o.domain, o.version) for o in p.opset_import], p.producer_name, p.producer_version, len(g.node)))
    inits = [i.name for i in g.initializer]
    if len(inits) > 60: print("  (initializers %d)" % len(inits), inits[:8], "renamed:", [i for i in inits if "::" in i][:6])
    else: print("  initializers:", inits)
    print("  inputs:", [i.name for i in g.input], "outputs:", [o.name for o in g.output])
    gone = [k for k in sd if k not in inits]
    if len(sd) < 60: print("  state_dict:", sd)
    print("  state_dict keys not initializers: %d" % len(gone), gone[:12])
    k = 0
    for pre, n in walk(g):
        k += 1
        if k > 46: print("   ..."); break
        print("   %s%-14s %s%-44s in=%s out=%s" % (pre, n.op_type, (n.domain + "::") if n.domain else "", n.name, list(n.input), list(n.output)))
    for fn in p.functions:
        print("  FUNCTION %s::%s in=%s out=%s attr=%s" % (fn.domain, fn.name, list(fn.input), list(fn.output), list(fn.attribute)))
        for n in fn.node:
            print("      %-14s %-40s in=%s out=%s" % (n.op_type, (n.domain+"::" if n.domain else "") + n.name, list(n.input), list(n.output)))
    try: onnx.checker.check_model(p)
    except Exception as e: print("  CHECKER:", str(e)[:200])

# (a) a module that calls a sibling's submodule it does not contain
class Enc(nn.Module):
    def __init__(s): super().__init__(); s.proj = nn.Linear(4, 4); s.norm = nn.LayerNorm(4)
    def forward(s, x): return s.norm(s.proj(x))
class Dec(nn.Module):
    def __init__(s, enc): super().__init__(); s.own = nn.Linear(4, 4); object.__setattr__(s, "ref", enc)
    def forward(s, x): return s.own(s.ref.proj(x).relu())
class Sibling(nn.Module):
    def __init__(s): super().__init__(); s.enc = Enc(); s.dec = Dec(s.enc)
    def forward(s, x): return s.dec(s.enc(x))
# (a2) a wrapper gets a module handed in as an argument
class Applier(nn.Module):
    def forward(s, f, x): return torch.tanh(f(x))
class Handed(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4); s.apply_ = Applier()
    def forward(s, x): return s.apply_(s.fc, x)
# (b) shared module called twice / stored under two names / in two parents
class SharedTwice(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4)
    def forward(s, x): return s.fc(F.relu(s.fc(x)))
class SharedAlias(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4); s.alias = s.fc
    def forward(s, x): return s.alias(F.relu(s.fc(x)))
class Wrap(nn.Module):
    def __init__(s, inner): super().__init__(); s.inner = inner
    def forward(s, x): return F.relu(s.inner(x))
class SharedParents(nn.Module):
    def __init__(s): super().__init__(); c = nn.Conv2d(3, 3, 1); s.left = Wrap(c); s.right = Wrap(c)
    def forward(s, x): return s.left(x) + s.right(x)
# (c) tied weights
class Tied(nn.Module):
    def __init__(s): super().__init__(); s.emb = nn.Embedding(10, 4); s.mid = nn.Linear(4, 4); s.head = nn.Linear(4, 10, bias=False); s.head.weight = s.emb.weight
    def forward(s, i): return s.head(s.mid(s.emb(i)))
class EqualNotTied(nn.Module):
    def __init__(s):
        super().__init__(); s.a = nn.Conv2d(3, 3, 1); s.b = nn.Conv2d(3, 3, 1)
        s.b.load_state_dict(s.a.state_dict())
    def forward(s, x): return s.b(F.relu(s.a(x)))
# (d) functional linear with own parameter; functional using child's parameter
class FuncLinear(nn.Module):
    def __init__(s): super().__init__(); s.weight = nn.Parameter(torch.randn(5, 4)); s.bias = nn.Parameter(torch.randn(5)); s.child = nn.Linear(5, 4); s.scale = nn.Parameter(torch.ones(4))
    def forward(s, x): return F.linear(F.linear(x, s.weight, s.bias), s.child.weight, s.child.bias) * s.scale
class FuncOuter(nn.Module):
    def __init__(s): super().__init__(); s.blk = FuncLinear()
    def forward(s, x): return s.blk(x) + 1
# (e) train-only head
class Aux(nn.Module):
    def __init__(s): super().__init__(); s.body = nn.Conv2d(3, 4, 3); s.bn = nn.BatchNorm2d(4); s.head = nn.Linear(4, 2); s.aux = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))
    def forward(s, x):
        y = F.relu(s.bn(s.body(x))).mean((2, 3))
        return (s.head(y), s.aux(y)) if s.training else s.head(y)
# (f) nn.Sequential whole vs item by item
class SeqWhole(nn.Module):
    def __init__(s): super().__init__(); s.features = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Sequential(nn.Conv2d(4, 4, 1), nn.Sigmoid()))
    def forward(s, x): return s.features(x)
class SeqItems(SeqWhole):
    def forward(s, x):
        for l in s.features: x = l(x)
        return x
# (g) ModuleList / ModuleDict loops
class Block(nn.Module):
    def __init__(s): super().__init__(); s.lin = nn.Linear(4, 4); s.act = nn.ReLU()
    def forward(s, x): return x + s.act(s.lin(x))
class MList(nn.Module):
    def __init__(s): super().__init__(); s.layers = nn.ModuleList([Block() for _ in range(3)]); s.by = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 2)})
    def forward(s, x):
        for l in s.layers: x = l(x)
        return s.by["b"](s.by["a"](x))
# (h) LSTM / GRU
class Rnn(nn.Module):
    def __init__(s, k, **kw): super().__init__(); s.rnn = k(4, 5, batch_first=True, **kw); s.fc = nn.Linear(5 * (2 if kw.get("bidirectional") else 1), 2)
    def forward(s, x): return s.fc(s.rnn(x)[0])
class CellLoop(nn.Module):
    def __init__(s): super().__init__(); s.cell = nn.LSTMCell(4, 5)
    def forward(s, x):
        h = c = torch.zeros(x.size(0), 5)
        for t in range(3): h, c = s.cell(x[:, t], (h, c))
        return h
# (i) transformer encoder, own attention
class TEnc(nn.Module):
    def __init__(s): super().__init__(); s.enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2)
    def forward(s, x): return s.enc(x)
class Attn(nn.Module):
    def __init__(s, d=8, h=2): super().__init__(); s.query = nn.Linear(d, d); s.key = nn.Linear(d, d); s.value = nn.Linear(d, d); s.h = h
    def forward(s, x):
        B, T, D = x.shape
        sp = lambda t: t.view(B, T, s.h, D // s.h).transpose(1, 2)
        q, k, v = sp(s.query(x)), sp(s.key(x)), sp(s.value(x))
        a = torch.softmax(q @ k.transpose(-1, -2) / (D // s.h) ** 0.5, -1)
        return (a @ v).transpose(1, 2).reshape(B, T, D)
class BertLayer(nn.Module):
    def __init__(s): super().__init__(); s.attention = nn.ModuleDict({"self": Attn()}); s.norm = nn.LayerNorm(8); s.ff = nn.Linear(8, 8)
    def forward(s, x): return s.ff(s.norm(x + s.attention["self"](x)))
class Bert(nn.Module):
    def __init__(s): super().__init__(); s.encoder = nn.Module(); s.encoder.layer = nn.ModuleList([BertLayer(), BertLayer()])
    def forward(s, x):
        for l in s.encoder.layer: x = l(x)
        return x
# (j) nested control flow (scripted), constants, buffers, method other than forward, hooks
@torch.jit.script
def loop(x, n: int):
    for i in range(n):
        if bool(x.sum() > 0): x = x * 2
        else: x = x - 1
    return x
class Ctl(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4)
    def forward(s, x): return loop(s.fc(x), 3)
class ScriptedBranch(nn.Module):
    def __init__(s): super().__init__(); s.a = nn.Linear(4, 4); s.b = nn.Linear(4, 4)
    def forward(s, x):
        if bool(x.sum() > 0): return s.a(x)
        return s.b(x)
class Buf(nn.Module):
    def __init__(s): super().__init__(); s.register_buffer("pos", torch.randn(1, 4)); s.register_buffer("tmp", torch.randn(4), persistent=False); s.c = torch.randn(4); s.fc = nn.Linear(4, 4)
    def encode(s, x): return s.fc(x + s.pos)
    def forward(s, x): return s.encode(x) * s.tmp + s.c
class Outer2(nn.Module):
    def __init__(s): super().__init__(); s.b = Buf()
    def forward(s, x): return s.b.encode(x) + s.b(x)
class Unused(nn.Module):
    def __init__(s): super().__init__(); s.fc = nn.Linear(4, 4); s.never = nn.Linear(4, 4); s.drop = nn.Dropout(); s.ident = nn.Identity()
    def forward(s, x): return s.ident(s.drop(s.fc(x)))
class Attrs(nn.Module):
    dim: int
    eps: float
    def __init__(s, dim, eps): super().__init__(); s.dim = dim; s.eps = eps; s.lin = nn.Linear(4, 4)
    def forward(s, x): return torch.softmax(s.lin(x), s.dim) + s.eps
class TwoAttrs(nn.Module):
    def __init__(s): super().__init__(); s.p = Attrs(1, 0.5); s.q = Attrs(1, 0.25)
    def forward(s, x): return s.q(s.p(x))
class TwoIn(nn.Module):
    def __init__(s): super().__init__(); s.w = nn.Linear(4, 4)
    def forward(s, a, b): return s.w(b) - a, b * 2
class CallsTwoIn(nn.Module):
    def __init__(s): super().__init__(); s.t = TwoIn()
    def forward(s, x, y):
        u, v = s.t(y, x); p, q = s.t(x, y)
        return v + q, u * p

if __name__ == '__main__':
    x4 = torch.randn(2, 4); im = torch.randn(1, 3, 8, 8); seq = torch.randn(2, 3, 4)
    export("a_sibling", Sibling(), x4)
    export("a2_handed", Handed(), x4)
    export("b_shared_twice", SharedTwice(), x4)
    export("b2_shared_alias", SharedAlias(), x4)
    export("b3_shared_parents", SharedParents(), im)
    export("c_tied", Tied(), torch.tensor([[1, 2]]))
    export("c2_equal_not_tied", EqualNotTied(), im)
    export("d_functional", FuncOuter(), x4)
    export("d2_functional_3d", FuncOuter(), seq)
    export("e_aux_eval", Aux(), im)
    export("e2_aux_train", Aux(), im, train=True, do_constant_folding=False)
    export("f_seq_whole", SeqWhole(), im)
    export("f2_seq_items", SeqItems(), im)
    export("g_modulelist", MList(), x4)
    export("h_lstm", Rnn(nn.LSTM), seq)
    export("h2_gru_bidir2", Rnn(nn.GRU, num_layers=2, bidirectional=True), seq)
    export("h3_lstmcell_loop", CellLoop(), seq)
    export("i_transformer", TEnc(), torch.randn(1, 5, 8), opset_version=14)
    export("i2_bertlike", Bert(), torch.randn(1, 5, 8))
    export("i3_bertlike_nofold", Bert(), torch.randn(1, 5, 8), do_constant_folding=False)
    export("j_control", Ctl(), x4)
    export("j2_scripted", torch.jit.script(ScriptedBranch()), x4)
    export("k_buffers", Outer2(), x4)
    export("l_unused", Unused(), x4)
    export("m_inits_as_inputs", Sibling(), x4, keep_initializers_as_inputs=True)
    export("m2_opset7_old", Sibling(), x4, opset_version=8)
    export("n_functions_all", CallsTwoIn(), (x4, x4), export_modules_as_functions=True)
    export("n2_functions_attrs", TwoAttrs(), x4, export_modules_as_functions={Attrs})
    export("n3_functions_mlist", MList(), x4, export_modules_as_functions={Block})
    export("n4_functions_shared", SharedParents(), im, export_modules_as_functions={Wrap})
    export("n5_calls_two_in", CallsTwoIn(), (x4, x4))
    export("p_notrainmode_bn", nn.Sequential(nn.Conv2d(3, 4, 3, bias=False), nn.BatchNorm2d(4), nn.ReLU()), im, training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)
    export("q_jit_traced", torch.jit.trace(SeqWhole().eval(), im), im)
