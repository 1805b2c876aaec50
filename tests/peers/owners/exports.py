# SPDX-License-Identifier: Apache-2.0
"""The ways a network is exported: both exporters, two opsets, and converted as deployment tools do it."""
import contextlib
import io

import numpy as np
import onnx
import onnxruntime.quantization as quantization
import torch
from onnxruntime.transformers.float16 import convert_float_to_float16
from safetensors.torch import save_file

import networks

EXPORTERS = {"TorchScript": dict(dynamo=False, opset_version=17), "torch.export": dict(dynamo=True)}
OLDER = {"TorchScript 11": dict(dynamo=False, opset_version=11)}  # no LayerNormalization
CONVERTED = {"resnet18": ("QDQ", "QOperator", "float16"), "mobilenet_v2": ("QDQ",), "bert": ("dynamic", "float16"),
             "efficientnet_b0": ("QDQ",), "unet": ("QDQ",), "gpt2": ("dynamic",)}
WITH_OLDER = ("bert", "swin_t", "densenet121", "lstm_lm")


def source(export):
    return "TorchScript" if export in ("QDQ", "QOperator", "float16", "dynamic") else export


class Samples(quantization.CalibrationDataReader):
    def __init__(self, name, shape):
        generator = np.random.default_rng(1)
        self.feeds = iter([{name: generator.standard_normal(shape, np.float32)} for _ in range(2)])

    def get_next(self):
        return next(self.feeds, None)


def convert(kind, path, to):
    if kind == "float16":
        return onnx.save(convert_float_to_float16(onnx.load(path), keep_io_types=True), to)
    if kind == "dynamic":
        return quantization.quantize_dynamic(path, to)
    value = onnx.load(path).graph.input[0]
    samples = Samples(value.name, [d.dim_value for d in value.type.tensor_type.shape.dim])
    form = quantization.QuantFormat.QDQ if kind == "QDQ" else quantization.QuantFormat.QOperator
    quantization.quantize_static(path, to, samples, quant_format=form, per_channel=kind == "QDQ")


def save_checkpoints(model, folder, name):
    """Both kinds; safetensors stores one key of a tensor only."""
    state = model.state_dict()
    first = {}
    for key, tensor in state.items():
        first.setdefault((tensor.data_ptr(), tuple(tensor.shape)) if tensor.numel() else key, key)
    paths = [folder / f"{name}.safetensors", folder / f"{name}.pth"]
    save_file({key: state[key].contiguous().clone() for key in first.values()}, paths[0])
    torch.save(state, paths[1])
    return paths


def make(name, folder):
    """Exports what is not there. @return paths of the checkpoints; {export: path}"""
    model, example = networks.make(name)
    checkpoints = [folder / f"{name}.safetensors", folder / f"{name}.pth"]
    if not all(path.exists() for path in checkpoints):
        save_checkpoints(model, folder, name)
    ways = EXPORTERS | (OLDER if name in WITH_OLDER else {})
    paths = {way: folder / f"{name}.{way.replace(' ', '')}.onnx" for way in (*ways, *CONVERTED.get(name, ()))}
    for way, path in paths.items():
        if path.exists():
            continue
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if way in ways:
                fresh, _ = networks.make(name)  # exporting may leave traces
                torch.onnx.export(fresh, example, path, external_data=False, **ways[way])
            else:
                convert(way, paths["TorchScript"], path)
    return checkpoints, paths
