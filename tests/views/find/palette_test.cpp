// SPDX-License-Identifier: Apache-2.0
#include "views/find/palette_view.h"

#include "tests/views/support/snapshot_builder.h"
#include "views/intent/rule_intent.h"

#include <QSignalSpy>
#include <QTest>

#include <array>
#include <string>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::vector<std::string> found(const std::vector<std::string>& names, std::string_view query)
{
    PaletteIndex index;
    for (std::uint32_t i = 0; i < names.size(); ++i)
        index.add({PaletteKind::Node, i}, names[i]);
    std::vector<std::string> texts;
    for (const PaletteItem& item : findInPalette(std::array<const PaletteIndex*, 1>{&index}, query, 10).items)
        texts.push_back(names[item.index]);
    return texts;
}

using Names = std::vector<std::string>;

TEST(PaletteIndex, WordsStandInAnyOrderAndCase)
{
    const Names names{"/encoder/layer.0/Conv", "/encoder/layer.1/Conv", "/decoder/Conv"};
    EXPECT_EQ(found(names, "CONV enc"), (Names{names[0], names[1]}));
    EXPECT_EQ(found(names, "conv .1"), Names{names[1]});
    EXPECT_EQ(found(names, "nothing"), Names());
}

TEST(PaletteIndex, WholeNamesComeBeforeBeginningsBeforePartsBeforeTheRest)
{
    const Names names{"xfit", "a/fit", "fitting", "fit"};
    EXPECT_EQ(found(names, "fit"), (Names{"fit", "fitting", "a/fit", "xfit"}));
}

TEST(PaletteIndex, AmongEqualsShortTextsComeFirst)
{
    EXPECT_EQ(found({"head/fc/Gemm", "head"}, "h"), (Names{"head", "head/fc/Gemm"}));
}

TEST(PaletteIndex, LettersInOrderCountWhereFewTextsHoldTheWords)
{
    EXPECT_EQ(found({"quantize", "measure"}, "qntz"), Names{"quantize"});
    Names many(20, "a qntz");
    many.insert(many.begin(), "quantize");
    EXPECT_EQ(found(many, "qntz").front(), "a qntz");
}

TEST(PaletteIndex, PrefixesAskForOneKindOnly)
{
    PaletteIndex index;
    const std::array kinds{PaletteKind::Command, PaletteKind::ExecutionScope, PaletteKind::StorageScope,
        PaletteKind::Type, PaletteKind::Rule, PaletteKind::Node};
    for (const PaletteKind kind : kinds)
        index.add({kind, 0}, "/conv");
    const auto kindsOf = [&](std::string_view query) {
        std::vector<PaletteKind> asked;
        for (const PaletteItem& item : findInPalette(std::array<const PaletteIndex*, 1>{&index}, query, 10).items)
            asked.push_back(item.kind);
        return asked;
    };
    using Kinds = std::vector<PaletteKind>;
    EXPECT_EQ(kindsOf("conv"), Kinds(kinds.begin(), kinds.end()));
    EXPECT_EQ(kindsOf(">conv"), Kinds{PaletteKind::Command});
    EXPECT_EQ(kindsOf("@conv"), (Kinds{PaletteKind::ExecutionScope, PaletteKind::StorageScope}));
    EXPECT_EQ(kindsOf("#"), Kinds{PaletteKind::Type});
    EXPECT_EQ(kindsOf(":c"), Kinds{PaletteKind::Rule});
    EXPECT_EQ(kindsOf("/conv"), Kinds{PaletteKind::Node});
}

TEST(PaletteIndex, TheSlashOfNodesNeedNotStandInTheirNames)
{
    EXPECT_EQ(found({"Conv_0", "Relu_1"}, "/conv"), Names{"Conv_0"});
}

TEST(PaletteIndex, SaysHowManyThereAreOfWhichItShowsTheFirst)
{
    PaletteIndex index;
    constexpr std::uint32_t kNodes = 50'000;
    for (std::uint32_t i = 0; i < kNodes; ++i)
        index.add({PaletteKind::Node, i}, "/model/layers." + std::to_string(i) + "/MatMul");
    const PaletteHits hits = findInPalette(std::array<const PaletteIndex*, 1>{&index}, "layers.4999", 5);
    EXPECT_EQ(hits.items.size(), 5U);
    EXPECT_EQ(hits.total, 11U); // .4999 and .49990 to .49999
    EXPECT_EQ(hits.items.front().index, 4999U);
}

