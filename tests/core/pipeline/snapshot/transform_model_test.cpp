// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/transform_model.h"

#include "core/quantize/points/settings.h"
#include "core/transform/pass.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

/// Two transposes that undo each other around what changes nothing.
std::shared_ptr<const Model> layered()
{
    PassFile file;
    file.op("Transpose", "one", {"x"}, {"a"}, {{"perm", Ints{1, 0}}}).op("Identity", "pass", {"a"}, {"b"});
    file.op("Transpose", "two", {"b"}, {"c"}, {{"perm", Ints{1, 0}}}).op("Relu", "relu", {"c"}, {"y"}).result();
    return file.read();
}

const PassReport& reportOf(const TransformReport& report, const std::string& id)
{
    return *std::ranges::find(report.passes, id, &PassReport::id);
}

TEST(TransformModel, RunsUntilNothingChanges)
{
    const auto transformed = transformModel(layered());
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_THAT(nodeLines(*transformed->model), ElementsAre("Relu relu(x) -> y"));
    EXPECT_TRUE(transformed->report.isSettled);
    EXPECT_EQ(transformed->report.nodesBefore, 4U);
    EXPECT_EQ(transformed->report.nodesAfter, 1U);
    EXPECT_THAT(
        reportOf(transformed->report, "identity").applied, ElementsAre(testing::Field(&TransformedNode::name, "pass")));
    const auto again = transformModel(transformed->model);
    ASSERT_TRUE(again) << again.error().line();
    for (const PassReport& pass : again->report.passes)
        EXPECT_THAT(pass.applied, IsEmpty()) << pass.id;
}

/// An If in an If and so on, all of which take the same branch.
void addIfs(onnx::GraphProto& graph, int depth)
{
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(depth == 0 ? "Neg" : "If");
    node.set_name("n" + std::to_string(depth));
    node.add_input(depth == 0 ? "x" : "condition");
    node.add_output("g" + std::to_string(depth));
    for (const char* name : {"then_branch", "else_branch"}) {
        if (depth == 0)
            break;
        onnx::AttributeProto& branch = *node.add_attribute();
        branch.set_name(name);
        branch.set_type(onnx::AttributeProto::GRAPH);
        addIfs(*branch.mutable_g(), name == std::string("then_branch") ? depth - 1 : 0);
        branch.mutable_g()->set_name(name);
        branch.mutable_g()->add_output()->set_name(branch.g().node(0).output(0));
    }
}

TEST(TransformModel, TakesBranchesAsDeepAsTheyMayLie)
{
    constexpr int kDepth = 60;
    PassFile file;
    file.tensor("condition", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    addIfs(file.proto(), kDepth);
    file.op("Relu", "relu", {"g60"}, {"y"}).result();
    const auto transformed = transformModel(file.read());
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_TRUE(transformed->report.isSettled);
    EXPECT_EQ(transformed->report.nodesAfter, 2U);
}

TEST(TransformModel, LeavesAPassOutThatIsSwitchedOff)
{
    const auto transformed = transformModel(layered(), {.disabled = {"identity"}});
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->report.nodesAfter, 4U);
    EXPECT_EQ(reportOf(transformed->report, "identity").notRun, "switched off");
}

TEST(TransformModel, DoesNotTouchWhatARuleKeeps)
{
    TransformOptions options;
    Rule& rule = options.keep.rules.emplace_back();
    rule.kind = RuleKind::Name;
    rule.value = "two";
    const auto transformed = transformModel(layered(), options);
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->report.keptNodes, 1U);
    EXPECT_THAT(nodeLines(*transformed->model),
        ElementsAre("Transpose one(x) -> a perm=[1 0]", "Transpose two(a) -> c perm=[1 0]", "Relu relu(c) -> y"));
}

TEST(TransformModel, KeepsWhatDequantizesConstants)
{
    PassFile file;
    onnx::TensorProto& codes = file.tensor("codes", {3}, onnx::TensorProto::INT8);
    for (const int code : {1, 2, 3})
        codes.add_int32_data(code);
    file.weight("one", {}, {1});
    file.op("Cast", "cast", {"codes"}, {"a"}, {{"to", std::int64_t{1}}});
    file.op("Mul", "scale", {"a", "one"}, {"w"}).op("Mul", "mul", {"x", "w"}, {"y"}).result();
    const auto kept = transformModel(file.read());
    ASSERT_TRUE(kept) << kept.error().line();
    EXPECT_EQ(kept->report.nodesAfter, 3U);
    const auto taken = transformModel(file.read(), {.lowPrecision = false});
    ASSERT_TRUE(taken) << taken.error().line();
    EXPECT_EQ(taken->report.nodesAfter, 1U);
}

