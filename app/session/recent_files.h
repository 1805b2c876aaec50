// SPDX-License-Identifier: Apache-2.0
// RecentFiles: the models opened last, newest first, kept in the settings.
#pragma once

#include <QSettings>
#include <QStringList>

namespace duo::app {

class RecentFiles
{
public:
    static constexpr int kMost = 10;
    explicit RecentFiles(QSettings& settings); // must outlive this
    /// Absolute paths; files that are gone are left out.
    [[nodiscard]] QStringList list() const;
    void add(const QString& path);
    void clear();

private:
    QSettings& m_settings;
};

} // namespace duo::app
