// SPDX-License-Identifier: Apache-2.0
// Models that come with functions: what is inside is quantized like anything else, and the functions are there again.
#include "core/graph/run_graph.h"
#include "core/onnx/outlined_model.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/export.h"
#include "core/pipeline/foreseen_error.h"
#include "core/pipeline/resume.h"
#include "core/report/export_report.h"
#include "core/support/file.h"
#include "core/transform/fused_names.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/half_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t kWidth = 16;

template <typename Message> void addImport(Message& message, const char* domain, std::int64_t version)
{
    auto& import = *message.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
}

/// A product in a function in a function; its slope is given by the call around.
void addFunctions(ProtoBuilder& model)
{
    auto& dense = model.function("Dense", {"w", "data"}, {"product"});
    addNode(dense, "MatMul", "matmul", {"data", "w"}, {"product"});
    auto& block = model.function("Block", {"w1", "w2", "hidden"}, {"wide", "result"});
    addNode(block, "Dense", "first", {"w1", "hidden"}, {"wide"}).set_domain("local");
    addReference(addNode(block, "LeakyRelu", "act", {"wide"}, {"a"}), "alpha", "slope");
    addNode(block, "Dense", "second", {"w2", "a"}, {"b"}).set_domain("local");
    addNode(block, "Add", "sum", {"hidden", "b"}, {"result"});
    for (auto* function : {&dense, &block}) {
        addImport(*function, "", 17);
        addImport(*function, "local", 1);
    }
    addImport(model.model(), "local", 1);
}

/// Calls of one function, one behind the other.
class ModelFunctions : public testing::Test
{
protected:
    static QuantizedCase blocks(int count)
    {
        ProtoBuilder model;
        model.input("x", {4, kWidth}).output("y", {4, kWidth});
        addFunctions(model);
        std::string from = "x";
        for (int i = 0; i < count; ++i) {
            const std::string name = "block" + std::to_string(i);
            for (const char* leaf : {".w1", ".w2"})
                model.weight(name + leaf, {kWidth, kWidth}, normal(kWidth * kWidth, unsigned(7 * i + leaf[2])));
            const std::string to = i + 1 == count ? "y" : "h" + std::to_string(i);
            auto& call = model.node("Block", name, {name + ".w1", name + ".w2", from}, {name + "_wide", to});
            call.set_domain("local");
            auto& slope = *call.add_attribute();
            slope.set_name("slope");
            slope.set_type(onnx::AttributeProto::FLOAT);
            slope.set_f(0.1F);
            from = to;
        }
        return {model, {4, kWidth}, normalSamples(4, 4 * kWidth, 5)};
    }

    static std::vector<std::string> functionsOf(const Model& model)
    {
        std::vector<std::string> names;
        for (const LocalFunction& function : localFunctions(model))
            names.push_back(function.domain + "." + function.name);
        std::ranges::sort(names);
        return names;
    }

    static std::vector<std::string> inputsOf(const Model& model, const std::string& name)
    {
        for (const LocalFunction& function : localFunctions(model)) {
            if (function.name == name)
                return function.inputs;
        }
        return {};
    }
};

constexpr const char* kFlat = R"("functions": {"flat": true})";

TEST_F(ModelFunctions, AreQuantizedInsideAndThereAgain)
{
    QuantizedCase made = blocks(3);
    const ExportReport report = made.quantize(kHalfRange);
    EXPECT_EQ(checkOf(report, "functions").message,
        "as the model came with them, 4 functions with 9 calls; calls that are not alike have others: Block_2 (1 call: "
        "block2), Dense_2 (3 calls: block0/first ...); each call of Dense, Block has its own scales")
        << "the last one gives a result in float";
    EXPECT_TRUE(checkOf(report, "functions").ok);
    const Snapshot& planned = made.planned();
    for (std::size_t n = 0; n < planned.model->nodes.size(); ++n) {
        const bool isProduct = planned.model->nodes[n].opType == "MatMul";
        EXPECT_TRUE(!isProduct || planned.placement->decisions[n].state == NodeState::Quantized)
            << planned.model->nodes[n].name;
    }
    const auto written = made.written();
    EXPECT_THAT(functionsOf(*written), ElementsAre("local.Block", "local.Block_2", "local.Dense", "local.Dense_2"));
    EXPECT_THAT(inputsOf(*written, "Dense"),
        ElementsAre("data", "data_scale", "data_zero_point", "w", "w_scale", "w_zero_point"));
    EXPECT_THAT(inputsOf(*written, "Block"),
        ElementsAre("hidden", "hidden_scale", "hidden_zero_point", "w1", "first.w_scale", "first.w_zero_point",
            "second.data_scale", "second.data_zero_point", "w2", "second.w_scale", "second.w_zero_point",
            "b_float_scale", "b_float_zero_point"));
    std::vector<std::vector<float>> outputs;
    for (std::size_t sample = 0; sample < 4; ++sample)
        outputs.push_back(made.output(sample));

    made.quantize(kHalfRange, "[]", kFlat);
    EXPECT_THAT(functionsOf(*made.written()), IsEmpty());
    for (std::size_t sample = 0; sample < 4; ++sample) {
        EXPECT_EQ(made.output(sample), outputs[sample]);
        EXPECT_GT(sqnrDb(made.floatOutput(sample), outputs[sample]), 25);
    }
}

