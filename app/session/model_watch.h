// SPDX-License-Identifier: Apache-2.0
// ModelWatch: says when the file that a model was read from is another one: written in place, replaced or gone. It
// waits until nobody writes it any more.
#pragma once

#include "core/support/file_stamp.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <filesystem>

namespace duo::app {

class ModelWatch : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kSettled{400}; // the file stays as it is for so long

    explicit ModelWatch(QObject* parent = nullptr);

    /// @param read of the file as the model was read from it
    void watch(const std::filesystem::path& file, const FileStamp& read);
    /// Now, where the system tells nothing of changes (network folders).
    void look();

Q_SIGNALS:
    /// Once for each state of the file; also where it is again what was read, after it was another one.
    /// @param stamp without a file where it is gone
    void changed(const duo::FileStamp& stamp);

private:
    void watchAgain();
    void settle();

    std::filesystem::path m_file;
    FileStamp m_told; // or read
    FileStamp m_seen; // last time
    QFileSystemWatcher m_watcher;
    QTimer m_timer;
};

} // namespace duo::app
