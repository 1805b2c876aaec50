#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what ONNX lets its own operators have (onnx.defs), a row for each opset that changed it, to
core/onnx/op_schema_rows.cpp. Run: python3 make_op_schemas.py; needs onnx and clang-format 14. What stands there is of
onnx 1.23.2, opset 28: kNewestOpset of core/onnx/op_schema.h says the latter."""
import itertools
import pathlib
import subprocess

from onnx import defs

TARGET = pathlib.Path(__file__).resolve().parents[2] / "core" / "onnx" / "op_schema_rows.cpp"
HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by tests/peers/make_op_schemas.py.
#include "core/onnx/op_schema.h"

#include <array>

namespace duo {
namespace {

constexpr std::array<OpSchema, COUNT> kRows{{
"""
TAIL = """}};

} // namespace

std::span<const OpSchema> opSchemas()
{
    return kRows;
}

} // namespace duo
"""


def letter(formal):
    option = str(formal.option).rsplit(".", 1)[-1]
    return {"Single": "1", "Optional": "?", "Variadic": "*" if formal.min_arity == 0 else "+"}[option]


def row(schema):
    if schema.deprecated:
        return "true"
    attributes = [f"{name}:{str(each.type).rsplit('.', 1)[-1].lower()}{'!' if each.required else ''}"
                  for name, each in sorted(schema.attributes.items())]
    ports = ["".join(map(letter, each)) for each in (schema.inputs, schema.outputs)]
    return ", ".join(f'"{text}"' for text in (*ports, " ".join(attributes)))


def main():
    schemas = [each for each in defs.get_all_schemas_with_history() if each.domain == ""]
    rows = []
    for name, versions in itertools.groupby(sorted(schemas, key=lambda each: (each.name, each.since_version)),
                                            key=lambda each: each.name):
        before = None
        for schema in versions:
            if row(schema) != before:
                rows.append((name, schema.since_version, schema.deprecated, row(schema)))
            before = row(schema)
    text = "".join(f'    OpSchema{{.opType = "{name}", .since = {since}, .isWithdrawn = true}},\n' if gone else
                   f'    OpSchema{{"{name}", {since}, {rest}}},\n' for name, since, gone, rest in rows)
    TARGET.write_text(HEAD.replace("COUNT", str(len(rows))) + text + TAIL)
    subprocess.run(["clang-format", "-i", TARGET], check=True)


main()
