// SPDX-License-Identifier: Apache-2.0
#include "app/session/model_watch.h"

#include <QString>

namespace duo::app {

ModelWatch::ModelWatch(QObject* parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kSettled);
    connect(&m_timer, &QTimer::timeout, this, &ModelWatch::settle);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &ModelWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &ModelWatch::look);
}

void ModelWatch::watch(const std::filesystem::path& file, const FileStamp& read)
{
    if (const QStringList old = m_watcher.files() + m_watcher.directories(); !old.isEmpty())
        m_watcher.removePaths(old);
    m_file = file;
    m_told = read;
    watchAgain();
    look();
}

/// Anew: what took the file's place is not watched yet, and the folder tells only that something did.
void ModelWatch::watchAgain()
{
    const QString file = QString::fromStdString(m_file.string());
    m_watcher.removePath(file);
    if (stampOf(m_file).exists())
        m_watcher.addPath(file);
    const auto above = m_file.has_parent_path() ? m_file.parent_path() : std::filesystem::path(".");
    if (const QString folder = QString::fromStdString(above.string()); !m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
}

void ModelWatch::look()
{
    if (m_file.empty())
        return;
    const FileStamp now = stampOf(m_file);
    if (now == m_told)
        m_timer.stop();
    else if (now != m_seen || !m_timer.isActive())
        m_timer.start();
    m_seen = now;
}

void ModelWatch::settle()
{
    watchAgain();
    const FileStamp now = stampOf(m_file);
    if (now != m_seen) {
        look();
        return;
    }
    if (now == m_told)
        return;
    m_told = now;
    Q_EMIT changed(now);
}

} // namespace duo::app
