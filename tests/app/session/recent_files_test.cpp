// SPDX-License-Identifier: Apache-2.0
#include "app/session/recent_files.h"

#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

TEST(RecentFiles, NewestFirstWithoutRepeatsAndWithoutFilesThatAreGone)
{
    QTemporaryDir folder;
    QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    RecentFiles recent(settings);
    QStringList paths;
    for (int i = 0; i < 12; ++i) {
        paths += folder.filePath(QStringLiteral("m%1.onnx").arg(i));
        QFile file(paths.back());
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        recent.add(paths.back());
    }
    EXPECT_EQ(recent.list().size(), RecentFiles::kMost);
    recent.add(paths[5]);
    EXPECT_EQ(recent.list().front(), paths[5]);
    EXPECT_EQ(recent.list().count(paths[5]), 1);
    QFile::remove(paths[5]);
    EXPECT_EQ(recent.list().front(), paths[11]);
    recent.clear();
    EXPECT_TRUE(recent.list().isEmpty());
}

} // namespace
} // namespace duo::app
