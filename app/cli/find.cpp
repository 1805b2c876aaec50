// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/engine/find_value_types.h"
#include "core/report/find_report.h"

namespace duo::cli {
namespace {

struct FindCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> text = std::make_shared<std::string>();
    std::shared_ptr<bool> isPattern = std::make_shared<bool>(false);
};

int run(const FindCall& call, Console& console, const std::stop_token& stop)
{
    auto query = *call.isPattern ? SearchQuery::ofPattern(*call.text) : SearchQuery::parse(*call.text);
    if (const auto* problem = std::get_if<std::string>(&query))
        return console.fail({ErrorCode::Usage, "nothing can be looked for", *problem, "see duoscope-cli find --help"});
    const auto snapshot = openWithRecipe(*call.common, *call.recipe, console.job(stop));
    console.endProgress();
    if (!snapshot)
        return console.fail(snapshot.error());
    const Model& model = *snapshot->model;
    const Scopes& scopes = *snapshot->scopes;
    const Decisions* decisions = snapshot->placement ? &snapshot->placement->decisions : nullptr;
    const SearchOrder order = searchOrder(model, scopes);
    const OpenedModel* opened = snapshot->opened.get();
    ValueTypes types;
    if (std::get<SearchQuery>(query).asksForShapes()) {
        auto found = findValueTypes(model, console.job(stop));
        console.endProgress();
        if (!found)
            return console.fail(found.error());
        types = *std::move(found);
        if (types.problem)
            console.warn("shapes are those that the file tells: " + types.problem->line());
    }
    const SearchPlace place{model, scopes, decisions, order, opened ? opened->model.get() : nullptr,
        opened ? opened->scopes.get() : nullptr, types.types.empty() ? nullptr : &types};
    const Found found = findThings(place, std::get<SearchQuery>(std::move(query)));
    if (found.givenUp > 0)
        console.warn(
            "the pattern was given up on " + std::to_string(found.givenUp) + " texts: it takes too many steps there");
    console.result(findJson(place, found), findText(place, found));
    return (found.things.empty() && found.gone.empty()) || found.givenUp > 0 ? kFindings : kDone;
}

} // namespace

void addFind(Commands& commands)
{
    CLI::App* command
        = addCommand(commands, "find", "look for nodes and scopes by name, type, scope, parameter, shape and state");
    FindCall call;
    call.common = commands.common;
    command
        ->add_option("TEXT", *call.text,
            "words that must all be there; with a field: name: type: scope: parameter: shape:1x64x*x* "
            "state:quantized; re: begins a pattern, - says what must not be there")
        ->required();
    command->add_flag("--regex", *call.isPattern, "TEXT is one regular expression, looked for anywhere");
    addCheckpointOption(command, commands.common);
    addRecipeOption(command, call.recipe);
    addProfileOption(command, call.common);
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
