// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_view.h"

#include "core/scope/scope.h"
#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/properties/properties_link.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// It is written in an event of its own.
const PropertiesView& written(const PropertiesView& view)
{
    QCoreApplication::processEvents();
    return view;
}

std::string textOf(const PropertiesView& view)
{
    return written(view).toPlainText().remove(QChar(0x200b)).replace(QChar(0xa0), QLatin1Char(' ')).toStdString();
}

TEST(Properties, PortsShowWhatIsKnownBeyondTheFile)
{
    const auto snapshot = test::exampleSnapshot();
    const Model& model = *snapshot->model;
    auto types = std::make_shared<ValueTypes>();
    for (const Value& value : model.values)
        types->types.push_back(value.type);
    types->types[model.node(NodeId(5)).outputs.front().index]
        = {ElementType::Float32, std::vector<Dim>{{{}, "N"}, {4, {}}}};
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(5)));
    EXPECT_EQ(textOf(view).find("float32 [N, 4]"), std::string::npos);
    view.setTypes(types);
    EXPECT_NE(textOf(view).find("float32 [N, 4]"), std::string::npos) << textOf(view);
}

TEST(Properties, AKernelNamesTheNodesItIsFusedFromAsLinks)
{
    const auto snapshot = test::exampleSnapshot();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(2)));
    EXPECT_EQ(textOf(view).find("As run"), std::string::npos);
    view.setRun(test::exampleRun(*snapshot));
    EXPECT_NE(textOf(view).find("FusedGemm, float, fused from 2 nodes: /blk/lin/Gemm, /blk/Relu"), std::string::npos)
        << textOf(view);
    QSignalSpy selected(&view, &PropertiesView::selected);
    Q_EMIT view.anchorClicked(QUrl(kernelLink(NodeId(1))));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(), selectNodes({NodeId(1), NodeId(2)}));
}

TEST(Properties, AKernelOfOneNodeNamesIt)
{
    const auto snapshot = test::exampleSnapshot();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(5)));
    view.setRun(test::exampleRun(*snapshot));
    EXPECT_NE(textOf(view).find("Gemm, float, one of the model's nodes: /dec/proj/Gemm"), std::string::npos)
        << textOf(view);
}

TEST(Properties, AKernelInFloatThatIsQuantizedInThePlanSaysWhy)
{
    const auto snapshot = test::exampleSnapshot();
    const NodeId gemm(5); // /dec/proj/Gemm
    ASSERT_EQ(snapshot->placement->decisions[gemm.index].state, NodeState::Quantized);
    auto run = std::make_shared<RunGraph>(*test::exampleRun(*snapshot));
    run->isAdded.back() = true; // an export is run, and scales what is read of Gemm
    run->origins.back().clear();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(gemm));
    view.setRun(run);
    const std::string text
        = "one of the model's nodes: /dec/proj/Gemm; quantized in the plan, but the export scales what"
          " it gives (/Softmax) before codes are made";
    EXPECT_NE(textOf(view).find(text), std::string::npos) << textOf(view);
}

TEST(Properties, TypesOfAnotherModelAreNotShown)
{
    PropertiesView view;
    view.setSnapshot(test::exampleSnapshot());
    view.setTypes(std::make_shared<ValueTypes>());
    view.setSelection(selectNode(NodeId(5)));
    EXPECT_NE(textOf(view).find("float32, its shape is being found out"), std::string::npos) << textOf(view);
}

TEST(Properties, NodeShowsStateScopesReasonsAndPorts)
{
    PropertiesView view;
    view.setSnapshot(test::exampleSnapshot());
    view.setSelection(selectNode(NodeId(5)));
    EXPECT_EQ(textOf(view),
        "/dec/proj/Gemm\nGemm\n"
        " ■ quantized   ▶ inputs \n"
        "its inputs are quantized\n"
        "Scopes\n"
        "Runs in: dec/@enc.proj  name \n"
        "Parameters of: enc.proj  name \n"
        "Reads: enc.proj.weight\n"
        "≠ Runs and lives in different scopes\n"
        "foreign-call: A module is called by one that does not contain it.\n"
        "Inputs\n"
        "0: v4 — float32, its shape is being found out\n"
        "1: enc.proj.weight — float32 [2, 2], constant\n"
        "Outputs\n"
        "0: v5 — float32, its shape is being found out");
}

TEST(Properties, TheModelSaysWhatItsProducerCannotTell)
{
    auto snapshot = std::make_shared<Snapshot>(*test::exampleSnapshot());
    auto model = std::make_shared<Model>(*snapshot->model);
    model->producerName = "paddle2onnx";
    for (Node& node : model->nodes)
        node.localName.clear();
    snapshot->model = model;
    PropertiesView view;
    view.setSnapshot(snapshot);
    const std::string note = "Notes\nwritten by PaddlePaddle through paddle2onnx: nodes have no names";
    EXPECT_TRUE(QTest::qWaitFor([&] { return textOf(view).find(note) != std::string::npos; })) << textOf(view);
}

