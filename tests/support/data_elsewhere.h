// SPDX-License-Identifier: Apache-2.0
// A model whose external data do not lie where it says.
#pragma once

#include "tests/support/proto_rewrites.h"
#include "tests/support/temporary_folder.h"

#include <onnx.pb.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace duo::test {

struct DataElsewhere {
    std::filesystem::path model;
    std::filesystem::path data; // in a folder below that of the model
};

/// The model, its larger initializers in a file of their own.
inline DataElsewhere writeDataElsewhere(const TemporaryFolder& folder, const std::filesystem::path& model)
{
    onnx::ModelProto proto;
    std::ifstream file(model, std::ios::binary);
    EXPECT_TRUE(proto.ParseFromIstream(&file));
    const std::string data = initializersToFile(proto, "digits.bin");
    std::filesystem::create_directory(folder / "elsewhere");
    return {folder.write("digits.onnx", proto.SerializeAsString()), folder.write("elsewhere/digits.bin", data)};
}

} // namespace duo::test
