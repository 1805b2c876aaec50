// SPDX-License-Identifier: Apache-2.0
#include "core/transform/known_shapes.h"

#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;

namespace duo::test {
namespace {

/// "[2 a b]": sizes that are not known by letters, in the order in which they are met.
std::string textOf(const Extents* extents, std::vector<Extent>& names)
{
    if (extents == nullptr)
        return "?";
    std::string text = "[";
    for (const Extent& extent : *extents) {
        text += text.size() > 1 ? " " : "";
        if (extent.isKnown()) {
            text += std::to_string(extent.number);
            continue;
        }
        auto found = std::ranges::find(names, extent);
        if (found == names.end())
            found = names.insert(names.end(), extent);
        text += static_cast<char>('a' + (found - names.begin()));
    }
    return text + "]";
}

class ShapesOf
{
public:
    explicit ShapesOf(PassFile& file, bool areSizesFixed = false)
        : m_model(file.read())
    {
        ValueTypes types;
        for (const Value& value : m_model->values)
            types.types.push_back(value.type);
        m_shapes.emplace(*m_model, areSizesFixed ? &types : nullptr);
        (void)of("x"); // a and b
    }
    std::string of(const std::string& value) { return textOf(m_shapes->of(m_model->findValue(value)), m_names); }
    std::string content(const std::string& value)
    {
        return textOf(m_shapes->content(m_model->findValue(value)), m_names);
    }

private:
    std::shared_ptr<const Model> m_model;
    std::optional<KnownShapes> m_shapes;
    std::vector<Extent> m_names;
};

TEST(KnownShapes, TellSizesApartThatAreNotKnown)
{
    PassFile file;
    file.ints("axes", {0}).weight("w", {3, 5}, std::vector<float>(15, 1));
    file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Relu", "relu", {"p"}, {"r"});
    file.op("Transpose", "turn", {"r"}, {"t"}).op("Unsqueeze", "deep", {"t", "axes"}, {"y"}).result();
    ShapesOf shapes(file);
    EXPECT_EQ(shapes.of("r"), "[a 5]");
    EXPECT_EQ(shapes.of("y"), "[1 5 a]");
}

TEST(KnownShapes, AreNumbersWhereSizesAreFixed)
{
    PassFile file;
    file.op("Shape", "shape", {"x"}, {"s"}).op("Relu", "relu", {"x"}, {"y"}).result();
    EXPECT_EQ(ShapesOf(file, true).of("y"), "[2 3]");
    EXPECT_EQ(ShapesOf(file, true).content("s"), "[2 3]");
}

TEST(KnownShapes, FollowWhatShapesAreMadeOf)
{
    PassFile file;
    file.ints("first", {0}).ints("last", {1}).ints("end", {2}).ints("heads", {4, -1});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Gather", "batch", {"s", "first"}, {"n"});
    file.op("Slice", "rest", {"s", "last", "end"}, {"r"})
        .op("Concat", "join", {"n", "heads", "r"}, {"all"}, {{"axis", std::int64_t{0}}});
    file.op("Reshape", "reshape", {"x", "all"}, {"y"}).result();
    ShapesOf shapes(file);
    EXPECT_EQ(shapes.content("all"), "[a 4 -1 b]");
    EXPECT_EQ(shapes.of("n"), "[1]");
}

/// R of ONNX Runtime's is turned: the states are its second axis.
TEST(KnownShapes, OfStatesOfAQuantizedRecurrence)
{
    PassFile file; // x is [steps, inputs]
    file.model().add_opset_import()->set_domain("com.microsoft");
    file.model().mutable_opset_import(1)->set_version(1);
    file.ints("axes", {1});
    for (const auto& [name, rows] : {std::pair("w", 3), std::pair("r", 4)}) {
        file.tensor(name, {1, rows, 16}, onnx::TensorProto::INT8).set_raw_data(std::string(rows * 16, '\1'));
        file.weight(std::string(name) + "_scale", {1}, {0.5F});
        file.tensor(std::string(name) + "_zero", {1}, onnx::TensorProto::INT8).set_raw_data(std::string(1, '\0'));
    }
    file.op("Unsqueeze", "deep", {"x", "axes"}, {"steps"});
    file.op("DynamicQuantizeLSTM", "lstm",
        {"steps", "w", "r", "", "", "", "", "", "w_scale", "w_zero", "r_scale", "r_zero"}, {"all"},
        {{"hidden_size", std::int64_t{4}}});
    file.proto().mutable_node(1)->set_domain("com.microsoft");
    file.op("Relu", "relu", {"all"}, {"y"}).result();
    EXPECT_EQ(ShapesOf(file).of("y"), "[a 1 1 4]");
}

/// As torch.jit writes `if x.size(0)` and `if x.dim() == 2`.
TEST(KnownShapes, TellConditions)
{
    PassFile file;
    file.ints("first", {0}).ints("two", {2}).ints("none", {-1});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Size", "rank", {"s"}, {"r"}).op("Size", "count", {"x"}, {"c"});
    file.op("Unsqueeze", "list", {"r", "first"}, {"rs"}).op("Equal", "is_two", {"rs", "two"}, {"flat"});
    file.op("Not", "not", {"flat"}, {"deep"}).op("Gather", "rows", {"s", "first"}, {"n"});
    file.op("Cast", "any", {"n"}, {"has_rows"}, {{"to", std::int64_t{9}}});
    file.op("Greater", "more", {"n", "none"}, {"is_size"}).op("Greater", "many", {"n", "two"}, {"is_more"});
    file.op("Or", "or", {"flat", "is_more"}, {"either"}).op("And", "and", {"flat", "is_more"}, {"both"});
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    ShapesOf open(file);
    EXPECT_EQ(open.content("r"), "[2]");
    EXPECT_EQ(open.content("flat"), "[1]");
    EXPECT_EQ(open.content("deep"), "[0]");
    EXPECT_EQ(open.content("is_size"), "[1]");
    EXPECT_EQ(open.content("either"), "[1]");
    for (const char* unknown : {"c", "has_rows", "is_more", "both"})
        EXPECT_EQ(open.content(unknown), "?") << unknown;
    ShapesOf fixed(file, true);
    EXPECT_EQ(fixed.content("c"), "[6]");
    EXPECT_EQ(fixed.content("has_rows"), "[1]");
    EXPECT_EQ(fixed.content("is_more"), "[0]");
    EXPECT_EQ(fixed.content("both"), "[0]");
}

TEST(KnownShapes, OfStatesOfARecurrence)
{
    PassFile file; // x is [steps, inputs]
    file.ints("axes", {1}).weight("w", {2, 16, 3}, std::vector<float>(96, 1));
    file.weight("r", {2, 16, 4}, std::vector<float>(128, 1));
    file.op("Unsqueeze", "deep", {"x", "axes"}, {"steps"});
    file.op("LSTM", "lstm", {"steps", "w", "r"}, {"all", "last", "cell"},
        {{"hidden_size", std::int64_t{4}}, {"direction", std::string("bidirectional")}});
    file.op("Relu", "relu", {"all"}, {"y"}).result();
    ShapesOf shapes(file);
    EXPECT_EQ(shapes.of("y"), "[a 2 1 4]");
    EXPECT_EQ(shapes.of("last"), "[2 1 4]");
    EXPECT_EQ(shapes.of("cell"), "[2 1 4]");
}

TEST(KnownShapes, CountWindowsWhereSizesAreFixed)
{
    PassFile file;
    file.weight("w", {4, 1, 2, 2}, std::vector<float>(16, 1));
    file.ints("picture", {1, 1, 2, 3});
    file.op("Reshape", "reshape", {"x", "picture"}, {"p"});
    file.op("Conv", "conv", {"p", "w"}, {"c"}, {{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 1}}});
    file.op("MaxPool", "pool", {"p"}, {"m"}, {{"kernel_shape", Ints{2, 2}}, {"auto_pad", std::string("SAME_UPPER")}});
    file.op("AveragePool", "around", {"p"}, {"a"}, {{"kernel_shape", Ints{2, 2}}, {"ceil_mode", std::int64_t{1}}});
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("c"), "[1 4 2 4]");
    EXPECT_EQ(shapes.of("m"), "[1 1 2 3]");
    EXPECT_EQ(shapes.of("a"), "[1 1 a b]") << "how windows beyond the border count, is not known";
}

