// SPDX-License-Identifier: Apache-2.0
// The whole path through the real window: open, ignore a scope, quantize, export, and look at the file that comes out.
#include "tests/app/gui/window_driver.h"

#include "core/calibrate/samples/dataset.h"
#include "core/engine/session.h"
#include "core/onnx/reader.h"
#include "core/pipeline/export.h"
#include "core/report/export_report.h"
#include "views/style/format.h"

#include <QDialog>
#include <QSignalSpy>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Execution scope of the last convolution: something worth ignoring that leaves others quantized.
std::string scopeToIgnore(const Snapshot& snapshot)
{
    std::string scope;
    for (std::size_t i = 0; i < snapshot.model->nodes.size(); ++i) {
        if (snapshot.model->nodes[i].opType == "Conv" && !snapshot.scopes->nodes[i].execution.empty())
            scope = snapshot.scopes->nodes[i].execution;
    }
    return scope;
}

bool isIgnored(NodeState state)
{
    return state == NodeState::Ignored || state == NodeState::IgnoredInherited;
}

std::int64_t ignoredNodes(const Snapshot& snapshot)
{
    return std::count_if(snapshot.placement->decisions.begin(), snapshot.placement->decisions.end(),
        [](const Decision& decision) { return isIgnored(decision.state); });
}

/// How many nodes of each type the engine really runs.
std::map<std::string, int> optimizedTypes(const std::filesystem::path& model, const std::filesystem::path& folder)
{
    const auto optimized = folder / "optimized.onnx";
    SessionOptions options;
    options.optimizedModel = optimized;
    auto session = Session::openFile(model, options);
    EXPECT_TRUE(session) << session.error().line();
    auto read = readModel(optimized);
    EXPECT_TRUE(read) << read.error().line();
    std::map<std::string, int> types;
    for (const Node& node : (*read)->nodes)
        ++types[node.opType];
    return types;
}

int of(const std::map<std::string, int>& types, const std::vector<std::string>& names)
{
    int count = 0;
    for (const auto& name : names)
        count += types.contains(name) ? types.at(name) : 0;
    return count;
}

class EndToEnd : public testing::Test
{
protected:
    void openSample()
    {
        m_model = m_driver.copySample("digits_conv.onnx");
        (void)m_driver.copySample("digits_calibration.npz");
        ASSERT_TRUE(m_driver.open(m_model));
        m_scope = scopeToIgnore(*snapshot());
        ASSERT_FALSE(m_scope.empty());
    }

    void ignoreScopeByKey()
    {
        ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, m_scope));
        m_driver.key(m_driver.find<QTreeView>("executionTree"), Qt::Key_I);
        ASSERT_TRUE(m_driver.settled());
    }

    void acceptData()
    {
        ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.find<QDialog>("dataDialog") != nullptr; }));
        m_driver.key(m_driver.find<QDialog>("dataDialog"), Qt::Key_Return);
    }

    void typeTarget(const std::filesystem::path& target)
    {
        m_driver.answer("exportDialog", QDialogButtonBox::Save, target);
    }

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return m_driver.window().session().snapshot(); }

    WindowDriver m_driver;
    std::filesystem::path m_model;
    std::string m_scope;
};

