# SPDX-License-Identifier: Apache-2.0
"""Scopes as PyTorch itself sees them: module calls by hooks, operations by a function mode, texts as Duoscope writes
them (resources/docs/scopes.md, "Execution scopes as text"). Needs torch."""
import torch
import torch.nn as nn
from torch.overrides import TorchFunctionMode

# Function -> ONNX op types it becomes; the first one reads the parameters that are no bias.
KINDS = {
    "linear": ["linear"], "relu": ["Relu"], "tanh": ["Tanh"], "sigmoid": ["Sigmoid"], "mul": ["Mul"],
}


class Call:
    def __init__(self, module, parent):
        self.module, self.parent, self.number, self.visible = module, parent, 0, False


class Op:
    def __init__(self, kind, call, parameters):
        self.kind, self.call, self.parameters = kind, call, parameters


class Recorder(TorchFunctionMode):
    def __init__(self, root):
        super().__init__()
        self.known = {id(m) for m in root.modules()}
        self.calls, self.ops, self.stack = [], [], []

    def enter(self, module, _inputs):
        if id(module) not in self.known:
            return
        call = Call(module, self.stack[-1] if self.stack else None)
        self.calls.append(call)
        self.stack.append(call)

    def leave(self, module, _inputs, _outputs):
        if id(module) in self.known:
            self.stack.pop()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "").strip("_")
        if name in KINDS:
            read = [a for a in args if isinstance(a, nn.Parameter)]
            self.ops.append(Op(name, self.stack[-1], read))
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))


def record(root, inputs):
    recorder = Recorder(root)
    hooks = [nn.modules.module.register_module_forward_pre_hook(recorder.enter),
             nn.modules.module.register_module_forward_hook(recorder.leave)]
    try:
        with torch.no_grad(), recorder:
            root(*inputs)
    finally:
        for hook in hooks:
            hook.remove()
    return recorder


def escape(text):
    return "".join("\\" + c if c in "/#@\\" else c for c in text)


def below(path, above):
    """`path` relative to `above`; None if it does not lie below."""
    if above == "":
        return path or None
    return path[len(above) + 1:] if path.startswith(above + ".") else None


def tail(path):
    """The last atom; a number with the nearest atom that is none."""
    atoms = path.split(".")
    first = len(atoms) - 1
    while first > 0 and atoms[first].isdigit():
        first -= 1
    return ".".join(atoms[first:])


class Truth:
    """Every operation with the execution scopes that are right, its owners, and whether it differs.
    @param aliases the source knows all paths of a module, not only the first one"""

    def __init__(self, root, recorder, aliases):
        self.aliases = aliases
        self.paths = {}
        for path, module in root.named_modules(remove_duplicate=False):
            self.paths.setdefault(id(module), []).append(path)
        self.keys = {}
        for path, module in root.named_modules(remove_duplicate=False):
            for name, parameter in module._parameters.items():
                if parameter is not None:
                    self.keys.setdefault(id(parameter), []).append(f"{path}.{name}" if path else name)
        self.owns = {id(m) for m in root.modules() if any(True for _ in m.parameters())}
        self.ops = recorder.ops
        self.number(recorder)

    def number(self, recorder):
        order = []
        for call in recorder.calls:
            call.visible = False
        for op in recorder.ops:
            chain = []
            call = op.call
            while call is not None and not call.visible:
                call.visible = True
                chain.append(call)
                call = call.parent
            order += reversed(chain)
        self.runs = {}
        for call in order:
            call.number = self.runs.get(id(call.module), 0)
            self.runs[id(call.module)] = call.number + 1

    def known(self, module):
        return self.paths[id(module)] if self.aliases else self.paths[id(module)][:1]

    def elements(self, call):
        """Texts that are right for one call."""
        suffix = f"#{call.number}" if call.number else ""
        relative = {below(p, q) for p in self.known(call.module) for q in self.known(call.parent.module)} - {None}
        if not relative:
            relative = {"@" + escape(self.paths[id(call.module)][0])}
        else:
            relative = {escape(r) for r in relative}
            if not self.aliases and id(call.module) not in self.owns:  # nothing tells of containers around it
                relative.add(escape(tail(self.paths[id(call.module)][0])))
        return {r + suffix for r in relative}

    def execution(self, call):
        if call.parent is None:
            return {""}
        return {(above + "/" if above else "") + element
                for above in self.execution(call.parent) for element in self.elements(call)}

    def is_hidden(self, call):
        """A module that stores nothing and is called by one that does not contain it, where only first paths are known:
        no file tells which module that is."""
        while call.parent is not None:
            if not self.aliases and id(call.module) not in self.owns \
                    and next(iter(self.elements(call))).startswith("@"):
                return True
            call = call.parent
        return False

    def storage(self, op):
        return [self.keys[id(p)][0].rpartition(".")[0] for p in op.parameters]

    def has_special_call(self, call):
        while call.parent is not None:
            if next(iter(self.elements(call))).startswith("@"):
                return True
            if self.runs[id(call.module)] > 1 and id(call.module) in self.owns:
                return True
            call = call.parent
        return False

    def differs(self, op, execution):
        plain = ".".join(strip(e) for e in split(execution)) if execution else ""
        return any(owner != plain for owner in self.storage(op)) or self.has_special_call(op.call)


def split(execution):
    parts, current, escaped = [], "", False
    for c in execution:
        if escaped:
            current, escaped = current + "\\" + c, False
        elif c == "\\":
            escaped = True
        elif c == "/":
            parts.append(current)
            current = ""
        else:
            current += c
    return parts + [current]


def strip(element):
    """An element without its number and escapes."""
    text, escaped = "", False
    for i, c in enumerate(element):
        if escaped:
            text, escaped = text + c, False
        elif c == "\\":
            escaped = True
        elif c == "#":
            break
        else:
            text += c
    return text
