// SPDX-License-Identifier: Apache-2.0
// What is computed without the engine, beside what the engine computes: equal bit for bit.
#include "core/transform/plain_operators.h"

#include "core/engine/compute_constants.h"
#include "tests/core/transform/transformed.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

struct PlainCase {
    const char* name;
    std::function<void(PassFile&)> fill; // makes c of constants only
    int opset = 17;
};

void PrintTo(const PlainCase& one, std::ostream* out)
{
    *out << one.name;
}

/// w: numbers of 2 x 3; i: indices; n: whole numbers.
void addConstants(PassFile& file)
{
    file.weight("w", {2, 3}, {1.5F, -2.25F, 3.1F, 0.3F, -0.0F, 7e8F}).weight("row", {3}, {0.1F, 3.0F, -7.7F});
    file.weight("one", {}, {2.7F});
    file.ints("i", {1, -2}).ints("n", {7, -9, 4}).ints("m", {2, 4, -3}).ints("axes", {0, -1});
}

/// The sum of x and c, whatever type c is of: an output that changes with every bit of c that a float tells.
void addReader(PassFile& file)
{
    file.op("Cast", "as_float", {"c"}, {"f"}, {{"to", std::int64_t{1}}});
    file.op("ReduceMax", "largest", {"x"}, {"most"}, {{"keepdims", std::int64_t{0}}});
    file.op("Add", "add", {"most", "f"}, {"y"}).result();
}

std::shared_ptr<const Model> modelOf(const PlainCase& one)
{
    PassFile file(one.opset);
    addConstants(file);
    one.fill(file);
    addReader(file);
    return file.read();
}

/// A value computed without the engine, with all that it is made of.
std::optional<Tensor> plain(const Model& model, ValueId value)
{
    if (const Tensor* constant = model.constant(value))
        return *constant;
    const Node& node = model.node(model.value(value).producer);
    std::vector<std::optional<Tensor>> made;
    for (const ValueId input : node.inputs)
        made.push_back(plain(model, input));
    std::vector<const Tensor*> inputs;
    for (const auto& each : made) {
        if (!each)
            return std::nullopt;
        inputs.push_back(&*each);
    }
    return computedPlainly(model, node, inputs);
}

std::optional<Tensor> plainResult(const Model& model)
{
    return plain(model, model.findValue("c"));
}

class PlainOperators : public testing::TestWithParam<PlainCase>
{
};

/// runOnce() compares outputs with those of the model whose constants the engine computes in each run.
TEST_P(PlainOperators, GiveWhatTheEngineGives)
{
    const auto model = modelOf(GetParam());
    EXPECT_TRUE(plainResult(*model));
    const Outcome outcome = runOnce(foldConstants, model);
    EXPECT_EQ(outcome.lines.size(), 2U) << outcome.lines.front();
}

std::function<void(PassFile&)> one(
    const char* opType, std::vector<std::string> inputs, std::vector<Attribute> attributes = {})
{
    return [=](PassFile& file) { file.op(opType, "op", inputs, {"c"}, attributes); };
}

std::function<void(PassFile&)> withInts(const std::vector<std::pair<std::string, Ints>>& constants, const char* opType,
    std::vector<std::string> inputs, std::vector<Attribute> attributes = {})
{
    return [=](PassFile& file) {
        for (const auto& [name, values] : constants)
            file.ints(name, values);
        file.op(opType, "op", inputs, {"c"}, attributes);
    };
}

