// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/report/times_report.h"

namespace duo::cli {
namespace {

struct TimesCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
};

Result<NodeTimes> measure(const TimesCall& call, const Model& model, const JobContext& job)
{
    DUO_TRY(dataset, openData(*call.data, model, job));
    return measureNodeTimes(model, *dataset, call.common->threads, job);
}

int run(const TimesCall& call, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    const auto snapshot = openScopes(call.common->model, call.common->openOptions(), job);
    if (!snapshot)
        return console.fail(snapshot.error());
    const auto times = measure(call, *snapshot->model, job);
    console.endProgress();
    if (!times)
        return console.fail(times.error());
    console.result(
        timesJson(*snapshot->model, *snapshot->scopes, *times), timesText(*snapshot->model, *snapshot->scopes, *times));
    return kDone;
}

} // namespace

void addTimes(Commands& commands)
{
    CLI::App* command = addCommand(commands, "times",
        "say how long each node and scope takes in the engine; with one thread unless --threads says");
    addCustomOpsOption(command, commands.common);
    TimesCall call;
    call.common = commands.common;
    addDataOptions(command, call.data, true);
    addCheckpointOption(command, call.common);
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
