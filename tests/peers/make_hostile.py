# SPDX-License-Identifier: Apache-2.0
"""Writes wrong and malicious files into ../data/hostile, and its README. Usage: python make_hostile.py [FOLDER]; needs onnx, numpy.

Every case is a function; its docstring is the line that the README says about it."""
import io
import pathlib
import sys
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper

from make_models import FLOAT, constant, conv_net, model, value, weights

HOSTILE = pathlib.Path(__file__).resolve().parents[1] / "data" / "hostile"
ERROR, OPENS = [], []  # cases that must be refused with exit 3, cases that must open


def refused(case):
    ERROR.append(case)
    return case


def opens(case):
    OPENS.append(case)
    return case


def small(nodes=None, initializers=None, **rest):
    """x -> MatMul -> Relu -> y, or what the case puts in its place."""
    nodes = nodes or [helper.make_node("MatMul", ["x", "w"], ["h"], name="matmul"), helper.make_node("Relu", ["h"], ["y"], name="relu")]
    initializers = [constant("w", weights((4, 4), 1))] if initializers is None else initializers
    return model(nodes, [value("x", ["batch", 4])], [value("y", ["batch", 4])], initializers, **rest)


def tensor(dims, data=b"\0" * 64, kind=FLOAT, name="w"):
    made = TensorProto(name=name, data_type=kind, raw_data=data)
    made.dims.extend(dims)
    return made


def external(**entries):
    made = TensorProto(name="w", data_type=FLOAT, data_location=TensorProto.EXTERNAL)
    made.dims.extend([4, 4])
    for key, text in entries.items():
        made.external_data.add(key=key, value=text)
    return small(initializers=[made])


# Files that are no models
@refused
def empty():
    """No byte at all."""
    return b""


@refused
def text():
    """A text file with the name of a model."""
    return b"This is not a model.\nIt only has the name of one.\n"


@refused
def truncated():
    """The first 60 % of a good file."""
    whole = conv_net(17).SerializeToString()
    return whole[: len(whole) * 6 // 10]


@refused
def no_graph():
    """A model message without a graph."""
    return onnx.ModelProto(ir_version=8, producer_name="duoscope-tests")


@refused
def future_ir():
    """IR version 9999."""
    made = small()
    made.ir_version = 9999
    return made


@refused
def length_bomb():
    """A field that claims 2^62 bytes in a file of 12."""
    return bytes([0x08, 0x08, 0x3A]) + varint(1 << 62)


# External data
@refused
def external_missing():
    """The file with the weights does not exist."""
    return external(location="nowhere.bin")


@refused
def external_parent():
    """The path of the weights leaves the folder by `..` (to a file that exists)."""
    return external(location="../models/external/first.bin", offset="0", length="64")


@refused
def external_hidden_parent():
    """The path leaves the folder by `..` in its middle."""
    return external(location="inside/../../models/external/first.bin", offset="0", length="64")


@refused
def external_absolute():
    """The path of the weights is absolute."""
    return external(location="/etc/hostname", offset="0")


@refused
def external_folder():
    """The path of the weights is a folder."""
    return external(location=".")


@refused
def external_nameless():
    """External data without a `location`."""
    return external(offset="0", length="64")


@refused
def external_beyond():
    """Offset and length reach beyond the end of `external.bin` (16 bytes)."""
    return external(location="external.bin", offset="8", length="64")


@refused
def external_overflow():
    """Offset + length overflows 64 bits."""
    return external(location="external.bin", offset="18446744073709551600", length="64")


@refused
def external_negative():
    """A negative offset."""
    return external(location="external.bin", offset="-8", length="64")


@refused
def external_short():
    """The length is smaller than the dimensions ask for."""
    return external(location="external.bin", offset="0", length="16")


# Tensors
@refused
def negative_dims():
    """An initializer with the dimensions [-4, -4]: their product looks right."""
    return small(initializers=[tensor([-4, -4])])


@refused
def dims_overflow():
    """Dimensions whose product overflows to 16."""
    return small(initializers=[tensor([1 << 32, 1 << 32, 1 << 62, 16])])


@refused
def huge_dims():
    """Dimensions that ask for 4 exabytes, with 64 bytes of data."""
    return small(initializers=[tensor([1 << 30, 1 << 30])])


@refused
def short_raw_data():
    """60 bytes where 16 floats need 64."""
    return small(initializers=[tensor([4, 4], b"\0" * 60)])


@refused
def short_float_data():
    """Three floats in `float_data` where the dimensions say 16."""
    made = TensorProto(name="w", data_type=FLOAT, float_data=[1, 2, 3])
    made.dims.extend([4, 4])
    return small(initializers=[made])


@refused
def unknown_element_type():
    """An initializer of element type 99."""
    return small(initializers=[tensor([4, 4], kind=99)])


# The graph
@refused
def cycle():
    """Two nodes that wait for each other."""
    return small([helper.make_node("Add", ["x", "b"], ["a"], name="first"), helper.make_node("Relu", ["a"], ["b"], name="second"),
                  helper.make_node("MatMul", ["b", "w"], ["y"], name="matmul")])


@refused
def self_cycle():
    """A node that reads its own output."""
    return small([helper.make_node("Add", ["x", "y"], ["y"], name="add")])


@refused
def undefined_value():
    """A node reads a value that nothing defines."""
    return small([helper.make_node("MatMul", ["x", "nowhere"], ["y"], name="matmul")])


@refused
def undefined_output():
    """The graph's output is defined by nothing."""
    return small([helper.make_node("MatMul", ["x", "w"], ["h"], name="matmul")])


@refused
def defined_twice():
    """Two nodes define the same value."""
    return small([helper.make_node("MatMul", ["x", "w"], ["y"], name="matmul"), helper.make_node("Relu", ["x"], ["y"], name="relu")])


@refused
def initializer_defined_twice():
    """Two initializers have the same name and different shapes."""
    return small(initializers=[constant("w", weights((4, 4), 1)), constant("w", weights((8, 8), 2))])


@refused
def initializer_clashes_with_node():
    """An initializer has the name of a node's output."""
    return small(initializers=[constant("w", weights((4, 4), 1)), constant("h", weights((4, 4), 2))])


@refused
def nameless_initializer():
    """An initializer without a name."""
    return small(initializers=[constant("w", weights((4, 4), 1)), tensor([4, 4], name="")])


# Functions and bodies
IMPORTS = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]


