// SPDX-License-Identifier: Apache-2.0
// RunMemory: the runs of a model, two files each in a folder beside its session: what came of it, and the compression
// state that restores it; and one more for each thing that was measured of it last. All windows on the model share them
// (resources/docs/session.md, "Runs", "Times", "Sensitivity", "Half precision").
#pragma once

#include "app/session/job.h"
#include "core/pipeline/kept_run.h"

#include <QObject>
#include <QThreadPool>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace duo::app {

/// Of which the last is kept.
enum class Measured { Times, Sensitivity, Halves };

class RunMemory
{
public:
    static constexpr std::size_t kMost = 50; // runs
    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20; // of all their files; the newest stays
    using StateMaker = std::function<Result<std::string>(const JobContext&)>;

    /// @param folder is made when it is needed; @param changed hears when what was kept is there, or could not be
    /// written
    RunMemory(std::filesystem::path folder, std::function<void(const Status&)> changed);
    ~RunMemory(); // what is being kept is whole
    RunMemory(const RunMemory&) = delete;
    RunMemory& operator=(const RunMemory&) = delete;

    /// The newest first; a file that cannot be read is passed over.
    [[nodiscard]] std::vector<KeptRun> runs() const;
    /// Where its state lies; "": there is none.
    [[nodiscard]] std::filesystem::path stateOf(const KeptRun& run) const;
    /// In the background, the state first: a run that is listed has its own. Where there can be none, the run is kept
    /// without.
    void keep(KeptRun run, StateMaker state);
    void remove(const KeptRun& run);
    /// In the background, in place of what was measured before.
    void keep(Measured what, std::function<std::string()> text);
    [[nodiscard]] std::filesystem::path fileOf(Measured what) const; // it need not be there
    void finish(); // returns once everything is written

private:
    std::filesystem::path m_folder;
    std::function<void(const Status&)> m_changed;
    QObject m_receiver;
    QThreadPool m_writer; // of one thread
};

} // namespace duo::app
