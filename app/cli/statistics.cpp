// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/support/digits.h"

#include <algorithm>
#include <string_view>

namespace duo::cli {
namespace {

struct StatisticsOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> shard = std::make_shared<std::string>();
    std::shared_ptr<std::int64_t> samples = std::make_shared<std::int64_t>(0);
    std::shared_ptr<bool> isOfEveryValue = std::make_shared<bool>(false);
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

struct Shard {
    std::int64_t index = 0; // from 0
    std::int64_t count = 1;
};

/// "2/8": the third of eight. "": all.
Result<Shard> parseShard(const std::string& text)
{
    if (text.empty())
        return Shard();
    const auto slash = std::min(text.find('/'), text.size() - 1);
    const auto index = wholeNumber<std::int64_t>(std::string_view(text).substr(0, slash));
    const auto count = wholeNumber<std::int64_t>(std::string_view(text).substr(slash + 1));
    if (!index || !count || *index < 0 || *index >= *count)
        return Error{ErrorCode::Usage, "not a shard", "--shard " + text,
            "write INDEX/COUNT with an index from 0 to COUNT - 1, as 0/4"};
    return Shard{*index, *count};
}

Result<StatisticsFile> measure(const StatisticsOptions& options, const Shard& shard, const DataSource& data,
    Console& console, const JobContext& job)
{
    DUO_TRY(snapshot, openWithRecipe(*options.common, *options.recipe, job));
    DUO_CHECK(checkCanRun(*snapshot.model));
    DUO_CHECK(checkExportTarget(*snapshot.model,
        {.data = options.data->data, .recipe = *options.recipe, .checkpoint = options.common->checkpoint},
        *options.output));
    DUO_TRY(dataset, openData(*options.data, *snapshot.model, job));
    MeasureOptions chosen = measureOptions(snapshot, data);
    chosen.shard = shard.index;
    chosen.shards = shard.count;
    chosen.isOfEveryValue = *options.isOfEveryValue;
    if (*options.samples > 0)
        chosen.samples = *options.samples;
    DUO_TRY(measured, measureStatistics(snapshot, *dataset, chosen, options.common->threadCount(), job));
    console.endProgress();
    const bool isAsked = *options.samples > 0;
    console.notes(measuringNotes(snapshot, *dataset, isAsked ? std::optional(*options.samples) : std::nullopt));
    DUO_CHECK(writeStatistics(measured.file, *options.output));
    return std::move(measured.file);
}

int run(const StatisticsOptions& options, Console& console, const std::stop_token& stop)
{
    const auto shard = parseShard(*options.shard);
    if (!shard)
        return console.fail(shard.error());
    const auto data = dataSource(*options.data);
    if (!data)
        return console.fail(data.error());
    console.writes(*options.output);
    const auto file = measure(options, *shard, *data, console, console.job(stop));
    if (!file)
        return console.fail(file.error());
    for (const std::string& remark : file->statistics.remarks)
        console.note(remark);
    return reportStatistics(*file, *options.output, console);
}

} // namespace

int reportStatistics(const StatisticsFile& file, const std::string& path, const Console& console)
{
    bool hasNan = false;
    nlohmann::ordered_json bad = nlohmann::ordered_json::array();
    for (const auto& [name, value] : file.statistics.values) {
        if (value.nonFinite() == 0)
            continue;
        hasNan = hasNan || value.nan > 0;
        bad.push_back({{"name", name}, {"nan", value.nan}, {"infinite", value.infinite},
            {"first_sample", value.firstNonFiniteSample}});
        const std::string text = std::to_string(value.nonFinite()) + " elements of '" + name + "' are "
            + (value.nan == 0 ? "infinite" : "NaN or infinite") + ", first in sample "
            + std::to_string(value.firstNonFiniteSample);
        if (value.nan > 0)
            console.warn(text);
        else // a mask: what reads it stays in float
            console.note("note: " + text);
    }
    const std::string digest = statisticsDigest(statisticsBytes(file));
    const std::int64_t samples = file.statistics.samples();
    const nlohmann::ordered_json json{{"samples", samples}, {"samples_in_data", file.origin.samplesInData},
        {"tensors", file.statistics.values.size()}, {"digest", digest}, {"non_finite", bad}, {"file", path}};
    console.result(json,
        "statistics of " + std::to_string(file.statistics.values.size()) + " values over " + std::to_string(samples)
            + " of " + std::to_string(file.origin.samplesInData) + " samples: " + path + "\n" + digest + "\n");
    return !hasNan ? kDone : kFindings;
}

void addStatistics(Commands& commands)
{
    CLI::App* command
        = addCommand(commands, "statistics", "measure what every later choice of rules and estimators needs");
    StatisticsOptions options;
    options.common = commands.common;
    addCustomOpsOption(command, options.common);
    addDataOptions(command, options.data, true);
    addConvergenceOption(command, options.common);
    addRecipeOption(command, options.recipe);
    addProfileOption(command, options.common);
    command->add_option("--shard", *options.shard, "INDEX/COUNT, from 0: only this part of the samples");
    command
        ->add_option("--samples", *options.samples,
            "samples in all shards together; default: subset_size, or " + std::to_string(kDefaultSamples))
        ->check(CLI::PositiveNumber);
    command->add_flag("--every-value", *options.isOfEveryValue,
        "also of values that no quantizer here may stand on, which other tools ask for (convert-state --to "
        "ort-calibration)");
    command->add_option("-o,--output", *options.output, "the statistics file to write")->required();
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
