# SPDX-License-Identifier: Apache-2.0
"""A network whose modules use their second argument first, scripted and traced: tests/data/exports/written.*

Usage: script_forwards.py FOLDER Weights are random; where PyTorch lies on this machine is left out. Needs onnx, torch."""
import pathlib
import sys
import zipfile
from typing import Optional

import torch


class Second(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, bias, hidden, scale: float = 2.0, mask: Optional[torch.Tensor] = None):
        wide = self.b(hidden) * scale
        if mask is not None:
            wide = wide * mask
        return bias, wide + self.a(bias)


class Plain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(4, 4)

    def forward(self, bias, hidden):
        return self.a(hidden) - bias


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = (torch.nn.Linear(4, 4) for _ in range(3))

    def forward(self, query, key, value, mask: Optional[torch.Tensor] = None):
        k, v = self.k(key), self.v(value)
        weights = torch.softmax(torch.matmul(self.q(query), k.transpose(-2, -1)), -1)
        if mask is not None:
            weights = weights * mask
        return torch.matmul(weights, v)


class Alike(torch.nn.Module):
    """Both arguments go to operators of its own: nothing tells which is which."""

    def forward(self, one, other):
        return torch.relu(other) - one


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.second, self.plain, self.attention, self.alike = Second(), Plain(), Attention(), Alike()

    def forward(self, x, y):
        given, result = self.second(x, y, mask=x.sigmoid())
        result = self.plain(result.relu(), given.tanh())
        result = self.attention(result.tanh(), result.relu(), result.sigmoid())
        return self.alike(result.tanh(), result.sigmoid())


def save(module, path):
    """As torch.jit.save, without the folder that PyTorch lies in, and compressed."""
    module.save(str(path))
    place = str(pathlib.Path(torch.__file__).parents[1]).encode()
    here = str(pathlib.Path(__file__).parent).encode()
    with zipfile.ZipFile(path) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in members:
            for folder in (place, here):
                data = data.replace(folder, b"." * len(folder))
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    torch.manual_seed(0)
    net = Net().eval()
    inputs = (torch.randn(2, 4), torch.randn(2, 4))
    save(torch.jit.script(net), target / "written.scripted.pt")
    save(torch.jit.trace(net, inputs), target / "written.traced.pt")
    torch.onnx.export(net, inputs, str(target / "written.script.onnx"), dynamo=False)