std::vector<PlainCase> plainCases()
{
    const auto to = [](ElementType type) { return Attribute{"to", static_cast<std::int64_t>(type)}; };
    const auto axis = [](std::int64_t at) { return Attribute{"axis", at}; };
    return {
        {"Transpose", one("Transpose", {"w"})},
        {"TransposeInThisOrder", withInts({}, "Transpose", {"w"}, {{"perm", Ints{1, 0}}})},
        {"Reshape", withInts({{"s", {3, -1}}}, "Reshape", {"w", "s"})},
        {"ReshapeCopies", withInts({{"s", {0, 1, -1}}}, "Reshape", {"w", "s"})},
        {"Flatten", one("Flatten", {"w"}, {axis(0)})},
        {"Unsqueeze", one("Unsqueeze", {"w", "axes"})},
        {"UnsqueezeByAttribute", one("Unsqueeze", {"w"}, {{"axes", Ints{1}}}), 11},
        {"Squeeze",
            [](PassFile& file) {
                file.weight("k", {2, 1}, {4, 5});
                file.ints("s", {-1}).op("Squeeze", "op", {"k", "s"}, {"c"});
            }},
        {"Slice", withInts({{"from", {-2}}, {"to", {99}}, {"at", {1}}}, "Slice", {"w", "from", "to", "at"})},
        {"SliceBackwards",
            withInts(
                {{"from", {2}}, {"to", {-9}}, {"at", {1}}, {"by", {-2}}}, "Slice", {"w", "from", "to", "at", "by"})},
        {"SliceOfNothing", withInts({{"from", {2}}, {"to", {1}}, {"at", {1}}}, "Slice", {"w", "from", "to", "at"})},
        {"SliceByAttribute", one("Slice", {"w"}, {{"starts", Ints{1}}, {"ends", Ints{9}}, {"axes", Ints{1}}}), 9},
        {"Gather", one("Gather", {"w", "i"}, {axis(1)})},
        {"GatherRows", one("Gather", {"w", "i"})},
        {"GatherElements",
            [](PassFile& file) {
                file.ints("flat", {2, 0, -1, -3}).ints("s", {2, 2}).op("Reshape", "square", {"flat", "s"}, {"at"});
                file.op("GatherElements", "op", {"w", "at"}, {"c"}, {{"axis", std::int64_t{1}}});
            }},
        {"Concat", one("Concat", {"w", "w"}, {axis(-1)})},
        {"Expand", withInts({{"s", {2, 1, 3}}}, "Expand", {"row", "s"})},
        {"ConstantOfShape", withInts({{"s", {2, 3}}}, "ConstantOfShape", {"s"})},
        {"Where",
            [](PassFile& file) {
                file.op("Greater", "test", {"w", "one"}, {"t"}).op("Where", "op", {"t", "row", "w"}, {"c"});
            }},
        {"Shape", one("Shape", {"w"}, {{"start", std::int64_t{-1}}})},
        {"Size", one("Size", {"w"})},
        {"Add", one("Add", {"w", "row"})},
        {"SubScalar", one("Sub", {"one", "w"})},
        {"Mul", one("Mul", {"w", "row"})},
        {"Div", one("Div", {"w", "row"})},
        {"DivByScalar", one("Div", {"w", "one"})},
        {"DivOfZeros", one("Div", {"row", "row"})},
        {"AddIntegers", one("Add", {"n", "m"})},
        {"MulIntegers", one("Mul", {"n", "m"})},
        {"DivIntegers", one("Div", {"n", "m"})},
        {"ModIntegers", one("Mod", {"n", "m"})},
        {"Neg", one("Neg", {"w"})},
        {"NegIntegers", one("Neg", {"n"})},
        {"SqrtOfOne", one("Sqrt", {"one"})},
        {"Equal", one("Equal", {"w", "w"})},
        {"Less", one("Less", {"n", "m"})},
        {"LessOrEqual", one("LessOrEqual", {"w", "row"})},
        {"Greater", one("Greater", {"w", "row"})},
        {"GreaterOrEqual", one("GreaterOrEqual", {"n", "m"})},
        {"Range",
            [](PassFile& file) {
                for (const auto& [name, number] : {std::pair("from", 7), std::pair("to", -4), std::pair("by", -3)})
                    file.tensor(name, {}, onnx::TensorProto::INT64).add_int64_data(number);
                file.op("Range", "op", {"from", "to", "by"}, {"c"});
            }},
        {"CastToInteger", one("Cast", {"row"}, {to(ElementType::Int64)})},
        {"CastToBool", one("Cast", {"w"}, {to(ElementType::Bool)})},
        {"CastToDouble", one("Cast", {"w"}, {to(ElementType::Float64)})},
        {"CastToFloat", one("Cast", {"n"}, {to(ElementType::Float32)})},
    };
}

