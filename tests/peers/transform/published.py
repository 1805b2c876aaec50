# SPDX-License-Identifier: Apache-2.0
"""Published files of other people, transformed by us and by onnxslim: how many nodes are left, those in bodies too.

Counts nodes without Constant, in all graphs of a file. Both hold for the sizes of the file (--static-shapes). "And target"
is what is left when passes channel-bias and gemm run as well, which onnxslim has and we leave to targets: what they do
to quantization stands in resources/docs/transforms.md. Writes published.md; what comes behind its last row stays.
Usage: published.py DUOSCOPE_CLI FILE... Needs: pip install onnx onnxslim.
"""
import pathlib
import subprocess
import sys
import tempfile

import onnx

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


def main():
    cli, *files = sys.argv[1:]
    lines, fewer, fewer_of_target = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.onnx"
        for file in files:
            ours = left([cli, "transform", file, "--static-shapes", "-o", out], out)
            target = left([cli, "transform", file, "--static-shapes", *TARGET, "-o", out], out)
            slim = left([sys.executable, "-c", SLIM, file, out], out)
            fewer += None not in (ours, slim) and ours <= slim
            fewer_of_target += None not in (target, slim) and target <= slim
            cells = ["refused" if one is None else str(one) for one in (count(file), ours, target, slim)]
            lines.append(f"| {'/'.join(pathlib.Path(file).parts[-2:])} | {' | '.join(cells)} |")
            print(lines[-1], flush=True)
    import onnxslim
    rest = TABLE.read_text().split("\n\n## ", 1)[1:] if TABLE.exists() else []
    TABLE.write_text("\n\n## ".join(["\n".join([
        "# Published files beside onnxslim", "",
        f"Made by `published.py` with onnxslim {onnxslim.__version__}; what the columns mean stands there. Left are no more"
        f" nodes than onnxslim's in {fewer} of {len(files)} files, and in {fewer_of_target} with the two passes of targets.",
        "", "| file | nodes | left | and target | onnxslim |", "|---|--:|--:|--:|--:|", *lines]), *rest]).rstrip() + "\n")


main()