def calling(*callees):
    """The body of a function that calls these one after the other."""
    names = ["x", *(f"v{index}" for index in range(len(callees) - 1)), "y"]
    return [helper.make_node(callee, [names[index]], [names[index + 1]], name=f"call{index}", domain="" if callee == "Relu" else "local")
            for index, callee in enumerate(callees)]


def with_functions(bodies, first):
    made = [helper.make_function("local", name, ["x"], ["y"], body, IMPORTS) for name, body in bodies.items()]
    return small([helper.make_node(first, ["x"], ["y"], name="call", domain="local")], [], imports=IMPORTS[1:], functions=made)


@refused
def recursive_function():
    """A function that calls itself."""
    return with_functions({"Loop": calling("Relu", "Loop")}, "Loop")


@refused
def mutually_recursive_functions():
    """Two functions that call each other."""
    return with_functions({"Ping": calling("Pong"), "Pong": calling("Ping")}, "Ping")


@refused
def recursion_through_a_body():
    """A function that calls itself from within a branch of an If."""
    branch = lambda out, node: helper.make_graph([node], out, [], [helper.make_empty_tensor_value_info(out)])
    flag = helper.make_node("Constant", [], ["flag"], value=helper.make_tensor("", TensorProto.BOOL, [], [True]))
    choose = helper.make_node("If", ["flag"], ["y"], name="if", then_branch=branch("t", helper.make_node("Again", ["x"], ["t"], domain="local")),
                              else_branch=branch("e", helper.make_node("Relu", ["x"], ["e"])))
    return with_functions({"Again": [flag, choose]}, "Again")


@refused
def function_explosion():
    """30 functions, each calling the one before twice: 2^30 nodes when expanded. Refused for its size, at once and without the memory."""
    bodies = {"F0": calling("Relu")} | {f"F{level}": calling(f"F{level - 1}", f"F{level - 1}") for level in range(1, 31)}
    return with_functions(bodies, "F30")


@refused
def function_reads_undefined_value():
    """A function whose body reads a value that is neither its input nor made by it."""
    made = with_functions({"Double": calling("Relu")}, "Double")
    made.functions[0].node[0].input[0] = "missing"
    return made


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


@refused
def deep_bodies():
    """200 If nodes, each inside a branch of the one before."""
    string = lambda number, text: field(number, text.encode())
    leaf = helper.make_graph([helper.make_node("Relu", ["x"], ["y200"])], "leaf", [], [helper.make_empty_tensor_value_info("y200")])
    graph = leaf.SerializeToString()
    for level in reversed(range(200)):
        output = f"y{level}" if level else "y"
        branches = b"".join(field(5, string(1, name) + field(6, graph if name == "then_branch" else leaf.SerializeToString()) + b"\xa0\x01\x05")
                            for name in ("then_branch", "else_branch"))
        node = string(1, "flag") + string(2, output) + string(3, f"if{level}") + string(4, "If") + branches
        graph = field(1, node) + string(2, f"level{level}") + field(12, string(1, output))
    outer = helper.make_graph([], "outer", [value("x", ["batch", 4]), value("flag", [], TensorProto.BOOL)], []).SerializeToString()
    return b"\x08\x08" + field(7, graph + outer) + field(8, b"\x10\x11")