INSTANTIATE_TEST_SUITE_P(All, PlainOperators, testing::ValuesIn(plainCases()),
    [](const auto& each) { return std::string(each.param.name); });

TEST(PlainOperators, CombineWhatWasCompared)
{
    PassFile file;
    addConstants(file);
    file.op("Less", "less", {"n", "m"}, {"l"}).op("Not", "not", {"l"}, {"o"}).op("And", "and", {"l", "o"}, {"a"});
    file.op("Or", "or", {"a", "o"}, {"c"});
    addReader(file);
    EXPECT_EQ(runOnce(foldConstants, file.read()).lines.size(), 2U);
}

/// What the engine refuses, and what machines answer in different ways, is the engine's to say.
TEST(PlainOperators, LeaveTheRestToTheEngine)
{
    const auto isLeft = [](const std::function<void(PassFile&)>& fill) {
        PassFile file;
        addConstants(file);
        fill(file);
        return !plainResult(*file.read());
    };
    const auto to = [](ElementType type) { return Attribute{"to", static_cast<std::int64_t>(type)}; };
    const auto axis = [](std::int64_t at) { return Attribute{"axis", at}; };
    EXPECT_TRUE(isLeft(one("Exp", {"w"}))) << "digits depend on the machine";
    EXPECT_TRUE(isLeft(one("Sqrt", {"w"}))) << "so do those of several at once";
    EXPECT_TRUE(isLeft(withInts({{"far", {2}}}, "Gather", {"w", "far"})));
    EXPECT_TRUE(isLeft(one("Gather", {"w", "i"}, {axis(2)})));
    EXPECT_TRUE(isLeft(withInts({{"z", {0, 1, 2}}}, "Div", {"n", "z"}))) << "by zero";
    EXPECT_TRUE(isLeft(withInts({{"z", {INT64_MIN}}, {"one_less", {-1}}}, "Div", {"z", "one_less"})));
    EXPECT_TRUE(isLeft(withInts({{"s", {4, -1}}}, "Reshape", {"w", "s"}))) << "six in four";
    EXPECT_TRUE(isLeft(withInts({{"s", {-1, -1}}}, "Reshape", {"w", "s"})));
    EXPECT_TRUE(isLeft(withInts({{"s", {1 << 20, 1 << 20}}}, "Expand", {"one", "s"}))) << "too large";
    EXPECT_TRUE(isLeft(withInts({{"s", {INT64_MAX, 2}}}, "ConstantOfShape", {"s"})));
    EXPECT_TRUE(isLeft(withInts({{"s", {-1, 2}}}, "ConstantOfShape", {"s"})));
    EXPECT_TRUE(
        isLeft(withInts({{"f", {0}}, {"t", {1}}, {"a", {1}}, {"by", {0}}}, "Slice", {"w", "f", "t", "a", "by"})));
    EXPECT_TRUE(isLeft(withInts({{"twice", {0, 0}}}, "Unsqueeze", {"w", "twice"})));
    EXPECT_TRUE(isLeft(withInts({{"zero", {0}}}, "Squeeze", {"w", "zero"}))) << "an axis of two";
    EXPECT_TRUE(isLeft(one("Concat", {"w", "n"}, {axis(0)}))) << "two types";
    EXPECT_TRUE(isLeft(one("Add", {"w", "n"})));
    EXPECT_TRUE(isLeft([&](PassFile& file) {
        file.weight("wild", {1}, {std::numeric_limits<float>::infinity()});
        file.op("Cast", "op", {"wild"}, {"c"}, {to(ElementType::Int32)});
    }));
    EXPECT_TRUE(isLeft(one("Cast", {"w"}, {to(ElementType::Float16)})));
    EXPECT_TRUE(isLeft([&](PassFile& file) {
        file.tensor("odd", {1}, onnx::TensorProto::BOOL).set_raw_data("\xF7");
        file.op("Cast", "op", {"odd"}, {"c"}, {to(ElementType::Float32)});
    })) << "a truth value of another byte";
}

} // namespace
} // namespace duo::test