TEST(Properties, TellsHowANodeRanInTheEngineAndWhyNotInInt8)
{
    const auto runs = std::make_shared<const NodeRuns>(NodeRuns{{"/conv1/Conv", RunsAs::Int8, "QLinearConv", {}, ""},
        {"/dec/proj/Gemm", RunsAs::Float, "Gemm", Fallback::NoQuantizerBehind, "its output has no quantizer"}});
    PropertiesView view;
    const auto snapshot = test::exampleSnapshot();
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(5)));
    view.setRuns(std::make_shared<const RunsOfNodes>(runs, *snapshot->model));
    EXPECT_NE(
        textOf(view).find("In the engine\n! runs in float although int8 was planned: its output has no quantizer"),
        std::string::npos)
        << textOf(view);
    view.setSelection(selectNode(NodeId(0)));
    EXPECT_NE(textOf(view).find("In the engine\n✓ runs in int8 as QLinearConv"), std::string::npos) << textOf(view);
    view.setSelection(selectNodes({NodeId(0), NodeId(5)}));
    EXPECT_NE(
        textOf(view).find("1 of 2 planned nodes run in int8\n! 1 node runs in float although int8 was planned: its "
                          "output has no quantizer\n/dec/proj/Gemm"),
        std::string::npos)
        << textOf(view);
    view.setRuns(nullptr);
    EXPECT_EQ(textOf(view).find("In the engine"), std::string::npos);
}

TEST(Properties, AReasonNamesWhatShowsItAndLinksThere)
{
    auto snapshot = std::make_shared<Snapshot>(*test::exampleSnapshot());
    snapshot->scopes = std::make_shared<Scopes>(findScopes(*snapshot->model));
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(5)));
    EXPECT_NE(textOf(view).find("foreign-call: 'dec' calls 'enc.proj', which it does not contain.\n"
                                "→ dec/@enc.proj, enc.proj  name "),
        std::string::npos)
        << textOf(view);
    const ScopeId call = snapshot->scopes->execution.find("dec/@enc.proj");
    EXPECT_NE(written(view).toHtml().indexOf(scopeLink(TreeKind::Execution, call)), -1);
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
    EXPECT_NE(
        textOf(view).find(
            " ⊘ ignored   ✎ rule \nrule 'ignore execution-scope blk' names it\n→ rule 1: ignore execution-scope blk\n"
            "What would make it quantized\n"),
        std::string::npos)
        << textOf(view);
    QSignalSpy rule(&view, &PropertiesView::ruleRequested);
    Q_EMIT view.anchorClicked(QUrl(ruleLink(0)));
    ASSERT_EQ(rule.count(), 1);
    EXPECT_EQ(rule.front().front().toInt(), 0);
}

TEST(Properties, WhatKeepsANodeInFloatCanBeTakenBackFromHere)
{
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::ExecutionScope, "blk"}, RuleAction::Ignore));
    PropertiesView view;
    view.setSnapshot(test::withRules(*test::exampleSnapshot(), rules));
    view.setSelection(selectNode(NodeId(1)));
    QSignalSpy intents(&view, &PropertiesView::rulesIntended);
    Q_EMIT view.anchorClicked(QUrl(QStringLiteral("takeout:1")));
    Q_EMIT view.anchorClicked(QUrl(QStringLiteral("takeout:999")));
    ASSERT_EQ(intents.count(), 1);
    EXPECT_EQ(intents.front().front().value<RuleIntent>(),
        (RuleIntent{RuleIntent::Verb::Clear, {{RuleKind::Name, "/blk/lin/Gemm"}}}));
}

TEST(Properties, ScopeShowsTotalsStatesAndDifferences)
{
    const auto snapshot = test::exampleSnapshot();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectScope(*snapshot->scopes, TreeKind::Storage, snapshot->scopes->storage.find("blk")));
    const std::string text = textOf(view);
    EXPECT_NE(text.find("Storage scope\nNodes: 2\nParameters: 4\nSize: 16 B"), std::string::npos) << text;
    EXPECT_NE(text.find(" ■ quantized   ▶ inputs  2 nodes: its inputs are quantized"), std::string::npos) << text;
    EXPECT_NE(text.find("Gemm ×2"), std::string::npos) << text;
}

