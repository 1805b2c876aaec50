# SPDX-License-Identifier: Apache-2.0
"""Published files of other people, transformed by us and by onnxslim: how many nodes are left, those in bodies too, and
what outputs do.

Counts nodes without Constant, in all graphs of a file. Both hold for the sizes of the file (--static-shapes). "And target"
is what is left when passes channel-bias and gemm run as well, which onnxslim has and we leave to targets: what they do
to quantization stands in resources/docs/transforms.md. Outputs are those with open sizes, of stage common and of each
target, and with fixed ones, on drawn inputs of the sizes that the program takes for random data, and where sizes are
open on a batch of two and on all twice as large, as far as the file itself runs on them. "By an ulp" is how far they move
when each number of the inputs goes to the next float, up or down: what moves so far is not known any better. A second run
changes nothing, common and then a target is the target alone, and nodes in another order give the same graph.
Writes published.md; what comes behind its last row stays.
Usage: published.py DUOSCOPE_CLI FILE... Needs: pip install onnx onnxruntime onnxslim numpy.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx

from checks import BOUND, distance, findings, session

TARGETS = ["ort-cpu", "tensorrt", "openvino", "qnn"]
TYPES = {"tensor(float)": numpy.float32, "tensor(int64)": numpy.int64, "tensor(int32)": numpy.int32, "tensor(bool)": numpy.bool_}
KNOWN = {"sr": 16000, "fmin": 50, "fmax": 1000}  # numbers that mean something: rates and bounds of frequencies
TABLE = pathlib.Path(__file__).with_name("published.md")
TARGET = ["--stage", "target", "--profile", "openvino", "--enable", "channel-bias", "--enable", "gemm"]
SLIM = "import sys, onnx, onnxslim; onnx.save(onnxslim.slim(onnx.load(sys.argv[1])), sys.argv[2])"


def nodes(graph):
    bodies = [attribute.g for node in graph.node for attribute in node.attribute
              if attribute.type == onnx.AttributeProto.GRAPH]
    return sum(node.op_type != "Constant" for node in graph.node) + sum(map(nodes, bodies))


def count(path):
    return nodes(onnx.load(path, load_external_data=False).graph)


def left(command, target):
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    return count(target) if done.returncode == 0 else None


def sizes(cli, path):
    """Of each input, as the program takes them for random data."""
    done = subprocess.run([cli, "inspect", path, "--data", "random:1", "--json", "--quiet"], capture_output=True, text=True, timeout=600)
    return {each["name"]: each["dims"] for each in json.loads(done.stdout)["data"]["inputs"]}


def drawn(running, taken, change, seed):
    numbers = numpy.random.default_rng(seed)
    fed = {}
    for each in running.get_inputs():
        kind = TYPES[each.type]
        shape = [change(axis, size) if isinstance(told, str) or told is None else size
                 for axis, (told, size) in enumerate(zip(each.shape, taken[each.name]))]
        if not shape and each.name in KNOWN:
            fed[each.name] = numpy.array(KNOWN[each.name], kind)
        else:
            is_float = kind == numpy.float32
            fed[each.name] = numpy.asarray(numbers.standard_normal(shape) if is_float else numbers.integers(0, 10, shape)).astype(kind)
    return fed


def runs(running, taken):
    """Inputs that the file runs on, and what it gives."""
    found = []
    for seed, change in enumerate([lambda axis, size: size, lambda axis, size: 2 * size if axis == 0 else size, lambda axis, size: 2 * size]):
        fed = drawn(running, taken, change, seed)
        if any(each.keys() == fed.keys() and all(each[name].shape == fed[name].shape for name in fed) for each, _ in found):
            continue
        try:
            found.append((fed, running.run(None, fed)))
        except Exception:
            continue  # sizes that belong together
    return found


def by_an_ulp(running, found):
    numbers = numpy.random.default_rng(9)
    far = 0.0
    for fed, wanted in found:
        next_to = {name: numpy.nextafter(value, numbers.choice([-numpy.inf, numpy.inf], value.shape).astype(value.dtype))
                   if value.dtype == numpy.float32 else value for name, value in fed.items()}
        far = max(far, distance(wanted, running.run(None, next_to)))
    return far


def checked(cli, file, folder):
    """What the last columns say of a file, and whether all holds."""
    running = session(file)
    found = runs(running, sizes(cli, file))
    fed = [each for each, _ in found]
    wrong, _, far = findings(cli, file, folder, fed, targets=TARGETS)
    more, _, fixed = findings(cli, file, folder, fed[:1], ["--static-shapes"], TARGETS)
    wrong, far = wrong + more, max(far, fixed)
    ulp = by_an_ulp(running, found) if far > BOUND else 0.0
    if far > max(BOUND, 2 * ulp) or not found:
        wrong.append("outputs differ" if found else "the file does not run on drawn inputs")
    moved = f"{far:.0e}" + (f", {ulp:.0e} by an ulp" if ulp else "")
    return f"{len(found)} | {moved} | {'; '.join(wrong) or 'holds'}", not wrong, far <= BOUND


def main():
    cli, *files = sys.argv[1:]
    lines, fewer, fewer_of_target, holding, near = [], 0, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.onnx"
        for file in files:
            ours = left([cli, "transform", file, "--static-shapes", "-o", out], out)
            target = left([cli, "transform", file, "--static-shapes", *TARGET, "-o", out], out)
            slim = left([sys.executable, "-c", SLIM, file, out], out)
            fewer += None not in (ours, slim) and ours <= slim
            fewer_of_target += None not in (target, slim) and target <= slim
            cells = ["refused" if one is None else str(one) for one in (count(file), ours, target, slim)]
            try:
                text, holds, is_near = checked(cli, file, folder)
            except Exception as error:
                text, holds, is_near = f"| | {str(error).splitlines()[0][:120]}", False, False
            holding, near = holding + holds, near + is_near
            lines.append(f"| {'/'.join(pathlib.Path(file).parts[-2:])} | {' | '.join(cells)} | {text} |")
            print(lines[-1], flush=True)
    import onnxslim
    rest = TABLE.read_text().split("\n\n## ", 1)[1:] if TABLE.exists() else []
    TABLE.write_text("\n\n## ".join(["\n".join([
        "# Published files beside onnxslim", "",
        f"Made by `published.py` with onnxslim {onnxslim.__version__}; what the columns mean stands there. Left are no more"
        f" nodes than onnxslim's in {fewer} of {len(files)} files, and in {fewer_of_target} with the two passes of targets."
        f" All holds of {holding} files; outputs move by 1e-5 at most in {near}, and in the others as much by an ulp of the inputs.",
        "", "| file | nodes | left | and target | onnxslim | runs | outputs move by | |", "|---|--:|--:|--:|--:|--:|---|---|", *lines]),
        *rest]).rstrip() + "\n")


main()
