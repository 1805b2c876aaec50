// SPDX-License-Identifier: Apache-2.0
#include "app/session/session_memory.h"

#include "core/state/digest.h"
#include "core/support/disk.h"
#include "core/support/leftovers.h"
#include "core/support/text_file.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace duo::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".session.json";
constexpr const char* kLockExtension = ".lock";
constexpr const char* kRunsExtension = ".runs";

fs::path wholePath(const fs::path& model)
{
    std::error_code unknown;
    const fs::path path = fs::weakly_canonical(model, unknown);
    return unknown ? fs::absolute(model, unknown) : path;
}

std::string nameOf(const fs::path& model)
{
    Digest digest;
    digest.add(model.string());
    const std::string text = digest.text();
    return text.substr(text.find(':') + 1);
}

/// @param model its name
std::string fileName(const std::string& model, int window)
{
    return model + (window == 1 ? std::string() : '.' + std::to_string(window)) + kExtension;
}

fs::path lockOf(const fs::path& file)
{
    return fs::path(file) += kLockExtension;
}

Result<KeptSession> readKept(const fs::path& file)
{
    DUO_TRY(text, readTextFile(file, kLongestSession));
    return parseSession(text, file.string());
}

/// What cannot be read may still be wanted: by a newer program, or by somebody who can mend it.
/// @return what is wrong with it, and where it lies now
Error setAside(const fs::path& file, Error error)
{
    constexpr int kMostAside = 1000;
    std::error_code unknown;
    fs::path aside;
    for (int i = 1; i <= kMostAside && (aside.empty() || fs::exists(aside, unknown)); ++i)
        aside = fs::path(file) += ".unread" + std::to_string(i);
    unknown = renameFile(file, aside);
    error.where = file.string();
    error.whatToDo = unknown ? "remove it" : "it was set aside as " + aside.filename().string();
    return error;
}

constexpr std::chrono::hours kOld{1}; // what is younger may be made right now

bool isOld(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return entry.last_write_time(ignored) + kOld < fs::file_time_type::clock::now();
}

/// Of models that no session is kept of any more.
void dropLoneRuns(const fs::path& folder)
{
    std::set<std::string> names; // of models
    std::vector<fs::path> runs;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        if (file.ends_with(kExtension))
            names.insert(file.substr(0, file.find('.')));
        else if (file.ends_with(kRunsExtension) && isOld(*entry))
            runs.push_back(entry->path());
    }
    for (const fs::path& path : runs) {
        if (!names.contains(path.stem().string()))
            (void)removeFolder(path);
    }
}

/// The oldest beyond the limit that no window has, and locks of windows that were killed.
void dropOld(const fs::path& folder)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        const fs::path& path = entry->path();
        if (path.string().ends_with(kExtension))
            files.emplace_back(entry->last_write_time(ignored), path);
        else if (path.extension() == kLockExtension && isOld(*entry))
            (void)FileLock::take(path); // and gives it back, with the file, where nobody has it
    }
    if (files.size() <= SessionMemory::kMost)
        return;
    const auto kept = files.end() - static_cast<std::ptrdiff_t>(SessionMemory::kMost);
    std::nth_element(files.begin(), kept, files.end());
    std::for_each(files.begin(), kept, [&](const auto& file) {
        const FileLock lock = FileLock::take(lockOf(file.second));
        if (lock.state() == FileLock::State::Busy)
            return;
        dropLeftovers(folder, file.second.filename().string());
        removeFile(file.second);
    });
}

Status writeKept(const KeptSession& kept, const fs::path& path)
{
    DUO_CHECK(writeTextFileInFolder(path, sessionText(kept)));
    dropOld(path.parent_path());
    dropLoneRuns(path.parent_path());
    return success();
}

} // namespace

SessionMemory::SessionMemory(fs::path folder, Failed failed)
    : m_folder(std::move(folder))
    , m_failed(std::move(failed))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    QObject::connect(&m_timer, &QTimer::timeout, &m_receiver, [this] { write(); });
    m_writer.setMaxThreadCount(1);
}

SessionMemory::~SessionMemory()
{
    finish();
}

fs::path SessionMemory::fileOf(int window) const
{
    return m_folder / fileName(m_name, window);
}

fs::path SessionMemory::runsFolder() const
{
    return m_folder / (m_name + kRunsExtension);
}

