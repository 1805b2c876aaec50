// SPDX-License-Identifier: Apache-2.0
#include "app/cli/graph_overlay.h"

namespace duo::cli {
namespace {

struct SensitivityCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> by = std::make_shared<std::string>("scope");
    std::shared_ptr<std::int64_t> samples = std::make_shared<std::int64_t>(SensitivityOptions().samples);
    std::shared_ptr<bool> noCache = std::make_shared<bool>(false);
};

Result<SensitivityReport> measure(const SensitivityCall& call, const Snapshot& snapshot, const JobContext& job)
{
    SensitivityOptions options;
    options.by = *call.by == "node" ? SensitivityDepth::Nodes : SensitivityDepth::Scopes;
    options.samples = *call.samples;
    return sensitivityOn(snapshot, *call.common, *call.data, options, !*call.noCache, job);
}

int run(const SensitivityCall& call, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    return runUnderRecipe(
        *call.common, *call.recipe, "nothing was measured", console, job, [&](const Snapshot& snapshot) -> int {
            const auto report = measure(call, snapshot, job);
            console.endProgress();
            if (!report)
                return console.fail(report.error());
            console.notes(report->notes);
            console.result(sensitivityJson(*report), sensitivityText(*report));
            return kDone;
        });
}

} // namespace

void addSensitivity(Commands& commands)
{
    CLI::App* command = addCommand(commands, "sensitivity", "say which scopes and nodes the output error comes from");
    addCustomOpsOption(command, commands.common);
    SensitivityCall call;
    call.common = commands.common;
    addDataOptions(command, call.data, true);
    addRecipeOption(command, call.recipe);
    addProfileOption(command, call.common);
    addCheckpointOption(command, call.common);
    command->add_option("--by", *call.by, "scope: scopes first, then the most sensitive ones split; node: every node")
        ->check(CLI::IsMember({"scope", "node"}))
        ->capture_default_str();
    command->add_option("--samples", *call.samples, "samples to compare outputs on, at most")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--no-cache", *call.noCache, "measure ranges even where they were measured before");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
