# SPDX-License-Identifier: Apache-2.0
"""Times `duoscope-cli plan` against NNCF's placement on the same model of 10,000 nodes.

Usage: python time_placement.py CLI MODEL.onnx; the model is what `duo_bench_plan MODEL.onnx` writes.
NNCF's time counts its graph and its quantizer setup; ours the whole process, reading the file and writing JSON included."""
import json
import subprocess
import sys
import tempfile
import time

import onnx

import nncf_placement


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(cli, file):
    with tempfile.NamedTemporaryFile("w", suffix=".recipe.json") as recipe:
        recipe.write(json.dumps({"format": "duoscope-recipe", "version": 1, "quantization": {"nncf_compatible": True}}))
        recipe.flush()
        call = [cli, "plan", file, "--json", "--quiet", "--recipe", recipe.name]
        ours = min(seconds(lambda: subprocess.run(call, check=True, capture_output=True)) for _ in range(3))
        plan = json.loads(subprocess.run(call, check=True, capture_output=True).stdout)
    model = nncf_placement.preprocessed(onnx.load(file))
    small = nncf_placement.preprocessed(onnx.load(file))
    del small.graph.node[5:]
    del small.graph.output[:]
    small.graph.output.add().CopyFrom(onnx.helper.make_tensor_value_info(small.graph.node[-1].output[0], 1, None))
    nncf_placement.nncf_lines(small, {})  # patterns are joined once for all models
    lines = []
    theirs = seconds(lambda: lines.extend(nncf_placement.nncf_lines(model, {})))
    same = lines == nncf_placement.duoscope_lines(plan, model)
    print(f"{len(model.graph.node)} nodes, {len(lines)} lines, {'same setup' if same else 'DIFFERENT SETUPS'}")
    print(f"duoscope-cli plan {ours:8.2f} s\nNNCF              {theirs:8.2f} s   {theirs / ours:.0f} x as long")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
