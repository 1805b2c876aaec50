// SPDX-License-Identifier: Apache-2.0
// Every pass says of what it takes out what it became a part of.
#include "core/transform/fused_names.h"
#include "tests/core/transform/transformed.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Names = std::set<std::string>;

/// A model that a pass changes. What goes without a word computed nothing, or what was known before.
struct Example {
    std::string_view pass;
    void (*build)(PassFile& file);
    Names gone; // nodes that are not there any more
    Names told; // of these, the ones that another node tells of
    bool areSizesFixed = false;
    std::int64_t opset = 0; // the newest that the result may need; of newer-opset, the least
    int written = 17; // the file's
    Names made = {}; // nodes that are new, each of which tells of what it was written
};

const std::vector<Attribute> kTurn{{"perm", Ints{1, 0}}};

void addNorm(PassFile& file, const std::string& input, const std::string& output)
{
    file.weight("gamma", {2}, {0.7F, 1.3F}).weight("beta", {2}, {0.1F, -0.2F});
    file.weight("mean", {2}, {0.4F, -0.6F}).weight("variance", {2}, {0.9F, 1.7F});
    file.op("BatchNormalization", "norm", {input, "gamma", "beta", "mean", "variance"}, {output});
}

void addSlices(PassFile& file)
{
    file.ints("zero", {0}).ints("one", {1}).ints("two", {2});
    file.op("Slice", "rows", {"x", "zero", "one", "zero"}, {"a"});
    file.op("Slice", "columns", {"a", "zero", "two", "one"}, {"y"}).result();
}

void addLayerNorm(PassFile& file)
{
    const std::vector<Attribute> last{{"axes", Ints{-1}}};
    file.weight("w", {3, 2}, {1, 0, 2, 0.5F, 0, 1}).weight("two", {}, {2}).weight("tiny", {}, {1e-5F});
    file.weight("gamma", {2}, {1, 2}).weight("beta", {2}, {0.1F, 0});
    file.op("MatMul", "product", {"x", "w"}, {"h"}).op("ReduceMean", "mean", {"h"}, {"m"}, last);
    file.op("Sub", "sub", {"h", "m"}, {"d"}).op("Pow", "square", {"d", "two"}, {"s"});
    file.op("ReduceMean", "variance", {"s"}, {"v"}, last).op("Add", "epsilon", {"v", "tiny"}, {"e"});
    file.op("Sqrt", "sqrt", {"e"}, {"r"}).op("Div", "div", {"d", "r"}, {"n"});
    file.op("Mul", "scale", {"n", "gamma"}, {"g"}).op("Add", "shift", {"g", "beta"}, {"y"}).result();
}

