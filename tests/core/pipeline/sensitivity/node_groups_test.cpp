// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/node_groups.h"

#include "tests/core/pipeline/sensitivity/planted_networks.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;
using testing::ElementsAre;

/// A chain of convolutions with these names, written into the file from the last to the first.
QuantizedCase chainOf(const std::vector<std::string>& names)
{
    ProtoBuilder proto;
    proto.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
    for (std::size_t i = names.size(); i-- > 0;) {
        const std::string number = std::to_string(i);
        const std::size_t end = names[i].rfind('/'); // the weight tells the module
        const std::string weight = end == std::string::npos ? "w" + number : names[i].substr(1, end - 1) + ".weight";
        proto.weight(weight, {4, 4, 1, 1}, test::normal(16, static_cast<unsigned>(i)));
        proto.node("Conv", names[i], {i == 0 ? "x" : "h" + number, weight},
            {i + 1 == names.size() ? "y" : "h" + std::to_string(i + 1)});
    }
    return {proto, {1, 4, 8, 8}, test::plantedSamples()};
}

std::vector<std::string> namesOf(const std::vector<NodeGroup>& groups)
{
    std::vector<std::string> names;
    for (const NodeGroup& group : groups)
        names.push_back(group.name);
    return names;
}

TEST(NodeGroups, AreScopesFirstAndEveryNodeAtLast)
{
    const QuantizedCase model = chainOf({"/stem/conv", "/body/conv", "/head/conv"});
    const NodeGroups groups(model.opened());
    const auto coarse = groups.coarse(24);
    EXPECT_THAT(namesOf(coarse), testing::UnorderedElementsAre("stem", "body", "head"));
    EXPECT_EQ(coarse.front().kind, GroupKind::Scope);
    EXPECT_EQ(coarse.front().rules.front().kind, RuleKind::ExecutionScope);
    EXPECT_TRUE(groups.partsOf(coarse.front()).empty());
    EXPECT_THAT(namesOf(groups.coarse(2)), ElementsAre("/stem/conv", "/body/conv ... /head/conv"));
    EXPECT_THAT(namesOf(groups.singleNodes()), ElementsAre("/stem/conv", "/body/conv", "/head/conv"));
}

TEST(NodeGroups, ManySideBySideAreRunsAlongTheDataflow)
{
    for (const std::string prefix : {"/s", "conv", "/all/s"}) { // a scope each, no scopes at all, one for all of them
        std::vector<std::string> names;
        for (std::size_t i = 0; i < 40; ++i)
            names.push_back(prefix + std::to_string(i) + (prefix == "conv" ? "" : "/conv"));
        const QuantizedCase model = chainOf(names);
        const NodeGroups groups(model.opened());
        const auto coarse = groups.coarse(8);
        ASSERT_EQ(coarse.size(), 8U);
        EXPECT_EQ(coarse[1].kind, GroupKind::Run);
        EXPECT_EQ(coarse[1].name, names[5] + " ... " + names[9]);
        EXPECT_EQ(coarse[1].rules.size(), 5U);
        EXPECT_EQ(groups.partsOf(coarse[1]).front().name, names[5]);
    }
}

TEST(NodeGroups, AreNoneWhereNothingIsQuantized)
{
    ProtoBuilder proto;
    proto.input("x", {1, 4}).output("y", {1, 4});
    proto.node("Sin", "s", {"x"}, {"y"});
    const QuantizedCase model(proto, {1, 4}, test::normalSamples(2, 4, 1));
    EXPECT_TRUE(NodeGroups(model.opened()).coarse(24).empty());
}

} // namespace
} // namespace duo