/// A Loop that runs `trips` times and carries x as s; its body has yet to make go_on and next.
GraphProtoBuilder loop(
    GraphProtoBuilder& graph, const std::string& name, const std::string& from, const std::vector<std::string>& outputs)
{
    auto body = addBody(graph.node("Loop", name, {"trips", "", from}, outputs), "body");
    body.input("i", {}).input("go", {}).input("s", {-1, -1}).output("go_on", {}).output("next", {-1, -1});
    body.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    for (auto* info : {body.proto().mutable_input(1), body.proto().mutable_output(0)})
        info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    body.node("Identity", "keep", {"go"}, {"go_on"});
    return body;
}

struct LoopFile : PassFile {
    LoopFile() { tensor("trips", {}, onnx::TensorProto::INT64).add_int64_data(3); }
};

TEST(KnownShapes, OfALoopAreThoseThatItKeeps)
{
    LoopFile file;
    auto body = loop(file, "loop", "x", {"y", "all"});
    body.weight("w", {3, 3}, std::vector<float>(9, 1)).output("row", {-1, -1});
    body.node("MatMul", "product", {"s", "w"}, {"next"});
    body.node("Relu", "relu", {"next"}, {"row"});
    file.result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("loop::body::s"), "[2 3]");
    EXPECT_EQ(shapes.of("loop::body::next"), "[2 3]");
    EXPECT_EQ(shapes.of("loop::body::i"), "[]");
    EXPECT_EQ(shapes.of("y"), "[2 3]");
    EXPECT_EQ(shapes.of("all"), "[a 2 3]") << "how often it ran is not known";
}

