// SPDX-License-Identifier: Apache-2.0
#include "core/report/explain_report.h"

#include "tests/core/scope/found_scopes.h"
#include "tests/support/placing.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

Json explained(const FoundScopes& found, const std::string& name)
{
    const auto asked = findAsked(*found.model, found.scopes, name);
    return asked ? explainJson({*found.model, found.scopes}, *asked) : Json(asked.error().line());
}

TEST(ExplainReport, EveryNodeAndScopeFitsTheSchema)
{
    for (const char* file : {"cases/a_sibling.onnx", "cases/h_lstm.onnx", "cases/n_functions_all.onnx",
             "cases/k_buffers.onnx", "dynamo/b2_shared_alias.onnx", "dynamo/e_aux_eval.onnx"}) {
        const auto found = FoundScopes::ofFile(file);
        for (const Node& node : found.model->nodes)
            EXPECT_EQ(schemaComplaints(explained(found, node.name), "explain"), "") << file << " " << node.name;
        for (const ScopeTree* tree : {&found.scopes.execution, &found.scopes.storage}) {
            for (const Scope& scope : tree->scopes)
                EXPECT_EQ(schemaComplaints(explained(found, scope.path), "explain"), "") << file << " " << scope.path;
        }
    }
}

TEST(ExplainReport, ANodeHasItsParametersAndItsReasonsWithEvidence)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    const Json node = explained(found, "node_linear_1")["node"];
    EXPECT_EQ(node["parameters"][0], Json::parse(R"({"key": "enc.proj.weight", "module": "enc.proj", "aliases": [],
        "tensor": "enc.proj.weight", "type": "float32[4,4]", "provenance": "recorded"})"));
    EXPECT_EQ(node["reasons"][0], Json::parse(R"({"reason": "foreign-call",
        "sentence": "'dec' calls 'enc.proj', which it does not contain", "provenance": "recorded", "nodes": [],
        "tensors": [], "keys": [], "modules": ["enc.proj"], "calls": ["dec/@enc.proj#1"],
        "recorded": {"pkg.torch.onnx.name_scopes": "['', 'dec', 'enc.proj', 'linear_1']"}, "findings": []})"));
    EXPECT_EQ(node["decision"], nullptr);
}

TEST(ExplainReport, AGuessSaysWhatWouldDecideIt)
{
    const auto found = FoundScopes::ofFile("dynamo/r_repeat_nested.onnx");
    EXPECT_EQ(explained(found, "node_linear_2")["node"]["doubt"],
        "how often 'blk' runs is a guess: a loop inside one call would look the same as several calls; the program "
        "itself (.pt2), or an export that keeps stack traces, would tell");
    const auto sure = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    EXPECT_FALSE(explained(sure, "node_linear_1")["node"].contains("doubt"));
}

