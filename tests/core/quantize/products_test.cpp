// SPDX-License-Identifier: Apache-2.0
// Every product of floats in the table of operator facts is known to every stage that treats products: whoever adds an
// operator with weights and forgets a stage fails here.
#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/onnx/schema_check.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/fusion_plan.h"
#include "core/quantize/profiles/measurable_values.h"
#include "core/quantize/propagate/weight_points.h"
#include "core/scope/parameters/tensor_uses.h"
#include "core/transform/operator_table.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

#include <map>

namespace duo::test {
namespace {

constexpr std::int64_t kFirstUnconverted = 13; // the table of opsets ends there
constexpr unsigned kManyPorts = 31; // among ports of operator facts: all that follow

/// A product as models have it: data [dims], a weight [weight], and what the node needs to be told.
struct Example {
    std::vector<std::int64_t> data;
    std::vector<std::int64_t> weight;
    std::vector<Attribute> attributes;
    bool isNewer = false; // than the table of opsets
};

const std::map<std::string_view, Example>& examples()
{
    static const std::map<std::string_view, Example> all{
        {"Conv", {{1, 3, 8, 8}, {4, 3, 3, 3}, {}}},
        {"ConvTranspose", {{1, 3, 8, 8}, {3, 4, 3, 3}, {}}},
        {"Einsum", {{2, 5, 3}, {3, 4}, {{"equation", std::string("bsd,dn->bsn")}}}},
        {"Gemm", {{2, 3}, {3, 4}, {}}},
        {"MatMul", {{2, 3}, {3, 4}, {}}},
    };
    return all;
}

struct Case {
    const OpFacts* facts = nullptr;
    std::shared_ptr<const Model> model;

    [[nodiscard]] NodeId product() const { return model->findNode("product"); }
    [[nodiscard]] const Node& node() const { return model->node(product()); }
};

std::vector<Case> cases()
{
    std::vector<Case> all;
    for (const OpFacts& facts : onnxOpFacts()) {
        const auto example = examples().find(facts.opType);
        const bool isAsked
            = facts.form == ProductForm::Float && facts.product != Product::None && facts.product != Product::Recurrent;
        EXPECT_EQ(isAsked, example != examples().end()) << "an example of " << facts.opType << " in this file";
        if (!isAsked || example == examples().end())
            continue;
        all.push_back({&facts,
            ModelBuilder()
                .input("x", example->second.data)
                .weight("w", example->second.weight, {0.5F, -0.25F, 1.0F, 0.75F, -1.5F})
                .node(std::string(facts.opType), "product", {"x", "w"}, {"y"}, example->second.attributes)
                .node("Relu", "relu", {"y"}, {"z"})
                .output("z")
                .build()});
    }
    return all;
}

bool isQuantizedSomewhere(const Case& product)
{
    for (std::size_t profile = 0; profile < kProfileTexts.size(); ++profile) {
        QuantizationSettings settings;
        settings.profile = static_cast<Profile>(profile);
        const Placement placement = placed(*product.model, settings);
        if (placement.decisions[product.product().index].state == NodeState::Quantized)
            return true;
    }
    return false;
}

TEST(Products, TheirWeightsAreLearnedParameters)
{
    for (const Case& product : cases()) {
        const auto held = heldTensors(*product.model);
        const auto uses = tensorUses(*product.model, held);
        ASSERT_EQ(held.size(), 1U) << product.facts->opType;
        EXPECT_EQ(uses[held.front().tensor.index], Operand::Weight) << product.facts->opType;
    }
}

TEST(Products, TheAxesOfTheirChannelsAreKnown)
{
    for (const Case& product : cases()) {
        const auto dims = examples().at(product.facts->opType).weight;
        const auto layout = weightLayout(product.node(), 1, dims.size());
        ASSERT_TRUE(layout && layout->output && layout->input) << product.facts->opType;
        EXPECT_EQ(dims[*layout->output], 4) << product.facts->opType;
        EXPECT_EQ(dims[*layout->input], 3) << product.facts->opType;
        EXPECT_EQ(weightChannelAxis(*product.model, product.product(), 1, dims.size()), *layout->output)
            << product.facts->opType;
        EXPECT_TRUE(outputChannelAxis(product.node())) << product.facts->opType;
        const MeasurableValues measured = measurableValues(*product.model);
        EXPECT_EQ(measured.channelAxes.at("x"), inputChannelAxis(product.node())) << product.facts->opType;
    }
}

/// Stages read their weight unasked, so that no file may leave it out.
TEST(Products, NoFileMayLeaveOutTheirWeight)
{
    for (const Case& product : cases()) {
        const bool takesAnyNumber = (product.facts->weights >> kManyPorts & 1U) != 0;
        Node node = product.node();
        node.inputs.resize(1);
        EXPECT_EQ(checkProduct(node).hasValue(), takesAnyNumber) << product.facts->opType;
    }
}

TEST(Products, SomeProfileQuantizesThem)
{
    for (const Case& product : cases())
        EXPECT_TRUE(isQuantizedSomewhere(product)) << product.facts->opType;
}

TEST(Products, OnOrtCpuTheyRunInInt8OrThePlanSaysWhyNot)
{
    for (const Case& product : cases()) {
        QuantizationSettings settings;
        settings.quantizeOutputs = true; // else a convolution whose result the model gives stays in float
        const Placement placement = placed(*product.model, settings);
        const Decision& decision = placement.decisions[product.product().index];
        if (hasInt8Product(product.node()))
            EXPECT_EQ(decision.state, NodeState::Quantized) << product.facts->opType;
        else
            EXPECT_EQ(decision.kind(), ReasonKind::Profile) << product.facts->opType;
    }
}

TEST(Products, TheTableOfOpsetsHasThem)
{
    for (const Case& product : cases()) {
        const OperatorRow* row = operatorRow(product.facts->opType);
        const bool isNewer = examples().at(product.facts->opType).isNewer;
        ASSERT_EQ(row == nullptr, isNewer) << product.facts->opType;
        EXPECT_TRUE(isNewer || row->since <= kFirstUnconverted) << product.facts->opType;
    }
}

} // namespace
} // namespace duo::test
