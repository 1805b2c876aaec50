# SPDX-License-Identifier: Apache-2.0
"""Networks with random weights as the TorchScript exporter writes them at opset 13 (reference nets of NNCF's tests, and others)."""
import io

import onnx
import torch
import torchvision
from torch import nn


class ViT(nn.Module):
    """A small vision transformer in plain operators."""

    def __init__(self, width=48, heads=3, depth=2, classes=10):
        super().__init__()
        self.patch = nn.Conv2d(3, width, 8, 8)
        self.cls = nn.Parameter(torch.randn(1, 1, width))
        self.pos = nn.Parameter(torch.randn(1, 17, width))
        self.blocks = nn.ModuleList([ViTBlock(width, heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.pos
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


class ViTBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        b, n, c = x.shape
        q, k, v = self.qkv(self.norm1(x)).reshape(b, n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)) * (c // self.heads) ** -0.5
        x = x + self.proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, n, c))
        return x + self.mlp(self.norm2(x))


def silu_conv(inp, out, kernel=3, stride=1):
    return nn.Sequential(nn.Conv2d(inp, out, kernel, stride, kernel // 2), nn.SiLU())


class YoloHead(nn.Module):
    """Two levels joined upwards, split heads, distribution-focal box decoding behind a softmax."""

    def __init__(self, classes=4, bins=8):
        super().__init__()
        self.classes, self.bins = classes, bins
        self.c1, self.c2, self.c3 = silu_conv(3, 8, 3, 2), silu_conv(8, 16, 3, 2), silu_conv(16, 32, 3, 2)
        self.pool = nn.MaxPool2d(5, 1, 2)
        self.sppf, self.up, self.fuse = silu_conv(128, 32, 1), nn.Upsample(scale_factor=2), silu_conv(48, 16)
        self.box = nn.ModuleList([nn.Conv2d(w, 4 * bins, 1) for w in (16, 32)])
        self.cls = nn.ModuleList([nn.Sequential(silu_conv(w, 8), nn.Conv2d(8, classes, 1)) for w in (16, 32)])
        self.dfl = nn.Conv2d(bins, 1, 1, bias=False)
        self.register_buffer("anchors", torch.rand(1, 2, 320))

    def forward(self, x):
        c2 = self.c2(self.c1(x))
        c3 = self.c3(c2)
        pools = [c3]
        for _ in range(3):
            pools.append(self.pool(pools[-1]))
        c3 = self.sppf(torch.cat(pools, 1))
        levels = [self.fuse(torch.cat([self.up(c3), c2], 1)), c3]
        flat = torch.cat([torch.cat([box(f), cls(f)], 1).view(1, 4 * self.bins + self.classes, -1)
                          for box, cls, f in zip(self.box, self.cls, levels)], 2)
        box, cls = flat.split((4 * self.bins, self.classes), 1)
        box = self.dfl(box.view(1, 4, self.bins, -1).transpose(2, 1).softmax(1)).view(1, 4, -1)
        lt, rb = box.chunk(2, 1)
        a, b = self.anchors - lt, self.anchors + rb
        return torch.cat([torch.cat([(a + b) / 2, b - a], 1) * 8.0, cls.sigmoid()], 1)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        block = lambda i, o: nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(), nn.Conv2d(o, o, 3, padding=1),
                                           nn.BatchNorm2d(o), nn.LeakyReLU())
        self.down1, self.down2, self.middle = block(3, 8), block(8, 16), block(16, 32)
        self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)
        self.dec2, self.dec1, self.head = block(32, 16), block(16, 8), nn.Conv2d(8, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(nn.functional.max_pool2d(a, 2))
        c = self.middle(nn.functional.max_pool2d(b, 2))
        c = self.dec2(torch.cat([self.up2(c), b], 1))
        return self.head(self.dec1(torch.cat([self.up1(c), a], 1))).softmax(1)


class LstmTagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.lstm, self.gru = nn.Embedding(50, 16), nn.LSTM(16, 12, 2, bidirectional=True), nn.GRU(24, 8)
        self.hidden, self.out = nn.Linear(8, 16), nn.Linear(16, 5)

    def forward(self, ids):
        x, _ = self.lstm(self.words(ids))
        x, _ = self.gru(x)
        return self.out(torch.tanh(self.hidden(x)))


def bert(**_):
    from transformers import BertConfig, BertModel
    config = BertConfig(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                        max_position_embeddings=32, attn_implementation="eager")

    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.bert = BertModel(config)

        def forward(self, input_ids, attention_mask):
            return self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state

    ids = torch.randint(0, 64, (1, 6))
    return Encoder(), (ids, torch.ones_like(ids))


def vision(name, size=224, **options):
    def make():
        return getattr(torchvision.models, name)(weights=None, **options), (torch.randn(1, 3, size, size),)
    return make


def plain(network, *shape):
    return lambda: (network(), (torch.randn(*shape),))


# name: (maker, extra settings the table is also made for)
TOO_LARGE = ("resnet50", "efficientnet_b0", "regnet_y_400mf", "convnext_tiny", "swin_t")  # compared by hand, not kept
TRANSFORMER = {"model_type": "transformer"}
MODELS = {
    "resnet18": (vision("resnet18"), []),
    "resnet50": (vision("resnet50"), []),
    "mobilenet_v2": (vision("mobilenet_v2"), []),
    "mobilenet_v3_small": (vision("mobilenet_v3_small"), []),
    "inception_v3": (vision("inception_v3", transform_input=True, aux_logits=True, init_weights=False), []),
    "googlenet": (vision("googlenet", transform_input=True, aux_logits=False, init_weights=False), []),
    "vgg16": (vision("vgg16"), []),
    "shufflenet_v2_x1_0": (vision("shufflenet_v2_x1_0"), []),
    "squeezenet1_0": (vision("squeezenet1_0"), []),
    "densenet121": (vision("densenet121"), []),
    "mnasnet0_5": (vision("mnasnet0_5"), []),
    "efficientnet_b0": (vision("efficientnet_b0"), []),
    "regnet_y_400mf": (vision("regnet_y_400mf"), []),
    "convnext_tiny": (vision("convnext_tiny"), [TRANSFORMER]),
    "swin_t": (vision("swin_t"), [TRANSFORMER]),
    "vit": (plain(ViT, 1, 3, 32, 32), [TRANSFORMER]),
    "bert": (bert, [TRANSFORMER]),
    "yolo_head": (plain(YoloHead, 1, 3, 64, 64), []),
    "unet": (plain(UNet, 1, 3, 32, 32), []),
    "lstm": (lambda: (LstmTagger(), (torch.randint(0, 50, (6, 1)),)), [TRANSFORMER]),
}


def lived_in(model):
    """Batch norms as after training: fresh ones are all equal, and the exporter then merges them."""
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.8, 1.2)
            nn.init.normal_(module.bias, 0, 0.1)
            nn.init.normal_(module.running_mean, 0, 0.1)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model.eval()


def export(name, opset=13):
    torch.manual_seed(5)
    model, example = MODELS[name][0]()
    stream = io.BytesIO()
    with torch.no_grad():
        torch.onnx.export(lived_in(model), example, stream, dynamo=False, opset_version=opset)
    return onnx.load_from_string(stream.getvalue())