/// Codes have 8 bits at most; what has more may be counts or sums.
TEST(TransformModel, WholeNumbersOfMoreBitsAreNoCodes)
{
    PassFile file;
    onnx::TensorProto& sums = file.tensor("sums", {3}, onnx::TensorProto::INT32);
    for (const int sum : {1000, 2000, 3000})
        sums.add_int32_data(sum);
    file.weight("one", {}, {1});
    file.op("Cast", "cast", {"sums"}, {"a"}, {{"to", std::int64_t{1}}});
    file.op("Mul", "scale", {"a", "one"}, {"b"}).op("Add", "add", {"x", "b"}, {"y"}).result();
    const auto made = transformModel(file.read());
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_EQ(made->report.dequantizing, 0U);
    EXPECT_EQ(made->report.nodesAfter, 1U);
}

/// As OpenVINO and NNCF write it: the zero point is a code as well.
TEST(TransformModel, KeepsCodesWhoseZeroPointIsACodeToo)
{
    PassFile file;
    onnx::TensorProto& codes = file.tensor("codes", {3}, onnx::TensorProto::UINT8);
    for (const int code : {1, 2, 3})
        codes.add_int32_data(code);
    file.tensor("zero", {}, onnx::TensorProto::UINT8).add_int32_data(2);
    file.weight("one", {}, {0.5F});
    file.op("Cast", "cast", {"codes"}, {"a"}, {{"to", std::int64_t{1}}});
    file.op("Cast", "castZero", {"zero"}, {"z"}, {{"to", std::int64_t{1}}}).op("Sub", "sub", {"a", "z"}, {"s"});
    file.op("Mul", "scale", {"s", "one"}, {"w"}).op("Mul", "mul", {"x", "w"}, {"y"}).result();
    const auto kept = transformModel(file.read(), {.target = "ort-cpu"});
    ASSERT_TRUE(kept) << kept.error().line();
    EXPECT_EQ(kept->report.dequantizing, 4U);
    EXPECT_EQ(kept->report.nodesAfter, 5U);
    const auto taken = transformModel(file.read(), {.lowPrecision = false});
    ASSERT_TRUE(taken) << taken.error().line();
    EXPECT_EQ(taken->report.nodesAfter, 1U);
}

TEST(TransformModel, SaysWhichRulesKeepNothing)
{
    TransformOptions options;
    for (const std::string name : {"two", "tow"}) {
        Rule& rule = options.keep.rules.emplace_back();
        rule.kind = RuleKind::Name;
        rule.value = name;
    }
    Rule off = options.keep.rules.back();
    off.enabled = false;
    options.keep.rules.push_back(off);
    const auto transformed = transformModel(layered(), options);
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->report.keptNodes, 1U);
    EXPECT_THAT(
        transformed->report.keptNothing, ElementsAre(testing::StartsWith("rule 'ignore name tow' matches nothing")));
}

TEST(TransformModel, QuantizersOfActivationsAreLeftAndTurnNoConstantCodes)
{
    PassFile file;
    file.weight("scale", {}, {0.5F});
    file.op("QuantizeLinear", "q", {"x", "scale"}, {"codes"}).op("DequantizeLinear", "dq", {"codes", "scale"}, {"a"});
    file.op("Relu", "relu", {"a"}, {"y"}).result();
    const auto transformed = transformModel(file.read());
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->report.nodesAfter, 3U);
    EXPECT_EQ(transformed->report.dequantizing, 0U);
}

