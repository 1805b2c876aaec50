# SPDX-License-Identifier: Apache-2.0
"""Random networks that call modules in every way the exporters must cope with. Needs torch."""
import torch
import torch.nn as nn
import torch.nn.functional as F

WIDTH = 4
NAMES = ["fc", "fc_1", "fc_2", "lin", "blk", "blk_1", "conv1", "layer", "self", "attention", "output", "dense", "proj",
         "enc", "dec", "head", "body", "a", "b", "left", "right", "mlp"]
ODD_NAMES = ["0", "1", "10", "x/y", "p#q", "at@home", "sp ace", "a-b", "c:d", "back\\slash", "it's"]


class Own(nn.Module):
    """Works with a parameter of its own."""
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(WIDTH))

    def forward(self, x):
        return torch.mul(x, self.scale)


class Silent(nn.Module):
    """A container without a forward."""


class Block(nn.Module):
    """Children and a list of steps; `outside` holds modules registered elsewhere."""
    def __init__(self):
        super().__init__()
        self.steps = []
        self.outside = []

    def forward(self, x):
        for kind, target in self.steps:
            x = step(self, kind, target, x)
        return x


def step(block, kind, target, x):
    if kind == "call":
        return torch.tanh(find(block, target)(x)) if target.endswith("!") else find(block, target)(x)
    if kind == "items":
        for item in find(block, target):
            x = item(x)
        return x
    if kind == "function":
        linear = find(block, target)
        return F.linear(x, linear.weight, linear.bias)
    if kind == "method":
        return find(block, target).forward(x)
    if kind == "foreign":
        return block.outside[target](x)
    return {"relu": torch.relu, "tanh": torch.tanh, "sigmoid": torch.sigmoid, "mul": lambda v: torch.mul(v, 1.5)}[kind](x)


def find(block, path):
    module = block
    for atom in path.split("."):
        module = module._modules[atom]
    return module


class Maker:
    def __init__(self, random, odd, repeats=0.3, foreign=0.15, alias=0.1):
        self.random, self.odd, self.repeats, self.foreign, self.alias = random, odd, repeats, foreign, alias
        self.made = []

    def name(self, taken):
        while True:
            names = ODD_NAMES if self.random.random() < self.odd else NAMES
            name = self.random.choice(names)
            if name not in taken:
                return name

    def leaf(self):
        kind = self.random.random()
        if kind < 0.6:
            return nn.Linear(WIDTH, WIDTH)
        if kind < 0.75:
            return Own()
        return self.random.choice([nn.ReLU, nn.Tanh, nn.Sigmoid])()

    def module(self, depth):
        if depth == 0 or self.random.random() < 0.35:
            made = self.leaf()
        elif self.random.random() < 0.2:
            made = nn.Sequential(*[self.module(depth - 1) for _ in range(self.random.randint(1, 3))])
        else:
            made = self.block(depth - 1)
        self.made.append(made)
        return made

    def add_child(self, block, depth):
        """Adds a child, perhaps in containers; returns the steps that may run it."""
        name = self.name(block._modules)
        kind = self.random.random()
        if kind < 0.08:
            block.add_module(name, nn.ModuleList([self.module(depth) for _ in range(self.random.randint(1, 3))]))
            return [("items", name)]
        if kind < 0.14:
            keys = self.random.sample(NAMES, 2)
            block.add_module(name, nn.ModuleDict({k: self.module(depth) for k in keys}))
            return [("call", f"{name}.{k}") for k in keys]
        if kind < 0.22:
            block.add_module(name, nn.Sequential(*[self.module(depth) for _ in range(self.random.randint(1, 3))]))
            return [("items", name)]
        if kind < 0.32:
            silent = Silent()
            inner = self.name({})
            silent.add_module(inner, nn.ModuleList([self.module(depth) for _ in range(self.random.randint(1, 2))]))
            block.add_module(name, silent)
            return [("items", f"{name}.{inner}")]
        if self.made and kind < 0.32 + self.alias:
            block.add_module(name, self.random.choice(self.made))
            return [("call", name)]
        child = self.module(depth)
        block.add_module(name, child)
        if isinstance(child, nn.Linear) and self.random.random() < 0.15:
            return [("function", name)]
        return [("call", name)]

    def block(self, depth):
        block = Block()
        runs = []
        for _ in range(self.random.randint(1, 3)):
            runs += self.add_child(block, depth)
        if self.made and self.random.random() < self.foreign:
            block.outside.append(self.random.choice(self.made))
            runs.append(("foreign", 0))
        steps = list(runs)
        while self.random.random() < self.repeats and len(steps) < 8:
            steps.append(self.random.choice(runs))
        if self.random.random() < 0.3:
            self.random.shuffle(steps)
        for _ in range(self.random.randint(0, 3)):
            steps.insert(self.random.randint(0, len(steps)), (self.random.choice(["relu", "tanh", "sigmoid", "mul"]), None))
        block.steps = steps
        return block
