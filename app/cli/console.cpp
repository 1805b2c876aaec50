// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"

#include "core/engine/engine_process.h"
#include "core/report/note_groups.h"
#include "core/support/staged_files.h"
#include "core/support/visible_text.h"

#include <cstdio>

#include <unistd.h>

namespace duo::cli {
namespace {

constexpr int kBarWidth = 30;
constexpr std::chrono::seconds kLinePause{5}; // between lines of one stage, where there is no terminal

std::string countText(const Progress& progress, const ProgressRate& rate)
{
    const std::string speed = rate.text();
    return std::to_string(progress.done) + "/" + std::to_string(progress.total) + (speed.empty() ? "" : ", " + speed);
}

std::string barText(const Progress& progress)
{
    std::string bar;
    const auto filled = static_cast<int>(kBarWidth * progress.done / progress.total);
    for (int i = 0; i < kBarWidth; ++i)
        bar += i < filled ? '#' : '.';
    return progress.stage + " [" + bar + "] ";
}

} // namespace

Console::Console(bool json, bool quiet)
    : m_json(json)
    , m_quiet(quiet)
    , m_terminal(::isatty(STDERR_FILENO) != 0)
{
}

void Console::result(const nlohmann::ordered_json& json, const std::string& text) const
{
    if (m_quiet && !m_json)
        return;
    // Names come from files: no control character of theirs reaches the terminal.
    const std::string out = m_json
        ? visibleJson(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n"
        : visibleText(text, true);
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
}

void Console::result(const std::function<void(const WriteText&)>& writeJson,
    const std::function<void(const WriteText&)>& writeText) const
{
    const auto write = [](std::string_view piece) { std::fwrite(piece.data(), 1, piece.size(), stdout); };
    if (m_json) {
        writeJson([&](std::string_view piece) { write(visibleJson(piece)); });
        write("\n");
    } else if (!m_quiet) {
        writeText([&](std::string_view piece) { write(visibleText(piece, true)); });
    }
    std::fflush(stdout);
}

bool Console::allPrinted() const
{
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

int Console::fail(const Error& error) const
{
    std::fprintf(stderr, "%serror: %s\n", m_barShown ? "\n" : "", error.line().c_str());
    return exitCodeOf(error.code);
}

void Console::warn(const std::string& line) const
{
    std::fprintf(stderr, "warning: %s\n", Error{ErrorCode::Internal, line, {}, {}}.line().c_str());
}

int Console::refuse(const std::string& what, const std::string& whatToDo) const
{
    fail({ErrorCode::InvalidRule, what, {}, whatToDo});
    return kFindings;
}

void Console::note(const std::string& line) const
{
    if (!m_quiet)
        std::fprintf(stderr, "%s\n", line.c_str());
}

void Console::notes(const std::vector<Note>& notes) const
{
    for (const NoteGroup& group : groupNotes(notes))
        note("note: " + Error{ErrorCode::Internal, noteLine(group), {}, {}}.line());
}

void Console::progress(const Progress& progress)
{
    if (m_quiet)
        return;
    const auto now = ProgressRate::Clock::now();
    m_rate.note(progress, now);
    if (m_terminal && progress.total > 0) {
        std::fprintf(stderr, "\r\x1b[K%s%s", barText(progress).c_str(), countText(progress, m_rate).c_str());
        std::fflush(stderr);
        m_barShown = true;
    } else if (progress.stage != m_stage) {
        endProgress();
        std::fprintf(stderr, "%s ...\n", progress.stage.c_str());
        m_lastLine = now;
    } else if (progress.total > 0 && now - m_lastLine >= kLinePause) {
        std::fprintf(stderr, "%s %s\n", progress.stage.c_str(), countText(progress, m_rate).c_str());
        m_lastLine = now;
    }
    m_stage = progress.stage;
}

void Console::endProgress()
{
    if (m_barShown)
        std::fputc('\n', stderr);
    m_barShown = false;
}

void Console::writes(std::filesystem::path output)
{
    const std::lock_guard lock(m_leaving);
    m_output = std::move(output);
}

void Console::leave()
{
    const std::lock_guard lock(m_leaving);
    fail(cancelledError());
    if (!m_output.empty())
        StagedFiles::abandon(m_output);
    killEngines();
    ::_exit(kInterrupted);
}

JobContext Console::job(std::stop_token stop)
{
    return {std::move(stop), [this](const Progress& step) { progress(step); }};
}

} // namespace duo::cli
