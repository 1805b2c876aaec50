# SPDX-License-Identifier: Apache-2.0
"""Random networks that call modules in every way the exporters must cope with. Needs torch."""
import linecache

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
    """Children and a program of its own; `outside` holds modules registered elsewhere."""
    count = 0

    def __init__(self):
        super().__init__()
        self.outside = []

    def write(self, lines):
        """Gives the module a class of its own whose forward has these lines, where tracebacks find them."""
        Block.count += 1
        name, file = f"Block{Block.count}", f"<block {Block.count}>"
        source = f"class {name}(Block):\n    def forward(self, x):\n" + "".join(f"        {line}\n" for line in lines)
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        scope = {"Block": Block, "torch": torch, "F": F, "__name__": "random_modules"}
        exec(compile(source, file, "exec"), scope)
        self.__class__ = scope[name]


def reach(path):
    """Python for the module at a path below self; names may be anything."""
    text = "self"
    for atom in path.split("."):
        if atom.isidentifier():
            text += f".{atom}"
        else:
            text = f"getattr({text}, {atom!r})"
    return text


def expression(step, x):
    kind, target = step
    if kind == "call":
        return f"{reach(target)}({x})"
    if kind == "function":
        return f"F.linear({x}, {reach(target)}.weight, {reach(target)}.bias)"
    if kind == "foreign":
        return f"self.outside[{target}]({x})"
    return f"torch.mul({x}, 1.5)" if kind == "mul" else f"torch.{kind}({x})"


def program(random, steps):
    """Statements that do the steps: one per line, some nested into one line, some in loops."""
    lines, i = [], 0
    while i < len(steps):
        kind, target = steps[i]
        if kind == "items":
            lines += [f"for item in {reach(target)}:", "    x = item(x)"]
        elif random.random() < 0.1 and i + 1 < len(steps) and steps[i + 1][0] != "items":
            lines.append(f"x = {expression(steps[i + 1], expression(steps[i], 'x'))}")
            i += 1
        elif random.random() < 0.08:
            lines += [f"for _ in range({random.randint(2, 3)}):", f"    x = {expression(steps[i], 'x')}"]
        else:
            lines.append(f"x = {expression(steps[i], 'x')}")
        i += 1
    if lines and lines[-1].startswith("x = ") and random.random() < 0.5:
        return lines[:-1] + ["return " + lines[-1][4:]]
    return lines + ["return x"]


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
        block.write(program(self.random, steps))
        return block
