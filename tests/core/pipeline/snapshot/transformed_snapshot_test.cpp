// SPDX-License-Identifier: Apache-2.0
// A recipe whose transforms simplify the model before anything is placed.
#include "core/onnx/writer.h"
#include "core/pipeline/export.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/rule_findings.h"
#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/pipeline/snapshot/transform_model.h"
#include "core/report/match_report.h"
#include "core/state/state_file.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/support/file_bytes.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;

/// x -> /pass/Identity -> /stem/conv/Conv -> /stem/bn/BatchNormalization -> /act/Relu -> /last/Conv -> y
ProtoBuilder& addNetwork(ProtoBuilder& model)
{
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
    model.weight("stem.conv.weight", {4, 4, 1, 1}, test::normal(16, 1));
    model.weight("last.weight", {4, 4, 1, 1}, test::normal(16, 2));
    model.weight("stem.bn.weight", {4}, {1.5F, 0.5F, 1, 2}).weight("stem.bn.bias", {4}, {0.5F, 0, 1, -1});
    model.weight("stem.bn.running_mean", {4}, {0.1F, 0, 0.2F, 0}).weight("stem.bn.running_var", {4}, {1, 2, 0.5F, 1});
    model.node("Identity", "/pass/Identity", {"x"}, {"a"});
    model.node("Conv", "/stem/conv/Conv", {"a", "stem.conv.weight"}, {"b"});
    model.node("BatchNormalization", "/stem/bn/BatchNormalization",
        {"b", "stem.bn.weight", "stem.bn.bias", "stem.bn.running_mean", "stem.bn.running_var"}, {"c"});
    model.node("Relu", "/act/Relu", {"c"}, {"d"});
    model.node("Conv", "/last/Conv", {"d", "last.weight"}, {"y"});
    return model;
}

class TransformedSnapshot : public testing::Test
{
protected:
    TransformedSnapshot()
        : m_case(addNetwork(m_proto), {1, 4, 8, 8}, test::normalSamples(8, std::size_t{4} * 64, 100))
    {
    }

    /// Under one ignore rule.
    [[nodiscard]] Snapshot ignoring(RuleKind kind, const std::string& value) const
    {
        Recipe recipe;
        recipe.transforms = TransformOptions();
        Rule& rule = recipe.rules.rules.emplace_back();
        rule.kind = kind;
        rule.value = value;
        auto snapshot = withRecipe(m_case.opened(), recipe);
        EXPECT_TRUE(snapshot) << snapshot.error().line();
        return *std::move(snapshot);
    }

    static std::vector<std::string> caught(const Snapshot& snapshot)
    {
        std::vector<std::string> names;
        for (const NodeId node : snapshot.hits->hits.front().nodes)
            names.push_back(snapshot.model->node(node).name);
        return names;
    }

    ProtoBuilder m_proto;
    QuantizedCase m_case;
};

TEST_F(TransformedSnapshot, HasWhatIsLeftInTheScopesItHad)
{
    Recipe recipe;
    recipe.transforms = TransformOptions();
    const auto snapshot = withRecipe(m_case.opened(), recipe);
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    ASSERT_EQ(snapshot->model->nodes.size(), 3U);
    for (std::size_t n = 0; n < 3; ++n) {
        const NodeId before = m_case.opened().model->findNode(snapshot->model->nodes[n].name);
        ASSERT_TRUE(before.valid());
        EXPECT_EQ(snapshot->scopes->nodes[n].execution, m_case.opened().scopes->nodes[before.index].execution);
        const bool isWhole
            = snapshot->model->nodes[n].name == "/stem/conv/Conv"; // with the norm's parameters in its own
        const auto& storage = m_case.opened().scopes->nodes[before.index].storage;
        EXPECT_EQ(
            snapshot->scopes->nodes[n].storage, isWhole ? (std::vector<std::string>{"stem.conv", "stem.bn"}) : storage);
        EXPECT_EQ(std::ranges::count(snapshot->scopes->nodes[n].reasons, Reason::FoldedProducers), isWhole ? 1 : 0);
        EXPECT_EQ(snapshot->scopes->nodes[n].differs, isWhole);
        EXPECT_EQ(snapshot->scopes->nodes[n].executionFrom, m_case.opened().scopes->nodes[before.index].executionFrom);
        EXPECT_EQ(snapshot->scopes->nodes[n].storageFrom, m_case.opened().scopes->nodes[before.index].storageFrom);
    }
    EXPECT_THAT(snapshot->placement->notes,
        Contains(Field(&Note::text, "the model was simplified before anything was placed: 5 nodes became 3")));
}