TEST_F(ModelFunctions, WeightsThatCallsShareHaveTheirNamesToo)
{
    ProtoBuilder model;
    model.input("x", {4, kWidth}).output("y", {4, kWidth});
    addFunctions(model);
    model.weight("shared", {kWidth, kWidth}, normal(kWidth * kWidth, 3));
    model.node("Dense", "one", {"shared", "x"}, {"h"}).set_domain("local");
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Dense", "two", {"shared", "r"}, {"y"}).set_domain("local");
    QuantizedCase made(model, {4, kWidth}, normalSamples(4, 4 * kWidth, 5));
    made.quantize(kHalfRange);
    EXPECT_THAT(inputsOf(*made.written(), "Dense"), ElementsAre("data", "data_scale", "data_zero_point", "w"));
}

/// A Block where the sum of x is positive, else a product.
QuantizedCase branches()
{
    ProtoBuilder model;
    model.input("x", {4, kWidth}).output("y", {4, kWidth}).weight("zero", {}, {0});
    addFunctions(model);
    for (const char* name : {"w1", "w2"})
        model.weight(name, {kWidth, kWidth}, normal(kWidth * kWidth, unsigned(name[1])));
    addInt(model.node("ReduceSum", "sum", {"x"}, {"total"}), "keepdims", 0);
    model.node("Greater", "test", {"total", "zero"}, {"flag"});
    onnx::NodeProto& choice = model.node("If", "if", {"flag"}, {"y"});
    auto one = addBody(choice, "then_branch");
    auto& block = one.node("Block", "block", {"w1", "w2", "x"}, {"wide", "t"});
    block.set_domain("local");
    auto& slope = *block.add_attribute();
    slope.set_name("slope");
    slope.set_type(onnx::AttributeProto::FLOAT);
    slope.set_f(0.1F);
    one.output("t", {4, kWidth});
    auto other = addBody(choice, "else_branch");
    other.node("Dense", "dense", {"w1", "x"}, {"e"}).set_domain("local");
    other.output("e", {4, kWidth});
    return {model, {4, kWidth}, normalSamples(4, 4 * kWidth, 5)};
}

TEST_F(ModelFunctions, InBranchesAreThereAgain)
{
    QuantizedCase made = branches();
    const ExportReport report = made.quantize(kHalfRange);
    EXPECT_TRUE(checkOf(report, "functions").ok) << checkOf(report, "functions").message;
    const auto written = made.written();
    for (const char* call : {"if::then_branch::block", "if::then_branch::block::first", "if::else_branch::dense"}) {
        const NodeId node = written->findNode(call);
        ASSERT_TRUE(node.valid()) << call;
        EXPECT_TRUE(written->node(node).isCall) << call;
    }
    EXPECT_THAT(functionsOf(*written), testing::IsSupersetOf({"local.Block", "local.Dense"}));
    EXPECT_GT(sqnrDb(made.floatOutput(0), made.output(0)), 25);
}

/// The model is the one without calls, the file has them again.
TEST_F(ModelFunctions, TheirExportIsKnownAsOneOfTheModelWithoutCalls)
{
    QuantizedCase made = blocks(3);
    made.quantize(kHalfRange);
    const Model& model = *made.planned().model;
    const auto run = findRunGraph(model, *made.planned().scopes, made.exported());
    ASSERT_TRUE(run) << run.error().line();
    EXPECT_GT((*run)->count(KernelPrecision::Int8), 0);
    EXPECT_EQ((*run)->of, "q.onnx");
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (model.nodes[n].opType == "MatMul")
            EXPECT_EQ((*run)->kernelsOf[n].size(), 1U) << model.nodes[n].name;
    }
}

