// SPDX-License-Identifier: Apache-2.0
// duoscope-cli: everything the window does, without a window.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "core/support/own_process.h"
#include "core/support/version.h"

#include <exception>

namespace {

/// Parse errors are one line like every other error; help and version are results.
int reportParse(const CLI::App& app, const CLI::ParseError& error, const duo::cli::Console& console)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        app.exit(error);
        return duo::kDone;
    }
    return console.fail({duo::ErrorCode::Usage, error.what(), {}, "see duoscope-cli --help"});
}

int run(const duo::cli::Action& chosen, duo::cli::CommonOptions& common, duo::cli::Console& console,
    const std::stop_token& stop)
{
    try {
        const std::string found = findCheckpointInPlace(common, {.stop = stop, .report = {}});
        const int code = chosen(console, stop);
        if (!found.empty() && (code == duo::kDone || code == duo::kFindings)) // errors stay one line
            console.note(found);
        return console.allPrinted() ? code
                                    : console.fail({duo::ErrorCode::NotWritable, "cannot write the result",
                                        "standard output", "free some space, or let who reads it read on"});
    } catch (const std::exception& error) {
        return console.fail({duo::ErrorCode::Internal, "internal error", error.what(), "report it with the command"});
    }
}

} // namespace

int main(int argc, char** argv)
{
    duo::prepareOwnProcess();
    duo::cli::Interrupt interrupt;
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
    const int code = run(chosen, *common, console, interrupt.token());
    interrupt.whenOverdue({}); // the console ends before it
    return code;
}
