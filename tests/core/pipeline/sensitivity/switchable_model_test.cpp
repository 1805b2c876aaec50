// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/switchable_model.h"

#include "core/pipeline/sensitivity/group_errors.h"
#include "tests/core/pipeline/sensitivity/planted_networks.h"
#include "tests/support/half_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::normal;
using test::ProtoBuilder;
using test::QuantizedCase;

/// A batch norm, a ReLU, a branch with an Add, a pooling, and a Gemm behind it.
ProtoBuilder& addEverySort(ProtoBuilder& model)
{
    model.input("x", {1, 3, 16, 16}).output("y", {1, 5});
    model.weight("a.w", {8, 3, 3, 3}, normal(216, 1)).weight("a.b", {8}, normal(8, 2));
    model.weight("n.scale", {8}, {1, 2, 0.5F, 1, 1, 3, 1, 1}).weight("n.shift", {8}, normal(8, 3));
    model.weight("n.mean", {8}, normal(8, 4)).weight("n.var", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
    model.weight("b.w", {8, 8, 3, 3}, normal(576, 5)).weight("c.w", {5, 8}, normal(40, 6)).weight("c.b", {5}, {1, 2});
    model.node("Conv", "a", {"x", "a.w", "a.b"}, {"h1"});
    model.node("BatchNormalization", "n", {"h1", "n.scale", "n.shift", "n.mean", "n.var"}, {"h2"});
    model.node("Relu", "r", {"h2"}, {"h3"});
    auto& conv = model.node("Conv", "b", {"h3", "b.w"}, {"h4"});
    auto& pads = *conv.add_attribute();
    pads.set_name("pads");
    pads.set_type(onnx::AttributeProto::INTS);
    for (int i = 0; i < 4; ++i)
        pads.add_ints(1);
    model.node("Add", "add", {"h3", "h4"}, {"h5"});
    model.node("GlobalAveragePool", "pool", {"h5"}, {"h6"});
    model.node("Flatten", "flat", {"h6"}, {"h7"});
    test::addInt(model.node("Gemm", "c", {"h7", "c.w", "c.b"}, {"y"}), "transB", 1);
    return model;
}

std::vector<std::vector<float>> samples()
{
    return test::normalSamples(8, std::size_t{3} * 16 * 16, 50);
}

struct SettingsCase {
    const char* name;
    const char* settings;
};

class EverySetting : public testing::TestWithParam<SettingsCase>
{
};

TEST_P(EverySetting, GivesTheErrorOfTheExportWithEverythingOnAndNoneWithEverythingOff)
{
    ProtoBuilder proto;
    QuantizedCase model(addEverySort(proto), {1, 3, 16, 16}, samples());
    const std::string settings = GetParam().settings;
    const ExportReport report = model.quantize(settings + (settings.empty() ? "" : ", ") + test::kHalfRange);
    ASSERT_TRUE(report.outputs[0].sqnrDb);
    const auto switchable = SwitchableModel::open(model.planned(), model.compression(), model.data(), 8, 2, {});
    ASSERT_TRUE(switchable) << switchable.error().line();
    const std::size_t count = switchable->switches().size();
    const auto apart
        = switchable->apart(2, [count](std::size_t setting) { return Switched(count, setting == 1); }, "runs", 2, {});
    ASSERT_TRUE(apart) << apart.error().line();
    EXPECT_TRUE((*apart)[0].outputs[0].error.identical);
    EXPECT_NEAR(measuredError((*apart)[1]).decibels(), *report.outputs[0].sqnrDb, 0.5);
}

INSTANTIATE_TEST_SUITE_P(SwitchableModel, EverySetting,
    testing::Values(SettingsCase{"default", ""}, SettingsCase{"tensorrt", R"("profile": "tensorrt")"},
        SettingsCase{"openvino", R"("profile": "openvino")"}, SettingsCase{"nncf", R"("nncf_compatible": true)"},
        SettingsCase{"corrected", R"("disable_bias_correction": false, "fast_bias_correction": true)"},
        SettingsCase{"smooth", R"("cross_layer_equalization": true)"},
        SettingsCase{"wide", R"("activations_quantization_params": {"num_bits": 16})"}),
    [](const auto& made) { return std::string(made.param.name); });

TEST(SwitchableModel, ReadsNoMoreSamplesThanThereAre)
{
    ProtoBuilder proto;
    QuantizedCase model(addEverySort(proto), {1, 3, 16, 16}, samples());
    model.quantize("");
    const auto switchable = SwitchableModel::open(model.planned(), model.compression(), model.data(), 100, 2, {});
    ASSERT_TRUE(switchable) << switchable.error().line();
    EXPECT_EQ(switchable->samples(), 8);
}

TEST(SwitchableModel, SaysForWhichNodesAQuantizerIsThere)
{
    ProtoBuilder proto;
    QuantizedCase model(test::addPlantedChain(proto), {1, 4, 8, 8}, test::plantedSamples());
    model.quantize("");
    const auto switchable = SwitchableModel::open(model.planned(), model.compression(), model.data(), 1, 1, {});
    ASSERT_TRUE(switchable) << switchable.error().line();
    std::vector<std::string> lines;
    for (const Switch& quantizer : switchable->switches()) {
        std::string line = quantizer.value + ":";
        for (const NodeId node : quantizer.nodes)
            line += " " + model.planned().model->node(node).name;
        lines.push_back(line);
    }
    EXPECT_THAT(lines,
        testing::ElementsAre("dq0: /first/conv", "h1: /first/conv /bad/conv", "h2: /bad/conv /last/conv",
            "dq1: /first/conv", "dq3: /bad/conv", "dq5: /last/conv"));
}

/// One of two readers of a weight can be in float while the other is not: the export then stores both.
TEST(SwitchableModel, ReadersOfOneWeightAreSwitchedApart)
{
    ProtoBuilder proto;
    proto.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8}).weight("w", {4, 4, 1, 1}, normal(16, 1));
    proto.node("Conv", "/a/conv", {"x", "w"}, {"h"});
    proto.node("Conv", "/b/conv", {"h", "w"}, {"y"});
    QuantizedCase model(proto, {1, 4, 8, 8}, test::plantedSamples());
    const ExportReport report = model.quantize(test::kHalfRange);
    const auto switchable = SwitchableModel::open(model.planned(), model.compression(), model.data(), 8, 1, {});
    ASSERT_TRUE(switchable) << switchable.error().line();
    std::vector<std::string> weights;
    std::int64_t stored = 0;
    for (const Switch& quantizer : switchable->switches()) {
        if (quantizer.kind != SwitchKind::Weight)
            continue;
        ASSERT_EQ(quantizer.nodes.size(), 1U);
        weights.push_back(model.planned().model->node(quantizer.nodes.front()).name);
        stored += quantizer.sharesStorage ? 0 : 1;
    }
    EXPECT_THAT(weights, testing::UnorderedElementsAre("/a/conv", "/b/conv"));
    EXPECT_EQ(stored, 1);
    const auto apart = switchable->apart(1, {});
    ASSERT_TRUE(apart);
    EXPECT_NEAR(measuredError(*apart).decibels(), report.outputs[0].sqnrDb.value(), 0.5);
}

} // namespace
} // namespace duo
