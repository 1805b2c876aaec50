// SPDX-License-Identifier: Apache-2.0
// One model in three files: saved by torch.export.save, and exported to ONNX by both exporters. The trees agree
// wherever the formats carry the fact.
#include "tests/core/formats/pt2/program_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace duo::test {
namespace {

/// "runs in <- owners of what it reads" of every node that reads a parameter and whose scope is known that well.
std::set<std::string> readsOf(const FoundScopes& found, Provenance worst = Provenance::Guess)
{
    std::set<std::string> reads;
    for (const NodeScope& node : found.scopes.nodes) {
        if (node.storage.empty() || node.executionFrom > worst)
            continue;
        std::string text = node.execution + " <-";
        for (const std::string& owner : node.storage)
            text += " " + owner;
        reads.insert(text);
    }
    return reads;
}

/// Calls of every module that owns a parameter which something reads.
std::set<std::string> callsOfReadModules(const FoundScopes& found)
{
    std::set<std::string> calls;
    for (const NodeScope& node : found.scopes.nodes) {
        for (const ScopeId owner : node.storageScopes) {
            const Scope& scope = found.scopes.storage.scope(owner);
            calls.insert(scope.path + "=" + std::to_string(scope.calls));
        }
    }
    return calls;
}

struct ThreeFiles {
    FoundScopes program;
    FoundScopes dynamo;
    FoundScopes script;
    static ThreeFiles of(const std::string& name)
    {
        return {scopesOfProgram("archive/" + name), FoundScopes::ofFile("dynamo/" + name + ".onnx"),
            FoundScopes::ofFile("cases/" + name + ".onnx")};
    }
};

class SameTrees : public testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Cases, SameTrees,
    testing::Values("a_sibling", "a2_handed", "b_shared_twice", "d_functional", "f_seq_whole", "f2_seq_items",
        "g_modulelist", "h_lstm", "i2_bertlike", "r2_clash", "r3_two_containers", "r_repeat_nested"),
    [](const auto& name) { return std::string(name.param); });

TEST_P(SameTrees, EveryReadIsTheSameInAllThree)
{
    const auto files = ThreeFiles::of(GetParam());
    EXPECT_EQ(readsOf(files.program), readsOf(files.dynamo));
    EXPECT_EQ(readsOf(files.program), readsOf(files.script));
}

TEST_P(SameTrees, EveryModuleRunsAsOftenInAllThree)
{
    const auto files = ThreeFiles::of(GetParam());
    EXPECT_EQ(callsOfReadModules(files.program), callsOfReadModules(files.dynamo));
    EXPECT_EQ(callsOfReadModules(files.program), callsOfReadModules(files.script));
}

TEST_P(SameTrees, TheFlatLayoutSaysTheSame)
{
    EXPECT_EQ(readsOf(scopesOfProgram(std::string("archive/") + GetParam())),
        readsOf(scopesOfProgram(std::string("flat/") + GetParam())));
}

/// What only some of the formats carry.
class SameAsDynamo : public testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Cases, SameAsDynamo,
    testing::Values("b2_shared_alias", "c_tied", "c2_equal_not_tied", "h3_lstmcell_loop", "r4_parent_rep"),
    [](const auto& name) { return std::string(name.param); });

TEST_P(SameAsDynamo, AliasesTiesAndEqualValues)
{
    const auto program = scopesOfProgram(std::string("archive/") + GetParam());
    const auto dynamo = FoundScopes::ofFile("dynamo/" + std::string(GetParam()) + ".onnx");
    EXPECT_EQ(readsOf(program), readsOf(dynamo));
}

TEST(OnlyThePrograms, KeepWhatTheExportersFoldMergeOrDrop)
{
    // A batch norm that the exporters fold, a call that they merge with an equal one, a head that never runs.
    EXPECT_THAT(readsOf(scopesOfProgram("archive/e_aux_eval")),
        testing::ElementsAre("bn <- bn", "body <- body", "head <- head"));
    EXPECT_THAT(readsOf(scopesOfProgram("archive/b3_shared_parents")),
        testing::ElementsAre("left/inner <- left.inner", "right/inner#1 <- left.inner"));
    EXPECT_THAT(scopesOfProgram("archive/e_aux_eval").scopes.neverExecuted, testing::ElementsAre("aux"));
}

} // namespace
} // namespace duo::test
