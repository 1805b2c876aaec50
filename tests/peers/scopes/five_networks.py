# SPDX-License-Identifier: Apache-2.0
"""The networks that are measured in five forms, small, with random weights. `make(name)`: network, example inputs, input names."""
import contextlib
import io

import torch
import torchvision
import transformers
from torch import nn

Transformer = dict(hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96, vocab_size=500)


class Text(nn.Module):
    """Only the tensors of the output."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        out = self.model(input_ids=input_ids, attention_mask=attention_mask)
        return out.logits if "logits" in out else out.last_hidden_state


class CellLoop(nn.Module):
    """Two LSTM cells, stepped by hand, and a head that every step shares."""

    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = nn.LSTMCell(12, 16), nn.LSTMCell(16, 16), nn.Linear(16, 5)

    def forward(self, x):
        h = [x.new_zeros(x.shape[0], 16) for _ in range(4)]
        said = []
        for step in range(x.shape[1]):
            h[0], h[1] = self.first(x[:, step], (h[0], h[1]))
            h[2], h[3] = self.second(h[0], (h[2], h[3]))
            said.append(self.head(h[2]))
        return torch.stack(said, 1)


def double(inside, outside):
    return nn.Sequential(nn.Conv2d(inside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU(),
                         nn.Conv2d(outside, outside, 3, padding=1, bias=False), nn.BatchNorm2d(outside), nn.ReLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([double(3, 8), double(8, 16), double(16, 24)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(24, 16, 2, stride=2), nn.ConvTranspose2d(16, 8, 2, stride=2)])
        self.join = nn.ModuleList([double(32, 16), double(16, 8)])
        self.head = nn.Conv2d(8, 4, 1)

    def forward(self, x):
        skips = []
        for i, block in enumerate(self.down):
            x = block(x if i == 0 else nn.functional.max_pool2d(x, 2))
            skips.append(x)
        for up, join, skip in zip(self.up, self.join, skips[-2::-1]):
            x = join(torch.cat([up(x), skip], 1))
        return self.head(x)


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU())
        self.body = nn.Conv2d(8, 8, 3, padding=1)
        self.act = nn.SiLU()

    def forward(self, x):
        x = self.stem(x)
        for _ in range(2):
            x = x + self.act(self.body(x))
        return x.mean((2, 3))


class Siamese(nn.Module):
    """A tower for both inputs side by side, a mixer twice in a row, and a head that lends the mixer's projection."""

    def __init__(self):
        super().__init__()
        self.tower = Tower()
        self.mixer = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 8), nn.GELU())
        self.head = nn.Linear(16, 3)

    def forward(self, left, right):
        a, b = self.tower(left), self.tower(right)
        a = self.mixer(self.mixer(a))
        b = nn.functional.linear(b, self.mixer[1].weight)
        return self.head(torch.cat([a, b, ], 1))