/// The text of functions, and what calls say of their nodes, are nothing that int8 makes smaller.
TEST_F(ModelFunctions, AreJudgedBySizesWithoutThem)
{
    QuantizedCase made = blocks(3);
    const ExportReport report = made.quantize(kHalfRange);
    const auto size = [&] { return static_cast<std::int64_t>(std::filesystem::file_size(made.exported())); };
    EXPECT_EQ(report.bytesBefore, static_cast<std::int64_t>(std::filesystem::file_size(made.opened().model->path)));
    EXPECT_EQ(report.bytesAfter, size());
    EXPECT_THAT(exportText(report), HasSubstr("\n                without the text of functions, as judged: "));

    auto measured = measureStatistics(made.planned(), made.data(), {}, 1, {});
    ASSERT_TRUE(measured);
    const auto file = std::make_shared<StatisticsFile>(std::move(measured->file));
    const auto foresight = foresee(std::make_shared<const Snapshot>(made.planned()), file, nullptr, 1, {});
    ASSERT_TRUE(foresight);
    EXPECT_EQ((*foresight)->forecast->size.before, report.bytesBefore);
    const auto tried = withErrors(*foresight, made.planned(), made.data(), 1, {});
    ASSERT_TRUE(tried) << tried.error().line();
    EXPECT_EQ((*tried)->forecast->size.after, report.bytesAfter);

    const ExportReport flat = made.quantize(kHalfRange, "[]", kFlat);
    EXPECT_EQ(flat.bytesAfter, size());
    EXPECT_EQ(flat.verdict.bytesAfter, size());
    EXPECT_EQ(report.verdict.bytesBefore, flat.verdict.bytesBefore);
    EXPECT_LT(report.verdict.bytesAfter, report.bytesAfter);
    EXPECT_EQ(report.verdict.sentence, flat.verdict.sentence);
}

/// What a function holds is there once in the file, and for each call in the export.
TEST_F(ModelFunctions, ThatHoldWeightsAreComparedWithTheFile)
{
    constexpr std::int64_t kWide = 160;
    ProtoBuilder model;
    model.input("x", {4, kWide}).output("y", {4, kWide});
    auto& block = model.function("Block", {"data"}, {"result"});
    auto& held = *addNode(block, "Constant", "weight", {}, {"w"}).add_attribute();
    held.set_name("value");
    held.set_type(onnx::AttributeProto::TENSOR);
    ProtoBuilder weights;
    weights.weight("w", {kWide, kWide}, normal(kWide * kWide, 3));
    *held.mutable_t() = weights.proto().initializer(0);
    addNode(block, "MatMul", "matmul", {"data", "w"}, {"product"});
    addNode(block, "Softmax", "act", {"product"}, {"result"});
    addImport(block, "", 17);
    addImport(model.model(), "local", 1);
    std::string from = "x";
    for (int i = 0; i < 8; ++i) {
        const std::string to = i == 7 ? "y" : "h" + std::to_string(i);
        model.node("Block", "block" + std::to_string(i), {from}, {to}).set_domain("local");
        from = to;
    }
    QuantizedCase made(model, {4, kWide}, normalSamples(4, 4 * kWide, 5));
    const ExportReport report = made.quantize(kHalfRange);
    EXPECT_GT(report.bytesAfter, report.bytesBefore);
    EXPECT_EQ(report.verdict.bytesBefore, report.bytesBefore);
    EXPECT_EQ(report.verdict.kind, VerdictKind::NoBenefit) << report.verdict.sentence;
}

TEST_F(ModelFunctions, CallsThatAreQuantizedOtherwiseHaveAnotherOneWhichIsSaid)
{
    QuantizedCase made = blocks(3);
    const ExportReport report
        = made.quantize(kHalfRange, R"([{"action": "ignore", "kind": "name", "value": "block1::first::matmul"}])");
    EXPECT_THAT(checkOf(report, "functions").message, HasSubstr("Block_2 (1 call: block1), "));
}

