# SPDX-License-Identifier: Apache-2.0
"""Trains and exports the sample models. Usage: python make_samples.py [FOLDER [MODEL...]]; needs the packages README.md names."""
import collections
import copy
import math
import pathlib
import sys

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from digits_models import DigitsConv, DigitsTransformer

TEST_SAMPLES = 700
CALIBRATION_SAMPLES = 200
Plan = collections.namedtuple("Plan", "name kind epochs rate opset")
PLANS = (
    Plan("digits_conv", DigitsConv, 80, 4e-3, 17),
    Plan("digits_transformer", DigitsTransformer, 150, 3e-3, 20),  # opset 20 has Gelu as one operator
)
PRIVATE_METADATA = ("stack_trace",)  # holds the paths of the machine that exported


def load_split():
    """Images as float32 [N,1,8,8] in 0..1, split into training and test images of the same class mix."""
    digits = load_digits()
    images = (digits.images / 16.0).astype(np.float32)[:, None]
    labels = digits.target.astype(np.int64)
    return train_test_split(images, labels, test_size=TEST_SAMPLES, random_state=7, stratify=labels)


def augmented(images, generator):
    """Each image turned by up to 10 degrees, scaled by up to 10 % and shifted by up to 0.8 pixels."""
    uniform = lambda limit: (torch.rand(len(images), generator=generator) * 2 - 1) * limit
    angle, scale = uniform(math.radians(10)), 1 + uniform(0.1)
    cos, sin = torch.cos(angle) * scale, torch.sin(angle) * scale
    theta = torch.stack([cos, -sin, uniform(0.2), sin, cos, uniform(0.2)], 1).reshape(-1, 2, 3)
    grid = F.affine_grid(theta, list(images.shape), align_corners=False)
    return F.grid_sample(images, grid, align_corners=False)


def loss_of(outputs, labels):
    logits, auxiliary = outputs
    main = F.cross_entropy(logits, labels, label_smoothing=0.05)
    return main + 0.3 * F.cross_entropy(auxiliary, labels, label_smoothing=0.05)


def freeze_statistics(model):
    """From here on batch norms use the statistics that inference uses: a block called twice has one set for both calls."""
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.eval()


def train(model, images, labels, epochs, rate):
    generator = torch.Generator().manual_seed(11)
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.05)
    batches = math.ceil(len(images) / 64)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=epochs * batches)
    for epoch in range(epochs):
        model.train()
        if epoch >= epochs * 0.6:
            freeze_statistics(model)
        for batch in torch.randperm(len(images), generator=generator).split(64):
            optimizer.zero_grad()
            loss_of(model(augmented(images[batch], generator)), labels[batch]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
    return model.eval()


def accuracy(model, images, labels):
    with torch.no_grad():
        return (model(images).argmax(1) == labels).float().mean().item()


def without_private_metadata(model):
    """The same model without the exporter's source paths."""
    graph = model.graph
    for holder in [model, graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        kept = [copy.copy(p) for p in holder.metadata_props if not p.key.endswith(PRIVATE_METADATA)]
        del holder.metadata_props[:]
        holder.metadata_props.extend(kept)
    return model


def export(model, path, opset):
    """Both exporters of PyTorch; the batch axis is symbolic, the weights are inside the file."""
    example, names = (torch.zeros(2, 1, 8, 8),), dict(input_names=["image"], output_names=["logits"])
    axes = {"image": {0: "batch"}, "logits": {0: "batch"}}
    torch.onnx.export(model, example, f"{path}.onnx", dynamo=False, opset_version=opset, dynamic_axes=axes, **names)
    shapes = {"image": {0: torch.export.Dim("batch")}}
    program = torch.onnx.export(model, example, dynamo=True, dynamic_shapes=shapes, **names)
    for file, proto in ((f"{path}.onnx", onnx.load(f"{path}.onnx")), (f"{path}.dynamo.onnx", program.model_proto)):
        onnx.checker.check_model(proto, full_check=True)
        onnx.save(without_private_metadata(proto), file)


def write_data(folder, train_images, test_images, test_labels):
    np.savez_compressed(folder / "digits_calibration.npz", image=train_images[:CALIBRATION_SAMPLES])
    np.savez_compressed(folder / "digits_test.npz", image=test_images, labels=test_labels)


def make(folder, wanted):
    train_images, test_images, train_labels, test_labels = load_split()
    write_data(folder, train_images, test_images, test_labels)
    images, labels, *test = [torch.from_numpy(a) for a in (train_images, train_labels, test_images, test_labels)]
    for plan in (plan for plan in PLANS if plan.name in wanted):
        torch.manual_seed(3)
        model = train(plan.kind(), images, labels, plan.epochs, plan.rate)
        count = sum(p.numel() for p in model.parameters())
        print(f"{plan.name}: {count} parameters, test accuracy {accuracy(model, *test):.4f}", flush=True)
        save_file(model.state_dict(), str(folder / f"{plan.name}.safetensors"))
        export(model, folder / plan.name, plan.opset)
        (folder / f"{plan.name}.safetensors").chmod(0o644)


if __name__ == "__main__":
    torch.set_num_threads(1)  # one thread: the order of every sum is fixed
    torch.use_deterministic_algorithms(True)
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    target.mkdir(parents=True, exist_ok=True)
    make(target, sys.argv[2:] or [plan.name for plan in PLANS])
