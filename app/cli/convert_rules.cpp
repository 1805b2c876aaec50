// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/quantize/recipe/recipe_forms.h"
#include "core/report/convert_report.h"
#include "core/support/file.h"

#include <array>

namespace duo::cli {
namespace {

struct ConvertOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> rules = std::make_shared<std::string>();
    std::shared_ptr<std::string> to = std::make_shared<std::string>();
    std::shared_ptr<std::string> from = std::make_shared<std::string>();
};

int run(const ConvertOptions& options, Console& console, const std::stop_token& stop)
{
    const auto reading = readRecipeFile(*options.rules, ruleFormFromText(*options.from));
    if (!reading)
        return console.fail(reading.error());
    const RuleForm form = *ruleFormFromText(*options.to);
    RulesText converted;
    if (options.common->model.empty()) {
        converted = recipeAs(reading->recipe, form);
    } else {
        const auto snapshot = openScopes(options.common->model, options.common->openOptions(), console.job(stop));
        if (!snapshot)
            return console.fail(snapshot.error());
        converted = recipeAs(reading->recipe, form, snapshot->model.get(), snapshot->scopes.get());
    }
    console.endProgress();
    console.notes(reading->notes);
    console.result(convertJson(*reading, form, converted), converted.text);
    for (const RuleLoss& loss : converted.losses)
        console.warn(lossText(loss));
    return kDone;
}

} // namespace

void addConvertRules(Commands& commands)
{
    CLI::App* command = commands.app.add_subcommand("convert-rules", "write rules in the form of another tool");
    ConvertOptions options;
    options.common = commands.common;
    auto& common = *commands.common;
    const auto forms = textsOf(kRuleForms, ruleFormText);
    command->add_option("RULES", *options.rules, "recipe, NNCF's JSON or Python, or another form")->required();
    command->add_option("--to", *options.to, "form to write")->required()->check(CLI::IsMember(forms));
    command->add_option("--from", *options.from, "form to read, where its looks do not tell (list)")
        ->check(CLI::IsMember(forms));
    command->add_option(
        "--model", common.model, "writes rules the form has no word for as names of this model's nodes");
    command->add_flag("--json", common.json, "one JSON document on stdout and nothing else there");
    command->add_flag("--quiet", common.quiet, "no progress and no notes");
    command->add_option("--threads", common.threads, "threads to use; 0: all cores")->check(CLI::Range(0, 1024));
    command->add_option("--allow-external", common.allowExternal,
        "external data may also lie below this folder, and are looked for there");
    addCheckpointOption(command, commands.common);
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