SessionMemory::ReadSessions SessionMemory::readAhead(const fs::path& folder, const fs::path& model)
{
    ReadSessions ahead;
    const std::string name = nameOf(wholePath(model));
    std::size_t bytes = 0;
    for (int window = 1; window <= kMostWindows; ++window) {
        const fs::path file = folder / fileName(name, window);
        const FileStamp stamp = stampOf(file);
        if (!stamp.exists())
            continue;
        bytes += static_cast<std::size_t>(stamp.bytes);
        if (bytes > kLongestSession)
            break;
        ahead.emplace(file, ReadSession{stamp, readKept(file)});
    }
    return ahead;
}

Result<KeptSession> SessionMemory::read(const fs::path& file)
{
    const auto ahead = m_ahead.find(file);
    if (ahead == m_ahead.end() || ahead->second.stamp != stampOf(file))
        return readKept(file);
    return ahead->second.kept;
}

SessionMemory::Begun SessionMemory::begin(const fs::path& model, ReadSessions ahead)
{
    finish();
    m_lock = {};
    m_model = wholePath(model);
    m_name = nameOf(m_model);
    m_ahead = std::move(ahead);
    Begun begun = begin(0);
    m_ahead.clear();
    return begun;
}

SessionMemory::Begun SessionMemory::beginOther()
{
    finish();
    const FileLock present = std::exchange(m_lock, {}); // held until another one is
    const fs::path left = fileOf(m_window);
    Begun begun = begin(m_window);
    if (const auto kept = readKept(left); kept && begun.other.empty())
        begun.other = kept->written;
    return begun;
}

/// @param without a window whose session is not meant; 0: none
SessionMemory::Begun SessionMemory::begin(int without)
{
    std::error_code ignored = makeFolders(m_folder); // who writes there is told
    Begun begun;
    std::optional<Slot> last; // of the free ones with something kept the one written last
    std::optional<Slot> empty; // the first free one without
    for (int window = 1; window <= kMostWindows; ++window) {
        if (window == without)
            continue;
        const fs::path file = fileOf(window);
        const bool isThere = fs::exists(file, ignored);
        if (!isThere && empty)
            continue;
        FileLock lock = FileLock::take(lockOf(file));
        if (lock.state() == FileLock::State::Busy) {
            begun.isShared = true;
            continue;
        }
        dropLeftovers(m_folder, file.filename().string());
        auto kept = isThere ? read(file) : Error{};
        if (kept && last)
            begun.other = std::max(begun.other, std::min(kept->written, last->kept.written));
        if (kept && (!last || kept->written > last->kept.written))
            last = Slot{window, std::move(lock), *std::move(kept)};
        else if (!kept && isThere && !begun.refused)
            begun.refused = setAside(file, kept.error());
        if (!kept && lock.state() == FileLock::State::Held && !empty)
            empty = Slot{window, std::move(lock), {}};
    }
    if (!last) {
        begun.kept = ofOthers();
        if (begun.kept)
            begun.kept->unfinished.reset(); // it runs there
        last = empty ? *std::move(empty) : Slot{kMostWindows, {}, {}};
    } else {
        begun.kept = std::move(last->kept);
    }
    m_window = begun.window = last->window;
    m_lock = std::move(last->lock);
    return begun;
}

/// What the other windows on the model have done last.
std::optional<KeptSession> SessionMemory::ofOthers()
{
    std::optional<KeptSession> last;
    for (int window = 1; window <= kMostWindows; ++window) {
        auto kept = read(fileOf(window));
        if (kept && (!last || kept->written > last->written))
            last = *std::move(kept);
    }
    return last;
}

void SessionMemory::keep(KeptSession session)
{
    if (m_model.empty())
        return;
    session.model = m_model;
    m_pending = std::move(session);
    if (!m_timer.isActive()) // not begun anew: who edits without a pause loses no more
        m_timer.start();
}

void SessionMemory::write()
{
    m_timer.stop();
    if (!m_pending)
        return;
    m_pending->written = dateNow();
    const auto work = [kept = *std::exchange(m_pending, std::nullopt), path = fileOf(m_window)](
                          const JobContext&) { return writeKept(kept, path); };
    const auto end = [this](Status&& status) {
        const bool isFirst = !std::exchange(m_hasFailed, !status);
        if (!status && isFirst && m_failed)
            m_failed(status.error());
    };
    startJob<std::monostate>(m_writer, m_receiver, work, {}, end);
}

void SessionMemory::finish()
{
    write();
    m_writer.waitForDone();
}

} // namespace duo::app