TEST(TransformModel, LeavesWhatDequantizesConstantsToTheTarget)
{
    PassFile file;
    file.tensor("codes", {1}, onnx::TensorProto::INT8).add_int32_data(3);
    file.weight("scale", {}, {0.5F});
    file.op("DequantizeLinear", "one", {"codes", "scale"}, {"a"});
    file.op("DequantizeLinear", "two", {"codes", "scale"}, {"b"});
    file.op("Mul", "mul", {"x", "a"}, {"m"}).op("Add", "add", {"m", "b"}, {"y"}).result();
    const auto common = transformModel(file.read());
    ASSERT_TRUE(common) << common.error().line();
    EXPECT_EQ(common->report.nodesAfter, 4U);
    const auto target = transformModel(file.read(), {.target = "ort-cpu"});
    ASSERT_TRUE(target) << target.error().line();
    EXPECT_EQ(target->report.keptNodes, 0U);
    EXPECT_EQ(target->report.dequantizing, 2U);
    EXPECT_THAT(nodeLines(*target->model),
        ElementsAre("DequantizeLinear one([3], [0.5]) -> a", "Mul mul(x, a) -> m", "Add add(m, a) -> y"));
}

TEST(TransformModel, GivesUnnamedNodesTheNamesTheyAreShownBy)
{
    PassFile file;
    file.op("Identity", "", {"x"}, {"a"}).op("Relu", "", {"a"}, {"y"}).result();
    const auto before = file.read();
    const auto transformed = transformModel(before);
    ASSERT_TRUE(transformed) << transformed.error().line();
    ASSERT_EQ(transformed->model->nodes.size(), 1U);
    EXPECT_EQ(transformed->model->nodes[0].name, before->nodes[1].name);
}

/// A MatMul of matrices, a vector added, and an Identity.
std::shared_ptr<const Model> linear()
{
    PassFile file;
    file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6}).weight("b", {2}, {0.5F, -0.5F});
    file.op("MatMul", "product", {"x", "w"}, {"p"}).op("Identity", "pass", {"p"}, {"q"});
    file.op("Add", "add", {"q", "b"}, {"y"}).result();
    return file.read();
}

TEST(TransformModel, RunsStageCommonBeforeWhatATargetWants)
{
    const auto common = transformModel(linear());
    ASSERT_TRUE(common) << common.error().line();
    EXPECT_EQ(common->report.nodesAfter, 2U);
    const auto alone = transformModel(linear(), {.target = "ort-cpu"});
    ASSERT_TRUE(alone) << alone.error().line();
    EXPECT_EQ(alone->report.nodesAfter, 1U);
    EXPECT_FALSE(reportOf(alone->report, "gemm").isExact);
    const auto behind = transformModel(common->model, {.target = "ort-cpu"});
    ASSERT_TRUE(behind) << behind.error().line();
    EXPECT_EQ(nodeLines(*behind->model), nodeLines(*alone->model));
}

TEST(TransformModel, GivesTheSameWhateverTheOrderOfTheFile)
{
    PassFile one;
    one.op("Relu", "r1", {"x"}, {"a"}).op("Relu", "r2", {"x"}, {"b"}).op("Add", "add", {"a", "b"}, {"y"}).result();
    PassFile two;
    two.op("Relu", "r2", {"x"}, {"b"}).op("Relu", "r1", {"x"}, {"a"}).op("Add", "add", {"a", "b"}, {"y"}).result();
    const auto first = transformModel(one.read());
    const auto second = transformModel(two.read());
    ASSERT_TRUE(first && second);
    EXPECT_EQ(nodeLines(*first->model), nodeLines(*second->model));
}

/// What a target's pass wrote as several is not made one again by the pass that makes one of such.
TEST(TransformModel, LeavesWhatATargetWroteAsSeveral)
{
    PassFile file(20);
    file.op("Gelu", "gelu", {"x"}, {"a"}).op("Identity", "pass", {"a"}, {"y"}).result();
    const auto transformed = transformModel(file.read(), {.enabled = {"split-activations"}});
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_TRUE(transformed->report.isSettled);
    EXPECT_EQ(transformed->report.nodesAfter, 5U);
    EXPECT_THAT(reportOf(transformed->report, "activations").applied, IsEmpty());
    const auto back = transformModel(transformed->model);
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_THAT(nodeLines(*back->model), ElementsAre("Gelu gelu(x) -> y"));
}