TEST_F(ModelFunctions, RulesGoByTheNamesThatTheFileShows)
{
    QuantizedCase made = blocks(2);
    made.quantize(kHalfRange, R"([{"action": "ignore", "kind": "name", "value": "block1::first::matmul"}])");
    const Snapshot& planned = made.planned();
    ASSERT_EQ(planned.hits->hits.front().nodes.size(), 1U);
    EXPECT_EQ(planned.model->node(planned.hits->hits.front().nodes.front()).name, "block1/first/matmul");
    made.quantize(kHalfRange, R"([{"action": "ignore", "kind": "type", "value": "MatMul"}])");
    EXPECT_EQ(made.planned().hits->hits.front().nodes.size(), 4U);
    EXPECT_EQ(made.planned().hits->hits.front().gone, 0U);
}

TEST_F(ModelFunctions, TreesAreThoseOfTheFile)
{
    const QuantizedCase made = blocks(2);
    const Snapshot& opened = made.opened();
    ASSERT_TRUE(opened.opened);
    const auto paths = [](const Scopes& scopes) {
        std::vector<std::string> list;
        for (const Scope& scope : scopes.execution.scopes)
            list.push_back(scope.path + " [" + scope.className + "]");
        return list;
    };
    EXPECT_EQ(paths(*opened.scopes), paths(*opened.opened->scopes));
    for (std::size_t n = 0; n < opened.model->nodes.size(); ++n) {
        const NodeId before = nodeBefore(*opened.opened->model, opened.model->nodes[n]);
        ASSERT_TRUE(before.valid()) << opened.model->nodes[n].name;
        EXPECT_EQ(opened.scopes->nodes[n].execution, opened.opened->scopes->nodes[before.index].execution);
    }
}

TEST_F(ModelFunctions, AStateMakesTheSameBytesAgain)
{
    QuantizedCase made = blocks(3);
    made.quantize(kHalfRange, "[]", R"("transforms": {})");
    const TemporaryFolder folder;
    const auto bytes = [](const std::filesystem::path& file) { return *readTextFile(file, std::size_t{1} << 24); };
    const auto resumed = resumeFrom(made.opened(), statePathFor(made.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 2, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(bytes(folder / "q.onnx"), bytes(made.exported()));
}

/// A model of opset 17 whose function is of `opset`, and does `opType` behind its product.
ProtoBuilder& withDense(ProtoBuilder& model, std::int64_t opset, const std::string& opType)
{
    model.input("x", {4, kWidth}).output("y", {4, kWidth});
    auto& dense = model.function("Dense", {"w", "data"}, {"result"});
    addNode(dense, "MatMul", "matmul", {"data", "w"}, {"product"});
    addNode(dense, opType, "last", {"product"}, {"result"});
    addImport(dense, "", opset);
    addImport(model.model(), "local", 1);
    model.weight("w", {kWidth, kWidth}, normal(kWidth * kWidth, 3));
    model.node("Dense", "call", {"w", "x"}, {"y"}).set_domain("local");
    return model;
}

TEST_F(ModelFunctions, OfAnotherOpsetAreReadAsTheModels)
{
    ProtoBuilder model;
    QuantizedCase made(withDense(model, 15, "LeakyRelu"), {4, kWidth}, normalSamples(4, 4 * kWidth, 5));
    EXPECT_EQ(made.opened().model->notes.front().text,
        "of functions and the model they are in, what is written for opset 15 of ai.onnx is read as opset 17");
    const ExportReport report = made.quantize(kHalfRange);
    EXPECT_GT(report.quantizers, 0);
    EXPECT_TRUE(std::ranges::any_of(report.notes, [](const Note& note) { return note.kind == "opsets-joined"; }));
    EXPECT_THAT(functionsOf(*made.written()), ElementsAre("local.Dense"));
    EXPECT_GT(sqnrDb(made.floatOutput(0), made.output(0)), 25);
}

TEST_F(ModelFunctions, OfAnOpsetWithoutConversionStayAsTheyAre)
{
    ProtoBuilder model;
    const QuantizedCase made(withDense(model, 12, "Softmax"), {4, kWidth}, normalSamples(2, 4 * kWidth, 5));
    EXPECT_FALSE(made.opened().opened);
    EXPECT_EQ(made.opened().model->notes.front().kind, "calls-stay");
    EXPECT_EQ(made.opened().model->notes.front().text,
        "what is inside functions stays as it is: function 'Dense' is written for opset 12 of ai.onnx, what it comes "
        "together with for 17; Softmax 'last': its form of opset 12 has no conversion to 17");
}

} // namespace
} // namespace duo