void addIf(PassFile& file)
{
    file.tensor("condition", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& node = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(node, branch);
        body.node("Relu", "relu", {"x"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    file.result();
}

void addAttention(PassFile& file)
{
    file.weight("half", {}, {0.5F});
    file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
    file.op("Transpose", "turn", {"q"}, {"k"}, {{"perm", Ints{0, 1, 3, 2}}}).op("MatMul", "scores", {"q", "k"}, {"s"});
    file.op("Mul", "scale", {"s", "half"}, {"m"}).op("Softmax", "shares", {"m"}, {"p"});
    file.op("MatMul", "seen", {"p", "q"}, {"y"}).result();
}

/// As torch writes it.
void addGroupNorm(PassFile& file)
{
    file.ints("picture", {1, 6, 1, 1}).ints("groups", {0, 2, -1});
    file.weight("one", {2}, {1}).weight("zero", {2}, {0});
    file.weight("gamma", {6, 1, 1}, {1, 2, 3, 4, 5, 6}).weight("beta", {6, 1, 1}, {1, 0, -1, 2, 0, 3});
    file.op("Reshape", "turn", {"x", "picture"}, {"p"}).op("Shape", "shape", {"p"}, {"s"});
    file.op("Reshape", "cut", {"p", "groups"}, {"c"}).op("InstanceNormalization", "norm", {"c", "one", "zero"}, {"n"});
    file.op("Reshape", "back", {"n", "s"}, {"b"}).op("Mul", "scale", {"b", "gamma"}, {"m"});
    file.op("Add", "shift", {"m", "beta"}, {"y"}).result();
}

const std::vector<Example>& examples()
{
    static const std::vector<Example> all{
        {"initializer-inputs",
            [](PassFile& file) {
                file.model().set_ir_version(3);
                file.weight("w", {3}, {1, 2, 3}).input("w", {3});
                file.op("Mul", "mul", {"x", "w"}, {"y"}).result();
            },
            {}, {}, false, 0, 9},
        {"constant-nodes",
            [](PassFile& file) {
                file.op("Constant", "constant", {}, {"c"}, {{"value_float", 2.0F}});
                file.op("Mul", "mul", {"x", "c"}, {"y"}).result();
            },
            {"constant"}, {}},
        {"shape-computation",
            [](PassFile& file) {
                file.ints("flat", {6}).op("Reshape", "first", {"x", "flat"}, {"a"}).op("Shape", "shape", {"a"}, {"s"});
                file.op("Reshape", "second", {"x", "s"}, {"y"}).result();
            },
            {"shape"}, {}},
        {"branches", addIf, {"choose::else_branch::relu"}, {}},
        {"identity",
            [](PassFile& file) { file.op("Identity", "same", {"x"}, {"a"}).op("Relu", "relu", {"a"}, {"y"}).result(); },
            {"same"}, {}},
        {"dropout",
            [](PassFile& file) { file.op("Dropout", "drop", {"x"}, {"a"}).op("Relu", "relu", {"a"}, {"y"}).result(); },
            {"drop"}, {}},
        {"no-op",
            [](PassFile& file) {
                file.op("Concat", "concat", {"x"}, {"a"}, {{"axis", std::int64_t{0}}});
                file.op("Relu", "relu", {"a"}, {"y"}).result();
            },
            {"concat"}, {}},
        {"same-size",
            [](PassFile& file) {
                file.ints("size", {2, 3}).op("Reshape", "reshape", {"x", "size"}, {"a"});
                file.op("Relu", "relu", {"a"}, {"y"}).result();
            },
            {"reshape"}, {}, true},
        {"transpose-pairs",
            [](PassFile& file) {
                file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Transpose", "back", {"a"}, {"b"}, kTurn);
                file.op("Relu", "relu", {"b"}, {"y"}).result();
            },
            {"back"}, {}},
        {"transpose-sinking",
            [](PassFile& file) {
                file.op("Transpose", "there", {"x"}, {"a"}, kTurn).op("Relu", "relu", {"a"}, {"b"});
                file.op("Transpose", "back", {"b"}, {"y"}, kTurn).result();
            },
            {"there", "back"}, {}},
        {"reshape-chains",
            [](PassFile& file) {
                file.ints("flat", {6}).ints("size", {3, 2}).op("Reshape", "first", {"x", "flat"}, {"a"});
                file.op("Reshape", "second", {"a", "size"}, {"y"}).result();
            },
            {}, {}}, // the first one is dead code then
        {"squeeze-chains",
            [](PassFile& file) {
                file.ints("first", {0}).ints("last", {-1}).op("Unsqueeze", "one", {"x", "first"}, {"a"});
                file.op("Unsqueeze", "two", {"a", "last"}, {"y"}).result();
            },
            {"one"}, {"one"}},
        {"slice-chains", addSlices, {"rows"}, {"rows"}},
        {"fold-constants",
            [](PassFile& file) {
                file.weight("w", {3}, {1, 2, 3});
                file.op("Neg", "neg", {"w"}, {"n"});
                file.op("Add", "add", {"x", "n"}, {"y"}).result();
            },
            {"neg"}, {}},
        {"pads",
            [](PassFile& file) {
                file.ints("picture", {1, 1, 2, 3})
                    .ints("border", {0, 0, 1, 0, 0, 0, 0, 0})
                    .weight("w", {1, 1, 1, 1}, {2});
                file.op("Reshape", "reshape", {"x", "picture"}, {"p"}).op("Pad", "pad", {"p", "border"}, {"q"});
                file.op("Conv", "conv", {"q", "w"}, {"y"}).result();
            },
            {"pad"}, {"pad"}},
        {"channel-bias",
            [](PassFile& file) {
                file.ints("picture", {1, 1, 2, 3}).weight("w", {1, 1, 1, 1}, {2}).weight("b", {1, 1, 1, 1}, {3});
                file.op("Reshape", "reshape", {"x", "picture"}, {"p"}).op("Conv", "conv", {"p", "w"}, {"c"});
                file.op("Add", "add", {"c", "b"}, {"y"}).result();
            },
            {"add"}, {"add"}},
        {"batch-norm",
            [](PassFile& file) {
                file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
                file.op("MatMul", "product", {"x", "w"}, {"p"});
                addNorm(file, "p", "y");
                file.result();
            },
            {"norm"}, {"norm"}},
        {"activations",
            [](PassFile& file) {
                file.op("HardSigmoid", "gate", {"x"}, {"a"}, {{"alpha", 1.0F / 6}, {"beta", 0.5F}});
                file.op("Mul", "mul", {"a", "x"}, {"y"}).result();
            },
            {"gate"}, {"gate"}},
        {"norms", addLayerNorm, {"mean", "sub", "square", "variance", "epsilon", "sqrt", "div", "scale"},
            {"mean", "sub", "square", "variance", "epsilon", "sqrt", "div", "scale"}},
        {"duplicates",
            [](PassFile& file) {
                file.op("Relu", "one", {"x"}, {"a"}).op("Relu", "two", {"x"}, {"b"});
                file.op("Add", "add", {"a", "b"}, {"y"}).result();
            },
            {"two"}, {"two"}},
        {"dead-code",
            [](PassFile& file) { file.op("Relu", "relu", {"x"}, {"y"}).op("Neg", "dead", {"x"}, {"z"}).result(); },
            {"dead"}, {}},
        {"gemm",
            [](PassFile& file) {
                file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {1, 2});
                file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Add", "add", {"p", "b"}, {"y"}).result();
            },
            {"add"}, {"add"}},
        {"quantizers",
            [](PassFile& file) {
                file.weight("scale", {}, {0.01F});
                file.tensor("zero", {}, onnx::TensorProto::UINT8).add_int32_data(0);
                file.op("Relu", "relu", {"x"}, {"a"}).op("QuantizeLinear", "q", {"a", "scale", "zero"}, {"c"});
                file.op("DequantizeLinear", "dq", {"c", "scale", "zero"}, {"y"}).result();
            },
            {"relu"}, {"relu"}},
        {"lower-opset",
            [](PassFile& file) {
                file.ints("flat", {6}).op("Reshape", "reshape", {"x", "flat"}, {"y"}, {{"allowzero", std::int64_t{1}}});
                file.result();
            },
            {}, {}, false, 13},
        {"newer-opset",
            [](PassFile& file) {
                file.op("ReduceMax", "most", {"x"}, {"y"}, {{"axes", Ints{1}}}).result();
            },
            {}, {}, false, 18},
        {"split-gemm",
            [](PassFile& file) {
                file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {1, 2});
                file.op("Gemm", "fc", {"x", "w", "b"}, {"y"}).result();
            },
            {}, {}, false, 0, 17, {"fc_MatMul"}},
        {"attention", addAttention, {"turn", "scores", "scale", "shares"}, {"turn", "scores", "scale", "shares"}, false,
            0, 23},
        {"group-norm", addGroupNorm, {"cut", "norm", "back", "scale"}, {"cut", "norm", "back", "scale"}, false, 0, 21},
        {"split-attention",
            [](PassFile& file) {
                file.ints("four", {1, 2, 3, 1}).op("Reshape", "cut", {"x", "four"}, {"q"});
                file.op("Attention", "attend", {"q", "q", "q"}, {"y"}, {{"scale", 0.5F}}).result();
            },
            {}, {}, false, 0, 23, {"attend_Transpose", "attend_MatMul", "attend_Mul", "attend_Softmax"}},
        {"split-norms",
            [](PassFile& file) {
                file.weight("scale", {3}, {1, 2, 3});
                file.op("LayerNormalization", "norm", {"x", "scale"}, {"y"}).result();
            },
            {}, {}, false, 0, 17,
            {"norm_ReduceMean", "norm_Sub", "norm_Mul", "norm_ReduceMean_1", "norm_Add", "norm_Sqrt", "norm_Div"}},
        {"split-activations", [](PassFile& file) { file.op("HardSwish", "hard", {"x"}, {"y"}).result(); }, {}, {},
            false, 0, 17, {"hard_HardSigmoid"}},
    };
    return all;
}

Names namesOf(const Model& model)
{
    Names names;
    for (const Node& node : model.nodes)
        names.insert(node.name);
    return names;
}

TEST(Provenance, IsToldByEveryPass)
{
    for (const Pass& pass : passes()) {
        if (pass.stage != PassStage::Common && pass.stage != PassStage::Target)
            continue;
        if ((pass.needs & needs::kValues) != 0) // see halve_test.cpp
            continue;
        const auto example = std::ranges::find(examples(), pass.id, &Example::pass);
        ASSERT_NE(example, examples().end()) << "an example is missing for " << pass.id;
        PassFile file(example->written);
        example->build(file);
        const auto model = file.read();
        const Outcome outcome = runOnce(pass.run, model, {}, example->areSizesFixed, example->opset);
        const Names after = namesOf(*outcome.model);
        Names gone;
        std::ranges::set_difference(namesOf(*model), after, std::inserter(gone, gone.end()));
        EXPECT_EQ(gone, example->gone) << pass.id;
        Names told;
        for (const Node& node : outcome.model->nodes) {
            for (const std::string_view name : fusedNames(node))
                told.emplace(name);
            if (example->made.contains(node.name)) {
                const std::string_view whole = metadataValue(node.metadata, kWrittenOfKey);
                EXPECT_TRUE(model->findNode(whole).valid())
                    << pass.id << " does not say what it wrote as " << node.name;
            }
        }
        EXPECT_EQ(told, example->told) << pass.id;
        EXPECT_NE(outcome.model, model) << pass.id << " changes nothing";
    }
}

/// Those that stay have the names, metadata and places that they had.
TEST(Provenance, NamesThatAPassSaysItKeepsAreKept)
{
    for (const Example& example : examples()) {
        const auto pass = std::ranges::find(passes(), example.pass, &Pass::id);
        ASSERT_NE(pass, passes().end()) << example.pass;
        PassFile file(example.written);
        example.build(file);
        const auto model = file.read();
        const Outcome outcome = runOnce(pass->run, model, {}, example.areSizesFixed, example.opset);
        Names before = namesOf(*model);
        before.insert(example.made.begin(), example.made.end());
        for (const Node& node : outcome.model->nodes)
            EXPECT_TRUE(before.contains(node.name)) << example.pass << " adds " << node.name;
    }
}

} // namespace
} // namespace duo::test