TEST_F(TransformedSnapshot, ComesBackAsItWasOpened)
{
    Recipe recipe;
    recipe.transforms = TransformOptions();
    const auto there = withRecipe(m_case.opened(), recipe);
    ASSERT_TRUE(there) << there.error().line();
    const auto back = withRecipe(*there, {});
    ASSERT_TRUE(back) << back.error().line();
    EXPECT_EQ(back->model, m_case.opened().model);
    EXPECT_EQ(back->scopes, m_case.opened().scopes);
    EXPECT_EQ(back->placement->setup, m_case.opened().placement->setup);
}

TEST_F(TransformedSnapshot, RulesCatchWhatANodeBecameAPartOf)
{
    for (const auto& [kind, value] :
        {std::pair{RuleKind::Name, "/stem/bn/BatchNormalization"}, std::pair{RuleKind::ExecutionScope, "stem/bn"},
            std::pair{RuleKind::StorageScope, "stem.bn"}, std::pair{RuleKind::Pattern, "/stem/bn/.*"}}) {
        const Snapshot snapshot = ignoring(kind, value);
        EXPECT_THAT(caught(snapshot), ElementsAre("/stem/conv/Conv")) << value;
        EXPECT_EQ(snapshot.hits->hits.front().problem, "") << value;
    }
}

std::vector<std::string> pathsOf(const ScopeTree& tree)
{
    std::vector<std::string> paths;
    for (const Scope& scope : tree.scopes)
        paths.push_back(scope.path);
    return paths;
}

/// What a rule of this kind catches in a file that was opened, by the names of the nodes.
std::vector<std::string> caughtIn(const Snapshot& opened, RuleKind kind, const std::string& value)
{
    RuleSet rules;
    Rule& rule = rules.rules.emplace_back();
    rule.kind = kind;
    rule.value = value;
    std::vector<std::string> names;
    const RuleHits hits = matchRules(*opened.model, *opened.scopes, rules);
    for (const NodeId node : hits.hits.front().nodes)
        names.push_back(opened.model->node(node).name);
    return names;
}

/// The file of a model that was only simplified.
TEST_F(TransformedSnapshot, AFileThatIsOpenedAgainHasTheSameTreesAndScopesOfParts)
{
    Recipe recipe;
    recipe.transforms = TransformOptions();
    const auto shown = withRecipe(m_case.opened(), recipe);
    ASSERT_TRUE(shown) << shown.error().line();
    const Snapshot& before = m_case.opened();
    const auto made = transformModel(before.model);
    ASSERT_TRUE(made) << made.error().line();
    const auto told = withScopesTold(*before.model, *before.scopes, made->model);
    ASSERT_TRUE(told) << told.error().line();
    const test::TemporaryFolder folder;
    ASSERT_TRUE(writeModel(**told, {}, folder / "simple.onnx"));
    const auto again = openScopes(folder / "simple.onnx");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(pathsOf(again->scopes->execution), pathsOf(shown->scopes->execution));
    EXPECT_EQ(pathsOf(again->scopes->storage), pathsOf(shown->scopes->storage));
    for (std::size_t n = 0; n < shown->model->nodes.size(); ++n) {
        const NodeId node = again->model->findNode(shown->model->nodes[n].name);
        ASSERT_TRUE(node.valid());
        EXPECT_EQ(again->scopes->nodes[node.index].execution, shown->scopes->nodes[n].execution);
        EXPECT_EQ(again->scopes->nodes[node.index].storage, shown->scopes->nodes[n].storage);
        EXPECT_EQ(again->scopes->nodes[node.index].reasons, shown->scopes->nodes[n].reasons);
    }
    for (const auto& [kind, value] : {std::pair{RuleKind::ExecutionScope, "stem/bn"},
             std::pair{RuleKind::StorageScope, "stem.bn"}, std::pair{RuleKind::Name, "/stem/bn/BatchNormalization"}})
        EXPECT_THAT(caughtIn(*again, kind, value), ElementsAre("/stem/conv/Conv")) << value;
    EXPECT_THAT(caughtIn(*again, RuleKind::ExecutionScope, "pass"), IsEmpty()) << "nothing is left of it";
    const auto twice = transformModel(again->model);
    ASSERT_TRUE(twice) << twice.error().line();
    EXPECT_EQ(twice->model, again->model);
}

