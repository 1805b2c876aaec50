// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/class_scores.h"

#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

bool isTold(const test::ProtoBuilder& network)
{
    const auto model = *readModelBytes(network.bytes(), "m.onnx");
    return isToldAsClassScores(*model, model->findValue("y"));
}

test::ProtoBuilder& scores(test::ProtoBuilder& network)
{
    network.input("x", {1, 3}).output("y", {1, 3});
    network.node("Relu", "r", {"x"}, {"y"});
    return network;
}

TEST(ClassScores, AreToldByASoftmaxBehindThem)
{
    test::ProtoBuilder plain;
    EXPECT_FALSE(isTold(scores(plain)));
    test::ProtoBuilder network;
    scores(network).output("p", {1, 3});
    network.node("Identity", "same", {"y"}, {"z"});
    network.node("Softmax", "s", {"z"}, {"p"});
    EXPECT_TRUE(isTold(network));
}

TEST(ClassScores, AreNotToldByASoftmaxOverAnotherAxis)
{
    test::ProtoBuilder network;
    scores(network).output("p", {1, 3});
    auto* axis = network.node("Softmax", "s", {"y"}, {"p"}).add_attribute();
    axis->set_name("axis");
    axis->set_type(onnx::AttributeProto::INT);
    axis->set_i(0);
    EXPECT_FALSE(isTold(network));
}

TEST(ClassScores, AreToldByAsManyLabels)
{
    for (const char* labels : {"{0: 'cat', 1: 'dog, small', 2: 'cow'}", R"(["a", "b", "c"])", "a,b,c", "a\nb\nc\n"}) {
        test::ProtoBuilder network;
        scores(network);
        auto* entry = network.model().add_metadata_props();
        entry->set_key("names");
        entry->set_value(labels);
        EXPECT_TRUE(isTold(network)) << labels;
        entry->set_value("a, b");
        EXPECT_FALSE(isTold(network)) << "of two classes";
    }
}

} // namespace
} // namespace duo