TEST(Properties, ReasonsThatAreTooManySayWhatTheyAreOf)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 24; ++i)
        lines.push_back({"/n" + std::to_string(i), i % 2 == 0 ? "Gemm" : "Relu", "a", {}, {}});
    Snapshot snapshot = *test::makeSnapshot(lines);
    auto placement = std::make_shared<Placement>(*snapshot.placement);
    for (std::size_t i = 1; i < 24; i += 2) {
        placement->decisions[i] = {NodeState::Fused, {ReasonCode::WithNode}};
        placement->decisions[i].fusedWith = NodeId(i - 1);
    }
    snapshot.placement = placement;
    PropertiesView view;
    const auto shown = std::make_shared<const Snapshot>(std::move(snapshot));
    view.setSnapshot(shown);
    view.setSelection(selectScope(*shown->scopes, TreeKind::Execution, ScopeId(0)));
    const std::string text = textOf(view);
    EXPECT_NE(text.find("12 nodes: its inputs are quantized"), std::string::npos) << text;
    EXPECT_NE(text.find("… 5 more reasons: 5 fused\n"), std::string::npos) << text;
}

std::shared_ptr<const Snapshot> manyDifferences()
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 100; ++i)
        lines.push_back({"/n" + std::to_string(i), "Gemm", "a", {"b"}, {"b.weight"}, NodeState::Quantized,
            i % 10 == 0 ? std::vector{Reason::ForeignCall, Reason::SharedModule} : std::vector{Reason::SharedModule}});
    return test::makeSnapshot(lines);
}

TEST(Properties, DifferencesAreGroupedByReason)
{
    const auto snapshot = manyDifferences();
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find("a")));
    const std::string text = textOf(view);
    EXPECT_NE(text.find("≠ 100 nodes run and live in different scopes\n"
                        "100 nodes shared-module: a module that holds parameters runs more than once\n"
                        "/n0, /n1, /n2, /n3, … 96 more\n"
                        "10 nodes foreign-call: a module is called by one that does not contain it\n"
                        "/n0, /n10, /n20, /n30, … 6 more\n"),
        std::string::npos)
        << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 40);
}

TEST(Properties, LinksSelectNodesScopesAndThoseOfAReason)
{
    const auto snapshot = manyDifferences();
    const Scopes& scopes = *snapshot->scopes;
    const Selection all = selectScope(scopes, TreeKind::Execution, scopes.execution.find("a"));
    EXPECT_EQ(followLink(QUrl(nodeLink(NodeId(7))), scopes, all), selectNode(NodeId(7)));
    EXPECT_EQ(followLink(QUrl(scopeLink(TreeKind::Storage, scopes.storage.find("b"))), scopes, all),
        selectScope(scopes, TreeKind::Storage, scopes.storage.find("b")));
    EXPECT_EQ(followLink(QUrl(reasonLink(Reason::ForeignCall)), scopes, all)->nodes.size(), 10U);
    EXPECT_EQ(followLink(QUrl(QStringLiteral("node:100")), scopes, all), std::nullopt);
    EXPECT_EQ(followLink(QUrl(QStringLiteral("file:///etc/passwd")), scopes, all), std::nullopt);

    PropertiesView view;
    view.setSnapshot(snapshot);
    QSignalSpy selected(&view, &PropertiesView::selected);
    Q_EMIT view.anchorClicked(QUrl(nodeLink(NodeId(3))));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(), selectNode(NodeId(3)));
}

TEST(Properties, AGuessSaysThatItIsOne)
{
    const auto example = test::exampleSnapshot();
    auto scopes = std::make_shared<Scopes>(*example->scopes);
    scopes->nodes[0].storageFrom = Provenance::Guess;
    auto snapshot = std::make_shared<Snapshot>(*example);
    snapshot->scopes = scopes;
    PropertiesView view;
    view.setSnapshot(snapshot);
    view.setSelection(selectNode(NodeId(0)));
    EXPECT_NE(textOf(view).find("Runs in: conv1  name \nParameters of: conv1  guess? \n"), std::string::npos)
        << textOf(view);
    EXPECT_TRUE(written(view).toHtml().contains(QStringLiteral("guess?")));
}

TEST(Properties, CopiedNamesHoldNothingThatIsNotSeen)
{
    PropertiesView view;
    view.setSnapshot(test::exampleSnapshot());
    view.setSelection(selectNode(NodeId(5)));
    QCoreApplication::processEvents(); // it is written in an event of its own
    view.selectAll();
    view.copy();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("/dec/proj/Gemm\n")));
}

TEST(Properties, TextFromTheModelIsNeverMarkup)
{
    PropertiesView view;
    view.setSnapshot(
        test::makeSnapshot({{"<b>x</b><img src='file:///etc/passwd'>", "Relu", "", {}, {}, NodeState::Fused, {}}}));
    view.setSelection(selectNode(NodeId(0)));
    EXPECT_NE(textOf(view).find("<b>x</b><img src='file:///etc/passwd'>"), std::string::npos);
}

TEST(Properties, TextFromTheModelTurnsNoDirection)
{
    PropertiesView view;
    view.setSnapshot(test::makeSnapshot({{"\u202Egnp.exe", "Relu", "", {}, {}, NodeState::Fused, {}}}));
    view.setSelection(selectNode(NodeId(0)));
    EXPECT_NE(textOf(view).find("?gnp.exe"), std::string::npos);
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
