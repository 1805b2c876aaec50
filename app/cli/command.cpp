// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/engine/engine_process.h"
#include "core/engine/run_limit.h"
#include "core/formats/file_formats.h"
#include "core/formats/read_checkpoint.h"
#include "core/pipeline/rule_findings.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/quantize/recipe/starting_recipe.h"
#include "core/report/match_report.h"
#include "core/support/parallel.h"
#include "core/support/result.h"

#include <charconv>
#include <filesystem>
#include <system_error>

namespace duo::cli {
namespace {

Result<std::map<std::string, std::int64_t>> parseDims(const std::vector<std::string>& texts)
{
    std::map<std::string, std::int64_t> dims;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        std::int64_t size = 0;
        const char* end = text.data() + text.size();
        const bool hasSize = equals != std::string::npos && equals > 0
            && std::from_chars(text.data() + equals + 1, end, size).ptr == end && size > 0;
        if (!hasSize)
            return Error{ErrorCode::Usage, "not a dimension", "--dim " + text, "write --dim NAME=SIZE"};
        dims[text.substr(0, equals)] = size;
    }
    return dims;
}

Result<DatasetOptions> datasetOptions(const DataOptions& options)
{
    DatasetOptions dataset;
    DUO_TRY(dims, parseDims(options.dims));
    dataset.dims = std::move(dims);
    for (const std::string& text : options.feeds) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
            return Error{ErrorCode::Usage, "not an output and an input", "--feed " + text, "write --feed OUTPUT=INPUT"};
        dataset.feedBack.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    dataset.mean = options.mean;
    dataset.std = options.std;
    if (options.size.size() == 2)
        dataset.size = {options.size[0], options.size[1]};
    dataset.layout = options.layout;
    dataset.channels = options.channels;
    return dataset;
}

/// As the line says, beside what the recipe says.
Status askForHalvesInPlace(const CommonOptions& common, Recipe& recipe)
{
    if (common.half.empty())
        return success();
    if (!recipe.transforms)
        return Error{ErrorCode::Usage, "floats of 16 bits are made by a pass, and passes are switched off", "--half",
            "leave out --no-transform, or have the recipe hold \"transforms\": {}"};
    recipe.transforms->half = ElementType::Float16;
    return success();
}

} // namespace

int CommonOptions::threadCount() const
{
    return threads > 0 ? threads : defaultThreads();
}

ReadOptions CommonOptions::readOptions() const
{
    ReadOptions options;
    if (!allowExternal.empty())
        options.allowExternal = allowExternal;
    options.customOps.assign(customOps.begin(), customOps.end());
    return options;
}

OpenOptions CommonOptions::openOptions() const
{
    return {.read = readOptions(), .checkpoint = checkpoint, .threads = threadCount()};
}

CLI::App* addCommand(Commands& commands, const std::string& name, const std::string& description)
{
    CLI::App* command = commands.app.add_subcommand(name, description);
    auto& common = *commands.common;
    command->add_option("MODEL", common.model, modelFormatsText() + " to look at")->required();
    command->add_flag("--json", common.json, "one JSON document on stdout and nothing else there");
    command->add_flag("--quiet", common.quiet, "errors and findings only, and JSON where it is asked for");
    command->add_option("--threads", common.threads, "threads to use; 0: all cores")->check(CLI::Range(0, 1024));
    command
        ->add_option_function<std::string>(
            "--engine-memory",
            [](const std::string& size) {
                if (const Status limited = limitEngineMemory(size); !limited)
                    throw CLI::ValidationError(limited.error().line());
            },
            "most that the inference engine may take, as 800M or 4G; left out: what the machine has")
        ->type_name("SIZE");
    command
        ->add_option_function<int>(
            "--sample-time", [](int seconds) { limitSampleTime(std::chrono::seconds(seconds)); },
            "seconds that the inference engine may take for one sample; default: "
                + std::to_string(kSampleTime.count()))
        ->check(CLI::Range(1, static_cast<int>(kMostSampleTime.count())));
    command->add_option("--allow-external", common.allowExternal,
        "external data may also lie below this folder, and are looked for there");
    return command;
}

void addCustomOpsOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common)
{
    command
        ->add_option("--custom-ops", common->customOps,
            "library with operators of the model's own (of ONNX Runtime's interface); its code is run")
        ->check(CLI::ExistingFile);
}

void addDataOptions(CLI::App* command, const std::shared_ptr<DataOptions>& options, bool required)
{
    command
        ->add_option("--data", options->data,
            dataFormatsText() + " file, folder of them, image folder, ONNX test-data folder, or random:N[:SEED]")
        ->required(required);
    command->add_option("--dim", options->dims, "NAME=SIZE of a symbolic dimension, for random data");
    command->add_option("--feed", options->feeds,
        "OUTPUT=INPUT: from the second sample on the input is what the model gave for the one before (repeatable)");
    command->add_option("--mean", options->mean, "images: mean per channel, pixels being 0..1")->delimiter(',');
    command->add_option("--std", options->std, "images: standard deviation per channel")->delimiter(',');
    command->add_option("--size", options->size, "images: HEIGHT,WIDTH")->delimiter(',')->expected(2);
    command->add_option("--layout", options->layout, "images: nchw or nhwc; auto: as the input tells")
        ->check(CLI::IsMember({"auto", "nchw", "nhwc"}));
    command->add_option("--channels", options->channels, "images: rgb, bgr or gray")
        ->check(CLI::IsMember({"rgb", "bgr", "gray"}));
}

void addCheckpointOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common)
{
    auto* named = command->add_option("--checkpoint", common->checkpoint,
        "the model's weights as trained (" + checkpointFormatsText()
            + "): every stored module, and owners found by content; left out: the one that lies beside the model");
    const auto isLeftOut = std::make_shared<bool>(false);
    command->add_flag("--no-checkpoint", *isLeftOut, "without the checkpoint that lies beside the model")
        ->excludes(named);
    command->parse_complete_callback([common, isLeftOut] { common->findsCheckpoint = !*isLeftOut; });
}

std::string findCheckpointInPlace(CommonOptions& common, const JobContext& job)
{
    std::error_code unknown;
    if (!common.findsCheckpoint || !common.checkpoint.empty()
        || !std::filesystem::is_regular_file(common.model, unknown))
        return {};
    const auto found = checkpointBeside(common.model);
    if (found.empty())
        return {};
    const std::string start = "note: " + found.string() + ", found beside the model, is ";
    const auto read = readCheckpoint(found, job);
    if (!read)
        return start + "not used as its checkpoint: " + read.error().what;
    common.checkpoint = found.string();
    return start + "in use as its checkpoint; --no-checkpoint leaves it out";
}

void addRecipeOption(CLI::App* command, const std::shared_ptr<std::string>& path)
{
    command->add_option("--recipe", *path, "rules and settings (*.recipe.json, or NNCF's JSON)");
}

void addProfileOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common)
{
    command
        ->add_option("--profile", common->profile,
            "runtime to place quantizers for: ort-cpu, tensorrt, openvino or qnn; wins over the recipe's")
        ->check(CLI::IsMember(std::vector<std::string>(kProfileTexts.begin(), kProfileTexts.end())));
    command
        ->add_option("--model-type", common->modelType,
            "transformer or none; wins over the recipe's (left out of both: transformers are recognised)")
        ->check(CLI::IsMember({"transformer", "none"}));
    command
        ->add_option("--half", common->half,
            "float16: what an export has not in codes computes in 16 bits where values fit, for a runtime that "
            "computes in the types of the file (--profile tensorrt)")
        ->check(CLI::IsMember({elementTypeName(ElementType::Float16)}));
    command->add_flag_function(
        "--transform,!--no-transform", [common](std::int64_t count) { common->transform = count > 0; },
        "simplify the model before quantizers are placed, as transform does (the default), or do not; wins over the "
        "recipe's");
}

void addConvergenceOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common)
{
    command->add_flag("--stop-when-converged", common->stopWhenConverged,
        "measure no more samples once three rounds of four changed no scale by 0.5 %");
}

Result<DataSource> dataSource(const DataOptions& options)
{
    DUO_TRY(dataset, datasetOptions(options));
    return DataSource{options.data, std::move(dataset)};
}

Result<std::shared_ptr<const Dataset>> openData(
    const DataOptions& options, const Model& model, const JobContext& job, std::vector<std::string> arrays)
{
    DUO_TRY(source, dataSource(options));
    source.options.arrays = std::move(arrays);
    return openDataset(source.spec, model, source.options, job);
}

Result<Snapshot> openWithRecipe(const CommonOptions& common, const std::string& recipe, const JobContext& job)
{
    Recipe rules = startingRecipe();
    if (!recipe.empty()) {
        DUO_TRY(read, readRecipe(recipe));
        DUO_CHECK(checkPatterns(read.rules, recipe));
        rules = std::move(read);
    }
    if (const auto profile = profileFromText(common.profile))
        rules.quantization.profile = *profile;
    if (!common.modelType.empty())
        rules.quantization.modelType = common.modelType == "none" ? ModelType::None : ModelType::Transformer;
    rules.quantization.stopWhenConverged = rules.quantization.stopWhenConverged || common.stopWhenConverged;
    if (common.transform && *common.transform != rules.transforms.has_value())
        rules.transforms = *common.transform ? std::optional(TransformOptions()) : std::nullopt;
    DUO_CHECK(askForHalvesInPlace(common, rules));
    DUO_TRY(snapshot, openScopes(common.model, common.openOptions(), job));
    return withRecipe(snapshot, std::move(rules), job);
}

bool warnOfRules(const Snapshot& snapshot, const Console& console)
{
    const auto found = rulesWithoutNodes(snapshot);
    for (const std::size_t rule : found)
        console.warn(unmatchedText(snapshot.recipe.rules.rules[rule], snapshot.hits->hits[rule]));
    const auto keeps = keepsWithoutNodes(snapshot);
    for (const std::string& sentence : keeps)
        console.warn(sentence);
    return !found.empty() || !keeps.empty();
}

int runUnderRecipe(const CommonOptions& common, const std::string& recipe, const std::string& nothing, Console& console,
    const JobContext& job, const std::function<int(const Snapshot&)>& work)
{
    const auto snapshot = openWithRecipe(common, recipe, job);
    if (!snapshot)
        return console.fail(snapshot.error());
    if (const Status canRun = checkCanRun(*snapshot->model); !canRun)
        return console.fail(canRun.error());
    console.notes(recipeNotes(snapshot->recipe));
    const bool hasFindings = warnOfRules(*snapshot, console);
    if (!mayWorkUnderRules(*snapshot))
        return console.refuse(nothing, "correct the rules, or set \"validate\": false");
    const int code = work(*snapshot);
    return code == kDone && hasFindings ? kFindings : code;
}

} // namespace duo::cli
