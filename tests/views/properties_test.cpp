// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_view.h"

#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::string textOf(const PropertiesView& view)
{
    return view.toPlainText().remove(QChar(0x200b)).toStdString();
}

TEST(Properties, NodeShowsStateScopesReasonsAndPorts)
{
    PropertiesView view;
    view.setSnapshot(test::exampleSnapshot());
    view.setSelection(selectNode(NodeId(5)));
    EXPECT_EQ(textOf(view),
        "/dec/proj/Gemm\nGemm\n"
        "■ quantized\n"
        "reason of /dec/proj/Gemm\n"
        "Scopes\n"
        "Runs in: dec/@enc.proj (read from names)\n"
        "Parameters of: enc.proj (read from names)\n"
        "Reads: enc.proj.weight\n"
        "Differs: Runs in dec/@enc.proj, reads parameters of enc.proj: "
        "a module is called by one that does not contain it.\n"
        "Inputs\n"
        "0: v4 — float32 [?]\n"
        "1: enc.proj.weight — float32 [2, 2], constant\n"
        "Outputs\n"
        "0: v5 — float32 [?]");
}

TEST(Properties, IgnoredNodeNamesItsRule)
{
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = RuleKind::ExecutionScope;
    rules.rules.back().value = "blk";
    PropertiesView view;
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), rules));
    view.setSelection(selectNode(NodeId(2)));
    EXPECT_NE(textOf(view).find("⊘ ignored\nignored by a rule\nRule 1: ignore execution-scope blk"), std::string::npos)
        << textOf(view);
}

TEST(Properties, ScopeShowsTotalsStatesAndDifferences)
{
    const auto snapshot = test::exampleSnapshot();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectScope(*snapshot->scopes, TreeKind::Storage, snapshot->scopes->storage.find("blk")));
    const std::string text = textOf(view);
    EXPECT_NE(text.find("Storage scope\nNodes: 2\nParameters: 4\nSize: 16 B"), std::string::npos) << text;
    EXPECT_NE(text.find("■ quantized: 2"), std::string::npos) << text;
    EXPECT_NE(text.find("Gemm ×2"), std::string::npos) << text;
}

TEST(Properties, TextFromTheModelIsNeverMarkup)
{
    PropertiesView view;
    view.setSnapshot(
        test::makeSnapshot({{"<b>x</b><img src='file:///etc/passwd'>", "Relu", "", {}, {}, NodeState::Fused, {}}}));
    view.setSelection(selectNode(NodeId(0)));
    EXPECT_NE(textOf(view).find("<b>x</b><img src='file:///etc/passwd'>"), std::string::npos);
}

TEST(Properties, NothingSelectedShowsTheModel)
{
    PropertiesView view;
    view.setSnapshot(test::exampleSnapshot());
    EXPECT_NE(textOf(view).find("Nodes: 7"), std::string::npos);
    view.setSnapshot(nullptr);
    EXPECT_EQ(textOf(view), "");
}

} // namespace
} // namespace duo::ui
