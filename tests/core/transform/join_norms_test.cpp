// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fused_names.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::SizeIs;

namespace duo::test {
namespace {

/// A product that tells how many channels there are, and constants.
void start(PassFile& file)
{
    file.weight("w", {3, 4}, {1, 0, 2, 0.5F, 0, 1, 1, -1, 2, 1, 0, 1})
        .weight("two", {}, {2})
        .weight("tiny", {}, {1e-5F});
    file.weight("gamma", {4}, {1, 2, 0.5F, -1}).weight("beta", {4}, {0.1F, 0, -0.3F, 1});
    file.op("MatMul", "product", {"x", "w"}, {"h"});
}

const std::vector<Attribute> kLast{{"axes", Ints{-1}}};

void addCentered(PassFile& file, const std::vector<Attribute>& axes = kLast)
{
    file.op("ReduceMean", "mean", {"h"}, {"m"}, axes).op("Sub", "sub", {"h", "m"}, {"d"});
    file.op("Pow", "square", {"d", "two"}, {"s"}).op("ReduceMean", "variance", {"s"}, {"v"}, axes);
    file.op("Add", "epsilon", {"v", "tiny"}, {"e"}).op("Sqrt", "sqrt", {"e"}, {"r"});
    file.op("Div", "div", {"d", "r"}, {"n"});
}

TEST(JoinNorms, MakeALayerNormalization)
{
    PassFile file(17);
    start(file);
    addCentered(file);
    file.op("Mul", "scale", {"n", "gamma"}, {"g"}).op("Add", "shift", {"g", "beta"}, {"y"}).result();
    const Outcome outcome = runOnce(joinNorms, file.read());
    ASSERT_THAT(outcome.model->nodes, SizeIs(2));
    EXPECT_EQ(outcome.model->nodes[1].opType, "LayerNormalization");
    EXPECT_EQ(outcome.model->nodes[1].name, "shift");
    EXPECT_THAT(fusedNames(outcome.model->nodes[1]), SizeIs(8));
}

TEST(JoinNorms, ReadTheMeanOfAxesFromTheFrontAndNormsWithoutABias)
{
    PassFile file(17);
    start(file);
    addCentered(file, {{"axes", Ints{1}}});
    file.op("Mul", "scale", {"gamma", "n"}, {"y"}).result();
    const Outcome outcome = runOnce(joinNorms, file.read());
    ASSERT_THAT(outcome.model->nodes, SizeIs(2));
    EXPECT_EQ(outcome.model->nodes[1].name, "scale");
    EXPECT_THAT(outcome.model->nodes[1].inputs, SizeIs(2));
}

TEST(JoinNorms, LeaveOtherAxesScalesThatAreSpreadAndOlderOpsets)
{
    PassFile rows(17);
    start(rows);
    addCentered(rows, {{"axes", Ints{0}}});
    rows.op("Mul", "scale", {"n", "gamma"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinNorms, rows.read()).lines, SizeIs(9));
    PassFile spread(17);
    start(spread);
    spread.weight("one", {1}, {2});
    addCentered(spread);
    spread.op("Mul", "scale", {"n", "one"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinNorms, spread.read()).lines, SizeIs(9));
    PassFile old(16);
    start(old);
    addCentered(old);
    old.op("Mul", "scale", {"n", "gamma"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinNorms, old.read()).lines, SizeIs(9));
}

/// As torch writes it below opset 21, its last shape asked for or named.
void addGroupNorm(PassFile& file, bool isShapeNamed, const Ints& groups = {0, 2, -1}, float one = 1)
{
    file.ints("picture", {1, 6, 1, 1}).ints("groups", groups);
    file.weight("one", {2}, {one}).weight("zero", {2}, {0});
    file.weight("gamma", {6, 1, 1}, {1, 2, 3, 4, 5, 6}).weight("beta", {6, 1, 1}, {1, 0, -1, 2, 0, 3});
    file.op("Reshape", "turn", {"x", "picture"}, {"p"});
    file.op("Shape", "shape", {"p"}, {"s"}, {{"start", std::int64_t{0}}}).op("Reshape", "cut", {"p", "groups"}, {"c"});
    file.op("InstanceNormalization", "norm", {"c", "one", "zero"}, {"n"}, {{"epsilon", 1e-3F}});
    file.op("Reshape", "back", {"n", isShapeNamed ? "picture" : "s"}, {"b"});
    file.op("Mul", "scale", {"gamma", "b"}, {"m"}).op("Add", "shift", {"m", "beta"}, {"y"}).result();
}

TEST(JoinGroupNorms, MakeOneOfGroupsThatAreNormalized)
{
    for (const bool isShapeNamed : {true, false}) {
        PassFile file(21);
        addGroupNorm(file, isShapeNamed);
        const Outcome outcome = runOnce(joinGroupNorms, file.read());
        EXPECT_EQ(outcome.lines.back(),
            "GroupNormalization shift(p, [1 2 3 4 5 6], [1 0 -1 2 0 3]) -> y epsilon=0.001 num_groups=2");
        EXPECT_THAT(
            fusedNames(outcome.model->nodes.back()), testing::UnorderedElementsAre("cut", "norm", "back", "scale"));
    }
}

TEST(JoinGroupNorms, LeaveOthers)
{
    PassFile scaled(21);
    addGroupNorm(scaled, true, {0, 2, -1}, 2);
    EXPECT_THAT(runOnce(joinGroupNorms, scaled.read()).lines, SizeIs(7));
    PassFile turned(21);
    addGroupNorm(turned, true, {0, -1, 3});
    EXPECT_THAT(runOnce(joinGroupNorms, turned.read()).lines, SizeIs(7));
    PassFile old(18);
    addGroupNorm(old, false);
    EXPECT_THAT(runOnce(joinGroupNorms, old.read()).skipped,
        ElementsAre("shift: opset 18 has no GroupNormalization, which came with 21"));
}

/// Its sizes are those of an input that is to stay open.
TEST(JoinGroupNorms, SayWhichSizesAreNotKnown)
{
    PassFile file(21);
    addGroupNorm(file, true);
    file.ints("any", {-1, 6, 1, 1});
    file.proto().mutable_node(0)->set_input(1, "any");
    EXPECT_THAT(runOnce(joinGroupNorms, file.read()).skipped,
        ElementsAre("shift: the sizes of what is normalized are not known, as the model is to stay open to other sizes "
                    "(--static-shapes)"));
    EXPECT_THAT(runOnce(joinGroupNorms, file.read(), {}, true).skipped, testing::IsEmpty());
}

TEST(JoinNorms, SayWhyNot)
{
    PassFile file(13);
    start(file);
    addCentered(file);
    file.op("Mul", "scale", {"n", "gamma"}, {"g"}).op("Add", "shift", {"g", "beta"}, {"y"}).result();
    EXPECT_THAT(runOnce(joinNorms, file.read()).skipped,
        ElementsAre("shift: opset 13 has no LayerNormalization, which came with 17"));
}

TEST(JoinNorms, LeaveWhatIsReadElsewhere)
{
    PassFile file(17);
    start(file);
    addCentered(file);
    file.op("Mul", "scale", {"n", "gamma"}, {"y"}).result().result("v");
    EXPECT_THAT(runOnce(joinNorms, file.read()).lines, SizeIs(9));
}

TEST(JoinNorms, MakeAnRmsNormalization)
{
    PassFile file(23);
    start(file);
    file.ints("last", {-1});
    file.op("Mul", "square", {"h", "h"}, {"s"}).op("ReduceMean", "mean", {"s", "last"}, {"v"});
    file.op("Add", "epsilon", {"v", "tiny"}, {"e"}).op("Sqrt", "sqrt", {"e"}, {"r"});
    file.op("Reciprocal", "invert", {"r"}, {"i"}).op("Mul", "norm", {"h", "i"}, {"n"});
    file.op("Mul", "scale", {"gamma", "n"}, {"y"}).result();
    const Outcome outcome = runOnce(joinNorms, file.read());
    ASSERT_THAT(outcome.model->nodes, SizeIs(2));
    EXPECT_EQ(outcome.model->nodes[1].opType, "RMSNormalization");
}

} // namespace
} // namespace duo::test