class PaletteTest : public testing::Test
{
protected:
    void SetUp() override
    {
        m_window.resize(900, 600);
        m_elsewhere.setGeometry(0, 0, 100, 20);
        m_window.show();
        m_window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&m_window));
        m_elsewhere.setFocus();
        m_palette.setSnapshot(m_snapshot);
        QObject::connect(&m_undo, &QAction::triggered, [this] { ++m_undone; });
    }

    void open() { m_palette.open({{&m_undo, QStringLiteral("&Edit")}, {&m_stop, QStringLiteral("&Quantize")}}); }
    [[nodiscard]] QLineEdit* line() { return m_palette.findChild<QLineEdit*>(QStringLiteral("paletteLine")); }
    [[nodiscard]] std::vector<std::string> rows()
    {
        const auto* model = m_palette.findChild<QTreeView*>(QStringLiteral("paletteList"))->model();
        std::vector<std::string> texts;
        for (int row = 0; row < model->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model->columnCount(); ++column)
                cells += model->index(row, column).data().toString();
            texts.push_back(cells.join(QStringLiteral(" | ")).toStdString());
        }
        return texts;
    }

    std::shared_ptr<const Snapshot> m_snapshot = test::exampleSnapshot();
    QWidget m_window;
    QLineEdit m_elsewhere{&m_window};
    PaletteView m_palette{&m_window};
    QAction m_undo{QStringLiteral("&Undo")};
    QAction m_stop{QStringLiteral("&Stop")};
    int m_undone = 0;
};

TEST_F(PaletteTest, EnterRunsTheCommandAndGivesTheFocusBack)
{
    m_undo.setShortcut(Qt::CTRL | Qt::Key_Z);
    open();
    EXPECT_TRUE(line()->hasFocus());
    QTest::keyClicks(line(), QStringLiteral(">und"));
    EXPECT_EQ(rows(), std::vector<std::string>{"Edit: Undo | Ctrl+Z | command"});
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_EQ(m_undone, 1);
    EXPECT_FALSE(m_palette.isVisible());
    EXPECT_TRUE(m_elsewhere.hasFocus());
}

TEST_F(PaletteTest, ACommandThatGoesWhileItIsOpenIsNotRunAndNoLongerFound)
{
    auto recent = std::make_unique<QAction>(QStringLiteral("&recent.onnx"));
    m_palette.open({{&m_undo, QStringLiteral("&Edit")}, {recent.get(), QStringLiteral("&File")}});
    QTest::keyClicks(line(), QStringLiteral(">rece"));
    EXPECT_EQ(rows(), std::vector<std::string>{"File: recent.onnx |  | command"});
    recent.reset();
    EXPECT_EQ(rows(), std::vector<std::string>{" |  | "});
    QTest::keyClicks(line(), QStringLiteral("n"));
    EXPECT_TRUE(rows().empty());
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_EQ(m_undone, 0);
}

TEST_F(PaletteTest, WhatUndoTakesBackIsNoCommandToBeFound)
{
    m_undo.setText(QStringLiteral("&Undo: Stop smoothing"));
    m_undo.setIconText(QStringLiteral("Undo"));
    open();
    QTest::keyClicks(line(), QStringLiteral(">stop"));
    EXPECT_EQ(rows(), std::vector<std::string>{"Quantize: Stop |  | command"});
    line()->clear();
    QTest::keyClicks(line(), QStringLiteral(">undo"));
    EXPECT_EQ(rows(), std::vector<std::string>{"Edit: Undo: Stop smoothing |  | command"});
}

TEST_F(PaletteTest, CommandsThatCannotBeRunComeBehindThoseThatCan)
{
    m_stop.setEnabled(false);
    m_undo.setText(QStringLiteral("&Do not stop"));
    open();
    QTest::keyClicks(line(), QStringLiteral("stop"));
    EXPECT_EQ(rows().at(0), "Edit: Do not stop |  | command");
    EXPECT_EQ(rows().at(1), "Quantize: Stop | not now | command");
}

TEST_F(PaletteTest, ACommandThatCannotBeRunSaysSo)
{
    m_stop.setEnabled(false);
    QSignalSpy refused(&m_palette, &PaletteView::refused);
    QSignalSpy triggered(&m_stop, &QAction::triggered);
    open();
    QTest::keyClicks(line(), QStringLiteral("stop"));
    EXPECT_EQ(rows().front(), "Quantize: Stop | not now | command");
    QTest::keyClick(line(), Qt::Key_Return);
    ASSERT_EQ(refused.count(), 1);
    EXPECT_EQ(refused.front().front().toString(), QStringLiteral("Quantize: Stop cannot be done now"));
    EXPECT_EQ(triggered.count(), 0);
}

