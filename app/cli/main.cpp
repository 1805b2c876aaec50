// SPDX-License-Identifier: Apache-2.0
// duoscope-cli: everything the window does, without a window.
#include "app/cli/command.h"
#include "core/support/version.h"

#include <chrono>
#include <csignal>
#include <ctime>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace {

sigset_t stopSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP); // the terminal was closed
    return signals;
}

/// Ctrl+C and SIGTERM, heard on a thread of its own.
/// While it lives, SIGINT and SIGTERM do not kill the program but request a stop. Make it before any other thread.
class Interrupt
{
public:
    Interrupt();
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    /// Called on another thread if it still lives a moment after a stop was requested.
    void whenOverdue(std::function<void()> leave);

private:
    void listen(const std::stop_token& end);
    void leaveLater(const std::stop_token& end);

    std::stop_source m_stop;
    std::mutex m_mutex;
    std::function<void()> m_leave;
    std::jthread m_listener; // last: it uses the others
};

Interrupt::Interrupt()
{
    const sigset_t signals = stopSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_listener = std::jthread([this](const std::stop_token& end) { listen(end); });
}

void Interrupt::whenOverdue(std::function<void()> leave)
{
    const std::lock_guard lock(m_mutex);
    m_leave = std::move(leave);
}

void Interrupt::listen(const std::stop_token& end)
{
    const sigset_t signals = stopSignals();
    const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
    while (!end.stop_requested()) {
        if (sigtimedwait(&signals, nullptr, &pause) <= 0)
            continue;
        m_stop.request_stop();
        leaveLater(end);
    }
}

void Interrupt::leaveLater(const std::stop_token& end)
{
    constexpr std::chrono::milliseconds kPatience{50};
    constexpr std::chrono::milliseconds kPause{10};
    for (auto waited = std::chrono::milliseconds(0); waited < kPatience && !end.stop_requested(); waited += kPause)
        std::this_thread::sleep_for(kPause);
    const std::lock_guard lock(m_mutex);
    if (!end.stop_requested() && m_leave)
        m_leave();
}

/// Parse errors are one line like every other error; help and version are results.
int reportParse(const CLI::App& app, const CLI::ParseError& error, const duo::cli::Console& console)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        app.exit(error);
        return duo::kDone;
    }
    return console.fail({duo::ErrorCode::Usage, error.what(), {}, "see duoscope-cli --help"});
}

int run(const duo::cli::Action& chosen, duo::cli::Console& console, const std::stop_token& stop)
{
    try {
        const int code = chosen(console, stop);
        return console.allPrinted() ? code
                                    : console.fail({duo::ErrorCode::NotWritable, "cannot write the result",
                                        "standard output", "free some space"});
    } catch (const std::exception& error) {
        return console.fail({duo::ErrorCode::Internal, "internal error", error.what(), "report it with the command"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    Interrupt interrupt;
    CLI::App app{"See and choose what a compressed neural network keeps", "duoscope-cli"};
    app.set_version_flag("--version", std::string("duoscope ") + duo::kVersion);
    app.require_subcommand(1);
    const auto common = std::make_shared<duo::cli::CommonOptions>();
    duo::cli::Action chosen;
    duo::cli::Commands commands{app, common, chosen};
    duo::cli::addInspect(commands);
    duo::cli::addScopes(commands);
    duo::cli::addExplain(commands);
    duo::cli::addFind(commands);
    duo::cli::addMatch(commands);
    duo::cli::addConvertRules(commands);
    duo::cli::addPlan(commands);
    duo::cli::addGraph(commands);
    duo::cli::addQuantize(commands);
    duo::cli::addResume(commands);
    duo::cli::addCompare(commands);
    duo::cli::addSensitivity(commands);
    duo::cli::addStatistics(commands);
    duo::cli::addMergeStatistics(commands);
    duo::cli::addTimes(commands);
    duo::cli::addTransform(commands);
    duo::cli::addDequantize(commands);
    duo::cli::addConvertState(commands);
    duo::cli::addOutline(commands);
    duo::cli::addInline(commands);
    duo::cli::addAnnotate(commands);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return reportParse(app, error, duo::cli::Console(false, false));
    }
    duo::cli::Console console(common->json, common->quiet);
    interrupt.whenOverdue([&console] { console.leave(); });
    const int code = run(chosen, console, interrupt.token());
    interrupt.whenOverdue({}); // the console ends before it
    return code;
}
