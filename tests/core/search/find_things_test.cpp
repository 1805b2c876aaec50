// SPDX-License-Identifier: Apache-2.0
#include "core/search/find_things.h"

#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Two attention blocks, called one after the other, and a norm; names as PyTorch's exporter gives them.
FoundScopes blocks()
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("enc.0.attention.q.weight", {4, 4}).weight("enc.1.attention.q.weight", {4, 4});
    builder.node("MatMul", "/enc/0/attention/q/MatMul", {"x", "enc.0.attention.q.weight"}, {"/enc/0/attention/q/out"});
    builder.node("Relu", "/enc/0/Relu", {"/enc/0/attention/q/out"}, {"a"});
    builder.node("MatMul", "/enc/1/attention/q/MatMul", {"a", "enc.1.attention.q.weight"}, {"b"});
    builder.node("Relu", "/enc/1/Relu", {"b"}, {"c"});
    builder.node("Softmax", "/AttentionMask", {"c"}, {"y"});
    return FoundScopes(builder.output("y").build());
}

std::vector<std::string> found(const FoundScopes& place, std::string_view text)
{
    const SearchOrder order = searchOrder(*place.model, place.scopes);
    const Found all
        = findThings({*place.model, place.scopes, nullptr, order}, std::get<SearchQuery>(SearchQuery::parse(text)));
    std::vector<std::string> names;
    for (const FoundThing& thing : all.things)
        names.push_back(thing.kind == FoundThing::Kind::Node     ? place.model->node(thing.node).name
                : thing.kind == FoundThing::Kind::ExecutionScope ? place.scopes.execution.scope(thing.scope).path
                                                                 : place.scopes.storage.scope(thing.scope).path);
    return names;
}

using Names = std::vector<std::string>;

TEST(FindThings, AScopeStandsForWhatIsInIt)
{
    const FoundScopes place = blocks();
    EXPECT_EQ(found(place, "attention"), (Names{"enc/0/attention", "enc/1/attention", "/AttentionMask"}))
        << "as they run";
    EXPECT_EQ(found(place, "attention matmul"), (Names{"/enc/0/attention/q/MatMul", "/enc/1/attention/q/MatMul"}));
    EXPECT_EQ(found(place, "enc relu"), (Names{"/enc/0/Relu", "/enc/1/Relu"}));
}

TEST(FindThings, FieldsOfNodesFindNoScopes)
{
    const FoundScopes place = blocks();
    EXPECT_EQ(found(place, "type:matmul scope:enc.1"), Names{"/enc/1/attention/q/MatMul"});
    EXPECT_EQ(found(place, "-type:matmul -type:relu"), Names{"/AttentionMask"});
    EXPECT_EQ(found(place, "shape:4x4 -scope:enc.0"), Names{"/enc/1/attention/q/MatMul"});
    EXPECT_EQ(found(place, "state:quantized"), Names{}) << "nothing was decided";
}

TEST(FindThings, NothingIsFoundForNothing)
{
    EXPECT_EQ(found(blocks(), ""), Names{});
    EXPECT_EQ(found(blocks(), "  "), Names{});
    EXPECT_EQ(found(blocks(), "type:"), Names{});
    EXPECT_EQ(found(blocks(), "nowhere"), Names{});
}

TEST(FindThings, StepsFindTheSameAsAllAtOnce)
{
    const FoundScopes place = FoundScopes::ofSample("digits_conv.onnx");
    const SearchOrder order = searchOrder(*place.model, place.scopes);
    const SearchPlace where{*place.model, place.scopes, nullptr, order};
    const Found all = findThings(where, std::get<SearchQuery>(SearchQuery::parse("conv")));
    EXPECT_GT(all.things.size(), 3U);
    Search search(where, std::get<SearchQuery>(SearchQuery::parse("conv")));
    int steps = 1;
    for (; !search.advance(7); ++steps) { }
    EXPECT_EQ(search.found(), all);
    EXPECT_GT(steps, 3);
}

TEST(FindThings, ModulesThatNeverRunAreFoundAtTheEnd)
{
    FoundScopes place = blocks();
    ScopeTree& storage = place.scopes.storage;
    Scope head;
    head.path = head.name = head.module = "attention_head";
    head.parent = ScopeId(0);
    head.keys = {"attention_head.bias"};
    head.calls = 0;
    storage.scopes.front().children.emplace_back(storage.scopes.size());
    storage.scopes.push_back(head);
    EXPECT_EQ(found(place, "attention").back(), "attention_head");
    EXPECT_EQ(found(place, "head.bias"), Names{"attention_head"});
}

TEST(FindThings, TheFirstNodeBelowAScope)
{
    const FoundScopes place = blocks();
    const ScopeTree& tree = place.scopes.execution;
    EXPECT_EQ(firstNodeBelow(tree, tree.find("enc/1/attention")), place.model->findNode("/enc/1/attention/q/MatMul"));
    EXPECT_FALSE(firstNodeBelow(tree, ScopeId()).valid());
}

} // namespace
} // namespace duo::test
