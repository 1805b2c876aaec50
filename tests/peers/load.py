# SPDX-License-Identifier: Apache-2.0
"""Large models, and the same at a quarter of the size: processor time and memory of each command.

A command is linear where four times the size costs about four times as much. Of memory, what is private counts
(RssAnon of all its processes together, looked at up to a hundred times a second): weights that are touched lie in the
mapped file and are the system's to drop; `own` is the same of the command's process alone, without engines, and `peak`
the most that any process held with weights. `explain` is asked for
the last node, which comes from all others.
Prints the tables of trust.md. Usage: load.py DUOSCOPE_CLI [CASE...]. Needs: pip install onnx numpy.
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CLI = sys.argv[1]
MOST = int(os.environ.get("LOAD_SECONDS", "600"))  # of the clock, for one command
FLOAT = TensorProto.FLOAT


def external(name, dims, location, offset):
    tensor = TensorProto(name=name, data_type=FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", str(offset)), ("length", str(4 * dims[0] * dims[1]))):
        tensor.external_data.add(key=key, value=value)
    return tensor


def weight(name, index, width):
    values = numpy.sin(numpy.arange(width * width, dtype=numpy.float32) * 0.37 + index) / width
    return numpy_helper.from_array(values.reshape(width, width), name)


def write(folder, nodes, inputs, outputs, initializers):
    graph = helper.make_graph(nodes, "load", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = folder / "m.onnx"
    path.write_bytes(model.SerializeToString())
    return path


def value(name, width=8):
    return helper.make_tensor_value_info(name, FLOAT, [1, width])


def chain(layers, tensors, width):
    """MatMul and Relu in turn; a tensor is read by every layer of its number modulo their count."""
    nodes, last = [], "x"
    for layer in range(layers):
        scope = f"/blocks.{layer // 10}/fc.{layer % 10}"
        tensor = tensors[layer % len(tensors)]
        nodes.append(helper.make_node("MatMul", [last, tensor], [f"{scope}/p"], f"{scope}/MatMul"))
        nodes.append(helper.make_node("Relu", [f"{scope}/p"], [f"{scope}/r"], f"{scope}/Relu"))
        last = f"{scope}/r"
    return nodes, [value("x", width)], [value(last, width)]


def many_nodes(folder, part):
    """100,000 nodes"""
    weights = [weight(f"blocks.{i}.weight", i, 8) for i in range(100)]
    return write(folder, *chain(50000 // part, [each.name for each in weights], 8), weights)


def many_inputs(folder, part):
    """2,000 inputs"""
    shared = weight("fc.weight", 0, 8)
    count = 2000 // part
    nodes = [helper.make_node("MatMul", [f"x{i}", "fc.weight"], [f"/in.{i}/y"], f"/in.{i}/MatMul")
             for i in range(count)]
    nodes.append(helper.make_node("Sum", [f"/in.{i}/y" for i in range(count)], ["y"], "/Sum"))
    return write(folder, nodes, [value(f"x{i}") for i in range(count)], [value("y")], [shared])


def many_initializers(folder, part):
    """10,000 initializers"""
    weights = [weight(f"blocks.{i // 10}.fc.{i % 10}.weight", i, 8) for i in range(10000 // part)]
    return write(folder, *chain(len(weights), [each.name for each in weights], 8), weights)


def large_data(folder, part):
    """2.5 GB of external data"""
    width, size = 1024, 4 * 1024 * 1024
    count = 640 // part
    with open(folder / "m.data", "wb") as data:
        data.truncate(count * size)  # sparse: a row of numbers every megabyte
        for place in range(0, count * size, size // 4):
            data.seek(place)
            data.write(numpy.cos(numpy.arange(width, dtype=numpy.float32) + place).tobytes())
    tensors = [external(f"fc.{i}.weight", [width, width], "m.data", i * size) for i in range(count)]
    return write(folder, *chain(count, [each.name for each in tensors], width), tensors)


def many_shards(folder, part):
    """1,000 shards, of the model's data and of a checkpoint"""
    width, count = 16, 1000 // part
    index, tensors = {}, []
    for i in range(count):
        name, values = f"blocks.{i // 10}.fc.{i % 10}.weight", weight("", i, width).raw_data
        (folder / f"m.{i}.data").write_bytes(values)
        tensors.append(external(name, [width, width], f"m.{i}.data", 0))
        entry = {"dtype": "F32", "shape": [width, width], "data_offsets": [0, len(values)]}
        header = json.dumps({name: entry}).encode()
        shard = f"model-{i + 1:05}-of-{count:05}.safetensors"
        (folder / shard).write_bytes(struct.pack("<Q", len(header)) + header + values)
        index[name] = shard
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
    return write(folder, *chain(count, [each.name for each in tensors], width), tensors)


