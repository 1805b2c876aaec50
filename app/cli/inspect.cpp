// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/engine/find_value_types.h"
#include "core/formats/write_npy.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/foreseen_error.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/data_report.h"
#include "core/report/forecast_report.h"
#include "core/report/inspect_report.h"
#include "core/report/port_report.h"
#include "core/report/tensor_report.h"

namespace duo::cli {
namespace {

struct InspectOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> statistics = std::make_shared<std::string>();
    std::shared_ptr<std::string> value = std::make_shared<std::string>();
    std::shared_ptr<bool> values = std::make_shared<bool>(false);
    std::shared_ptr<std::string> tensor = std::make_shared<std::string>();
    std::shared_ptr<std::string> save = std::make_shared<std::string>();
};

/// The document and the text as they grow.
struct Inspection {
    nlohmann::ordered_json json;
    std::string text;
};

Status addValue(const InspectOptions& options, const Snapshot& snapshot, const Statistics& statistics,
    const Forecast& forecast, Inspection& into)
{
    if (options.value->empty())
        return success();
    const auto spot = spotOf(snapshot, *options.value);
    if (!spot)
        return Error{ErrorCode::Usage, "the model has no such value", *options.value, "name one as the model does"};
    DUO_TRY(facts, factsOf(snapshot, statistics, forecast, *spot));
    into.json["value"] = valueFactsJson(facts);
    into.text += valueFactsText(facts);
    return success();
}

/// What the recipe comes to under statistics measured before. @param dataset null: none was given
Status addForecast(const InspectOptions& options, const Dataset* dataset, const JobContext& job, Inspection& into)
{
    DUO_TRY(snapshot, openWithRecipe(*options.common, *options.recipe, job));
    DUO_CHECK(checkCanRun(*snapshot.model));
    DUO_TRY(file, readStatisticsOf(*snapshot.model, *options.statistics, job));
    const int threads = options.common->threadCount();
    DUO_TRY(foresight,
        foresee(std::make_shared<const Snapshot>(snapshot), std::make_shared<const StatisticsFile>(std::move(file)),
            nullptr, threads, job));
    if (foresight->problem)
        return *foresight->problem;
    if (dataset != nullptr) {
        DUO_TRY(measured, withErrors(std::move(foresight), snapshot, *dataset, threads, job));
        foresight = std::move(measured);
    }
    into.json["forecast"] = forecastJson(*foresight->forecast);
    into.text += forecastText(*foresight->forecast);
    return addValue(options, *foresight->snapshot, foresight->statistics->statistics, *foresight->forecast, into);
}

/// Types and shapes of all values that are computed.
Status addValues(const Model& model, const JobContext& job, Inspection& into)
{
    DUO_TRY(types, findValueTypes(model, job));
    into.json["values"] = valuesJson(model, types);
    into.text += "values\n";
    for (const auto& value : into.json["values"])
        into.text += "  " + portText(value) + "\n";
    if (types.problem)
        into.text += "note: shapes are as the file says: " + types.problem->what + "\n";
    return success();
}

/// What a parameter or constant holds; its values go to the file that --save names.
Status addTensor(const InspectOptions& options, const Model& model, const JobContext& job, Inspection& into)
{
    const ValueId value = model.findValue(*options.tensor);
    const Tensor* tensor = value.valid() ? model.constant(value) : nullptr;
    if (tensor == nullptr)
        return Error{ErrorCode::Usage, "the model has no such parameter or constant", *options.tensor,
            "name one as the model does"};
    DUO_TRY(summary, summarize(*tensor, channelAxisOf(model, value), job));
    into.json["tensor"] = tensorJson(*tensor, summary);
    into.text += tensorText(*tensor, summary);
    if (options.save->empty())
        return success();
    DUO_CHECK(writeNpy(*tensor, *options.save, job));
    into.text += "saved: " + *options.save + "\n";
    into.json["tensor"]["file"] = *options.save;
    return success();
}

Result<Inspection> inspect(const InspectOptions& options, const JobContext& job)
{
    if (options.statistics->empty() && !options.value->empty())
        return Error{ErrorCode::Usage, "nothing is known of a value without statistics", "--value " + *options.value,
            "give --statistics"};
    if (options.tensor->empty() && !options.save->empty())
        return Error{ErrorCode::Usage, "nothing to save", "--save " + *options.save, "give --tensor"};
    DUO_TRY(model, readModelFile(options.common->model, options.common->readOptions(), job));
    Inspection inspection{inspectJson(*model), inspectText(*model)};
    if (*options.values)
        DUO_CHECK(addValues(*model, job, inspection));
    std::shared_ptr<const Dataset> dataset;
    if (!options.data->data.empty()) {
        DUO_TRY(opened, openData(*options.data, *model, job));
        dataset = std::move(opened);
        DUO_TRY(samples, previewDataset(*dataset, job));
        inspection.json["data"] = dataJson(samples);
        inspection.text += dataText(samples);
    }
    if (!options.tensor->empty())
        DUO_CHECK(addTensor(options, *model, job, inspection));
    if (!options.statistics->empty())
        DUO_CHECK(addForecast(options, dataset.get(), job, inspection));
    return inspection;
}

int run(const InspectOptions& options, Console& console, const std::stop_token& stop)
{
    const auto inspection = inspect(options, console.job(stop));
    if (!inspection)
        return console.fail(inspection.error());
    console.result(inspection->json, inspection->text);
    return kDone;
}

} // namespace

void addInspect(Commands& commands)
{
    CLI::App* command = addCommand(commands, "inspect",
        "say what the file is, with --data what the samples are, with --statistics what a recipe comes to");
    InspectOptions options;
    options.common = commands.common;
    addDataOptions(command, options.data, false);
    addRecipeOption(command, options.recipe);
    addProfileOption(command, options.common);
    command->add_option("--statistics", *options.statistics,
        "a file of `statistics`: foresee scales and sizes under the recipe without data, with --data the error too");
    command->add_flag("--values", *options.values, "types and shapes of all values that nodes compute");
    command->add_option("--value", *options.value,
        "with --statistics: the histogram of this value and what every range estimator makes of it");
    command->add_option("--tensor", *options.tensor,
        "a parameter or constant by its name: how its values are spread, over all and per channel");
    command->add_option("--save", *options.save, "with --tensor: write its values to this .npy file");
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
