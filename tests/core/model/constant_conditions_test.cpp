// SPDX-License-Identifier: Apache-2.0
#include "core/model/constant_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace duo {
namespace {

using testing::ElementsAre;

/// A model in the making: values, constants and control flow by name.
class Draft
{
public:
    Draft()
    {
        m_model.irVersion = 8;
        m_model.regions.resize(1);
        value("x").isInput = true;
        m_model.regions[0].inputs = {m_ids.at("x")};
    }

    Draft& constant(const std::string& name, std::int64_t element)
    {
        Tensor tensor;
        tensor.name = name;
        tensor.type = ElementType::Int64;
        std::vector<std::byte> bytes(sizeof(element));
        std::memcpy(bytes.data(), &element, sizeof(element));
        tensor.data = SharedBytes::own(std::move(bytes));
        value(name).initializer = TensorId(m_model.tensors.size());
        m_model.tensors.push_back(std::move(tensor));
        return *this;
    }

    Draft& overridable(const std::string& name)
    {
        value(name).metadata.emplace_back(kOverridable, "");
        return *this;
    }

    Draft& node(const std::string& opType, const std::vector<std::string>& inputs, const std::string& output,
        std::size_t region = 0)
    {
        Node node;
        node.opType = opType;
        node.localName = output;
        node.region = RegionId(region);
        for (const std::string& name : inputs) {
            value(name);
            node.inputs.push_back(m_ids.at(name));
        }
        value(output).region = RegionId(region);
        node.outputs = {m_ids.at(output)};
        m_model.regions[region].nodes.emplace_back(m_model.nodes.size());
        m_model.nodes.push_back(std::move(node));
        return *this;
    }

    /// Control flow with one Relu in each of its bodies. @return the region of the first
    std::size_t control(const std::string& opType, const std::vector<std::string>& inputs, const std::string& output,
        const std::vector<std::string>& bodies, std::size_t region = 0)
    {
        node(opType, inputs, output, region);
        const NodeId owner(m_model.nodes.size() - 1);
        const std::size_t first = m_model.regions.size();
        for (const std::string& body : bodies) {
            m_model.regions.push_back({owner, body, {}, {}, {}});
            node("Relu", {"x"}, output + body, m_model.regions.size() - 1);
        }
        return first;
    }

    [[nodiscard]] std::vector<bool> neverRun() const { return bodiesNeverRun(*sealed()); }

    [[nodiscard]] std::shared_ptr<const Model> sealed() const
    {
        auto model = sealModel(m_model);
        EXPECT_TRUE(model);
        return *model;
    }

private:
    Value& value(const std::string& name)
    {
        const auto [found, isNew] = m_ids.try_emplace(name, ValueId(m_model.values.size()));
        if (isNew) {
            m_model.values.emplace_back();
            m_model.values.back().name = name;
            m_model.values.back().region = RegionId(0);
        }
        return m_model.values[found->second.index];
    }

    Model m_model;
    std::map<std::string, ValueId> m_ids;
};

const std::vector<std::string> kBranches{"then_branch", "else_branch"};

TEST(ConstantConditions, ABranchThatAConstantNeverTakes)
{
    Draft draft;
    draft.constant("one", 1).control("If", {"one"}, "choice", kBranches);
    EXPECT_THAT(draft.neverRun(), ElementsAre(false, false, true));
    EXPECT_THAT(draft.sealed()->notes,
        ElementsAre(Note{"branch-never-runs", "a body never runs: its condition is constant", "choice::else_branch"}));
}

TEST(ConstantConditions, AreFoldedThroughComparisonsAndLogic)
{
    Draft draft;
    draft.constant("one", 1).constant("two", 2);
    draft.node("Equal", {"one", "two"}, "same").node("Not", {"same"}, "other").node("And", {"same", "x"}, "never");
    draft.control("If", {"other"}, "a", kBranches);
    draft.control("If", {"never"}, "b", kBranches);
    EXPECT_THAT(draft.neverRun(), ElementsAre(false, false, true, true, false));
}

TEST(ConstantConditions, WhatAnInputOrACallerMayChangeIsNoConstant)
{
    Draft draft;
    draft.constant("one", 1).constant("default", 1).overridable("default");
    draft.node("Equal", {"x", "one"}, "same").node("Or", {"same", "same"}, "either");
    draft.control("If", {"either"}, "a", kBranches);
    draft.control("If", {"default"}, "b", kBranches);
    EXPECT_THAT(draft.neverRun(), ElementsAre(false, false, false, false, false));
}

TEST(ConstantConditions, ALoopThatNeverStarts)
{
    Draft draft;
    draft.constant("none", 0).constant("one", 1).constant("many", 7);
    draft.control("Loop", {"none", "one"}, "noTrip", {"body"});
    draft.control("Loop", {"many", "none"}, "falseAtOnce", {"body"});
    draft.control("Loop", {"many", "one"}, "runs", {"body"});
    draft.control("Loop", {"x", "x"}, "mayRun", {"body"});
    EXPECT_THAT(draft.neverRun(), ElementsAre(false, true, true, false, false));
}

TEST(ConstantConditions, TheConditionThatTookABranchHoldsInIt)
{
    Draft draft;
    draft.node("Not", {"x"}, "other");
    const std::size_t then = draft.control("If", {"x"}, "outer", kBranches);
    draft.control("If", {"x"}, "same", kBranches, then);
    draft.control("If", {"other"}, "opposite", kBranches, then);
    draft.control("If", {"other"}, "else", kBranches, then + 1);
    draft.control("If", {"y"}, "another", kBranches, then);
    draft.control("If", {"x"}, "beside", kBranches);
    EXPECT_THAT(draft.neverRun(),
        ElementsAre(false, false, false, false, true, true, false, false, true, false, false, false, false));
}

TEST(ConstantConditions, WhatIsInsideSuchABodyNeverRunsEither)
{
    Draft draft;
    const std::size_t then = draft.constant("zero", 0).control("If", {"zero"}, "outer", kBranches);
    draft.control("If", {"x"}, "inner", kBranches, then);
    EXPECT_THAT(draft.neverRun(), ElementsAre(false, true, false, true, true));
    EXPECT_EQ(draft.sealed()->notes.size(), 1U);
}

} // namespace
} // namespace duo