def commands(model, case):
    node = onnx.load(model, load_external_data=False).graph.node[-1].name
    checkpoint = ["--checkpoint", model.parent / "model.safetensors.index.json"] if case is many_shards else []
    return {"inspect": ["inspect", model],
            "scopes": ["scopes", model, *checkpoint],
            "plan": ["plan", model],
            "graph": ["graph", model, "-o", model.parent / "g.dot"],
            "explain": ["explain", model, node],
            "quantize": ["quantize", model, "--data", "random:2", "--no-cache", "-o", model.parent / "q.onnx"]}


class Run:
    """One call: exit code, seconds of the processor of all its processes, MB private in all of them and in its own, and
    MB of the largest one."""

    def __init__(self, arguments):
        self.private = self.own = self.peak = 0
        started = time.monotonic()
        with open(os.devnull, "wb") as nothing, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([CLI, *map(str, arguments)], stdout=nothing, stderr=errors)
            while True:
                ended, status, usage = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                self.private = max(self.private, self.private_now(process.pid))
                if time.monotonic() - started > MOST:
                    process.send_signal(signal.SIGKILL)
                time.sleep(0.01)
            process.returncode = os.waitstatus_to_exitcode(status)
            errors.seek(0)
            self.error = errors.read().decode(errors="replace").strip().split("\n")[-1]
        self.code = process.returncode
        self.seconds = usage.ru_utime + usage.ru_stime

    def private_now(self, pid, starter=None):
        """Private MB of a process and those it started; the largest size of any is noted."""
        try:
            folder = pathlib.Path(f"/proc/{pid}")
            if starter and os.readlink(folder / "exe") == starter:
                return 0  # a copy of what started it, until it becomes the engine
            lines = (folder / "status").read_text().splitlines()
            children = (folder / f"task/{pid}/children").read_text().split()
            program = os.readlink(folder / "exe")
        except OSError:
            return 0  # it has just ended
        wanted = [line for line in lines if line.startswith(("RssAnon", "VmHWM"))]
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in wanted}
        self.peak = max(self.peak, kilobytes.get("VmHWM", 0) // 1024)
        private = kilobytes.get("RssAnon", 0) // 1024
        if starter is None:
            self.own = max(self.own, private)
        return private + sum(self.private_now(child, program) for child in children)


def main():
    cases = {each.__name__: each for each in (many_nodes, many_inputs, many_initializers, large_data, many_shards)}
    for asked in sys.argv[2:] or cases:
        name, _, only = asked.partition(":")
        case = cases[name]
        print(f"\n### {case.__doc__.strip()}\n")
        print("| command | exit | CPU s | a quarter | ratio | private MB | a quarter | of inspect | own MB | of inspect "
              "| peak MB |")
        print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
        with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as quarter:
            large = commands(case(pathlib.Path(whole), 1), case)
            small = commands(case(pathlib.Path(quarter), 4), case)
            least = None
            for command in only.split(",") if only else large:
                before, run = Run(small[command]), Run(large[command])
                least = least or max(run.private, 1)
                note = "" if run.code in (0, 1) else " " + ("stopped" if run.code < 0 else run.error)
                print(f"| {command}{note} | {run.code} | {run.seconds:.2f} | {before.seconds:.2f} "
                      f"| {run.seconds / max(before.seconds, 0.01):.1f} | {run.private} | {before.private} "
                      f"| {run.private / least:.1f} | {run.own} | {run.own / least:.1f} | {run.peak} |", flush=True)


main()
