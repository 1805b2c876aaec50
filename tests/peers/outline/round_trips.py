# SPDX-License-Identifier: Apache-2.0
"""Models outlined and inlined again: is the graph the one it was, and does the outlined one compute the same?

Usage: round_trips.py DUOSCOPE_CLI FILE... Writes round_trips.md beside this file with --write. Every file is outlined
as a whole (--all), at every depth, and class by class; inlined, its nodes (serialized), initializers, imports and
metadata are compared with the original's, and the outputs of ONNX Runtime on seeded numbers bit for bit, optimizations
switched off. Needs numpy, onnx, onnxruntime."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime as ort

HERE = pathlib.Path(__file__).parent
SIZES = (1, 2, 4, 8, 16, 32, 64)


def call(cli, *arguments):
    return subprocess.run([cli, *map(str, arguments)], capture_output=True, text=True)


def session_of(path):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def feeds_of(session, size):
    rng = np.random.default_rng(1)
    feeds = {}
    for value in session.get_inputs():
        shape = [one if isinstance(one, int) and one > 0 else size for one in value.shape]
        if "int" in value.type:
            kind = np.int32 if "int32" in value.type else np.int64
            feeds[value.name] = rng.integers(0, 3, shape).astype(kind)
        elif "bool" in value.type:
            feeds[value.name] = rng.integers(0, 2, shape).astype(bool)
        else:
            feeds[value.name] = rng.standard_normal(shape).astype(
                np.float64 if "double" in value.type else np.float16 if "float16" in value.type else np.float32)
    return feeds


def computes_alike(before, after):
    """True, False, or None where ONNX Runtime does not run the original."""
    try:
        first = session_of(before)
    except Exception:
        return None
    for size in SIZES:
        feeds = feeds_of(first, size)
        try:
            wanted = first.run(None, feeds)
        except Exception:
            continue
        given = session_of(after).run(None, feeds)
        same = lambda a, b: np.asarray(a).tobytes() == np.asarray(b).tobytes()
        return all(same(a, b) for a, b in zip(wanted, given))
    return None


def difference(before, after):
    """The first thing that is not as it was; "" if all is."""
    a, b = onnx.load(before), onnx.load(after)
    if len(a.graph.node) != len(b.graph.node):
        return f"{len(a.graph.node)} nodes, {len(b.graph.node)} after"
    for one, other in zip(a.graph.node, b.graph.node):
        if one.SerializeToString() != other.SerializeToString():
            return f"node {one.name} is {other.name}" if one.name != other.name else f"node {one.name}"
    if [i.SerializeToString() for i in a.graph.initializer] != [i.SerializeToString() for i in b.graph.initializer]:
        return "initializers"
    if a.SerializeToString() != b.SerializeToString():
        return "something else of the file"
    return ""


def requests_of(cli, path):
    scopes = json.loads(call(cli, "scopes", path, "--json").stdout or "{}")
    yield ["--all"]
    classes, deepest = set(), 0
    rows = [(scopes["execution_tree"], 0)] if scopes else []
    while rows:
        scope, depth = rows.pop()
        deepest = max(deepest, depth)
        if depth and scope["class"]:
            classes.add(scope["class"])
        rows += [(child, depth + 1) for child in scope["children"]]
    for depth in range(1, deepest + 1):
        yield ["--depth", depth]
    for name in sorted(classes):
        yield ["--class", name]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only-all", action="store_true")
    options = parser.parse_args()
    rows, bad = [], 0
    for path in options.files:
        with tempfile.TemporaryDirectory() as folder:
            out, back = pathlib.Path(folder) / "out.onnx", pathlib.Path(folder) / "back.onnx"
            tried = functions = calls = refused = unlike = broken = unrun = 0
            for request in requests_of(options.cli, path):
                run = call(options.cli, "outline", path, *request, "-o", out, "--json")
                if run.returncode not in (0, 1):
                    print(path.name, request, run.stderr.strip()[:200])
                    broken += run.returncode != 2
                    if request == ["--all"]:
                        break
                    continue
                told = json.loads(run.stdout)
                tried += 1
                if request == ["--all"]:
                    functions, calls = len(told["functions"]), sum(len(f["calls"]) for f in told["functions"])
                    refused = len(told["refused"])
                inlined = call(options.cli, "inline", out, "-o", back, "--json")
                wrong = inlined.stderr.strip()[:200] if inlined.returncode else difference(path, back)
                if not told["functions"] and not inlined.returncode:
                    wrong = ""
                if wrong:
                    print(path.name, request, "not as it was:", wrong)
                    broken += 1
                if request == ["--all"] or not options.only_all:
                    try:
                        alike = computes_alike(path, out)
                    except Exception as error:
                        print(path.name, request, "does not run:", str(error)[:300])
                        alike = False
                    unlike += alike is False
                    unrun += alike is None
                    if alike is False:
                        print(path.name, request, "computes something else")
                if options.only_all:
                    break
            rows.append((path.name, tried, functions, calls, refused, broken, unlike, unrun))
            bad += broken + unlike
            print(*rows[-1])
    if options.write:
        text = "# Outlined and inlined again\nWritten by `round_trips.py`. **tried**: requests (all modules, each depth, each class). **functions**, **calls**, **refused**:\nof the request for all modules. **not as it was**: requests after which `inline` does not give the original file back,\nbyte for byte. **computes else**: outputs in ONNX Runtime that are not equal bit for bit; **not run**: it does not run the original.\n\n"
        text += "| file | tried | functions | calls | refused | not as it was | computes else | not run |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
        text += "".join("| " + " | ".join(map(str, row)) + " |\n" for row in rows)
        text += f"\nonnx {onnx.__version__}, onnxruntime {ort.__version__}\n"
        (HERE / "round_trips.md").write_text(text)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
