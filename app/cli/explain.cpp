// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/engine/find_value_types.h"
#include "core/report/explain_report.h"
#include "core/report/gone_report.h"
#include "core/scope/producers/producers.h"
#include "core/transform/fused_names.h"

namespace duo::cli {
namespace {

/// A node that transforms took out of the model, or the error that there is no such name.
int tellGone(const Snapshot& snapshot, const std::string& asked, const Error& unknown, const Console& console)
{
    if (!snapshot.opened)
        return console.fail(unknown);
    const OpenedModel& opened = *snapshot.opened;
    const bool isThere = opened.model->findNode(asked).valid() || opened.scopes->execution.find(asked).valid();
    const auto gone = goneJson({*opened.model, *opened.scopes, *snapshot.model, *snapshot.transforms}, asked);
    if (!gone)
        return console.fail(isThere ? gone.error() : unknown);
    console.result({{"asked", asked}, {"node", nullptr}, {"execution_scope", nullptr}, {"storage_scope", nullptr},
                       {"gone", *gone}},
        goneText(*gone));
    return warnOfRules(snapshot, console) ? kFindings : kDone;
}

/// What was in a call of a function has another name once that is written out, and the call is the scope it ran in.
std::string nameNow(const Snapshot& snapshot, const std::string& asked)
{
    const NodeId before = snapshot.opened ? snapshot.opened->model->findNode(asked) : NodeId();
    if (!before.valid())
        return asked;
    if (snapshot.opened->model->node(before).isCall)
        return snapshot.opened->scopes->nodes[before.index].execution;
    const NodeId now = nodeOnceCalled(*snapshot.model, asked);
    return now.valid() ? snapshot.model->node(now).name : asked;
}

int run(const CommonOptions& common, const std::string& recipe, const std::string& asked, Console& console,
    const std::stop_token& stop)
{
    const auto snapshot = openWithRecipe(common, recipe, console.job(stop));
    console.endProgress();
    if (!snapshot)
        return console.fail(snapshot.error());
    const auto found = findAsked(*snapshot->model, *snapshot->scopes, nameNow(*snapshot, asked));
    if (!found)
        return tellGone(*snapshot, asked, found.error(), console);
    if (snapshot->refusal)
        console.note(snapshot->refusal->line());
    if (const auto note = producerNote(*snapshot->model))
        console.notes({*note});
    std::optional<ValueTypes> types; // of a scope nothing is told that needs them
    if (found->node.valid()) {
        auto looked = findTypesAt(*snapshot->model, found->node, console.job(stop));
        if (!looked)
            return console.fail(looked.error());
        types = *std::move(looked);
    }
    const Known known{*snapshot->model, *snapshot->scopes, snapshot->sources(), snapshot->placement.get(),
        snapshot->hits.get(), snapshot->base.get(), snapshot->unruled.get(), types ? &*types : nullptr};
    console.result(explainJson(known, *found), explainText(known, *found));
    return warnOfRules(*snapshot, console) ? kFindings : kDone;
}

} // namespace

void addExplain(Commands& commands)
{
    CLI::App* command = addCommand(commands, "explain",
        "say of a node where it runs, what it reads, why the two differ and what happens to it; of a scope what it "
        "holds");
    const auto asked = std::make_shared<std::string>();
    const auto recipe = std::make_shared<std::string>();
    command->add_option("NAME", *asked, "node, execution scope or storage scope; \"\" is the whole model")->required();
    addCheckpointOption(command, commands.common);
    addRecipeOption(command, recipe);
    addProfileOption(command, commands.common);
    command->callback([&chosen = commands.chosen, common = commands.common, asked, recipe] {
        chosen = [common, asked, recipe](Console& console, const std::stop_token& stop) {
            return run(*common, *recipe, *asked, console, stop);
        };
    });
}

} // namespace duo::cli
