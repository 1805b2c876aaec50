// SPDX-License-Identifier: Apache-2.0
// Valid files with strange graphs in them end in one line, or in all that the commands say of a model.
#include "tests/fuzz/graph_mutations.h"
#include "tests/fuzz/stages_of_model.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr std::uint64_t kRounds = 60; // of each file; duo_mutate_models runs as many as are wanted

class StrangeGraphs : public testing::TestWithParam<const char*>
{
};

TEST_P(StrangeGraphs, EndInOneLineOrInAllThatIsSaid)
{
    const test::TemporaryFolder folder;
    onnx::ModelProto original;
    ASSERT_TRUE(original.ParseFromString(test::bytesOf(std::filesystem::path(DUO_TEST_DATA) / GetParam())));
    for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
        SCOPED_TRACE(std::string(GetParam()) + " seed " + std::to_string(seed));
        onnx::ModelProto model = original;
        std::mt19937_64 random(seed);
        test::mutateInPlace(model, random);
        const auto file = folder.write("strange.onnx", model.SerializeAsString());
        EXPECT_THAT(test::lookAtModel(file), testing::IsEmpty());
    }
}

INSTANTIATE_TEST_SUITE_P(Small, StrangeGraphs,
    testing::Values("models/branches.onnx", "models/functions.onnx", "models/loop.onnx", "models/scan.onnx",
        "cases/a_sibling.onnx", "cases/n_functions_all.onnx", "cases/j_control.onnx", "cases/h_lstm.onnx",
        "hostile/wrong_attributes.onnx", "hostile/wrong_quantizers.onnx"));

} // namespace
} // namespace duo
