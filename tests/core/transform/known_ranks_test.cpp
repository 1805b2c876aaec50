// SPDX-License-Identifier: Apache-2.0
#include "core/transform/known_ranks.h"

#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;

std::string rankOf(const Model& model, const std::string& value)
{
    const auto rank = KnownRanks(model).of(model.findValue(value));
    return rank ? std::to_string(*rank) : "?";
}

TEST(KnownRanks, FollowTheOperators)
{
    const auto model
        = ModelBuilder(11)
              .input("x", {2, 3, 4, 5})
              .weight("w", {60, 7})
              .ints("shape", {2, 3, 20})
              .ints("pick", {0, 1})
              .node("Relu", "relu", {"x"}, {"same"})
              .node("Flatten", "flatten", {"same"}, {"flat"})
              .node("MatMul", "matmul", {"flat", "w"}, {"product"})
              .node("Add", "add", {"product", "same"}, {"sum"})
              .node("Reshape", "reshape", {"same", "shape"}, {"three"})
              .node("Gather", "gather", {"three", "pick"}, {"gathered"})
              .node("Squeeze", "squeeze", {"three"}, {"squeezed"}, {{"axes", std::vector<std::int64_t>{0}}})
              .node("ReduceMean", "mean", {"three"}, {"mean"},
                  {{"axes", std::vector<std::int64_t>{1}}, {"keepdims", std::int64_t{0}}})
              .node("ReduceMean", "all", {"three"}, {"all"}, {{"keepdims", std::int64_t{0}}})
              .output("sum")
              .build();
    EXPECT_EQ(rankOf(*model, "same"), "4");
    EXPECT_EQ(rankOf(*model, "product"), "2");
    EXPECT_EQ(rankOf(*model, "sum"), "4");
    EXPECT_EQ(rankOf(*model, "three"), "3");
    EXPECT_EQ(rankOf(*model, "gathered"), "3");
    EXPECT_EQ(rankOf(*model, "squeezed"), "2");
    EXPECT_EQ(rankOf(*model, "mean"), "2");
    EXPECT_EQ(rankOf(*model, "all"), "0");
}

TEST(KnownRanks, FollowShapesThatAreComputed)
{
    const auto model
        = ModelBuilder(11)
              .input("x", {2, 3, 4, 5})
              .ints("zero", {0})
              .ints("two", {2})
              .ints("rest", {-1, 6})
              .node("Shape", "shape", {"x"}, {"dims"})
              .node("Slice", "slice", {"dims", "zero", "two"}, {"first"})
              .node("Cast", "cast", {"first"}, {"numbers"}, {{"to", std::int64_t{7}}})
              .node("Concat", "concat", {"numbers", "rest"}, {"wanted"}, {{"axis", std::int64_t{0}}})
              .node("Reshape", "reshape", {"x", "wanted"}, {"reshaped"})
              .node("Slice", "old", {"dims"}, {"last"},
                  {{"starts", std::vector<std::int64_t>{-1}}, {"ends", std::vector<std::int64_t>{1LL << 40}}})
              .node("Reshape", "again", {"x", "last"}, {"flat"})
              .output("flat")
              .build();
    EXPECT_EQ(rankOf(*model, "reshaped"), "4");
    EXPECT_EQ(rankOf(*model, "flat"), "1");
}

TEST(KnownRanks, AreUnknownWhereNothingTells)
{
    const auto model = ModelBuilder(11)
                           .input("x", {2, 3})
                           .input("shape", {-1}, ElementType::Int64)
                           .node("Reshape", "reshape", {"x", "shape"}, {"reshaped"})
                           .node("Squeeze", "squeeze", {"x"}, {"squeezed"})
                           .node("Foo", "foo", {"x"}, {"made"})
                           .node("Squeeze", "less", {"x"}, {"less"}, {{"axes", std::vector<std::int64_t>{0, 1, 2}}})
                           .output("made")
                           .build();
    for (const char* value : {"reshaped", "squeezed", "made", "less"})
        EXPECT_EQ(rankOf(*model, value), "?") << value;
    EXPECT_EQ(KnownRanks(*model).of(ValueId()), std::nullopt);
}

} // namespace
} // namespace duo