/// Nodes of bodies are known by their whole names; else one pass would undo the other for ever.
TEST(TransformModel, LeavesWhatATargetWroteAsSeveralInBodies)
{
    PassFile file(20);
    file.op("ReduceMax", "top", {"x"}, {"m"}, {{"keepdims", std::int64_t{0}}});
    file.op("Cast", "flag", {"m"}, {"f"}, {{"to", std::int64_t{onnx::TensorProto::BOOL}}});
    onnx::NodeProto& choose = file.node("If", "choose", {"f"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(choose, branch);
        body.node("Gelu", "gelu", {"x"}, {"g"});
        body.node(branch == "then_branch" ? "Relu" : "Neg", "end", {"g"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    file.result();
    const auto transformed = transformModel(file.read(), {.enabled = {"split-activations"}});
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_TRUE(transformed->report.isSettled);
    EXPECT_THAT(reportOf(transformed->report, "activations").applied, IsEmpty());
    EXPECT_EQ(reportOf(transformed->report, "split-activations").applied.size(), 2U);
    const auto back = transformModel(transformed->model);
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_EQ(back->report.nodesAfter, 7U);
}

/// What was no Mish in the opset of the file is one in the opset that it was raised to, and no reason is left.
TEST(TransformModel, ForgetsReasonsThatHoldNoMore)
{
    PassFile file(17);
    file.op("Softplus", "plus", {"x"}, {"a"}).op("Tanh", "tanh", {"a"}, {"b"});
    file.op("Mul", "mul", {"x", "b"}, {"y"}).result();
    const auto older = transformModel(file.read());
    ASSERT_TRUE(older) << older.error().line();
    EXPECT_THAT(reportOf(older->report, "activations").skipped,
        ElementsAre(testing::Field(&TransformedNode::why, "opset 17 has no Mish, which came with 18")));
    const auto raised = transformModel(file.read(), {.leastOpset = 18});
    ASSERT_TRUE(raised) << raised.error().line();
    EXPECT_THAT(nodeLines(*raised->model), ElementsAre("Mish mul(x) -> y"));
    EXPECT_THAT(reportOf(raised->report, "activations").skipped, IsEmpty());
}

TEST(TransformModel, WritesNothingAsSeveralTwice)
{
    PassFile file(20);
    file.op("Gelu", "gelu", {"x"}, {"a"}).op("HardSwish", "swish", {"a"}, {"y"}).result();
    const TransformOptions options{.enabled = {"split-activations"}};
    const auto once = transformModel(file.read(), options);
    ASSERT_TRUE(once) << once.error().line();
    EXPECT_GT(once->report.nodesAfter, 5U);
    const auto twice = transformModel(once->model, options);
    ASSERT_TRUE(twice) << twice.error().line();
    EXPECT_EQ(twice->model, once->model);
    for (const PassReport& pass : twice->report.passes)
        EXPECT_THAT(pass.applied, IsEmpty()) << pass.id;
    const auto lowered = transformModel(file.read(), {.opset = 13});
    ASSERT_TRUE(lowered) << lowered.error().line();
    EXPECT_THAT(reportOf(lowered->report, "activations").skipped, IsEmpty()); // that 13 has no Gelu was known
    const auto joined = transformModel(once->model); // nobody wants them apart
    ASSERT_TRUE(joined) << joined.error().line();
    EXPECT_EQ(joined->report.nodesAfter, 2U);
}

/// Of IR version 3 all initializers are inputs, and there is no place for one that is none.
TEST(TransformModel, FreesInitializersOfBeingInputs)
{
    PassFile file(9);
    file.model().set_ir_version(3);
    file.weight("w", {3, 2}, {1, 2, 3, 4, 5, 6});
    file.op("MatMul", "product", {"x", "w"}, {"p"});
    file.op("Identity", "pass", {"p"}, {"y"}).result();
    file.input("w", {3, 2});
    const auto before = file.read();
    const auto transformed = transformModel(before);
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->model->irVersion, 4);
    EXPECT_EQ(transformed->model->mainGraph().inputs.size(), 1U);
    EXPECT_EQ(transformed->model->value(transformed->model->mainGraph().inputs[0]).name, "x");
    EXPECT_THAT(reportOf(transformed->report, "initializer-inputs").applied,
        ElementsAre(testing::Field(&TransformedNode::name, "product")));
    const auto again = transformModel(transformed->model);
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(again->model, transformed->model);
}

/// From IR version 4 on a list of an initializer as an input is there for a caller.
TEST(TransformModel, LeavesWhatACallerMayGive)
{
    PassFile file;
    file.weight("w", {3}, {1, 2, 3});
    file.op("Mul", "mul", {"x", "w"}, {"y"}).result();
    file.input("w", {3});
    const auto before = file.read();
    const auto transformed = transformModel(before);
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->model, before);
    EXPECT_THAT(reportOf(transformed->report, "initializer-inputs").skipped,
        ElementsAre(testing::Field(
            &TransformedNode::why, testing::StartsWith("it reads a constant that is an input as well"))));
}

TEST(TransformModel, GemmsAreWrittenBothWays)
{
    const auto fused = transformModel(linear(), {.target = "ort-cpu"});
    ASSERT_TRUE(fused) << fused.error().line();
    const auto split = transformModel(fused->model, {.enabled = {"split-gemm"}});
    ASSERT_TRUE(split) << split.error().line();
    EXPECT_EQ(split->report.nodesAfter, 2U);
    EXPECT_EQ(split->model->nodes[1].opType, "Add");
    const auto both = transformModel(fused->model, {.target = "ort-cpu", .enabled = {"split-gemm"}});
    ASSERT_TRUE(both) << both.error().line();
    EXPECT_TRUE(both->report.isSettled);
    EXPECT_EQ(nodeLines(*both->model), nodeLines(*split->model)) << "what was switched on is not undone";
}

TEST(TransformModel, RaisesTheOpsetFromSeven)
{
    PassFile file(7);
    file.op("ReduceMean", "mean", {"x"}, {"y"}, {{"axes", Ints{1}}}).result();
    const auto raised = transformModel(file.read(), {.leastOpset = 21});
    ASSERT_TRUE(raised) << raised.error().line();
    EXPECT_EQ(raised->model->opset(), 21);
    EXPECT_EQ(raised->model->irVersion, 10);
    EXPECT_EQ(raised->report.opsetRead.find("opset 7 is read as opset 13"), 0U) << raised->report.opsetRead;
    EXPECT_THAT(nodeLines(*raised->model), ElementsAre("ReduceMean mean(x, [1]) -> y"));
    EXPECT_EQ(transformModel(file.read(), {.opset = 15, .leastOpset = 21}).error().line(),
        "no opset is at least 21 and at most 15: leave one of them out");
}

/// Raising the opset may add nodes, which the scopes that were found before do not have.
TEST(TransformModel, KnowsScopesOfAModelWhoseOpsetItRaises)
{
    PassFile file(9);
    file.op("Softmax", "/enc/Softmax", {"x"}, {"a"}, {{"axis", std::int64_t{0}}});
    file.op("Identity", "/dec/Identity", {"a"}, {"b"}).op("Relu", "/dec/Relu", {"b"}, {"c"});
    file.op("Identity", "/enc/Identity", {"c"}, {"d"}).op("Relu", "/enc/Relu", {"d"}, {"y"}).result();
    const auto model = file.read();
    const Scopes scopes = findScopes(*model);
    Rule enc;
    enc.kind = RuleKind::ExecutionScope;
    enc.value = "enc";
    const auto raised = transformModel(model, {.leastOpset = 13, .keep = {{enc}}}, {}, &scopes);
    ASSERT_TRUE(raised) << raised.error().line();
    EXPECT_GT(raised->report.nodesBefore, model->nodes.size());
    EXPECT_THAT(reportOf(raised->report, "identity").applied, ElementsAre(TransformedNode{"/dec/Identity", "dec", ""}));
}

TEST(TransformModel, NamesWhatKeepsAnOldOpset)
{
    PassFile file(9);
    file.op("ImageScaler", "scaler", {"x"}, {"y"}).result();
    const auto raised = transformModel(file.read(), {.leastOpset = 13});
    ASSERT_FALSE(raised);
    EXPECT_NE(raised.error().what.find("ImageScaler 'scaler': it is no operator of opset 9"), std::string::npos)
        << raised.error().line();
}

TEST(TransformModel, NamesWhatHasNoNewerForm)
{
    PassFile file(17);
    file.op("DFT", "dft", {"x"}, {"y"}, {{"axis", std::int64_t{1}}}).result();
    const auto raised = transformModel(file.read(), {.leastOpset = 21});
    ASSERT_FALSE(raised);
    EXPECT_EQ(raised.error().line(),
        "the model cannot be written in opset 21: its form of later opsets means something else: dft: ask for an older "
        "opset, or export it in a newer one");
}

/// What holds on any target nobody can switch on for one: it always runs, unless the user says otherwise.
TEST(TransformModel, NoTargetAndNoSwitchRetunesStageCommon)
{
    const auto refused = transformModel(layered(), {.enabled = {"identity"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().line(),
        "no pass that could be switched on has this id: identity: those of stage target can: "
        "resources/docs/transforms.md");
    for (const TransformTarget& target : transformTargets()) {
        const auto made = transformModel(layered(), {.target = std::string(target.name)});
        ASSERT_TRUE(made) << made.error().line();
        const auto common = transformModel(layered());
        for (const PassReport& pass : common->report.passes) {
            EXPECT_EQ(reportOf(made->report, pass.id).applied, pass.applied) << target.name << ": " << pass.id;
            EXPECT_EQ(reportOf(made->report, pass.id).notRun, pass.notRun) << target.name << ": " << pass.id;
        }
    }
}

TEST(TransformModel, SaysWhyItNeedsMoreThanTheTargetReads)
{
    PassFile file(26);
    file.ints("axis", {1}).op("CumProd", "products", {"x", "axis"}, {"y"}).result();
    const auto made = transformModel(file.read(), {.target = "tensorrt"});
    ASSERT_TRUE(made) << made.error().line();
    EXPECT_EQ(made->model->opset(), 26);
    EXPECT_EQ(made->report.beyondTarget,
        "it is written in opset 26, and tensorrt is known to read opsets up to 25; the model cannot be written in "
        "opset 25: its form of opset 26 has none in opset 25: products: export it in an older opset, or ask for a "
        "newer one (--opset)");
    const auto kept = transformModel(file.read(), {.target = "tensorrt", .disabled = {"lower-opset"}});
    ASSERT_TRUE(kept) << kept.error().line();
    EXPECT_THAT(kept->report.beyondTarget, testing::HasSubstr("in opset 25: pass lower-opset is switched off: "));
    const auto other = transformModel(file.read(), {.target = "openvino"});
    ASSERT_TRUE(other) << other.error().line();
    EXPECT_EQ(other->report.beyondTarget, "") << "nothing is known of what it reads";
}

TEST(TransformModel, KnowsEveryProfileThatAModelCanBeQuantizedFor)
{
    for (std::size_t i = 0; i < kProfileTexts.size(); ++i) {
        const auto made = transformModel(layered(), {.target = std::string(kProfileTexts[i])});
        ASSERT_TRUE(made) << made.error().line();
        EXPECT_EQ(made->report.target, kProfileTexts[i]);
    }
}

TEST(TransformModel, RefusesATargetThatIsNotKnown)
{
    const auto transformed = transformModel(layered(), {.target = "toaster"});
    ASSERT_FALSE(transformed);
    EXPECT_EQ(transformed.error().line(), "no passes are known for this target: toaster: try stage common");
}

TEST(TransformModel, RefusesAModelWithoutOutputs)
{
    PassFile file;
    file.op("Relu", "relu", {"x"}, {"y"});
    const auto transformed = transformModel(file.read());
    ASSERT_FALSE(transformed);
    EXPECT_EQ(transformed.error().what, "the model has no outputs, so that nothing of it would be left");
}

TEST(TransformModel, RefusesAPassThatDoesNotExist)
{
    const auto transformed = transformModel(layered(), {.disabled = {"fold-everything"}});
    ASSERT_FALSE(transformed);
    EXPECT_EQ(
        transformed.error().line(), "no pass has this id: fold-everything: see duoscope-cli transform MODEL --dry-run");
}

TEST(TransformModel, GivesAModelBackThatNoPassChanges)
{
    PassFile file;
    file.op("Relu", "", {"x"}, {"y"}).result();
    const auto model = file.read();
    const auto transformed = transformModel(model);
    ASSERT_TRUE(transformed) << transformed.error().line();
    EXPECT_EQ(transformed->model, model) << "a node without a name has none afterwards";
}

} // namespace
} // namespace duo::test
