# SPDX-License-Identifier: Apache-2.0
"""The test cases of the Python package `onnx`, each transformed by us and run before and after.

Cases of nodes are made by the package, with the outputs that it expects; the small models that it ships come with theirs.
Both run in onnxruntime with its own graph optimization off, or in onnx's reference evaluator where onnxruntime does not
run the model as it is. Outputs must be equal bit for bit, or within 1e-5 where a pass says that it keeps them to rounding
only, and a second run of the transformation must change nothing. A case that does not give what it expects after the
transformation is listed with whether it gave it before. Writes backend_models.md.
Usage: backend_models.py DUOSCOPE_CLI. Needs: pip install onnx onnxruntime numpy.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
import onnxruntime
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases
from onnx.reference import ReferenceEvaluator

onnxruntime.set_default_logger_severity(4)
CLI = sys.argv[1]
SHIPPED = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data"
TABLE = pathlib.Path(__file__).with_name("backend_models.md")
READERS = {"sequence_type": (onnx.SequenceProto, numpy_helper.to_list), "optional_type": (onnx.OptionalProto, numpy_helper.to_optional)}


def plain(value):
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def value(path, kind):
    form, read = READERS.get(kind, (onnx.TensorProto, numpy_helper.to_array))
    return read(form.FromString(path.read_bytes()))


def shipped(path):
    """The model, and inputs by name with expected outputs; what has no inputs cannot be run."""
    model = onnx.load(path)
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [each for each in model.graph.input if each.name not in constants]
    sets = []
    for folder in sorted(path.parent.glob("test_data_set_*")):
        kinds = lambda values: [(each.name, each.type.WhichOneof("value")) for each in values]
        fed = {name: value(folder / f"input_{index}.pb", kind) for index, (name, kind) in enumerate(kinds(inputs))
               if (folder / f"input_{index}.pb").exists()}
        wanted = [value(folder / f"output_{index}.pb", kind) for index, (_, kind) in enumerate(kinds(model.graph.output))]
        sets.append((fed, wanted))
    return model, sets


def cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = collect_testcases(None)
    for case in made:
        names = [each.name for each in case.model.graph.input]
        sets = [(dict(zip(names, map(plain, inputs))), [plain(each) for each in outputs]) for inputs, outputs in case.data_sets]
        yield case.name, case.model, sets
    for path in sorted(SHIPPED.glob("*/*/model.onnx")):
        yield path.parent.name, *shipped(path)


def by_onnxruntime(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def by_reference(path):
    return ReferenceEvaluator(onnx.load(path))


def are_alike(left, right, bound):
    """Bit for bit where the bound is 0."""
    if isinstance(left, (list, dict)) or left is None:
        return repr(left) == repr(right)
    left, right = numpy.asarray(left), numpy.asarray(right)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind in "OUS":
        return left.tolist() == right.tolist()
    wide = complex if left.dtype.kind == "c" else float
    return left.tobytes() == right.tobytes() if bound == 0 else \
        numpy.allclose(left.astype(wide), right.astype(wide), bound, bound / 10, equal_nan=True)


def all_alike(left, right, bound):
    return len(left) == len(right) and all(are_alike(a, b, bound) for a, b in zip(left, right))


def transform(path, out):
    done = subprocess.run([CLI, "transform", str(path), "-o", str(out), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()


def outcome(name, model, sets, folder, passes, unexpected):
    source, target = folder / "source.onnx", folder / "once.onnx"
    onnx.save(model, source)
    report = transform(source, target)
    if isinstance(report, str):
        return "refused: " + report.split(":")[1].strip()
    applied = {each["id"]: each["applied"] for each in report["passes"] if each["applied"]}
    passes.update(applied)
    bound = 0 if all(each["exact"] or not each["applied"] for each in report["passes"]) else 1e-5
    again = transform(target, folder / "twice.onnx")
    if isinstance(again, str) or any(each["applied"] for each in again["passes"]):
        return "a second run changes something"
    why = "it comes without inputs"
    for engine, runner in (("onnxruntime", by_onnxruntime), ("the reference evaluator", by_reference)):
        try:
            before = [runner(source).run(None, fed) for fed, _ in sets]
        except Exception as error:
            why = f"{type(error).__name__} in {engine}"
            continue
        if not sets:
            break
        try:
            after = [runner(target).run(None, fed) for fed, _ in sets]
        except Exception as error:
            return "the result does not run: " + str(error).splitlines()[0][:120]
        for (_, wanted), old, new in zip(sets, before, after):
            if not all_alike(wanted, new, 1e-3):
                unexpected["but what the engine gives without transforms" if not all_alike(wanted, old, 1e-3) else "NOR WHAT IT WAS BEFORE"].append(name)
            if not all_alike(old, new, bound):
                drawn = {"Bernoulli", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial"}
                return "draws random numbers" if drawn & {node.op_type for node in model.graph.node} else "outputs differ"
        return f"equal in {engine}, " + ("changed" if applied else "nothing to do")
    return "not run: " + why


def main():
    counts, passes = collections.Counter(), collections.Counter()
    named, unexpected = collections.defaultdict(list), collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for name, model, sets in cases():
            found = outcome(name, model, sets, pathlib.Path(folder), passes, unexpected)
            counts[found] += 1
            if not found.startswith("equal"):
                named[found].append(name)
    lines = ["# Test cases of onnx, transformed", "",
             f"Made by `backend_models.py` with onnx {onnx.__version__} and onnxruntime {onnxruntime.__version__}: stage `common`.", "",
             "| models | outcome |", "|--:|---|"]
    lines += [f"| {count} | {found} |" for found, count in counts.most_common()]
    lines += ["", "| pass | nodes |", "|---|--:|"] + [f"| {each} | {count} |" for each, count in passes.most_common()]
    for found, models in named.items():
        lines += ["", f"{found[0].upper()}{found[1:]}: " + ", ".join(models)]
    for when, models in unexpected.items():
        lines += ["", f"Not what the case expects, {when}: " + ", ".join(models)]
    TABLE.write_text("\n".join(lines) + "\n")


main()
