#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what Python's re.match says of patterns and the node names of four models and some odd ones, for
tests/core/rules/pattern_table_test.cpp. A row has a bit per name, as a hexadecimal number, the first name being the lowest
bit. Run: python3 make_pattern_table.py [FILE]; needs Python 3.11 and onnx. The seed is fixed: the table never changes."""
import json
import pathlib
import random
import re
import sys
import warnings

import onnx

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TARGET = ROOT / "tests" / "data" / "patterns" / "pattern_table.json"
MODELS = ["tests/data/cases/i2_bertlike.onnx", "tests/data/cases/tv_vit_b_16_small.onnx",
          "resources/samples/digits_conv.onnx", "resources/samples/digits_transformer.dynamo.onnx"]
PATTERNS = 200

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
    r"[\s\S]+", r"[\S ]+$", r"(?m)^lines", r"(?s).*\n^lines", r"\101", r"[\1a]", r"(a)(b)?\2|a", r"(?i)(?s)TWO.LINES", r"a{}|x{}", r"x{,}$",
    r"(?x: / f c )", r"(?<=a|b)\.", r"\B|x", r"a\.b[\\]c", r"tab\s", r"(x)(?!\1)|/", r"(?:(x)|y)+(?(1)x|/)", r"[^\W\d_]+/", r"\D+\d",
    # refused
    r"(?<=a|bc)x", r"^*", r"a{2}{3}", r"(a\1)", r"\11", r"(?(2)a)", r"(?P<n>a)(?P<n>b)", r"[a-\d]", r"(?-i)a", r"x(?(1)a|b|c)", r"(?P=n)",
    r"(", r"[a", r"a)", r"*a", r"a**", r"\Q/fc\E", r"(?<name>x)", r"(?|a|b)", r"\h", r"(?P>x)", r"(*FAIL)", r"a(?i)b", r"\8",
]


def generated(count, random_source):
    parts = [r"/", r"layer\d", r"layer\.1", r"\.", r"\d+", r"conv[12]", r".*", r"[A-Z]\w*", r"(relu|Add)", r"\w+", r"(?:/\w+)?", r"$",
             r"[^/]+", r"encoder", r"(query|key)", r"_\d", r".", r"\S*", r"node_", r"(?:view|linear|MatMul)(?:_\d+)?", r"(?!Identity)",
             r"(?P<op>[A-Z]\w+)", r"(?<=/)", r"self(?:_attn|_attention)?", r"[/.]", r"\d{1,2}", r".*?", r"Constant\Z", r"(?i:gemm|CONV)"]
    made = []
    while len(made) < count:
        pattern = "".join(random_source.choice(parts) for _ in range(random_source.randint(1, 6)))
        if pattern not in made:
            made.append(pattern)
    return made


def mask(compiled, names):
    return format(sum(1 << i for i, name in enumerate(names) if compiled.match(name)), "x")


def row(pattern, lists):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compiled = re.compile(pattern)
        except re.error:
            return {"pattern": pattern, "matched": None}
    return {"pattern": pattern, "matched": [mask(compiled, names) for names in lists]}


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.parent.mkdir(parents=True, exist_ok=True)
    lists = [[node.name for node in onnx.load(ROOT / model, load_external_data=False).graph.node] for model in MODELS]
    odd = RESNET + BERT
    rows = [row(pattern, lists + [odd]) for pattern in FIXED + generated(PATTERNS, random.Random(5))]
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in rows)
    target.write_text(json.dumps({"models": MODELS, "odd": odd}, ensure_ascii=False)[:-1] + ',\n"rows": [\n' + lines + "\n]}\n",
                      encoding="utf-8")