class ConvUnit(nn.Module):
    def __init__(self, inside, outside, size=1, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inside, outside, size, stride, size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outside)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Stage(nn.Module):
    """Halves that go different ways and are joined with every step between."""

    def __init__(self, inside, outside, depth):
        super().__init__()
        self.enter, self.leave = ConvUnit(inside, outside), ConvUnit(outside // 2 * (2 + depth), outside)
        self.steps = nn.ModuleList([nn.Sequential(ConvUnit(outside // 2, outside // 2, 3), ConvUnit(outside // 2, outside // 2, 3))
                                    for _ in range(depth)])

    def forward(self, x):
        parts = list(self.enter(x).chunk(2, 1))
        for step in self.steps:
            parts.append(parts[-1] + step(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class Pyramid(nn.Module):
    """One pooling three times in a row."""

    def __init__(self, width):
        super().__init__()
        self.enter, self.leave, self.pool = ConvUnit(width, width // 2), ConvUnit(width * 2, width), nn.MaxPool2d(5, 1, 2)

    def forward(self, x):
        parts = [self.enter(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.leave(torch.cat(parts, 1))


class Branches(nn.Module):
    """Boxes and classes of three levels, side by side."""

    def __init__(self, widths, bins=8, classes=6):
        super().__init__()
        self.bins, self.classes = bins, classes
        self.box = nn.ModuleList([nn.Sequential(ConvUnit(w, 16, 3), ConvUnit(16, 16, 3), nn.Conv2d(16, 4 * bins, 1)) for w in widths])
        self.kind = nn.ModuleList([nn.Sequential(ConvUnit(w, 16, 3), ConvUnit(16, 16, 3), nn.Conv2d(16, classes, 1)) for w in widths])
        self.mean = nn.Conv2d(bins, 1, 1, bias=False)

    def forward(self, levels):
        said = [torch.cat([box(x), kind(x)], 1) for x, box, kind in zip(levels, self.box, self.kind)]
        box, kind = torch.cat([x.flatten(2) for x in said], 2).split((4 * self.bins, self.classes), 1)
        box = self.mean(box.unflatten(1, (4, self.bins)).transpose(1, 2).softmax(1)).squeeze(1)
        corner, size = box.chunk(2, 1)
        return torch.cat([corner - size, corner + size, kind.sigmoid()], 1)


class Detector(nn.Module):
    """What one-stage detectors are made of: a backbone, a path up and down again, a head that runs over three levels."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([ConvUnit(3, 8, 3, 2), ConvUnit(8, 16, 3, 2), Stage(16, 16, 1), ConvUnit(16, 24, 3, 2), Stage(24, 24, 2),
                                     Pyramid(24), nn.Upsample(scale_factor=2.0), Stage(40, 16, 1), ConvUnit(16, 16, 3, 2), Stage(40, 24, 1),
                                     ConvUnit(24, 24, 3, 2), Branches((16, 24, 24))])

    def forward(self, x):
        saved = []
        for i, layer in enumerate(self.layers[:6]):
            x = layer(x)
            saved.append(x)
        low = self.layers[7](torch.cat([self.layers[6](x), saved[2]], 1))
        middle = self.layers[9](torch.cat([self.layers[8](low), saved[5]], 1))
        return self.layers[11]([low, middle, self.layers[10](middle)])


def bert():
    config = transformers.BertConfig(attn_implementation="eager", max_position_embeddings=64, **Transformer)
    return Text(transformers.BertModel(config, add_pooling_layer=False))


def gpt2():
    config = transformers.GPT2Config(attn_implementation="eager", n_layer=2, n_embd=48, n_head=4, vocab_size=500, n_positions=64,
                                     use_cache=False)
    return Text(transformers.GPT2LMHeadModel(config))


def swin():
    return torchvision.models.SwinTransformer(patch_size=[4, 4], embed_dim=24, depths=[2, 2], num_heads=[2, 4],
                                              window_size=[4, 4], num_classes=10)


def vit():
    return torchvision.models.VisionTransformer(image_size=32, patch_size=8, num_layers=3, num_heads=4, hidden_dim=48,
                                                mlp_dim=96, num_classes=10)


def yolo():
    from ultralytics.nn.tasks import DetectionModel
    with contextlib.redirect_stdout(io.StringIO()):
        model = DetectionModel("yolov8n.yaml", nc=80, verbose=False)
    head = model.model[-1]
    head.export, head.format = True, "onnx"
    return model


VISION = dict(resnet18=64, mobilenet_v2=64, densenet121=64)
OTHERS = dict(swin=swin, vit=vit, bert=bert, gpt2=gpt2, cell_loop=CellLoop, unet=UNet, yolov8n=yolo, siamese=Siamese, detector=Detector)
NAMES = (*VISION, *OTHERS)
IMAGES = dict(swin=32, vit=32, unet=32, yolov8n=64, detector=32) | VISION


def live_in(model):
    """As after training: exporters and optimizers merge tensors that are equal, as fresh norms and biases are."""
    for module in model.modules():
        if isinstance(module, nn.modules.batchnorm._BatchNorm):
            nn.init.uniform_(module.running_mean, -0.5, 0.5)
            nn.init.uniform_(module.running_var, 0.5, 2.0)
        for name, parameter in module.named_parameters(recurse=False):
            if parameter.numel() > 1 and parameter.min() == parameter.max():
                nn.init.uniform_(parameter, *((0.5, 1.5) if name == "weight" else (-0.3, 0.3)))
    return model.eval()


def make(name):
    torch.manual_seed(3)
    model = live_in(OTHERS[name]() if name in OTHERS else getattr(torchvision.models, name)(weights=None, num_classes=10))
    if name in IMAGES:
        return model, (torch.randn(1, 3, IMAGES[name], IMAGES[name]),), ["image"]
    if name in ("bert", "gpt2"):
        ids = torch.randint(0, 500, (1, 12))
        return model, (ids, torch.ones_like(ids)), ["input_ids", "attention_mask"]
    if name == "siamese":
        return model, (torch.randn(1, 3, 16, 16), torch.randn(1, 3, 16, 16)), ["left", "right"]
    return model, (torch.randn(1, 4, 12),), ["steps"]
