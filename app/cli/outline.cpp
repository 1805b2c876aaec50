// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/onnx/writer.h"
#include "core/pipeline/inline_model.h"
#include "core/pipeline/outline_model.h"
#include "core/report/outline_report.h"

namespace duo::cli {
namespace {

struct Output {
    std::shared_ptr<std::string> path = std::make_shared<std::string>();
    std::shared_ptr<bool> dryRun = std::make_shared<bool>(false);

    void addTo(CLI::App* command) const
    {
        command->add_flag("--dry-run", *dryRun, "say what would be done, and write nothing");
        command->add_option("-o,--output", *path, "the model to write");
    }

    [[nodiscard]] Status check() const
    {
        if (*dryRun || !path->empty())
            return success();
        return Error{ErrorCode::Usage, "nothing says where to write", "-o", "name a file, or ask for --dry-run"};
    }

    Result<WrittenFiles> write(const Model& model, const JobContext& job) const
    {
        if (*dryRun)
            return WrittenFiles{};
        return writeModel(model, {}, *path, job);
    }
};

struct OutlineCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<OutlineRequest> request = std::make_shared<OutlineRequest>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    Output output = {};
};

/// What the recipe wants, and what is asked for besides.
Result<OutlineRequest> requestOf(const OutlineCall& call)
{
    if (call.recipe->empty())
        return *call.request;
    DUO_TRY(recipe, readRecipe(*call.recipe));
    OutlineRequest request = recipe.functions;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(request.scopes, call.request->scopes);
    append(request.classes, call.request->classes);
    append(request.depths, call.request->depths);
    request.all = request.all || call.request->all;
    request.split = request.split || call.request->split;
    return request;
}

Result<int> outlineTo(const OutlineCall& call, Console& console, const JobContext& job)
{
    console.writes(*call.output.path);
    DUO_CHECK(call.output.check());
    DUO_TRY(request, requestOf(call));
    DUO_TRY(outlined, outlineFile(call.common->model, call.common->openOptions(), request, *call.output.dryRun, job));
    DUO_TRY(written, call.output.write(*outlined.model, job));
    console.endProgress();
    console.result(outlineJson(outlined.plan, written), outlineText(outlined.plan));
    return outlined.plan.refusals.empty() ? kDone : kFindings;
}

struct InlineCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<InlineRequest> request = std::make_shared<InlineRequest>();
    Output output = {};
};

Result<int> inlineTo(const InlineCall& call, Console& console, const JobContext& job)
{
    console.writes(*call.output.path);
    DUO_CHECK(call.output.check());
    DUO_TRY(made, inlineFile(call.common->model, call.common->readOptions(), *call.request, job));
    DUO_TRY(written, call.output.write(*made.inlined.model, job));
    console.endProgress();
    console.result(inlineJson(made.functions, made.inlined, written), inlineText(made.functions, made.inlined));
    return kDone;
}

template <typename Call> Action actionOf(Result<int> (*run)(const Call&, Console&, const JobContext&), const Call& call)
{
    return [run, call](Console& console, const std::stop_token& stop) {
        const auto code = run(call, console, console.job(stop));
        return code ? *code : console.fail(code.error());
    };
}

} // namespace

void addOutline(Commands& commands)
{
    CLI::App* command = addCommand(
        commands, "outline", "write the model with calls of modules as calls of ONNX functions; `inline` undoes it");
    addCheckpointOption(command, commands.common);
    OutlineCall call{commands.common};
    command->add_option("--scope", call.request->scopes,
        "modules by their execution scope: blk/lin for every call of it, blk#1/lin for one call");
    command->add_option("--class", call.request->classes, "all modules of a class: Linear, or in full");
    command->add_option("--depth", call.request->depths, "all modules at a depth of the tree: 1 for the topmost")
        ->check(CLI::PositiveNumber);
    command->add_flag("--all", call.request->all, "every module, one in another");
    command->add_flag("--split", call.request->split,
        "make several functions of a module whose results leave it and come back, instead of refusing it");
    command->add_option(
        "--recipe", *call.recipe, "recipe whose functions are made, in the order of inputs and outputs that it says");
    call.output.addTo(command);
    command->callback([&chosen = commands.chosen, call] { chosen = actionOf(outlineTo, call); });
}

void addInline(Commands& commands)
{
    CLI::App* command
        = addCommand(commands, "inline", "write the model with function calls replaced by what the functions hold");
    InlineCall call{commands.common};
    command->add_option("--function", call.request->functions,
        "functions by name (default: those that `outline` made; all where it made none)");
    command->add_flag("--all", call.request->all, "all functions");
    call.output.addTo(command);
    command->callback([&chosen = commands.chosen, call] { chosen = actionOf(inlineTo, call); });
}

} // namespace duo::cli
