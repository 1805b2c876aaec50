// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/sensitivity/foreseen_size.h"
#include "core/report/note_groups.h"
#include "core/report/plan_report.h"

namespace duo::cli {
namespace {

int run(const CommonOptions& common, const std::string& recipe, Console& console, const std::stop_token& stop)
{
    const auto snapshot = openWithRecipe(common, recipe, console.job(stop));
    if (!snapshot)
        return console.fail(snapshot.error());
    if (!snapshot->placement)
        return console.fail(*snapshot->refusal);
    console.notes(recipeNotes(snapshot->recipe));
    console.notes(snapshot->placement->notes);
    const auto size = foreseenSize(*snapshot);
    console.result([&](const WriteText& write) { writePlanJson(*snapshot->model, *snapshot->placement, size, write); },
        [&](const WriteText& write) { writePlanText(*snapshot->model, *snapshot->placement, size, write); });
    const bool hasFindings = warnOfRules(*snapshot, console);
    const bool isNothing = noteOf(snapshot->placement->notes, "nothing-quantized") != nullptr;
    return !hasFindings && !isNothing ? kDone : kFindings;
}

} // namespace

void addPlan(Commands& commands)
{
    CLI::App* command = addCommand(commands, "plan", "place quantizers without data and decide on every node");
    const auto recipe = std::make_shared<std::string>();
    addRecipeOption(command, recipe);
    addProfileOption(command, commands.common);
    addCheckpointOption(command, commands.common);
    command->callback([&chosen = commands.chosen, common = commands.common, recipe] {
        chosen = [common, recipe](
                     Console& console, const std::stop_token& stop) { return run(*common, *recipe, console, stop); };
    });
}

} // namespace duo::cli
