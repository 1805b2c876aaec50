#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of quantizers between this program and ONNX Runtime's quantizer: is what one writes taken by the other, and are
the scales the same?

Usage: taken.py DUOSCOPE_CLI FLOAT.onnx[=DATA.npz]... > taken.md
Needs numpy, onnx and onnxruntime 1.32. Without data: random samples of both, the same ones.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.calibrate import create_calibrator, save_tensors_data

SAMPLES = 8


class Feeds(CalibrationDataReader):
    def __init__(self, feeds):
        self.feeds = iter(feeds)

    def get_next(self):
        return next(self.feeds, None)


def samples(path, data, folder):
    """The first samples of DATA, or random ones, as a file for the program and as feeds."""
    model = onnx.load(path, load_external_data=False)
    names = {t.name for t in model.graph.initializer}
    arrays = {}
    rng = np.random.default_rng(1)
    stored = dict(np.load(data)) if data else {}
    for value in model.graph.input:
        if value.name in names:
            continue
        dims = [d.dim_value if d.dim_value > 0 else (1 if i == 0 else 32)
                for i, d in enumerate(value.type.tensor_type.shape.dim)]
        if value.name in stored:
            arrays[value.name] = stored[value.name][:SAMPLES]
        elif value.type.tensor_type.elem_type == onnx.TensorProto.INT64:
            arrays[value.name] = rng.integers(0, 2, [SAMPLES] + dims[1:])
        else:
            arrays[value.name] = rng.standard_normal([SAMPLES] + dims[1:]).astype(np.float32)
    file = os.path.join(folder, "samples.npz")
    np.savez(file, **arrays)
    return file, [{name: array[i:i + 1] for name, array in arrays.items()} for i in range(SAMPLES)]


def run(*arguments):
    done = subprocess.run(list(arguments) + ["--json"], capture_output=True, text=True)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def as_overrides(file):
    """JSON -> what extra_options["TensorQuantOverrides"] wants."""
    overrides = json.load(open(file))
    for channels in overrides.values():
        for channel in channels:
            kind = QuantType[channel["quant_type"]]
            channel["quant_type"] = kind
            zero = {"QInt8": np.int8, "QUInt8": np.uint8, "QInt16": np.int16, "QUInt16": np.uint16}[kind.name]
            channel["zero_point"] = np.array(channel["zero_point"], dtype=zero)
            channel["scale"] = np.array(channel["scale"], dtype=np.float32)
    return overrides


def found(cli, path, folder):
    """{tensor: (scales, zero points)} of a quantized file, without biases."""
    report = run(cli, "dequantize", path, "-o", os.path.join(folder, "f.onnx"))
    return {q["tensor"]: (np.float32(q["scale"]), q["zero_point"]) for q in report["quantizers"] if q["role"] != "bias"}


def compared(first, second, error):
    """"all of N", or how many of the tensors that both have are alike."""
    both = sorted(first.keys() & second.keys())
    alike = [t for t in both if first[t][0].shape == second[t][0].shape and first[t][1] == second[t][1]
             and np.all(np.abs(first[t][0] - second[t][0]) <= error * np.abs(second[t][0]))]
    return f"all of {len(both)}" if len(alike) == len(both) else f"{len(alike)} of {len(both)}"


def scales(numbers):
    return np.frombuffer(base64.b64decode(numbers[4:]), "<f4") if isinstance(numbers, str) else np.float32(numbers)


def parameters(state):
    """{place of a quantizer: (type, scales, zero points)} of a state."""
    document = json.load(open(state))
    points = document["builder_state"]["quantization"]["quantizer_setup"]["quantization_points"]
    place = {key: (point["qip_class"], point["qip"]["target_node_name"], point["qip"].get("input_port_id"))
             for key, point in points.items()}
    return {place[key]: (value["type"], scales(value["scale"]), np.array(value["zero_point"]))
            for key, value in document["ctrl_state"]["quantization"]["parameters"].items()}


def same(first, second):
    """The engines sum in another order: scales to five digits, zero points to one code."""
    return (first is not None and first[0] == second[0] and first[1].shape == second[1].shape
            and np.allclose(first[1], second[1], rtol=1e-5, atol=0) and np.all(np.abs(first[2] - second[2]) <= 1))


