// SPDX-License-Identifier: Apache-2.0
// duo_fill_model IN.structure.onnx OUT.onnx: a test model with its weights, from its structure.
#include "tests/support/seeded_fill.h"

#include <cstdio>
#include <fstream>

int main(int argc, char** argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: duo_fill_model IN.structure.onnx OUT.onnx\n");
        return 2;
    }
    onnx::ModelProto model;
    std::ifstream in(argv[1], std::ios::binary);
    if (!in || !model.ParseFromIstream(&in)) {
        std::fprintf(stderr, "error: not an ONNX model: %s\n", argv[1]);
        return 3;
    }
    if (const auto filled = duo::test::fillModel(model); !filled) {
        std::fprintf(stderr, "error: %s\n", filled.error().line().c_str());
        return 3;
    }
    std::ofstream out(argv[2], std::ios::binary);
    if (!model.SerializeToOstream(&out) || !out.flush()) {
        std::fprintf(stderr, "error: cannot write file: %s\n", argv[2]);
        return 5;
    }
    return 0;
}
