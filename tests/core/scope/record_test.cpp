// SPDX-License-Identifier: Apache-2.0
// What an export keeps of the scopes: whoever opens it next finds the same ones.
#include "core/scope/make_record.h"
#include "tests/core/scope/found_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace duo::test {
namespace {

using testing::HasSubstr;

FoundScopes withRecord(const FoundScopes& found, const std::string& text)
{
    auto model = std::make_shared<Model>(*found.model);
    model->metadata.emplace_back(kScopeRecordKey, text);
    return FoundScopes(std::move(model));
}

std::string recordOf(const FoundScopes& found)
{
    return scopeRecordText(scopeRecord(*found.model, found.scopes));
}

/// The model with the record of its scopes in it.
FoundScopes reopened(const FoundScopes& found)
{
    return withRecord(found, recordOf(found));
}

void expectSame(const FoundScopes& a, const FoundScopes& b, const std::string& file)
{
    for (std::size_t n = 0; n < a.model->nodes.size(); ++n) {
        const std::string& name = a.model->nodes[n].name;
        EXPECT_EQ(b.at(name), a.at(name)) << file << " " << name;
        EXPECT_EQ(b.node(name).keys, a.node(name).keys) << file << " " << name;
        EXPECT_EQ(b.node(name).longForm, a.node(name).longForm) << file << " " << name;
        const bool wasInferred = a.node(name).executionFrom > Provenance::Content;
        EXPECT_EQ(b.node(name).executionFrom, wasInferred ? a.node(name).executionFrom : Provenance::Recorded)
            << file << " " << name;
    }
    EXPECT_EQ(b.paths(b.scopes.execution), a.paths(a.scopes.execution)) << file;
    EXPECT_EQ(b.paths(b.scopes.storage), a.paths(a.scopes.storage)) << file;
    EXPECT_EQ(b.scopes.neverExecuted, a.scopes.neverExecuted) << file;
    for (std::size_t s = 0; s < a.scopes.storage.scopes.size(); ++s) {
        EXPECT_EQ(b.scopes.storage.scopes[s].totalBytes, a.scopes.storage.scopes[s].totalBytes) << file;
        EXPECT_EQ(b.scopes.storage.scopes[s].keys, a.scopes.storage.scopes[s].keys) << file;
    }
}

std::vector<std::string> modelFiles(const std::string& folder)
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(DUO_TEST_DATA) + "/" + folder)) {
        if (entry.path().extension() == ".onnx")
            files.push_back(folder + "/" + entry.path().filename().string());
    }
    return files;
}

TEST(ScopeRecord, EveryCaseIsFoundAgain)
{
    int cases = 0;
    for (const char* folder : {"cases", "dynamo"}) {
        for (const std::string& file : modelFiles(folder)) {
            const auto found = FoundScopes::ofFile(file);
            expectSame(found, reopened(found), file);
            ++cases;
        }
    }
    EXPECT_GT(cases, 50);
}

TEST(ScopeRecord, OwnersThatWereGuessedAreFoundAgain)
{
    const auto found = FoundScopes::ofFile("exports/functions.onnxscript.onnx");
    expectSame(found, reopened(found), "functions.onnxscript");
}

TEST(ScopeRecord, OfARecordIsTheSameRecord)
{
    for (const char* file : {"cases/a_sibling.onnx", "cases/n_functions_all.onnx", "dynamo/b3_shared_parents.onnx",
             "dynamo/e_aux_eval.onnx", "cases/k_buffers.onnx"}) {
        const auto again = reopened(FoundScopes::ofFile(file));
        EXPECT_EQ(recordOf(again), recordOf(reopened(again))) << file;
    }
}

TEST(ScopeRecord, IsOneLineWithoutRepeats)
{
    EXPECT_EQ(recordOf(FoundScopes::ofFile("dynamo/a2_handed.onnx")),
        R"({"version":1,"flags":3,"root":1,"classes":["export_cases.Handed","torch.nn.modules.linear.Linear",)"
        R"("export_cases.Applier"],"paths":[[0,"fc",2],[0,"apply_",3]],"same":[],"never":[],"modules":[],)"
        R"("keys":[[1,"weight",8],[1,"bias",8]],"order":[],"calls":[[0,2],[1,1]],)"
        R"("nodes":[[2,8,"node_linear"],[1,8,"node_tanh"]],"reads":[[0,8,0],[0,8,1]],"merged":[]})");
}

TEST(ScopeRecord, AGuessStaysAGuess)
{
    const auto found = FoundScopes::ofSample("digits_conv.onnx");
    const auto again = reopened(found);
    EXPECT_EQ(again.provenance("/encoder/refine/second/Conv"), "recorded/guess");
    EXPECT_EQ(again.provenance("Identity_0"), "dataflow/guess");
}

