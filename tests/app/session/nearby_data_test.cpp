// SPDX-License-Identifier: Apache-2.0
#include "app/session/nearby_data.h"

#include <QTemporaryDir>

#include <fstream>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

class NearbyData : public testing::Test
{
protected:
    void touch(const std::string& name) const { std::ofstream(folder() / name) << "x"; }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    [[nodiscard]] std::string names(const std::string& model) const
    {
        std::string text;
        for (const auto& path : dataBeside(folder() / model))
            text += path.filename().string() + " ";
        return text;
    }

private:
    QTemporaryDir m_folder;
};

TEST_F(NearbyData, CalibrationSetOfTheSameModelComesFirst)
{
    for (const char* name : {"digits_test.npz", "faces_calibration.npz", "digits_calibration.npz", "digits_conv.onnx",
             "notes.txt", "other.npy"})
        touch(name);
    std::filesystem::create_directory(folder() / "test_data_set_0");
    std::filesystem::create_directory(folder() / "results");
    EXPECT_EQ(names("digits_conv.onnx"),
        "digits_calibration.npz faces_calibration.npz digits_test.npz other.npy test_data_set_0 ");
}

TEST_F(NearbyData, MissingFolderHasNone)
{
    EXPECT_TRUE(dataBeside(folder() / "gone" / "m.onnx").empty());
}

} // namespace
} // namespace duo::app