# Odd but valid: must open
@opens
def odd_names():
    """Names with a line break, a terminal escape, a quote, a zero byte and 100,000 letters. Opens; what is printed stays one line and escaped."""
    names = ["first\nerror: not real", "\x1b[31mred\x1b[0m", 'quote"comma,\\', "zero\0byte", "n" * 100_000]
    values = ["x", *(f"v{index}" for index in range(4)), "y"]
    return small([helper.make_node("Relu", [values[index]], [values[index + 1]], name=name) for index, name in enumerate(names)], [])


@opens
def unknown_operator():
    """An operator of a domain nobody knows. Opens and can be inspected; the engine refuses it (exit 4)."""
    return small([helper.make_node("Mystery", ["x", "w"], ["y"], name="mystery", domain="com.example")], imports=[helper.make_opsetid("com.example", 1)])


@opens
def loop_body_input_is_initializer():
    """An input of a Loop body is an initializer of it too: ONNX Runtime 1.30 ends the process. Opens; refused before the engine sees it (exit 4)."""
    body = helper.make_graph([helper.make_node("Identity", ["go"], ["go_on"], name="go"), helper.make_node("Add", ["s", "s"], ["next"], name="add")], "body",
                             [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("go", TensorProto.BOOL, []), value("s", ["batch", 4])],
                             [helper.make_tensor_value_info("go_on", TensorProto.BOOL, []), value("next", ["batch", 4])], [constant("s", weights((1, 4), 1))])
    return small([helper.make_node("Loop", ["trips", "", "x"], ["y"], name="loop", body=body)], [constant("trips", np.int64(2))])


@opens
def wrong_attributes():
    """Attributes of the wrong type and out of range, and a Conv without inputs. Opens or is refused, never crashes; the engine refuses it (exit 4)."""
    return small([helper.make_node("Conv", [], ["c"], name="conv", group="many", pads=[-9] * 99), helper.make_node("Transpose", ["x"], ["t"], name="transpose", perm=[7, -7]),
                  helper.make_node("Gather", ["t", "c"], ["y"], name="gather", axis=99)])


@opens
def wrong_quantizers():
    """QuantizeLinear with an axis out of range, a scale of zero and zero points of the wrong type. Opens; never taken for a quantizer in place without a check."""
    return small([helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"], name="q", axis=99), helper.make_node("DequantizeLinear", ["q", "s", "w"], ["y"], name="dq", axis=-99)],
                 [constant("s", np.float32(0)), constant("z", np.uint8([1, 2, 3])), constant("w", weights((4, 4), 1))])


@opens
def not_finite():
    """Weights with NaN and infinities. Opens; quantizing leaves this layer in float and says so, or fails with one line."""
    numbers = weights((4, 4), 1)
    numbers[0, 0], numbers[1, 1], numbers[2, 2] = np.nan, np.inf, -np.inf
    return small(initializers=[constant("w", numbers)])


def array_files(folder):
    """Calibration data that is wrong; each is refused with exit 3. Names and what is wrong, for the README."""
    (folder / "external.bin").write_bytes(bytes(16))
    npy = io.BytesIO()
    np.save(npy, np.zeros((4, 4), np.float32))
    good = npy.getvalue()
    header = lambda text: b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text
    bad = {"truncated.npy": (good[:-20], "Ends 20 bytes early."),
           "shape_overflow.npy": (header(b"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n") + bytes(64), "A shape whose size overflows."),
           "header_overflow.npy": (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "A header that claims 4 GB."),
           "objects.npy": (header(b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n") + b"\x80\x04N.", "Python objects: a pickle is never run.")}
    for name, (content, _) in bad.items():
        (folder / name).write_bytes(content)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(zipfile.ZipInfo("image.npy"), good)
    (folder / "truncated.npz").write_bytes(archive.getvalue()[:-30])
    return {name: what for name, (_, what) in bad.items()} | {"truncated.npz": "An archive without its directory."}


def write(folder, case):
    made = case()
    (folder / f"{case.__name__}.onnx").write_bytes(made if isinstance(made, bytes) else made.SerializeToString())


def readme(arrays):
    table = lambda rows: "\n".join(["| file | what it is |", "|---|---|", *(f"| `{name}` | {what} |" for name, what in rows), ""])
    rows = lambda cases: [(f"{case.__name__}.onnx", case.__doc__) for case in cases]
    return "\n".join(["# Hostile files", "Made by `tests/peers/make_hostile.py`, which also writes this page. No file may lead to a crash, a hang, or memory beyond a few times its size.",
                      "", "## Refused: one line on stderr, exit 3", table(rows(ERROR)), "## Valid or nearly: open, without a crash", table(rows(OPENS)),
                      "## Data for calibration: one line, exit 3", table(arrays.items())])


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for case in (*ERROR, *OPENS):
        write(folder, case)
    (folder / "README.md").write_text(readme(array_files(folder)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HOSTILE)