TEST(ScopeRecord, TextThatIsNoRecordIsNotUsed)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    for (const char* text :
        {"", "nonsense", "[]", "{}", R"({"version":2})", R"({"version":1})",
            R"({"version":1,"flags":1,"root":0,"classes":[],"paths":{"a":1},"same":[],"never":[],"modules":[],"keys":[],"order":[],"calls":[],
                 "nodes":[[0,0,"/dec/proj/Gemm"]],"reads":[],"merged":[]})",
            R"({"version":1,"flags":1,"root":0,"classes":[],"paths":[[7,"a"]],"same":[],"never":[],"modules":[],"keys":[],"order":[],
                 "calls":[],"nodes":[[0,0,"/dec/proj/Gemm"]],"reads":[],"merged":[]})",
            R"({"version":1,"flags":1,"root":0,"classes":[],"paths":[[0,"a"],[0,"a"]],"same":[],"never":[],"modules":[],"keys":[],"order":[],
                 "calls":[],"nodes":[[0,0,"/dec/proj/Gemm"]],"reads":[],"merged":[]})",
            R"({"version":1,"flags":1,"root":0,"classes":[],"paths":[],"same":[],"never":[],"modules":[],"keys":[],"order":[],
                 "calls":[[0,0],[2,0]],"nodes":[[0,0,"/dec/proj/Gemm"]],"reads":[],"merged":[]})",
            R"({"version":1,"flags":1,"root":0,"classes":[],"paths":[],"same":[],"never":[],"modules":[],"keys":[],"order":[],"calls":[],
                 "nodes":[[0,0,"not in the model"]],"reads":[],"merged":[]})"})
        EXPECT_EQ(withRecord(found, text).provenance("/dec/proj/Gemm"), "name/name") << text;
}

TEST(ScopeRecord, DamagedTextIsSafeToOpen)
{
    const auto found = FoundScopes::ofFile("dynamo/b3_shared_parents.onnx");
    const std::string text = recordOf(found);
    for (std::size_t i = 0; i < text.size(); i += 5) {
        for (const char c : {'0', '7', '-', ',', ']', '"'}) {
            std::string damaged = text;
            damaged[i] = c;
            EXPECT_EQ(withRecord(found, damaged).scopes.nodes.size(), found.scopes.nodes.size());
        }
    }
}

TEST(ScopeRecord, KeepsTheSignaturesOfCalls)
{
    const auto found = FoundScopes::ofFile("dynamo/a2_handed.onnx");
    ScopeRecord record = scopeRecord(*found.model, found.scopes);
    SignatureValue mask{.formal = "mask", .value = "m", .isInput = true};
    mask.type.element = ElementType::Bool;
    mask.type.shape.emplace(2);
    record.signatures = {{"apply_", {{.value = "x", .module = "fc", .isRead = false}, mask},
        {{.value = "y", .module = "apply_"}}, true}};
    const std::string text = scopeRecordText(record);
    EXPECT_THAT(text,
        HasSubstr(R"("signatures":[["apply_",[["x","fc",2,0,-1],["m","",1,9,2,"mask"]],[["y","apply_",0,0,-1]],1]])"));
    EXPECT_EQ(recordOf(withRecord(found, text)), text) << "and hands them on";
    const auto without = parseScopeRecord(recordOf(found));
    ASSERT_TRUE(without);
    EXPECT_THAT(without->signatures, testing::IsEmpty());
}

TEST(ScopeRecord, CallsOfWhichTheExportLeftNothingStay)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    const std::vector<NodeId> removed{found.model->findNode("/dec/own/Gemm")};
    const auto again = withRecord(found, scopeRecordText(scopeRecord(*found.model, found.scopes, removed)));
    EXPECT_TRUE(again.scopes.execution.find("dec/own").valid());
    EXPECT_EQ(again.provenance("/dec/own/Gemm").substr(0, 8), "guess/re");
}

TEST(ScopeRecord, CallsWhoseNodesAreGoneAreLeftOut)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    std::string text = recordOf(found);
    text.replace(text.find("/dec/proj/Gemm"), 14, "/dec/gone/Gemm");
    const auto again = withRecord(found, text);
    EXPECT_FALSE(again.scopes.execution.find("dec/@enc.proj#1").valid());
    EXPECT_EQ(again.provenance("/dec/proj/Gemm").substr(0, 8), "guess/re");
}

TEST(ExporterMetadata, SaysOfEachNodeWhichModulesRunAroundIt)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    const auto all = exporterMetadata(*found.model, found.scopes);
    ASSERT_EQ(all.size(), found.model->nodes.size());
    for (const auto& [node, entries] : all) {
        if (found.model->node(node).name != "/dec/proj/Gemm")
            continue;
        ASSERT_EQ(entries.size(), 1U); // no class is known
        EXPECT_EQ(entries[0].first, "pkg.torch.onnx.name_scopes");
        EXPECT_EQ(entries[0].second, "['', 'dec', 'enc.proj', '/dec/proj/Gemm']");
    }
}

TEST(ExporterMetadata, LeavesWhatTheExporterRecorded)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    EXPECT_TRUE(exporterMetadata(*found.model, found.scopes).empty());
}

} // namespace
} // namespace duo::test
