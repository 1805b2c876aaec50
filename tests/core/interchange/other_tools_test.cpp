// SPDX-License-Identifier: Apache-2.0
// Files that other tools quantized: every scale and zero point is found, and the model is a float one without them.
#include "core/interchange/dequantize.h"
#include "core/interchange/found_quantizers.h"
#include "core/onnx/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace duo::test {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(DUO_TEST_DATA) / "quantized";

/// Scales and zero points of one quantizer.
using Numbers = std::pair<std::vector<float>, std::vector<std::int64_t>>;

std::vector<Numbers> truthOf(const std::string& file)
{
    const auto all = nlohmann::json::parse(std::ifstream(kFolder / "quantizers.json"));
    auto numbers = all.at(file).get<std::vector<Numbers>>();
    std::ranges::sort(numbers);
    return numbers;
}

/// All but those of biases that operators on codes take: their scales follow.
std::vector<Numbers> numbersOf(const FoundQuantizers& found)
{
    std::vector<Numbers> numbers;
    for (const FoundQuantizer& each : found.quantizers) {
        if (!each.isBias || each.form == QuantizerForm::Codes)
            numbers.emplace_back(each.scale, each.zeroPoint);
    }
    std::ranges::sort(numbers);
    return numbers;
}

class OtherTools : public testing::TestWithParam<const char*>
{
};

TEST_P(OtherTools, QuantizersAreFoundAsTheFileHasThem)
{
    const std::string file = std::string("small.") + GetParam() + ".onnx";
    const auto model = readModel(kFolder / file);
    ASSERT_TRUE(model) << model.error().line();
    const FoundQuantizers found = findQuantizers(**model);
    EXPECT_THAT(found.notRecovered, testing::IsEmpty());
    EXPECT_EQ(numbersOf(found), truthOf(file));
    const auto made = dequantizeEdits(**model);
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_THAT(made->kept, testing::IsEmpty());
    const auto relus = std::ranges::count((*model)->nodes, "Relu", &Node::opType);
    EXPECT_EQ(made->clamps.size() + static_cast<std::size_t>(relus), 1U)
        << "the network's Relu: in the file, or again a node";
}

INSTANTIATE_TEST_SUITE_P(Files, OtherTools,
    testing::Values("QDQ.pt", "QDQ.pc", "QOperator.pt", "QOperator.pc", "nncf", "quark-XINT8", "quark-A8W8",
        "quark-U8S8_AAWS", "modelopt-max", "aimet", "olive"),
    [](const auto& info) {
        std::string name = info.param;
        std::ranges::replace_if(
            name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
        return name;
    });

TEST(OtherToolsTable, HasEveryFile)
{
    const auto all = nlohmann::json::parse(std::ifstream(kFolder / "quantizers.json"));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder))
        files += entry.path().extension() == ".onnx" ? 1U : 0U;
    EXPECT_EQ(all.size(), files);
}

} // namespace
} // namespace duo::test
