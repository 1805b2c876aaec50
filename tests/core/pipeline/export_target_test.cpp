// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_target.h"

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>

using testing::ElementsAre;

namespace duo {
namespace {

void write(const std::filesystem::path& file, const std::string& text)
{
    std::ofstream(file) << text;
}

TEST(CheckExportTarget, RefusesToReplaceAnythingThatIsRead)
{
    const test::TemporaryFolder folder;
    Model model;
    model.path = folder / "m.onnx";
    write(model.path, "model");
    write(folder / "x.state.json", "recipe");
    EXPECT_TRUE(checkExportTarget(model, {.data = folder / "d.npz"}, folder / "y.onnx"));
    EXPECT_EQ(checkExportTarget(model, {}, model.path).error().line(),
        "the output would replace the input: " + model.path.string() + ": name another file");
    const auto recipe = folder / "x.state.json";
    EXPECT_EQ(checkExportTarget(model, {.recipe = recipe}, folder / "x.onnx").error().line(),
        "the output would replace a file that is read: " + recipe.string() + ": name another file");
}

TEST(CheckExportTarget, RefusesWhereNothingCanBeWritten)
{
    const test::TemporaryFolder folder;
    const auto missing = folder / "no/such/y.onnx";
    EXPECT_EQ(checkExportTarget({}, {}, missing).error().line(),
        "cannot write file: " + missing.string() + ": No such file or directory");
    std::filesystem::create_directories(folder / "y.state.json");
    EXPECT_EQ(checkExportTarget({}, {}, folder / "y.onnx").error().line(),
        "cannot write file: " + (folder / "y.state.json").string() + ": Is a directory");
}

TEST(CheckExportTarget, RefusesWhatIsNoFile)
{
    const test::TemporaryFolder folder;
    const auto pipe = folder / "y.onnx";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(checkExportTarget({}, {}, pipe).error().line(),
        "the output is there and is no file: " + pipe.string() + ": name a file");
}

TEST(StagedExport, LeavesOldFilesWholeUntilItIsPutInPlace)
{
    const test::TemporaryFolder folder;
    write(folder / "m.onnx", "old");
    {
        auto staged = StagedExport::beside(folder / "m.onnx");
        ASSERT_TRUE(staged);
        write(staged->model(), "half");
    }
    EXPECT_EQ(test::bytesOf(folder / "m.onnx"), "old");
    auto staged = StagedExport::beside(folder / "m.onnx");
    ASSERT_TRUE(staged);
    write(staged->model(), "new");
    write(staged->model().parent_path() / "m.state.json", "state");
    const auto files = staged->putInPlace();
    ASSERT_TRUE(files);
    EXPECT_THAT(*files, ElementsAre(folder / "m.onnx", folder / "m.state.json"));
    EXPECT_EQ(test::bytesOf(folder / "m.onnx"), "new");
}

} // namespace
} // namespace duo
