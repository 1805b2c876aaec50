# SPDX-License-Identifier: Apache-2.0
"""The two sample models. Each is written so that the tree of its parameters and the tree of its calls differ."""
import torch
from torch import nn

CLASSES = 10


class ConvBlock(nn.Sequential):
    """Convolution, batch norm, ReLU; the exporters fold the batch norm into the convolution."""

    def __init__(self, inputs, outputs, kernel=3, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.act = nn.ReLU()


class ResidualBlock(nn.Module):
    """Two convolutions and a sum."""

    def __init__(self, width):
        super().__init__()
        self.first = ConvBlock(width, width)
        self.second = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(x + self.norm(self.second(self.first(x))))


class ConvEncoder(nn.Module):
    """Runs `refine` twice (shared module); owns `squeeze` but never calls it."""

    def __init__(self):
        super().__init__()
        self.stem = ConvBlock(1, 32)
        self.layer1 = nn.Sequential(ResidualBlock(32), ConvBlock(32, 64, stride=2))
        self.refine = ResidualBlock(64)
        self.squeeze = ConvBlock(64, 48, kernel=1)

    def forward(self, x):
        return self.refine(self.refine(self.layer1(self.stem(x))))


class ConvHead(nn.Module):
    """Calls a block of the encoder that it does not contain (foreign call), then classifies."""

    def __init__(self, squeeze):
        super().__init__()
        object.__setattr__(self, "borrowed", squeeze)  # a plain reference: not registered as a child
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(48, CLASSES)

    def forward(self, x):
        return self.fc(self.pool(self.borrowed(x)).flatten(1))


class DigitsConv(nn.Module):
    """`aux` is a second classifier that only trains: no exported file contains it."""

    def __init__(self):
        super().__init__()
        self.encoder = ConvEncoder()
        self.head = ConvHead(self.encoder.squeeze)
        self.aux = nn.Sequential(nn.Flatten(), nn.Linear(64 * 16, CLASSES))

    def forward(self, image):
        features = self.encoder(image)
        logits = self.head(features)
        return (logits, self.aux(features)) if self.training else logits


class PatchEmbedding(nn.Module):
    """Cuts the 8x8 image into 16 patches of 2x2 and adds a learned position."""

    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(4, width)
        self.position = nn.Parameter(torch.zeros(1, 16, width))

    def forward(self, image):
        patches = image.reshape(-1, 4, 2, 4, 2).transpose(2, 3).reshape(-1, 16, 4)
        return self.project(patches) + self.position


class Attention(nn.Module):
    """Pre-norm self-attention over the 16 patches, with its residual sum."""

    def __init__(self, width, heads=4):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.norm = nn.LayerNorm(width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def split(self, x):
        return x.reshape(-1, 16, self.heads, self.depth).transpose(1, 2)

    def forward(self, x):
        normed = self.norm(x)
        query, key, value = self.split(self.query(normed)), self.split(self.key(normed)), self.split(self.value(normed))
        weights = torch.softmax(query @ key.transpose(2, 3) * self.depth**-0.5, dim=-1)
        return x + self.output((weights @ value).transpose(1, 2).reshape(-1, 16, self.heads * self.depth))


class FeedForward(nn.Module):
    """Pre-norm two-layer perceptron with its residual sum."""

    def __init__(self, width, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))

    def forward(self, x):
        return x + self.mlp(self.norm(x))


class TransformerEncoder(nn.Module):
    """Runs one `feed_forward` after each of its two attentions (shared module); owns `bridge` but never calls it."""

    def __init__(self, width):
        super().__init__()
        self.layers = nn.ModuleList([Attention(width), Attention(width)])
        self.feed_forward = FeedForward(width, 256)
        self.bridge = nn.Linear(width, width)

    def forward(self, x):
        for attention in self.layers:
            x = self.feed_forward(attention(x))
        return x


class TransformerHead(nn.Module):
    """Reads the encoder's `bridge`, which it does not contain (foreign call), then classifies the mean token."""

    def __init__(self, bridge, width):
        super().__init__()
        object.__setattr__(self, "borrowed", bridge)  # a plain reference: not registered as a child
        self.norm = nn.LayerNorm(width)
        self.classifier = nn.Linear(width, CLASSES)

    def forward(self, x):
        return self.classifier(torch.relu(self.borrowed(self.norm(x))).mean(1))


class DigitsTransformer(nn.Module):
    """`aux` is a classifier of the strongest patch that only trains: no exported file contains it."""

    def __init__(self, width=80):
        super().__init__()
        self.embedding = PatchEmbedding(width)
        self.encoder = TransformerEncoder(width)
        self.head = TransformerHead(self.encoder.bridge, width)
        self.aux = nn.Linear(width, CLASSES)

    def forward(self, image):
        tokens = self.encoder(self.embedding(image))
        logits = self.head(tokens)
        return (logits, self.aux(tokens.amax(1))) if self.training else logits