TEST_F(TransformedSnapshot, AnExportKnowsTheScopesOfPartsToo)
{
    m_case.quantize("", "[]", R"("transforms": {})");
    const auto again = openScopes(m_case.exported());
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_THAT(caughtIn(*again, RuleKind::ExecutionScope, "stem/bn"), ElementsAre("/stem/conv/Conv"));
    EXPECT_FALSE(again->scopes->execution.find("stem/bn").valid()) << "nothing runs there";
}

TEST_F(TransformedSnapshot, RulesOnAnOperatorMeanNoProductItBecameAPartOf)
{
    const Snapshot snapshot = ignoring(RuleKind::Type, "BatchNormalization");
    EXPECT_THAT(caught(snapshot), IsEmpty());
    EXPECT_THAT(rulesWithoutNodes(snapshot), IsEmpty());
    EXPECT_EQ(ruleFinding({*snapshot.model, snapshot.recipe.rules, *snapshot.hits, *snapshot.effects,
                              snapshot.placement.get(), snapshot.unruled.get()},
                  0),
        "names 1 node that went when the model was simplified");
}

TEST_F(TransformedSnapshot, RulesOnNodesThatWentAreNoMistake)
{
    const Snapshot snapshot = ignoring(RuleKind::Name, "/pass/Identity");
    EXPECT_EQ(snapshot.hits->hits.front().gone, 1U);
    EXPECT_TRUE(mayWorkUnderRules(snapshot));
    EXPECT_EQ(snapshot.effects->front().verdict, RuleVerdict::NoEffect);
    EXPECT_THAT(rulesWithoutNodes(ignoring(RuleKind::Name, "nobody")), ElementsAre(0U));
}

TEST_F(TransformedSnapshot, ResumesToTheSameBytes)
{
    const char* rules = R"([{"action": "ignore", "kind": "execution-scope", "value": "stem/bn"}])";
    for (const char* settings :
        {"", R"("advanced_parameters": {"smooth_quant_alphas": {"convolution": 0.5}})", R"("profile": "tensorrt")"}) {
        m_case.quantize(settings, rules, R"("transforms": {})");
        EXPECT_FALSE(m_case.written()->findNode("/stem/bn/BatchNormalization").valid());
        const auto resumed = resumeFrom(m_case.opened(), statePathFor(m_case.exported()), true, {});
        ASSERT_TRUE(resumed) << resumed.error().line();
        const test::TemporaryFolder folder;
        const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 1, {});
        ASSERT_TRUE(again) << again.error().line();
        EXPECT_TRUE(test::bytesOf(folder / "q.onnx") == test::bytesOf(m_case.exported())) << settings;
        EXPECT_TRUE(test::bytesOf(statePathFor(folder / "q.onnx")) == test::bytesOf(statePathFor(m_case.exported())))
            << settings;
    }
}

