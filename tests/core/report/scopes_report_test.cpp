// SPDX-License-Identifier: Apache-2.0
#include "core/report/scopes_report.h"

#include "tests/core/scope/found_scopes.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

std::string scopesDocument(const FoundScopes& found)
{
    std::string text;
    writeScopesJson(*found.model, found.scopes, [&](std::string_view piece) { text += piece; });
    return text;
}

TEST(ScopesReport, JsonFitsItsSchema)
{
    for (const char* file : {"cases/a_sibling.onnx", "cases/h_lstm.onnx", "cases/n_functions_all.onnx",
             "cases/j_control.onnx", "dynamo/e_aux_eval.onnx", "dynamo/r4_parent_rep.onnx"}) {
        const auto found = FoundScopes::ofFile(file);
        EXPECT_EQ(schemaComplaints(nlohmann::ordered_json::parse(scopesDocument(found)), "scopes"), "") << file;
    }
}

TEST(ScopesReport, TextInPiecesIsThatOfADocument)
{
    for (const char* file :
        {"cases/a_sibling.onnx", "cases/h_lstm.onnx", "dynamo/e_aux_eval.onnx", "dynamo/r4_parent_rep.onnx"}) {
        const auto found = FoundScopes::ofFile(file);
        const std::string text = scopesDocument(found);
        EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(2)) << file;
    }
}

TEST(ScopesReport, JsonSaysWhatIsKnownOfANode)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    const auto json = nlohmann::ordered_json::parse(scopesDocument(found));
    const nlohmann::ordered_json expected = nlohmann::ordered_json::parse(R"({
        "name": "node_linear_1", "op_type": "Gemm", "execution": "dec/@enc.proj#1",
        "long_form": "Sibling/Dec[dec]/Linear[@enc.proj#1]", "storage": ["enc.proj"],
        "keys": ["enc.proj.weight", "enc.proj.bias"], "differs": true, "reasons": ["foreign-call", "shared-module"],
        "provenance": {"execution": "recorded", "storage": "recorded"}})");
    EXPECT_EQ(json["nodes"][2], expected);
    EXPECT_EQ(json["coverage"],
        nlohmann::ordered_json::parse(R"({"keys": 6, "matched_by": {"recorded": 6}, "not_found": 0})"));
}

TEST(ScopesReport, JsonTreesHoldTotals)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    const auto json = nlohmann::ordered_json::parse(scopesDocument(found));
    const auto& encoder = json["storage_tree"]["children"][0];
    EXPECT_EQ(encoder["scope"], "enc");
    EXPECT_EQ(encoder["class"], nullptr);
    EXPECT_EQ(encoder["parameters"], 28);
    EXPECT_EQ(encoder["bytes"], 112);
    EXPECT_EQ(encoder["children"][0]["calls"], 2);
    EXPECT_EQ(json["execution_tree"]["children"][1]["children"][0]["name"], "@enc.proj#1");
}

TEST(ScopesReport, TextShowsTreesDifferencesAndWhatNeverRuns)
{
    const auto sibling = FoundScopes::ofFile("cases/a_sibling.onnx");
    const std::string text = scopesText(*sibling.model, sibling.scopes);
    EXPECT_THAT(text, HasSubstr("!     @enc.proj#1  1 node, 20 parameters (80 B)\n"));
    EXPECT_THAT(text, HasSubstr("x2      proj  2 nodes, 20 parameters (80 B)\n"));
    EXPECT_THAT(text, HasSubstr("Differences: 2 nodes\n"));
    EXPECT_THAT(text,
        HasSubstr("  dec/@enc.proj#1 reads enc.proj: /dec/proj/Gemm\n"
                  "    foreign-call: 'dec' calls 'enc.proj', which it does not contain\n"
                  "    shared-module: 'enc.proj' runs 2 times with the same parameters: as 'enc/proj' and "
                  "'dec/@enc.proj#1'\n"));
    const auto head = FoundScopes::ofFile("dynamo/e_aux_eval.onnx");
    EXPECT_THAT(scopesText(*head.model, head.scopes),
        HasSubstr("\nNever executed: aux\n\nKeys: 13, 8 found by recorded, 5 read by no node\n"));
}

} // namespace
} // namespace duo::test
