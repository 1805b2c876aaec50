// SPDX-License-Identifier: Apache-2.0
#include "app/session/recent_files.h"

#include <QFileInfo>

namespace duo::app {
namespace {

QString key()
{
    return QStringLiteral("recent/files");
}

} // namespace

RecentFiles::RecentFiles(QSettings& settings)
    : m_settings(settings)
{
}

QStringList RecentFiles::list() const
{
    QStringList files = m_settings.value(key()).toStringList();
    files.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return files;
}

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = m_settings.value(key()).toStringList();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_settings.setValue(key(), QStringList(files.mid(0, kMost)));
}

void RecentFiles::clear()
{
    m_settings.remove(key());
}

} // namespace duo::app