def recipe_in(folder):
    """Nothing is simplified, rescaled or corrected: what only this program does."""
    recipe = os.path.join(folder, "r.recipe.json")
    with open(recipe, "w") as out:
        json.dump({"format": "duoscope-recipe", "version": 1, "transforms": False, "quantization": {
            "model_type": "none", "fast_bias_correction": False}}, out)
    return recipe


def overrides_row(cli, path, file, feeds, folder):
    """Our quantized model's overrides, given to ONNX Runtime's quantizer."""
    ours = os.path.join(folder, "ours.onnx")
    run(cli, "quantize", path, "--data", file, "-o", ours, "--recipe", recipe_in(folder))
    overrides = os.path.join(folder, "overrides.json")
    run(cli, "convert-state", ours, "--to", "ort-overrides", "-o", overrides)
    theirs = os.path.join(folder, "theirs.onnx")
    quantize_static(path, theirs, Feeds(feeds), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                    extra_options={"TensorQuantOverrides": as_overrides(overrides)})
    back = run(cli, "convert-state", path, "--from", overrides, "--recipe", recipe_in(folder), "--to", "state", "-o",
               os.path.join(folder, "o.json"))
    return compared(found(cli, ours, folder), found(cli, theirs, folder), 0), back["from"]


def calibrated(path, feeds, folder, cache=None):
    out = os.path.join(folder, "calibrated.onnx")
    quantize_static(path, out, Feeds(feeds) if feeds else None, quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8, calibration_cache_path=cache)
    return out


def cache_row(cli, path, file, feeds, folder):
    """Our measured ranges, given to ONNX Runtime's quantizer instead of data, beside its own measuring."""
    statistics = os.path.join(folder, "s.safetensors")
    run(cli, "statistics", path, "--data", file, "-o", statistics, "--recipe", recipe_in(folder), "--every-value")
    cache = os.path.join(folder, "ours.cache.json")
    made = run(cli, "convert-state", path, "--statistics", statistics, "--recipe", recipe_in(folder), "--to", "ort-calibration", "-o", cache)
    wanted = found(cli, calibrated(path, feeds, folder), folder)
    try:
        got = found(cli, calibrated(path, None, folder, cache), folder)
        return f"{compared(got, wanted, 1e-5)}, {compared(got, wanted, 0)} to the bit ({len(made['without'])} without)"
    except ValueError as error:
        return f"refused: {error} ({len(made['without'])} without)"


def reading_row(cli, path, file, feeds, folder):
    """ONNX Runtime's cache, read here, beside our own measuring."""
    calibrator = create_calibrator(path, None, os.path.join(folder, "augmented.onnx"), CalibrationMethod.MinMax)
    calibrator.collect_data(Feeds(feeds))
    cache = os.path.join(folder, "theirs.cache.json")
    save_tensors_data(calibrator.compute_data(), cache)
    recipe = recipe_in(folder)
    taken = os.path.join(folder, "taken.state.json")
    back = run(cli, "convert-state", path, "--from", cache, "--recipe", recipe, "--to", "state", "-o", taken)
    own = os.path.join(folder, "own.onnx")
    run(cli, "quantize", path, "--data", file, "--recipe", recipe, "-o", own)
    first, second = parameters(taken), parameters(own[:-len(".onnx")] + ".state.json")
    alike = sum(same(first.get(key), value) for key, value in second.items())
    return f"{alike} of {len(second)}, {len(back['from']['without'])} without"


def main():
    cli = sys.argv[1]
    print("| model | our overrides in its quantizer: scales and zero points equal | read back here | "
          "our ranges in its quantizer: scales as it measures, to five digits | its ranges here: parameters as we measure |")
    print("|---|---|---|---|---|")
    for pair in sys.argv[2:]:
        path, _, data = pair.partition("=")
        cells = []
        with tempfile.TemporaryDirectory() as folder:
            file, feeds = samples(path, data, folder)
            try:
                equal, back = overrides_row(cli, path, file, feeds, folder)
                cells += [equal, f"{back['used']} of {back['entries']}"]
            except (RuntimeError, ValueError) as error:
                cells += [f"refused: {error}", ""]
            for row in (cache_row, reading_row):
                try:
                    cells.append(row(cli, path, file, feeds, folder))
                except (RuntimeError, ValueError) as error:
                    cells.append(f"refused: {error}")
        print(f"| {os.path.basename(path)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
