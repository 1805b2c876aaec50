#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what Python's re.match says of generated patterns and node names, for tests/core/rules/pattern_table_test.cpp.
Run: python3 make_pattern_table.py [FILE]; needs nothing but Python 3.11. The seed is fixed: the table never changes."""
import json
import pathlib
import random
import re
import sys
import warnings

TARGET = pathlib.Path(__file__).resolve().parent.parent / "data" / "patterns" / "pattern_table.json"
PATTERNS = 60

RESNET = [f"/layer{s}/layer{s}.{b}/{o}" for s in (1, 2) for b in (0, 1)
          for o in ("conv1/Conv", "relu/Relu", "conv2/Conv", "Add", "relu_1/Relu")] + [
    "/conv1/Conv", "/relu/Relu", "/maxpool/MaxPool", "/avgpool/GlobalAveragePool", "/Flatten", "/fc/Gemm", "layer10"]
BERT = [f"/encoder/layer.{l}/attention/self/{o}" for l in (0, 1) for o in ("query/MatMul", "key/Add", "Softmax")] + [
    "node_MatMul_13", "node_linear_1", "/Loop::body::Add_3", "Constant_5", "Gelu:val_12", "größe/Add", "Identity_0",
    "a.b\\c", "tab\there", "two\nlines", "[odd] (name)", "x" * 40, ""]

FIXED = [
    r"conv1", r"/conv1", r"/layer1", r"layer1", r".*conv\d", r"/layer\d/layer\1", r"(/layer(\d))/layer\2\.0", r"/.*/Relu$",
    r"^/fc", r"\A/fc/Gemm\Z", r"/fc/Gemm\Z|layer10$", r"(?i)/CONV1", r"(?s).*lines", r".*lines", r"two$", r"(?m)two$",
    r"[^/]*$", r"[]a-z]+", r"[[(]odd", r"[\w.]+/", r"\w+\.\w", r"\W", r"(?P<stage>/layer\d)(?=/layer)", r"(?P<q>.)ab(?P=q)",
    r"/(?!layer)", r".*(?<=conv1)/Conv", r".*(?<!conv1)/Conv", r"x{5,}$", r"x{,3}y|x{,9}", r"(?:x|xx)+$", r"(a|b)*\.b",
    r"", r"\\", r"a\.b\\c", r"gr\u00f6\xdfe", r"gr.{2}e/", r"(?x) /fc  /Gemm  # comment", r"/(?#note)fc", r"x++y|x++",
    r"(?>x+)$", r"\t|tab\t", r"(/conv1)?(?(1)/Conv|/relu)", r"\bnode", r"\Bnode", r"(?-i:/fc)", r"(?i:/FC)/Gemm", r".*::body::",
    # refused
    r"(", r"[a", r"a)", r"*a", r"a**", r"\Q/fc\E", r"(?<name>x)", r"(?|a|b)", r"\h", r"(?P>x)", r"(*FAIL)", r"a(?i)b", r"\8",
]


def generated(count, random_source):
    parts = [r"/", r"layer\d", r"layer1", r"\.", r"\d+", r"conv[12]", r".*", r"[A-Z]\w*", r"(relu|Add)", r"\w+", r"(?:/\w+)?", r"$",
             r"[^/]+", r"encoder", r"(query|key)", r"_\d", r".", r"\S*"]
    return ["".join(random_source.choice(parts) for _ in range(random_source.randint(1, 5))) for _ in range(count)]


def row(pattern):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compiled = re.compile(pattern)
        except re.error:
            return {"pattern": pattern, "valid": False}
    return {"pattern": pattern, "valid": True,
            "resnet": [i for i, name in enumerate(RESNET) if compiled.match(name)],
            "bert": [i for i, name in enumerate(BERT) if compiled.match(name)]}


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    patterns = FIXED + generated(PATTERNS, random.Random(5))
    table = {"names": {"resnet": RESNET, "bert": BERT}, "rows": [row(pattern) for pattern in patterns]}
    target.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