void addGrowth(GraphProtoBuilder& body)
{
    addInt(body.node("Concat", "grow", {"s", "s"}, {"next"}), "axis", 0);
}

TEST(KnownShapes, OfALoopGiveUpWhatGrows)
{
    LoopFile file;
    auto body = loop(file, "loop", "x", {"y"});
    addGrowth(body);
    file.result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("loop::body::s"), "[a 3]");
    EXPECT_EQ(shapes.of("loop::body::next"), "[b 3]");
    EXPECT_EQ(shapes.of("y"), "[c 3]");
}

/// Each learns only from the one before that it does not keep its shape.
TEST(KnownShapes, OfLoopsBehindOneAnotherAreFoundInABoundedTime)
{
    LoopFile file;
    constexpr int kLoops = 20;
    for (int i = 0; i < kLoops; ++i) {
        auto body = loop(file, "loop" + std::to_string(i), "x", {i + 1 == kLoops ? "y" : "y" + std::to_string(i)});
        if (i == 0)
            addGrowth(body);
        else
            body.node("Relu", "relu", {"y" + std::to_string(i - 1)}, {"next"});
    }
    file.result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("loop19::body::s"), "?");
    EXPECT_EQ(shapes.of("y"), "?");
}

TEST(KnownShapes, OfAScanAreSlices)
{
    PassFile file;
    onnx::NodeProto& scan = file.node("Scan", "scan", {"start", "x"}, {"last", "y"});
    addInt(scan, "num_scan_inputs", 1);
    auto body = addBody(scan, "body");
    body.input("s", {-1}).input("row", {-1}).output("next", {-1}).output("out", {-1});
    body.node("Add", "add", {"s", "row"}, {"next"});
    body.node("Relu", "relu", {"next"}, {"out"});
    file.weight("start", {3});
    file.result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("scan::body::row"), "[3]");
    EXPECT_EQ(shapes.of("scan::body::out"), "[3]");
    EXPECT_EQ(shapes.of("last"), "[3]");
    EXPECT_EQ(shapes.of("y"), "[a 3]");
}

