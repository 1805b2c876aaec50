#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes a float model with Quark, ModelOpt, AIMET or the pass of an Olive configuration, with samples of an array.

Usage: made_others.py DUOSCOPE_CLI SAMPLES.npz OUT_FOLDER FLOAT.onnx... ; a tool that fails is named, and left out. Needs
amd-quark, nvidia-modelopt[onnx], aimet-onnx and olive-ai. Olive runs the configuration that duoscope-cli writes for it.
"""
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile

import numpy
import onnx


class Samples:
    def __init__(self, name, array):
        self.name, self.array = name, array
        self.left = iter(array)

    def get_next(self):
        sample = next(self.left, None)
        return None if sample is None else {self.name: sample[None]}


def quark(setup):
    def make(path, name, array, out):
        from quark.onnx import ModelQuantizer
        from quark.onnx.quantization.config import Config, get_default_config

        config = Config(global_quant_config=get_default_config(setup))
        ModelQuantizer(config).quantize_model(path, out, Samples(name, array))

    return make


def modelopt(method):
    def make(path, name, array, out):
        from modelopt.onnx.quantization import quantize

        quantize(path, quantize_mode="int8", calibration_data={name: array}, calibration_method=method,
            calibration_eps=["cpu"], output_path=out)

    return make


def aimet(path, name, array, out):
    import aimet_onnx
    from aimet_onnx.quantsim import QuantizationSimModel

    model = onnx.load(path)
    aimet_onnx.utils.duplicate_shared_initializers(model.graph)
    simulation = QuantizationSimModel(model, param_type=aimet_onnx.int8, activation_type=aimet_onnx.int8,
        providers=["CPUExecutionProvider"])
    simulation.compute_encodings([{name: sample[None]} for sample in array])
    onnx.save(simulation.to_onnx_qdq(), out)


OLIVE_DATA = """
import numpy
from olive.data.registry import Registry

class Samples:
    def __init__(self):
        self.array = numpy.load({file!r})
    def __len__(self):
        return len(self.array)
    def __getitem__(self, index):
        return {{{name!r}: self.array[index]}}, 0

@Registry.register_dataset()
def samples(**_):
    return Samples()
"""


def olive(cli):
    def make(path, name, array, out):
        written = subprocess.run([cli, "convert-state", path, "--to", "olive"], capture_output=True, text=True, check=True)
        passes = json.loads(written.stdout)["passes"]
        with tempfile.TemporaryDirectory() as folder:
            numpy.save(f"{folder}/samples.npy", array)
            with open(f"{folder}/data.py", "w", encoding="utf-8") as script:
                script.write(OLIVE_DATA.format(file=f"{folder}/samples.npy", name=name))
            for each in passes.values():
                each["data_config"] = "samples"
            config = {"input_model": {"type": "ONNXModel", "model_path": os.path.abspath(path)}, "passes": passes,
                "data_configs": [{"name": "samples", "user_script": f"{folder}/data.py",
                    "load_dataset_config": {"type": "samples"}, "dataloader_config": {"batch_size": 1}}],
                "systems": {"here": {"type": "LocalSystem", "accelerators": [
                    {"device": "cpu", "execution_providers": ["CPUExecutionProvider"]}]}},
                "host": "here", "target": "here", "output_dir": f"{folder}/out", "cache_dir": f"{folder}/cache"}
            with open(f"{folder}/config.json", "w", encoding="utf-8") as file:
                json.dump(config, file)
            tool = os.path.join(os.path.dirname(sys.executable), "olive")
            subprocess.run([tool, "run", "--config", f"{folder}/config.json"], capture_output=True, check=True)
            onnx.save(onnx.load(f"{folder}/out/model.onnx"), out)

    return make


def main():
    cli, samples, folder = sys.argv[1:4]
    arrays = numpy.load(samples)
    array = arrays[arrays.files[0]][:32].astype(numpy.float32)
    tools = {f"quark-{setup}": quark(setup) for setup in
        ("XINT8", "A8W8", "A16W8", "U8S8_AAWS", "INT8_TRANSFORMER_DEFAULT", "BF16")}
    tools |= {f"modelopt-{method}": modelopt(method) for method in ("entropy", "max")}
    tools |= {"aimet": aimet, "olive": olive(cli)}
    for path in sys.argv[4:]:
        name = onnx.load(path, load_external_data=False).graph.input[0].name
        for tool, make in tools.items():
            out = os.path.join(folder, f"{os.path.basename(path)[:-len('.onnx')]}.{tool}.onnx")
            with tempfile.TemporaryDirectory() as own:
                copied = shutil.copy(path, own)  # tools write into the file that they are given, and change each other's classes
                child = multiprocessing.Process(target=make, args=(copied, name, array, out))
                child.start()
                child.join()
            if child.exitcode != 0:
                print(f"{tool} on {os.path.basename(path)}: failed", flush=True)


if __name__ == "__main__":
    main()
