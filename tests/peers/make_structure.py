# SPDX-License-Identifier: Apache-2.0
"""Replaces the weights of an ONNX file by recipes to make them again. Usage: python make_structure.py IN.onnx OUT.structure.onnx

The form is described in ../data/models/README.md; `--fill IN.structure.onnx OUT.onnx` is the way back, for comparison."""
import argparse

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

KEPT_ELEMENTS = 256
PRIVATE_METADATA = ("stack_trace",)
LOCATION = "seeded-fill"
MASK = (1 << 64) - 1


def words(seed, count):
    """The first outputs of splitmix64 for this seed."""
    state = np.uint64(seed & MASK) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def standard_normal(seed, count):
    """The sum of the twelve 16-bit fields of three words, centred: no function of a math library, so the same everywhere."""
    drawn = words(seed, 3 * count)
    fields = sum((drawn >> np.uint64(shift)) & np.uint64(0xFFFF) for shift in (0, 16, 32, 48)).reshape(count, 3).sum(1)
    return (fields.astype(np.int64) - 393210) / 65536.0


def unit_uniform(seed, count):
    return (words(seed, count) >> np.uint64(40)).astype(np.float64) * 2.0**-24


def filled(entries, count):
    """The values that a recipe stands for, as float64."""
    seed = int(entries["seed"])
    if entries["distribution"] == "normal":
        return float(entries["mean"]) + float(entries["std"]) * standard_normal(seed, count)
    low, high = float(entries["low"]), float(entries["high"])
    return low + (high - low) * unit_uniform(seed, count)


def short(value):
    """Four significant decimals in binary-friendly form: products with the generator's numbers stay exact."""
    return repr(float(np.float32(f"{float(value):.4g}")))


def recipe(values, seed):
    """Normal with the tensor's own mean and deviation; uniform where all values have one sign (variances) or are equal."""
    values = values.astype(np.float64)
    if values.min() > 0 or values.max() < 0 or values.min() == values.max():
        return {"distribution": "uniform", "low": short(values.min()), "high": short(values.max()), "seed": str(seed)}
    return {"distribution": "normal", "mean": short(values.mean()), "std": short(values.std()), "seed": str(seed)}


def set_recipe(tensor, entries):
    for field in ("raw_data", "float_data", "double_data", "int32_data"):
        tensor.ClearField(field)
    tensor.data_location = TensorProto.EXTERNAL
    del tensor.external_data[:]
    for key, value in {"location": LOCATION, **entries}.items():
        tensor.external_data.add(key=key, value=value)


def graphs(model):
    """The main graph, then bodies and functions: everything that lists nodes."""
    waiting, found = [model.graph, *model.functions], []
    while waiting:
        holder = waiting.pop(0)
        found.append(holder)
        for node in holder.node:
            waiting += [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
    return found


def tensors(model):
    """Initializers and what Constant nodes hold."""
    for holder in graphs(model):
        yield from getattr(holder, "initializer", [])
        for node in holder.node:
            if node.op_type == "Constant":
                yield from (a.t for a in node.attribute if a.type == onnx.AttributeProto.TENSOR)


def strip(model):
    """Removes texts that only describe the machine or the author's files."""
    holders = [model]
    for holder in graphs(model):
        holders += [holder, *holder.node, *holder.value_info, *getattr(holder, "initializer", [])]
        if isinstance(holder, onnx.GraphProto):
            holders += [*holder.input, *holder.output]
    for holder in holders:
        holder.ClearField("doc_string")
        kept = [(p.key, p.value) for p in holder.metadata_props if not p.key.endswith(PRIVATE_METADATA)]
        del holder.metadata_props[:]
        for key, value in kept:
            holder.metadata_props.add(key=key, value=value)


def to_structure(model):
    """Equal tensors stay equal: they get the same seed."""
    strip(model)
    seeds = {}
    for index, tensor in enumerate(tensors(model)):
        values = numpy_helper.to_array(tensor)
        if values.size > KEPT_ELEMENTS and values.dtype in (np.float16, np.float32, np.float64):
            seed = seeds.setdefault((values.dtype, values.shape, values.tobytes()), index + 1)
            set_recipe(tensor, recipe(values, seed))
    return model


def from_structure(model):
    for tensor in tensors(model):
        entries = {e.key: e.value for e in tensor.external_data}
        if entries.get("location") == LOCATION:
            kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
            values = filled(entries, int(np.prod(tensor.dims))).astype(kind)
            tensor.CopyFrom(numpy_helper.from_array(values.reshape(tensor.dims), tensor.name))
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--fill", action="store_true", help="make the weights again")
    arguments = parser.parse_args()
    model = onnx.load(arguments.source, load_external_data=False)
    onnx.save(from_structure(model) if arguments.fill else to_structure(model), arguments.target)


if __name__ == "__main__":
    main()
