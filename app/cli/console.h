// SPDX-License-Identifier: Apache-2.0
// Console: what the command line prints where. Results go to stdout, progress and messages to stderr.
#pragma once

#include "core/model/model.h"
#include "core/support/exit_code.h"
#include "core/support/job.h"
#include "core/support/progress_rate.h"
#include "core/support/write_text.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace duo::cli {

class Console
{
public:
    Console(bool json, bool quiet);

    /// The result: JSON alone on stdout, or the text for people, unless quiet.
    void result(const nlohmann::ordered_json& json, const std::string& text) const;
    /// The same for what is large: made only if it is printed, and piece by piece.
    void result(const std::function<void(const WriteText&)>& writeJson,
        const std::function<void(const WriteText&)>& writeText) const;
    [[nodiscard]] bool allPrinted() const; // everything for stdout has reached it
    /// "error: what: where: what to do" on stderr. @return its exit code
    int fail(const Error& error) const;
    /// A finding the user must see, on stderr even when quiet: "warning: ...".
    void warn(const std::string& line) const;
    /// Findings stopped the work: says so. @return kFindings
    int refuse(const std::string& what, const std::string& whatToDo) const;
    void note(const std::string& line) const; // a line on stderr, unless quiet
    void notes(const std::vector<Note>& notes) const;
    /// Shows progress: a bar on a terminal; otherwise a line per stage, and one every five seconds of a long one.
    /// Nothing if quiet.
    void progress(const Progress& progress);
    void endProgress();
    [[nodiscard]] JobContext job(std::stop_token stop);
    /// A file that the command writes, the last one of those that belong together; the next one comes instead of it.
    void writes(std::filesystem::path output);
    /// Says that it was stopped, removes what is unfinished of what it writes and ends the program: called on another
    /// thread for what does not hear of it soon, such as the engine opening a model.
    void leave();

private:
    bool m_json;
    bool m_quiet;
    bool m_terminal;
    std::atomic<bool> m_barShown = false;
    std::mutex m_leaving;
    std::filesystem::path m_output; // empty: it writes none
    std::string m_stage;
    ProgressRate m_rate;
    ProgressRate::Clock::time_point m_lastLine;
};

} // namespace duo::cli
