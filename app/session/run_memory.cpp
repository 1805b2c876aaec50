// SPDX-License-Identifier: Apache-2.0
#include "app/session/run_memory.h"

#include "core/support/disk.h"
#include "core/support/enum_text.h"
#include "core/support/leftovers.h"
#include "core/support/text_file.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace duo::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRunEnding = ".run.json";
constexpr std::string_view kStateEnding = ".state.json";
constexpr auto kMeasuredNames = enumTexts<Measured::Halves>({"times.json", "sensitivity.json", "halves.json"});

/// A date that may be the name of a file everywhere.
std::string nameOf(const KeptRun& run)
{
    std::string name = run.date;
    std::ranges::replace(name, ':', '-');
    return name;
}

fs::path pathOf(const fs::path& folder, const std::string& name, std::string_view ending)
{
    return folder / (name + std::string(ending));
}

/// Of runs, the newest first: names are dates.
std::vector<std::string> namesIn(const fs::path& folder, std::string_view ending)
{
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        if (file.ends_with(ending) && !file.starts_with('.'))
            names.push_back(file.substr(0, file.size() - ending.size()));
    }
    std::ranges::sort(names, std::ranges::greater());
    return names;
}

std::uintmax_t bytesOf(const fs::path& file)
{
    std::error_code none;
    const std::uintmax_t bytes = fs::file_size(file, none);
    return none ? 0 : bytes;
}

void drop(const fs::path& folder, const std::string& name)
{
    (void)removeFile(pathOf(folder, name, kRunEnding)); // first: what is listed has its state
    (void)removeFile(pathOf(folder, name, kStateEnding));
}

/// A state whose run was never written; what is younger may belong to a run that another window writes right now.
void dropLoneStates(const fs::path& folder)
{
    constexpr std::chrono::hours kOld{1};
    for (const std::string& name : namesIn(folder, kStateEnding)) {
        std::error_code none;
        const fs::path state = pathOf(folder, name, kStateEnding);
        const bool isLone = !fs::exists(pathOf(folder, name, kRunEnding), none);
        if (isLone && fs::last_write_time(state, none) + kOld < fs::file_time_type::clock::now())
            (void)removeFile(state);
    }
}

void dropOld(const fs::path& folder)
{
    std::size_t kept = 0;
    std::uintmax_t bytes = 0;
    for (const std::string& name : namesIn(folder, kRunEnding)) {
        bytes += bytesOf(pathOf(folder, name, kRunEnding)) + bytesOf(pathOf(folder, name, kStateEnding));
        if (++kept > RunMemory::kMost || (kept > 1 && bytes > RunMemory::kMostBytes))
            drop(folder, name);
    }
    dropLoneStates(folder);
    dropLeftovers(folder, {});
}

Status write(const fs::path& folder, const KeptRun& run, const RunMemory::StateMaker& state, const JobContext& job)
{
    const std::string name = nameOf(run);
    if (const auto text = state(job))
        DUO_CHECK(writeTextFileInFolder(pathOf(folder, name, kStateEnding), *text));
    DUO_CHECK(writeTextFileInFolder(pathOf(folder, name, kRunEnding), runText(run)));
    dropOld(folder);
    return success();
}

} // namespace

RunMemory::RunMemory(fs::path folder, std::function<void(const Status&)> changed)
    : m_folder(std::move(folder))
    , m_changed(std::move(changed))
{
    m_writer.setMaxThreadCount(1);
}

RunMemory::~RunMemory()
{
    finish();
}

std::vector<KeptRun> RunMemory::runs() const
{
    std::vector<KeptRun> runs;
    for (const std::string& name : namesIn(m_folder, kRunEnding)) {
        const fs::path file = pathOf(m_folder, name, kRunEnding);
        const auto text = readTextFile(file, kLongestRun);
        auto run = text ? parseRun(*text, file.string()) : Result<KeptRun>(text.error());
        if (run && nameOf(*run) == name)
            runs.push_back(*std::move(run));
    }
    return runs;
}

fs::path RunMemory::stateOf(const KeptRun& run) const
{
    std::error_code none;
    const fs::path state = pathOf(m_folder, nameOf(run), kStateEnding);
    return fs::exists(state, none) ? state : fs::path();
}

void RunMemory::keep(KeptRun run, StateMaker state)
{
    const auto work = [folder = m_folder, run = std::move(run), state = std::move(state)](
                          const JobContext& job) { return write(folder, run, state, job); };
    startJob<std::monostate>(m_writer, m_receiver, work, {}, [this](Status&& status) { m_changed(status); });
}

void RunMemory::remove(const KeptRun& run)
{
    drop(m_folder, nameOf(run));
}

void RunMemory::keep(Measured what, std::function<std::string()> text)
{
    const auto work = [file = fileOf(what), text = std::move(text)](
                          const JobContext&) { return writeTextFileInFolder(file, text()); };
    startJob<std::monostate>(m_writer, m_receiver, work, {}, [this](Status&& status) { m_changed(status); });
}

fs::path RunMemory::fileOf(Measured what) const
{
    return m_folder / enumText(kMeasuredNames, what);
}

void RunMemory::finish()
{
    m_writer.waitForDone();
}

} // namespace duo::app