TEST(ExplainReport, AStorageScopeNamesWhereItRunsAndItsKeys)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    const Json scope = explained(found, "enc.proj")["storage_scope"];
    EXPECT_EQ(scope["calls"], 2);
    EXPECT_EQ(scope["counterparts"], Json::parse(R"(["enc/proj", "dec/@enc.proj#1"])"));
    EXPECT_EQ(scope["keys"][1],
        Json::parse(R"({"key": "enc.proj.bias", "aliases": [], "tensor": "enc.proj.bias", "found_by": "recorded"})"));
    EXPECT_EQ(scope["node_names"], Json::parse(R"(["node_linear", "node_linear_1"])"));
    EXPECT_EQ(scope["differences"].size(), 2U);
}

TEST(ExplainReport, PathsOfOneModuleNameEachOther)
{
    const auto found = FoundScopes::ofFile("dynamo/b2_shared_alias.onnx");
    EXPECT_EQ(explained(found, "alias")["storage_scope"]["other_paths"], Json::parse(R"(["fc"])"));
    EXPECT_EQ(explained(found, "alias")["storage_scope"]["module"], "fc");
    EXPECT_EQ(explained(found, "fc")["storage_scope"]["other_paths"], Json::parse(R"(["alias"])"));
}

TEST(ExplainReport, AScopeSaysWhatNeverRunsInIt)
{
    const auto found = FoundScopes::ofFile("dynamo/e_aux_eval.onnx");
    EXPECT_EQ(explained(found, "")["storage_scope"]["never_executed"], Json::parse(R"(["aux"])"));
    EXPECT_EQ(explained(found, "aux")["storage_scope"]["never_executed"], Json::parse(R"(["aux"])"));
    EXPECT_EQ(explained(found, "body")["storage_scope"]["never_executed"], Json::array());
}

TEST(ExplainReport, DecisionsComeWithTheirRule)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    Rule rule;
    rule.kind = RuleKind::ExecutionScope;
    rule.value = "dec";
    const RuleHits hits = matchRules(*found.model, found.scopes, {{rule}});
    const auto placement = test::placeOnce(*found.model, hits, {});
    ASSERT_TRUE(placement);
    const Known known{*found.model, found.scopes, {}, &*placement, &hits};
    const auto node = findAsked(*found.model, found.scopes, "/dec/proj/Gemm");
    EXPECT_EQ(explainJson(known, *node)["node"]["decision"]["rule"], "ignore execution-scope dec");
    EXPECT_THAT(explainText(known, *node),
        HasSubstr("  is        ignored-inherited: rule 'ignore execution-scope dec' holds its scope\n"));
    const auto scope = findAsked(*found.model, found.scopes, "dec");
    EXPECT_EQ(explainJson(known, *scope)["execution_scope"]["decisions"][0]["state"], "ignored-inherited");
    EXPECT_EQ(schemaComplaints(explainJson(known, *scope), "explain"), "");
}

TEST(ExplainReport, WhatWouldQuantizeANodeIsTold)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    Rule rule;
    rule.kind = RuleKind::ExecutionScope;
    rule.value = "dec";
    const RuleHits hits = matchRules(*found.model, found.scopes, {{rule}});
    const auto base = preparePlacement(*found.model, {});
    ASSERT_TRUE(base);
    const auto placement = placeQuantizers(*found.model, **base, hits);
    const auto unruled = placeQuantizers(*found.model, **base, matchRules(*found.model, found.scopes, {}));
    ASSERT_TRUE(placement && unruled);
    const Known known{*found.model, found.scopes, {}, &*placement, &hits, base->get(), &*unruled};
    const auto node = findAsked(*found.model, found.scopes, "/dec/proj/Gemm");
    EXPECT_EQ(explainJson(known, *node)["node"]["decision"]["counterfactual"],
        "it would be quantized without rule 1 'ignore execution-scope dec'");
    EXPECT_THAT(explainText(known, *node),
        HasSubstr("\n            it would be quantized without rule 1 'ignore execution-scope dec'\n"));
    const auto scope = findAsked(*found.model, found.scopes, "dec");
    EXPECT_THAT(explainText(known, *scope),
        HasSubstr("\n      it would be quantized without rule 1 'ignore execution-scope dec'\n"));
    EXPECT_EQ(schemaComplaints(explainJson(known, *scope), "explain"), "");
}

TEST(ExplainReport, ANameThatDoesNotExistIsAnsweredWithTheNearest)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    EXPECT_EQ(explained(found, "/dec/proj/Gem"),
        "no such node or scope: /dec/proj/Gem: nearest: '/dec/proj/Gemm' and '/enc/proj/Gemm'");
    EXPECT_EQ(explained(found, "enc.nothing.at.all"), "no such node or scope: enc.nothing.at.all: nearest: 'enc'");
    EXPECT_EQ(explained(found, "qqqqq"), "no such node or scope: qqqqq: see duoscope-cli scopes for all of them");
}

} // namespace
} // namespace duo::test
