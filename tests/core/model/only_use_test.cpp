// SPDX-License-Identifier: Apache-2.0
#include "core/model/only_use.h"

#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(OnlyUse, IsOfAValueThatNothingElseReadsOrGives)
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4});
    builder.node("Relu", "once", {"x"}, {"a"})
        .node("Relu", "twice", {"a"}, {"b"})
        .node("Add", "sum", {"b", "b"}, {"c"});
    builder.node("Relu", "given", {"c"}, {"y"}).node("Relu", "last", {"y"}, {"z"}).output("y").output("z");
    const auto model = builder.build();
    const auto use = onlyUse(*model, model->node(model->findNode("once")));
    ASSERT_TRUE(use);
    EXPECT_EQ(use->node, model->findNode("twice"));
    EXPECT_EQ(use->port, 0U);
    EXPECT_FALSE(onlyUse(*model, model->findValue("b"))); // on two ports of one node
    EXPECT_TRUE(onlyUse(*model, model->findValue("c")));
    EXPECT_FALSE(onlyUse(*model, model->findValue("y"))); // the graph gives it as well
    EXPECT_FALSE(onlyUse(*model, model->findValue("z"))); // nobody reads it
    EXPECT_FALSE(onlyUse(*model, ValueId{}));
}

} // namespace
} // namespace duo