TEST_F(EndToEnd, OpenIgnoreUndoQuantizeExport)
{
    ASSERT_NO_FATAL_FAILURE(openSample());
    auto& session = m_driver.window().session();
    auto* graph = m_driver.find<ui::GraphView>("graph");
    EXPECT_LE(graph->picture()->graph.boxes.size(), 250U);
    const auto opened = snapshot();

    // Ignore a scope with a key on its row: rules, trees and graph follow.
    ASSERT_NO_FATAL_FAILURE(ignoreScopeByKey());
    ASSERT_EQ(session.rules().rules.size(), 1U);
    EXPECT_EQ(ruleText(session.rules().rules.front()), "ignore execution-scope " + m_scope);
    EXPECT_GT(ignoredNodes(*snapshot()), 0);
    auto* rules = m_driver.find<QTableView>("rulesTable");
    EXPECT_EQ(rules->model()->rowCount(), 1);
    EXPECT_GT(rules->model()->index(0, ui::RulesModel::EffectiveColumn).data().toString().toInt(), 0);
    const QModelIndex row = m_driver.find<QTreeView>("executionTree")->currentIndex();
    EXPECT_TRUE(row.siblingAtColumn(ui::ScopeTreeModel::StateColumn).data().toString().contains(QStringLiteral("⊘")));
    EXPECT_TRUE(std::any_of(graph->picture()->graph.boxes.begin(), graph->picture()->graph.boxes.end(),
        [](const ViewBox& box) { return isIgnored(box.state) || box.ignored > 0; }));
    EXPECT_TRUE(m_driver.find<QLabel>("statusCounts")->text().contains(QStringLiteral("(1 rule)")));

    // Undo and redo.
    m_driver.key(&m_driver.window(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(m_driver.settled());
    EXPECT_EQ(rules->model()->rowCount(), 0);
    EXPECT_EQ(snapshot()->placement->decisions, opened->placement->decisions);
    m_driver.key(&m_driver.window(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(m_driver.settled());
    EXPECT_EQ(rules->model()->rowCount(), 1);

    // Quantize with the data offered beside the model.
    QSignalSpy calibrated(&session, &app::Session::calibrated);
    m_driver.key(&m_driver.window(), Qt::Key_R, Qt::ControlModifier);
    ASSERT_NO_FATAL_FAILURE(acceptData());
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    EXPECT_EQ(std::filesystem::path(session.data().spec).filename(), "digits_calibration.npz");
    auto* results = m_driver.find<QTextBrowser>("results");
    const auto& corrections = session.result()->compression->corrections;
    ASSERT_FALSE(corrections.empty());
    const QString correction = ui::toQt(correctionText(corrections.front()));
    EXPECT_TRUE(results->toPlainText().contains(QStringLiteral("Not exported yet.\nCorrections\n") + correction))
        << results->toPlainText().toStdString();

    // Export and look at what is shown.
    QSignalSpy exported(&session, &app::Session::exported);
    m_driver.key(&m_driver.window(), Qt::Key_E, Qt::ControlModifier);
    const auto target = m_driver.folder() / "digits_conv.int8.onnx";
    ASSERT_NO_FATAL_FAILURE(typeTarget(target));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    const QString shown = results->toPlainText();
    EXPECT_FALSE(shown.contains(QStringLiteral("Not exported yet")));
    EXPECT_TRUE(shown.contains(QStringLiteral("Corrections\n") + correction)) << shown.toStdString();
    EXPECT_TRUE(shown.contains(QStringLiteral("✓"))) << shown.toStdString();
    EXPECT_FALSE(shown.contains(QStringLiteral("✗"))) << shown.toStdString();
    EXPECT_TRUE(std::filesystem::exists(statePathFor(target)));

    // The file: int8 kernels run, the ignored convolution runs in float, and the outputs are finite.
    const auto types = optimizedTypes(target, m_driver.folder());
    EXPECT_GT(of(types, {"QLinearConv", "QGemm", "QLinearMatMul"}), 0);
    EXPECT_GT(of(types, {"Conv", "FusedConv"}), 0);
    auto original = readModel(m_model);
    ASSERT_TRUE(original);
    auto data = openDataset((m_driver.folder() / "digits_calibration.npz").string(), **original);
    ASSERT_TRUE(data);
    auto engine = Session::openFile(target, {});
    ASSERT_TRUE(engine);
    auto feeds = (*data)->sample(0);
    ASSERT_TRUE(feeds);
    auto outputs = engine->run(*feeds, {});
    ASSERT_TRUE(outputs) << outputs.error().line();
    for (const float value : outputs->front().floats())
        EXPECT_TRUE(std::isfinite(value));
}

TEST_F(EndToEnd, ResultsOfOlderRulesAreMarkedUntilTheyFitAgain)
{
    ASSERT_NO_FATAL_FAILURE(openSample());
    auto& session = m_driver.window().session();
    session.setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
    QSignalSpy exported(&session, &app::Session::exported);
    session.exportTo(m_driver.folder() / "marked.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    auto* results = m_driver.find<ui::ResultsView>("results");
    auto* dock = m_driver.find<QDockWidget>("dockResults");
    const auto isMarked = [&] {
        const bool inText = results->toPlainText().contains(QStringLiteral("Of earlier rules"));
        EXPECT_EQ(dock->windowTitle() != QStringLiteral("Results"), inText);
        return inText;
    };
    EXPECT_FALSE(isMarked());
    ASSERT_NO_FATAL_FAILURE(ignoreScopeByKey());
    EXPECT_TRUE(isMarked());
    EXPECT_TRUE(m_driver.find<QLabel>("statusCounts")->text().contains(QStringLiteral("rules changed since")))
        << m_driver.find<QLabel>("statusCounts")->text().toStdString();
    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_FALSE(isMarked());
    m_driver.action("actionRedo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(isMarked());
    session.exportTo(m_driver.folder() / "marked.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 2; }));
    EXPECT_FALSE(isMarked());
}

TEST_F(EndToEnd, WithoutRulesEveryConvolutionRunsInInt8)
{
    ASSERT_NO_FATAL_FAILURE(openSample());
    auto& session = m_driver.window().session();
    session.setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
    QSignalSpy exported(&session, &app::Session::exported);
    m_driver.key(&m_driver.window(), Qt::Key_E, Qt::ControlModifier);
    const auto target = m_driver.folder() / "all.onnx";
    ASSERT_NO_FATAL_FAILURE(typeTarget(target));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    EXPECT_EQ(of(optimizedTypes(target, m_driver.folder()), {"Conv", "FusedConv"}), 0);
}

} // namespace
} // namespace duo::test
