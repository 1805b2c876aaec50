// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/rule_findings.h"

namespace duo::cli {
namespace {

int run(const CommonOptions& common, const std::string& recipe, Console& console, const std::stop_token& stop)
{
    const auto snapshot = openWithRecipe(common, recipe, console.job(stop));
    if (!snapshot)
        return console.fail(snapshot.error());
    console.notes(recipeNotes(snapshot->recipe));
    const MatchedRules matched = matchedRules(*snapshot);
    console.result(matchJson(matched), matchText(matched));
    return warnOfRules(*snapshot, console) ? kFindings : kDone;
}

} // namespace

void addMatch(Commands& commands)
{
    CLI::App* command = addCommand(commands, "match", "say which nodes each rule of a recipe catches");
    const auto recipe = std::make_shared<std::string>();
    addRecipeOption(command, recipe);
    addCheckpointOption(command, commands.common);
    command->get_option("--recipe")->required();
    command->callback([&chosen = commands.chosen, common = commands.common, recipe] {
        chosen = [common, recipe](
                     Console& console, const std::stop_token& stop) { return run(*common, *recipe, console, stop); };
    });
}

} // namespace duo::cli
