// SPDX-License-Identifier: Apache-2.0
// Programs of torch.export (.pt2) in the window: looked at, not quantized, and a checkpoint beside an ONNX model.
#include "tests/app/gui/window_driver.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class ProgramTest : public testing::Test
{
protected:
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return m_driver.window().session().snapshot(); }
    [[nodiscard]] std::string banner() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] std::filesystem::path copyData(const std::string& file, const std::string& as) const
    {
        const auto target = m_driver.folder() / as;
        std::filesystem::copy_file(std::filesystem::path(DUO_TEST_DATA) / file, target);
        return target;
    }

    WindowDriver m_driver;
};

TEST_F(ProgramTest, BothLayoutsShowBothTrees)
{
    for (const char* layout : {"archive", "flat"}) {
        ASSERT_TRUE(m_driver.open(copyData("pt2/" + std::string(layout) + "/a_sibling.pt2", layout))) << layout;
        EXPECT_EQ(snapshot()->model->format->name, "torch-export");
        EXPECT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "dec/@enc.proj#1")) << layout;
        EXPECT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, "enc.proj")) << layout;
    }
}

TEST_F(ProgramTest, QuantizingAndExportingSayWhichCallMakesAnOnnxModel)
{
    ASSERT_TRUE(m_driver.open(copyData("pt2/archive/c_tied.pt2", "tied.pt2")));
    for (const char* action : {"actionQuantize", "actionExport"}) {
        m_driver.find<ui::Banner>("banner")->dismiss();
        m_driver.action(action)->trigger();
        EXPECT_NE(banner().find("torch.onnx.export(program"), std::string::npos) << action << ": " << banner();
        EXPECT_NE(banner().find("dynamo=True"), std::string::npos) << action;
    }
}

TEST_F(ProgramTest, DroppedTogetherWithAnOnnxModelItIsTheCheckpoint)
{
    m_driver.drop({copyData("pt2/archive/c_tied.pt2", "a.pt2"), copyData("cases/c_tied.onnx", "b.onnx")});
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot() && snapshot()->checkpoint != nullptr; }));
    EXPECT_EQ(snapshot()->model->path.filename(), "b.onnx");
    EXPECT_EQ(snapshot()->checkpoint->path.filename(), "a.pt2");
    EXPECT_EQ(snapshot()->checkpoint->format, "pt2");
}

TEST_F(ProgramTest, DroppedOntoAnOnnxModelItIsTheCheckpoint)
{
    ASSERT_TRUE(m_driver.open(copyData("cases/c_tied.onnx", "model.onnx")));
    m_driver.drop({copyData("pt2/flat/c_tied.pt2", "other.pt2")});
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot()->checkpoint != nullptr; }));
    EXPECT_EQ(snapshot()->model->path.filename(), "model.onnx");
}

} // namespace
} // namespace duo::test
