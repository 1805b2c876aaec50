// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/pipeline/half_model.h"
#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/recipe/recipe.h"
#include "core/report/transform_report.h"
#include "core/rules/match.h"
#include "core/support/file.h"
#include "core/transform/lower_opset.h"
#include "core/transform/newer_opset.h"
#include "core/transform/pass.h"

namespace duo::cli {
namespace {

struct TransformCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> stage = std::make_shared<std::string>("common");
    std::shared_ptr<std::string> profile = std::make_shared<std::string>();
    std::shared_ptr<bool> staticShapes = std::make_shared<bool>(false);
    std::shared_ptr<std::string> lowPrecision = std::make_shared<std::string>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::vector<std::string>> disabled = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::vector<std::string>> enabled = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::vector<std::string>> keep = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<bool> dryRun = std::make_shared<bool>(false);
    std::shared_ptr<std::int64_t> opset = std::make_shared<std::int64_t>(0);
    std::shared_ptr<std::int64_t> leastOpset = std::make_shared<std::int64_t>(0);
    std::shared_ptr<std::string> half = std::make_shared<std::string>();
    std::shared_ptr<bool> halfPorts = std::make_shared<bool>(false);
    std::shared_ptr<std::optional<double>> leastDb = std::make_shared<std::optional<double>>();
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

RuleSet keptScopes(const TransformCall& call)
{
    RuleSet keep;
    for (const std::string& scope : *call.keep) {
        Rule& rule = keep.rules.emplace_back();
        rule.kind = RuleKind::ExecutionScope;
        rule.value = scope;
    }
    return keep;
}

/// Those of a recipe, and what the line says beside them.
TransformOptions optionsOf(const TransformCall& call, const Recipe& recipe)
{
    TransformOptions options = recipe.transforms.value_or(TransformOptions());
    if (*call.stage == "target")
        options.target = *call.profile;
    options.staticShapes = options.staticShapes || *call.staticShapes;
    if (!call.lowPrecision->empty())
        options.lowPrecision = *call.lowPrecision == "on";
    options.opset = *call.opset > 0 ? *call.opset : options.opset;
    options.leastOpset = *call.leastOpset > 0 ? *call.leastOpset : options.leastOpset;
    options.enabled.insert(call.enabled->begin(), call.enabled->end());
    options.disabled.insert(call.disabled->begin(), call.disabled->end());
    if (!call.half->empty())
        options.half = *call.half == "float16" ? ElementType::Float16 : ElementType::BFloat16;
    options.halfPorts = options.halfPorts || *call.halfPorts;
    options.halfSqnrDb = call.leastDb->value_or(options.halfSqnrDb);
    const RuleSet scopes = keptScopes(call);
    options.keep.rules.insert(options.keep.rules.end(), scopes.rules.begin(), scopes.rules.end());
    return options;
}

std::vector<std::string> targetNames()
{
    std::vector<std::string> names;
    for (const TransformTarget& target : transformTargets())
        names.emplace_back(target.name);
    return names;
}

/// @return Usage for a scope in which no node runs
Status checkKept(const Model& model, const Scopes& scopes, const RuleSet& keep)
{
    for (const RuleHit& hit : matchRules(model, scopes, keep).hits) {
        if (hit.nodes.empty())
            return Error{ErrorCode::Usage, "no node runs in this scope", "--keep " + hit.rule.value,
                hit.suggestions.empty() ? "look at the scopes (duoscope-cli scopes MODEL)"
                                        : hit.suggestions.front().text};
    }
    return success();
}

/// What the file is to tell of the scopes of `before`, which it may not show any more.
Status tellScopesInPlace(Transformed& made, const Model& before, const Scopes& scopes, const JobContext& job)
{
    if (made.model.get() == &before)
        return success();
    DUO_TRY(told, withScopesTold(before, scopes, made.model, job));
    made.model = std::move(told);
    return success();
}

/// Without one an empty recipe.
Result<Recipe> recipeOf(const TransformCall& call)
{
    return call.recipe->empty() ? Recipe() : readRecipe(*call.recipe);
}

/// @param before the model as it was opened
Result<Transformed> halved(const TransformCall& call, Transformed made, const Snapshot& before,
    const TransformOptions& options, const RuleSet& rules, const JobContext& job)
{
    DUO_TRY(dataset, openData(*call.data, *made.model, job));
    HalfOptions half = halfOptions(options, rules);
    half.threads = call.common->threadCount();
    half.original = before.model.get();
    half.originalScopes = before.scopes.get();
    const std::shared_ptr<const Model> whole = made.model;
    DUO_TRY(done, halvedModel(std::move(made), *dataset, half, job));
    DUO_CHECK(tellScopesInPlace(done, *whole, findScopes(*whole), job));
    return done;
}

Result<Transformed> transformed(
    const TransformCall& call, const std::shared_ptr<const Model>& model, const JobContext& job)
{
    DUO_TRY(recipe, recipeOf(call));
    const TransformOptions options = optionsOf(call, recipe);
    const bool isHalved = halfTypeOf(options).has_value();
    if (isHalved && call.data->data.empty())
        return Error{ErrorCode::Usage, "whether values fit into 16 bits is told by data",
            call.half->empty() ? "pass half" : "--half", "give --data"};
    DUO_TRY(opened, scopesOf(model, call.common->openOptions(), job));
    DUO_CHECK(checkKept(*model, *opened.scopes, keptScopes(call)));
    DUO_TRY(made, transformModel(model, options, job, opened.scopes.get()));
    DUO_CHECK(tellScopesInPlace(made, *model, *opened.scopes, job));
    return isHalved ? halved(call, std::move(made), opened, options, recipe.rules, job) : std::move(made);
}

int run(const TransformCall& call, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    console.writes(*call.output);
    if (call.output->empty() && !*call.dryRun)
        return console.fail(
            {ErrorCode::Usage, "nothing says where to write", "-o", "name a file, or ask for --dry-run"});
    if ((*call.stage == "target") == call.profile->empty())
        return console.fail({ErrorCode::Usage, "a profile is for stage target, and that needs one", "--profile",
            "name what the model is to run on, or leave both out"});
    const auto model = readModel(call.common->model, call.common->readOptions(), job);
    if (!model)
        return console.fail(model.error());
    if (!*call.dryRun) {
        if (const Status free = refuseOverInput(**model, *call.output); !free)
            return console.fail(free.error());
    }
    const auto made = ifFilesWhole(transformed(call, *model, job));
    if (!made)
        return console.fail(made.error());
    WrittenFiles written;
    if (!*call.dryRun) {
        auto files = writeModel(*made->model, {}, *call.output, job);
        if (!files)
            return console.fail(files.error());
        written = *std::move(files);
    }
    console.endProgress();
    const nlohmann::ordered_json json = transformJson(made->report, written);
    const std::string& beyond = made->report.beyondTarget;
    if (!beyond.empty())
        console.warn(beyond);
    console.result(json, transformText(made->report));
    return beyond.empty() ? kDone : kFindings;
}

} // namespace

void addTransform(Commands& commands)
{
    CLI::App* command = addCommand(commands, "transform",
        "write the model simplified: nodes go that change nothing, names and scopes of the others stay");
    addCustomOpsOption(command, commands.common);
    addCheckpointOption(command, commands.common);
    TransformCall call;
    call.common = commands.common;
    command
        ->add_option("--stage", *call.stage,
            "common: what holds on any target; target: that, then what the profile's runtime wants")
        ->check(CLI::IsMember({"common", "target"}))
        ->capture_default_str();
    command->add_option("--profile", *call.profile, "of stage target: what the model is to run on")
        ->check(CLI::IsMember(targetNames()));
    command->add_flag("--static-shapes", *call.staticShapes,
        "run passes that need the sizes of values as well; the result may not fit other sizes");
    addRecipeOption(command, call.recipe);
    command
        ->add_option("--low-precision", *call.lowPrecision,
            "on: what dequantizes constants stays as it is, unless the recipe says otherwise")
        ->check(CLI::IsMember({"on", "off"}));
    command->add_option("--disable", *call.disabled, "ids of passes that are not to run");
    command->add_option("--enable", *call.enabled, "ids of passes of stage target to run, whatever the target wants");
    command->add_option("--keep", *call.keep, "execution scopes whose nodes are to stay as they are");
    command
        ->add_option("--opset", *call.opset,
            "the newest opset of ai.onnx that the result may need, for runtimes that read no newer ones")
        ->check(CLI::Range(kLeastLowered, std::int64_t{99}));
    command
        ->add_option("--least-opset", *call.leastOpset,
            "raise older models to this opset, for what only newer ones can say, such as scales of 16 bits (19)")
        ->check(CLI::Range(kLeastLowered, kMostRaised));
    command
        ->add_option("--half", *call.half,
            "compute in floats of 16 bits where values fit, which --data tell; inputs and outputs keep their types")
        ->check(CLI::IsMember({"float16", "bfloat16"}));
    command->add_option("--min-sqnr", *call.leastDb,
        "decibels every output must keep with --half float16: nodes that cost most stay in 32 bits until it does "
        "(default: the recipe's, or 45)");
    command->add_flag("--half-ports", *call.halfPorts, "with --half: inputs and outputs are of 16 bits as well");
    addDataOptions(command, call.data, false);
    command->add_flag("--dry-run", *call.dryRun, "say what would be done, and write nothing");
    command->add_option("-o,--output", *call.output, "the model to write");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
