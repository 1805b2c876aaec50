// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/window_driver.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class CheckpointTest : public testing::Test
{
protected:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return m_driver.window().session().snapshot(); }
    [[nodiscard]] bool waitForCheckpoint()
    {
        return WindowDriver::waitFor([this] { return snapshot() && snapshot()->checkpoint != nullptr; })
            && m_driver.settled();
    }
    [[nodiscard]] std::string banner() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }

    WindowDriver m_driver;
};

TEST_F(CheckpointTest, DroppedBesideAnOpenModelKeepsRulesUndoAndSelection)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    const auto model = snapshot()->model;
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, "encoder.feed_forward"));
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    const RuleSet rules = m_driver.window().session().rules();

    m_driver.drop({m_driver.copySample("digits_transformer.safetensors", "saved.safetensors")});
    ASSERT_TRUE(waitForCheckpoint());
    EXPECT_EQ(snapshot()->model, model);
    EXPECT_EQ(m_driver.window().session().rules(), rules);
    EXPECT_TRUE(m_driver.window().session().undoStack()->canUndo());
    EXPECT_NE(banner().find("Checkpoint saved.safetensors is in use"), std::string::npos) << banner();
    auto* storage = m_driver.find<QTreeView>("storageTree");
    EXPECT_TRUE(storage->currentIndex().data().toString().startsWith(QStringLiteral("feed_forward")));
    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(m_driver.window().session().rules().rules.empty());
    EXPECT_NE(snapshot()->checkpoint, nullptr);
}

TEST_F(CheckpointTest, FoundBesideTheModelDoesNotHideAnError)
{
    (void)m_driver.copySample("digits_conv.safetensors");
    const auto model = m_driver.copySample("digits_conv.onnx");
    m_driver.window().openModel(
        QString::fromStdString(model.string()), {.recipe = m_driver.folder() / "gone.recipe.json"});
    ASSERT_TRUE(waitForCheckpoint());
    EXPECT_NE(banner().find("gone.recipe.json"), std::string::npos) << banner();
}

TEST_F(CheckpointTest, FoundBesideTheModelIsSaidAndCanBeLeftOut)
{
    (void)m_driver.copySample("digits_conv.safetensors");
    const auto model = m_driver.copySample("digits_conv.onnx");
    ASSERT_TRUE(m_driver.open(model));
    ASSERT_TRUE(waitForCheckpoint());
    EXPECT_NE(banner().find("Checkpoint digits_conv.safetensors, found beside the model, is in use"), std::string::npos)
        << banner();
    m_driver.find<QPushButton>("bannerOffer")->click();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot()->checkpoint == nullptr; }));
    EXPECT_FALSE(m_driver.action("actionLeaveCheckpoint")->isEnabled());
    QSignalSpy opened(&m_driver.window().session(), &app::Session::opened);
    m_driver.window().openModel(QString::fromStdString(model.string())); // it is not picked up again
    ASSERT_TRUE(WindowDriver::waitFor([&] { return opened.count() == 1; }));
    EXPECT_EQ(m_driver.window().session().activity(), app::Activity::Idle);
    EXPECT_EQ(snapshot()->checkpoint, nullptr);
}

TEST_F(CheckpointTest, DroppedTogetherWithItsModel)
{
    m_driver.drop({m_driver.copySample("digits_conv.safetensors", "a.safetensors"),
        m_driver.copySample("digits_conv.onnx", "b.onnx")});
    ASSERT_TRUE(waitForCheckpoint());
    EXPECT_EQ(snapshot()->checkpoint->path.filename(), "a.safetensors");
}

TEST_F(CheckpointTest, WithoutAModelItSaysWhatToDo)
{
    m_driver.drop({m_driver.copySample("digits_conv.safetensors")});
    EXPECT_NE(banner().find("a checkpoint needs the model that it belongs to"), std::string::npos) << banner();
    EXPECT_EQ(snapshot(), nullptr);
}

TEST_F(CheckpointTest, DamagedOneBesideTheModelIsOnlyAWarning)
{
    m_driver.write("digits_conv.safetensors", "no tensors");
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto* shown = m_driver.find<ui::Banner>("banner");
    ASSERT_TRUE(WindowDriver::waitFor([shown] { return shown->isVisible(); }));
    EXPECT_NE(banner().find("digits_conv.safetensors, found beside the model, is not used"), std::string::npos)
        << banner();
    EXPECT_NE(snapshot(), nullptr);
}

} // namespace
} // namespace duo::test
