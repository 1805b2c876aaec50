# SPDX-License-Identifier: Apache-2.0
"""Which parameters each operation of a network uses, by the identity of the tensors that PyTorch is called with."""
import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

QUANTILES = np.linspace(0, 1, 33)
FEWEST = 3  # elements
CLOSE = 1e-3  # of the root mean square


def print_of(values):
    """What stays of an array in any order of its axes: count and quantiles; None where that tells nothing.
    Quantiles of rather many floats tell one activation of a network with random weights from all others."""
    values = np.asarray(values)
    if values.dtype.kind != "f" or values.size < FEWEST:
        return None
    values = np.sort(values.astype(np.float64), axis=None)
    if not np.isfinite(values[[0, -1]]).all() or values[0] == values[-1]:
        return None
    return np.append(values[(QUANTILES * (values.size - 1)).astype(int)], values.size)


def same(a, b):
    return a[-1] == b[-1] and np.abs(a[:-1] - b[:-1]).max() <= CLOSE * np.sqrt(np.mean(np.square(a[:-1])) + 1e-30)


class Event:
    """One operation on data: print of what it gave, keys it read, what it took from whom."""

    def __init__(self, keys, prints, taken):
        self.keys, self.prints, self.taken = keys, prints, taken


class Recorder(TorchDispatchMode):
    """Notes every operation. A tensor made of parameters only stands for their keys; of tied keys the first."""

    def __init__(self, model, inputs):
        super().__init__()
        self.keys, self.made_by, self.data, self.keep, self.events = {}, {}, set(), [], []
        seen, self.ties = {}, {}
        for key, tensor in model.state_dict(keep_vars=True).items():
            first = seen.setdefault((tensor.data_ptr(), tuple(tensor.shape)) if tensor.numel() else key, key)
            self.keys.setdefault(id(tensor), [first])
            self.ties.setdefault(first, []).append(key)
        self.inputs = [print_of(tensor.numpy()) for tensor in inputs]
        self.data.update(map(id, inputs))

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        given = [leaf for leaf in tree_leaves((args, kwargs or {})) if isinstance(leaf, torch.Tensor)]
        made = [leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor)]
        self.keep += given + made  # so that no id is given twice
        keys = list(dict.fromkeys(key for tensor in given for key in self.keys.get(id(tensor), [])))
        if any(id(tensor) in self.data for tensor in given):
            taken = [self.made_by[id(tensor)] for tensor in given if id(tensor) in self.made_by]
            event = Event(keys, [p for p in (print_of(t.detach().numpy()) for t in made if t.is_floating_point())
                                 if p is not None], taken)
            self.events.append(event)
            for tensor in made:
                self.keys.pop(id(tensor), None)
                self.made_by[id(tensor)] = event
                self.data.add(id(tensor))
        elif keys:
            for tensor in made:
                self.keys.setdefault(id(tensor), keys)
        return result


def record(model, inputs):
    """@return the recorder of one run; operations in the order of execution"""
    torch.backends.mha.set_fastpath_enabled(False)
    recorder = Recorder(model, inputs)
    with torch.no_grad(), recorder:
        model(*inputs)
    return recorder