/// As Paddle's exporter writes them: a size that 32 bits do not hold would have been wrong before, too.
TEST(KnownShapes, GoThroughThirtyTwoBits)
{
    PassFile file;
    file.ints("zero", {0}).ints("one", {1}).ints("rest", {6});
    file.op("Shape", "shape", {"x"}, {"s"}).op("Cast", "narrow", {"s"}, {"n"}, {{"to", std::int64_t{6}}});
    file.op("Slice", "first", {"n", "zero", "one", "zero"}, {"f"});
    file.op("Cast", "wide", {"f"}, {"w"}, {{"to", std::int64_t{7}}});
    file.op("Concat", "join", {"w", "rest"}, {"j"}, {{"axis", std::int64_t{0}}});
    file.op("Reshape", "reshape", {"x", "j"}, {"y"}).result();
    EXPECT_EQ(ShapesOf(file).content("j"), "[a 6]");
}

TEST(KnownShapes, OfBranchesAreWhatBothGive)
{
    PassFile file;
    file.tensor("yes", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choice = file.node("If", "if", {"yes"}, {"y"});
    auto one = addBody(choice, "then_branch");
    one.output("t", {-1, -1}).node("Relu", "relu", {"x"}, {"t"});
    auto other = addBody(choice, "else_branch");
    other.output("e", {-1, -1}).weight("row", {1, 3}).node("Identity", "keep", {"row"}, {"e"});
    file.result();
    EXPECT_EQ(ShapesOf(file, true).of("y"), "[a 3]");
}

/// As exporters write Expand: a size of -1 is that of the input.
TEST(KnownShapes, FollowWhatIsFilled)
{
    PassFile file;
    file.ints("length", {2}).ints("wanted", {-1, 3}).ints("minus", {-1});
    onnx::AttributeProto& value = *file.node("ConstantOfShape", "fill", {"length"}, {"ones"}).add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    onnx::TensorProto& one = *value.mutable_t();
    one.set_data_type(onnx::TensorProto::INT64);
    one.add_dims(1);
    one.add_int64_data(1);
    file.op("Mul", "negative", {"ones", "minus"}, {"n"}).op("Equal", "is_open", {"wanted", "n"}, {"e"});
    file.op("Where", "choose", {"e", "ones", "wanted"}, {"s"}).op("Relu", "relu", {"x"}, {"y"}).result();
    EXPECT_EQ(ShapesOf(file).content("s"), "[1 3]");
}

TEST(KnownShapes, FindTheSizeThatIsLeft)
{
    PassFile file;
    file.ints("split", {0, -1, 2}).ints("joined", {0, -1}).weight("w", {3, 8}, std::vector<float>(24, 1));
    file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Reshape", "cut", {"p", "split"}, {"c"});
    file.op("Reshape", "join", {"c", "joined"}, {"y"}).result();
    ShapesOf shapes(file);
    EXPECT_EQ(shapes.of("c"), "[a 4 2]");
    EXPECT_EQ(shapes.of("y"), "[a 8]");
}

TEST(KnownShapes, DoNotTakeEqualNamesFromDifferentSizes)
{
    PassFile file;
    file.input("z", {2, 3});
    file.op("Add", "add", {"x", "z"}, {"y"}).result();
    EXPECT_EQ(ShapesOf(file).of("y"), "[c d]") << "either may be 1";
}

TEST(KnownShapes, AreNotTakenFromDamagedNumbers)
{
    PassFile file;
    file.ints("huge", {std::int64_t{1} << 62, std::int64_t{1} << 62})
        .ints("starts", {INT64_MIN})
        .ints("ends", {INT64_MAX});
    file.ints("steps", {INT64_MIN});
    file.op("ConstantOfShape", "fill", {"huge"}, {"f"})
        .op("Slice", "cut", {"x", "starts", "ends", "starts", "steps"}, {"c"});
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    ShapesOf shapes(file, true);
    EXPECT_EQ(shapes.of("f"), "?");
    EXPECT_EQ(shapes.of("c"), "?");
}

} // namespace
} // namespace duo::test
