// SPDX-License-Identifier: Apache-2.0
// SessionMemory: the session of each model as it is at work, a file per model in a folder of the user, so that nothing
// is lost by closing or a crash. Each of several windows on one model has a file of its own
// (resources/docs/session.md, "Several windows").
#pragma once

#include "app/session/file_lock.h"
#include "app/session/job.h"
#include "core/pipeline/session_file.h"
#include "core/support/file_stamp.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>

namespace duo::app {

class SessionMemory
{
public:
    static constexpr std::size_t kMost = 200; // files
    static constexpr int kMostWindows = 100; // on one model with a session of their own; more share the last one
    static constexpr std::chrono::milliseconds kDelay{400}; // from a change until it is written
    using Failed = std::function<void(const Error&)>;

    /// What a window on a model goes on from.
    struct Begun {
        std::optional<KeptSession> kept; // nothing: it begins anew
        int window = 1; // whose session it is
        bool isShared = false; // another window has the model open; without an own session `kept` is a copy of its
        std::optional<Error> refused; // what was kept is no session; where it lies now is said
        std::string other; // date of another session that no window goes on with; "": there is none
    };

    /// @param folder is made when it is needed; @param failed hears of the first of the writes in a row that fail
    SessionMemory(std::filesystem::path folder, Failed failed);
    ~SessionMemory(); // writes what is not written yet
    SessionMemory(const SessionMemory&) = delete;
    SessionMemory& operator=(const SessionMemory&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
    /// Of the model begun with and this window; it need not be there, "" before the first one.
    [[nodiscard]] std::filesystem::path file() const
    {
        return m_model.empty() ? std::filesystem::path() : fileOf(m_window);
    }
    /// Of the model begun with, for all windows; it need not be there.
    [[nodiscard]] std::filesystem::path runsFolder() const;
    /// Sessions as they were read, by their files.
    struct ReadSession {
        FileStamp stamp; // of the file, before
        Result<KeptSession> kept;
    };
    using ReadSessions = std::map<std::filesystem::path, ReadSession>;
    /// What begin() reads, for another thread: what became of many nodes takes a while. No more of it than one session
    /// may have, which begin() holds no more than two of.
    static ReadSessions readAhead(const std::filesystem::path& folder, const std::filesystem::path& model);
    /// What follows is of the model in this file, by its path: of all sessions of it that no window has, the one
    /// written last.
    /// @param ahead what need not be read again, where it has not changed since
    Begun begin(const std::filesystem::path& model, ReadSessions ahead = {});
    /// The same model with the other session; the present one stays kept.
    Begun beginOther();
    /// Is written soon, in the background.
    void keep(KeptSession session);
    /// Returns once everything is written.
    void finish();

private:
    struct Slot {
        int window = 1;
        FileLock lock;
        KeptSession kept;
    };
    [[nodiscard]] std::filesystem::path fileOf(int window) const;
    Begun begin(int without);
    [[nodiscard]] Result<KeptSession> read(const std::filesystem::path& file);
    [[nodiscard]] std::optional<KeptSession> ofOthers();
    void write();

    std::filesystem::path m_folder;
    Failed m_failed;
    std::filesystem::path m_model; // absolute; "": none was begun
    std::string m_name; // of its files, without the end
    int m_window = 1;
    FileLock m_lock; // of m_window
    ReadSessions m_ahead;
    std::optional<KeptSession> m_pending;
    bool m_hasFailed = false;
    QObject m_receiver;
    QTimer m_timer;
    QThreadPool m_writer; // of one thread: one write after the other
};

} // namespace duo::app
