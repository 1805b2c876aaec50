// SPDX-License-Identifier: Apache-2.0
// The graph saved from the real window: what is shown, and all of it.
#include "tests/app/gui/rules_window.h"
#include "tests/support/file_bytes.h"
#include "views/graph/run_badges.h"
#include "views/shell/banner.h"

#include <QStatusBar>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class GraphFilesWindow : public RulesWindow
{
protected:
    /// The file's content, once the window says that it is there.
    std::string save(const char* action, const std::string& name)
    {
        const auto target = m_driver.folder() / name;
        m_driver.action(action)->trigger();
        m_driver.answer("graphDialog", QDialogButtonBox::Save, target);
        const auto* banner = m_driver.find<ui::Banner>("banner");
        EXPECT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QString::fromStdString(name)); }));
        return std::filesystem::exists(target) ? bytesOf(target) : "";
    }
};

TEST_F(GraphFilesWindow, ThePictureHasOpenWhatTheWindowHas)
{
    graph()->setBoxOpen(graph()->picture()->boxOfKey("encoder"), false);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return !graph()->picture()->open.contains("encoder"); }));
    const std::string shown = save("actionSavePicture", "shown.svg");
    EXPECT_NE(shown.find(">encoder<"), std::string::npos);
    EXPECT_EQ(shown.find(">stem<"), std::string::npos);
    const std::string whole = save("actionSaveGraph", "whole.svg");
    EXPECT_NE(whole.find(">stem<"), std::string::npos);
}

TEST_F(GraphFilesWindow, ThePictureIsWrappedAsInTheWindow)
{
    const std::string shown = save("actionSavePicture", "shown.svg");
    double width = 0;
    double height = 0;
    std::sscanf(shown.c_str() + shown.find("width=\""), "width=\"%lfpt\" height=\"%lfpt\"", &width, &height);
    const Size size = graph()->picture()->layout.size;
    EXPECT_NEAR(width, size.width + 8, 2) << "with a margin";
    EXPECT_GT(height, size.height) << "with a legend";
    EXPECT_EQ(m_driver.window().statusBar()->currentMessage(), QString()) << "it is not drawn any more";
}

TEST_F(GraphFilesWindow, ThePictureSaysWhatFlowsAndHowItRunsWhereTheWindowDoes)
{
    ASSERT_TRUE(WindowDriver::waitFor([&] { return m_driver.window().session().types() != nullptr; }));
    NodeRuns runs;
    for (const Node& node : snapshot()->model->nodes)
        runs.push_back({node.name, RunsAs::Float, node.opType, {}, ""});
    graph()->setRuns(std::make_shared<const RunsOfNodes>(std::make_shared<const NodeRuns>(runs), *snapshot()->model));
    graph()->zoomTo(1);
    const std::string near = save("actionSavePicture", "near.svg");
    EXPECT_NE(near.find(">! float<"), std::string::npos);
    EXPECT_NE(near.find(">float32 ["), std::string::npos);
    graph()->setRuns(nullptr);
    graph()->zoomTo(0.4);
    const std::string far = save("actionSavePicture", "far.svg");
    EXPECT_EQ(far.find(">! float<"), std::string::npos);
    EXPECT_LT(far.size(), near.size());
}

TEST_F(GraphFilesWindow, OtherEndingsAreRefusedInOneSentence)
{
    m_driver.action("actionSavePicture")->trigger();
    m_driver.answer("graphDialog", QDialogButtonBox::Save, m_driver.folder() / "graph.bmp");
    const auto* banner = m_driver.find<ui::Banner>("banner");
    EXPECT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("end the name in .dot")); }));
}

} // namespace
} // namespace duo::test