TEST_F(PaletteTest, ScopesOperatorsAndNodesAreGoneTo)
{
    QSignalSpy selected(&m_palette, &PaletteView::selected);
    const auto go = [&](const char* query) {
        open();
        QTest::keyClicks(line(), QLatin1String(query));
        QTest::keyClick(line(), Qt::Key_Return);
        return selected.takeLast().front().value<Selection>();
    };
    const auto& scopes = *m_snapshot->scopes;
    EXPECT_EQ(go("@blk#1"), selectScope(scopes, TreeKind::Execution, scopes.execution.find("blk#1")));
    EXPECT_EQ(go("/conv1/conv"), selectNode(m_snapshot->model->findNode("/conv1/Conv")));
    const Selection relus = go("#relu");
    ASSERT_FALSE(relus.nodes.empty());
    for (const NodeId node : relus.nodes)
        EXPECT_EQ(m_snapshot->model->node(node).opType, "Relu");
}

TEST_F(PaletteTest, WhatStandsBesideANameIsNotCutWhileThereIsRoom)
{
    m_palette.setSnapshot(test::makeSnapshot({{"/pool/a", "DequantizeLinearOfSomeKind", "pool", {}, {}}}));
    open();
    QTest::keyClicks(line(), QStringLiteral("/pool"));
    const auto* list = m_palette.findChild<QTreeView*>(QStringLiteral("paletteList"));
    ASSERT_GT(list->model()->rowCount(), 0);
    const QString about = list->model()->index(0, PaletteModel::AboutColumn).data().toString();
    EXPECT_TRUE(about.startsWith(QStringLiteral("DequantizeLinearOfSomeKind"))) << about.toStdString();
    EXPECT_LE(list->fontMetrics().horizontalAdvance(about), list->columnWidth(PaletteModel::AboutColumn));
}

TEST_F(PaletteTest, RulesAreShownWhereTheyStand)
{
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::Type, "Softmax"}, RuleAction::Ignore));
    rules.rules.push_back(ruleAbout({RuleKind::Name, "/conv1/Conv"}, RuleAction::Ignore));
    m_palette.setRules(rules);
    QSignalSpy requested(&m_palette, &PaletteView::ruleRequested);
    open();
    QTest::keyClicks(line(), QStringLiteral(":conv"));
    EXPECT_EQ(rows(), std::vector<std::string>{"ignore name /conv1/Conv |  | rule"});
    QTest::keyClick(line(), Qt::Key_Return);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested.front().front().toInt(), 1);
}

TEST_F(PaletteTest, ArrowsChooseAndEscapeChangesNothing)
{
    QSignalSpy selected(&m_palette, &PaletteView::selected);
    open();
    QTest::keyClicks(line(), QStringLiteral("/"));
    const auto* list = m_palette.findChild<QTreeView*>(QStringLiteral("paletteList"));
    ASSERT_GT(rows().size(), 2U);
    QTest::keyClick(line(), Qt::Key_Down);
    QTest::keyClick(line(), Qt::Key_Down);
    QTest::keyClick(line(), Qt::Key_Up);
    EXPECT_EQ(list->currentIndex().row(), 1);
    QTest::keyClick(line(), Qt::Key_Escape);
    EXPECT_FALSE(m_palette.isVisible());
    EXPECT_EQ(selected.count(), 0);
    EXPECT_TRUE(m_elsewhere.hasFocus());
}

TEST_F(PaletteTest, AnotherModelOrOtherRulesCloseIt)
{
    open();
    m_palette.setSnapshot(m_snapshot);
    EXPECT_TRUE(m_palette.isVisible());
    RuleSet rules;
    rules.rules.push_back(ruleAbout({RuleKind::Type, "Softmax"}, RuleAction::Ignore));
    m_palette.setRules(rules);
    EXPECT_FALSE(m_palette.isVisible());
    open();
    m_palette.setSnapshot(test::exampleSnapshot());
    EXPECT_FALSE(m_palette.isVisible());
}

TEST_F(PaletteTest, NothingFoundIsSaid)
{
    open();
    QTest::keyClicks(line(), QStringLiteral("zzzz"));
    EXPECT_TRUE(rows().empty());
    EXPECT_TRUE(m_palette.findChild<QLabel*>(QStringLiteral("paletteLegend"))
                    ->text()
                    .startsWith(QStringLiteral("Nothing has such a name.")));
    QTest::keyClick(line(), Qt::Key_Return);
    EXPECT_TRUE(m_palette.isVisible());
}

} // namespace
} // namespace duo::ui
