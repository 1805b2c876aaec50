// SPDX-License-Identifier: Apache-2.0
#include "app/session/model_watch.h"

#include "tests/app/session/session_fixture.h"

#include <QSignalSpy>

#include <fstream>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

class ModelWatchTest : public testing::Test
{
protected:
    ModelWatchTest() { m_watch.watch(m_file, stampOf(m_file)); }
    [[nodiscard]] FileStamp told(int count)
    {
        EXPECT_TRUE(wait(m_told, count));
        return m_told.isEmpty() ? FileStamp() : m_told.back().front().value<FileStamp>();
    }
    /// Long enough for anything to be told that is going to be.
    void letPass() { QTest::qWait(static_cast<int>(3 * ModelWatch::kSettled.count())); }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder.write("m.onnx", "as read");
    ModelWatch m_watch;
    QSignalSpy m_told{&m_watch, &ModelWatch::changed};
};

TEST_F(ModelWatchTest, AFileWrittenInPlaceIsToldOnceNobodyWritesItAnyMore)
{
    for (int i = 0; i < 10; ++i) {
        std::ofstream(m_file, std::ios::app) << "piece " << i;
        QTest::qWait(100);
        EXPECT_EQ(m_told.count(), 0) << i;
    }
    EXPECT_EQ(told(1), stampOf(m_file));
    letPass();
    EXPECT_EQ(m_told.count(), 1);
}

TEST_F(ModelWatchTest, AFileThatTakesItsPlaceIsToldAndWatchedAsWell)
{
    std::filesystem::rename(m_folder.write("new", "as written anew"), m_file);
    EXPECT_EQ(told(1), stampOf(m_file));
    std::filesystem::rename(m_folder.write("new", "as read"), m_file);
    EXPECT_EQ(told(2), stampOf(m_file));
    std::ofstream(m_file, std::ios::app) << "in place";
    EXPECT_EQ(told(3), stampOf(m_file));
}

TEST_F(ModelWatchTest, AFileThatIsGoneIsToldAndItsReturnToo)
{
    std::filesystem::rename(m_file, m_folder / "elsewhere");
    EXPECT_FALSE(told(1).exists());
    std::filesystem::rename(m_folder / "elsewhere", m_file);
    EXPECT_EQ(told(2), stampOf(m_file));
}

TEST_F(ModelWatchTest, WhatHappensBesideItAndToFilesWatchedBeforeIsNotTold)
{
    const auto other = m_folder.write("other.onnx", "another");
    m_watch.watch(other, stampOf(other));
    (void)m_folder.write("m.onnx", "written");
    (void)m_folder.write("third.onnx", "new");
    letPass();
    EXPECT_EQ(m_told.count(), 0);
}

TEST_F(ModelWatchTest, WhatWasWrittenWhileItWasReadIsToldAtOnce)
{
    const FileStamp read = stampOf(m_file);
    std::ofstream(m_file, std::ios::app) << "more";
    m_watch.watch(m_file, read);
    EXPECT_EQ(told(1), stampOf(m_file));
}

} // namespace
} // namespace duo::app