/// The opset that was asked for, and the pass that was switched on, are in the state.
TEST_F(TransformedSnapshot, ResumesInTheOpsetThatWasAskedFor)
{
    m_case.quantize("", "[]", R"("transforms": {"least_opset": 21, "enable": ["split-norms"]})");
    EXPECT_EQ(m_case.written()->opset(), 21);
    EXPECT_THAT(test::bytesOf(statePathFor(m_case.exported())),
        testing::AllOf(HasSubstr("\"least_opset\":21"), HasSubstr("\"enable\":[\"split-norms\"]")));
    const auto resumed = resumeFrom(m_case.opened(), statePathFor(m_case.exported()), true, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    const test::TemporaryFolder folder;
    const auto again = exportModel(resumed->snapshot, resumed->compression, nullptr, folder / "q.onnx", 1, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_TRUE(test::bytesOf(folder / "q.onnx") == test::bytesOf(m_case.exported()));
}

/// x -> /fc/Gemm -> y, in two nodes.
TEST(SplitSnapshot, RulesCatchAllThatANodeWasWrittenAs)
{
    ProtoBuilder proto;
    proto.input("x", {2, 4}).output("y", {2, 4}).weight("fc.weight", {4, 4}, test::normal(16, 1));
    proto.weight("fc.bias", {4}, {1, 2, 3, 4}).node("Gemm", "/fc/Gemm", {"x", "fc.weight", "fc.bias"}, {"y"});
    const test::TemporaryFolder folder;
    const auto opened = openSnapshot(folder.write("m.onnx", proto.text()));
    ASSERT_TRUE(opened) << opened.error().line();
    for (const auto& [kind, value] : {std::pair{RuleKind::Name, "/fc/Gemm"}, std::pair{RuleKind::Type, "Gemm"},
             std::pair{RuleKind::StorageScope, "fc"}}) {
        Recipe recipe;
        recipe.transforms = TransformOptions{.enabled = {"split-gemm"}};
        Rule& rule = recipe.rules.rules.emplace_back();
        rule.kind = kind;
        rule.value = value;
        const auto snapshot = withRecipe(*opened, recipe);
        ASSERT_TRUE(snapshot) << snapshot.error().line();
        ASSERT_EQ(snapshot->model->nodes.size(), 2U);
        EXPECT_EQ(snapshot->hits->hits.front().nodes.size(), 2U) << value;
        EXPECT_EQ(snapshot->hits->hits.front().problem, "") << value;
        for (const NodeScope& scope : snapshot->scopes->nodes) {
            EXPECT_EQ(scope.execution, "fc");
            EXPECT_EQ(scope.storage, std::vector<std::string>{"fc"});
            EXPECT_EQ(scope.executionFrom, Provenance::Name) << "as of the one that both were";
        }
    }
}

TEST_F(TransformedSnapshot, IsAsGoodAsTheModelItself)
{
    m_case.quantize("", "[]", R"("transforms": false)");
    const double plain = test::sqnrDb(m_case.floatOutput(0), m_case.output(0));
    m_case.quantize("", "[]", R"("transforms": {})");
    EXPECT_NEAR(test::sqnrDb(m_case.floatOutput(0), m_case.output(0)), plain, 1);
}

TEST_F(TransformedSnapshot, AStateOfAnotherVersionOfAPassSaysSo)
{
    m_case.quantize("", "[]", R"("transforms": {})");
    std::string text = test::bytesOf(statePathFor(m_case.exported()));
    const std::string now = "\"id\":\"identity\",\"version\":1";
    ASSERT_THAT(text, HasSubstr(now));
    text.replace(text.find(now), now.size(), "\"id\":\"identity\",\"version\":2");
    const test::TemporaryFolder folder;
    const auto resumed = resumeFrom(m_case.opened(), folder.write("old.state.json", text), false, {});
    ASSERT_TRUE(resumed) << resumed.error().line();
    EXPECT_FALSE(resumed->identicalSetup);
    EXPECT_THAT(resumed->notes,
        ElementsAre("pass identity simplifies the model otherwise than for the state: then version 2 on 1 node, now "
                    "version 1 on 1 node"));
}

TEST_F(TransformedSnapshot, KeepsWhatItsRecipeKeeps)
{
    m_case.quantize("", "[]",
        R"("transforms": {"disable": ["identity"],
            "keep": [{"action": "ignore", "kind": "execution-scope", "value": "stem"}]})");
    EXPECT_EQ(m_case.planned().model->nodes.size(), 5U);
    EXPECT_FALSE(m_case.planned().opened);
}

TEST(TransformOptionsText, NamesWhatIsWrong)
{
    const auto problem = [](const std::string& transforms) {
        const auto recipe
            = parseRecipe(R"({"format": "duoscope-recipe", "version": 1, "transforms": )" + transforms + "}", "r.json");
        return recipe ? std::string() : recipe.error().line();
    };
    EXPECT_THAT(problem(R"({"disable": ["nothing"]})"), HasSubstr("transforms.disable: write one that duoscope-cli"));
    EXPECT_THAT(problem(R"({"fast": true})"), HasSubstr("transforms.fast: write static_shapes, low_precision, target"));
    EXPECT_THAT(problem("true"), StartsWith("not an object: r.json"));
    EXPECT_THAT(problem(R"({"keep": {}})"), HasSubstr("transforms.keep: write a list of rules"));
    EXPECT_THAT(problem(R"({"keep": [{"action": "target", "kind": "type", "value": "Conv"}]})"),
        HasSubstr("transforms.keep[0].action: write ignore"));
    EXPECT_THAT(problem(R"({"target": "abacus"})"), StartsWith("no passes are known for 'abacus': r.json"));
    EXPECT_EQ(
        problem(R"({"static_shapes": true, "low_precision": false, "target": "ort-cpu", "disable": [], "keep": []})"),
        "");
}

} // namespace
} // namespace duo
