// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/measure.h"

#include "core/calibrate/collect_statistics.h"
#include "core/calibrate/tapped_model.h"
#include "core/model/value_address.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/profiles/clamps.h"
#include "core/quantize/profiles/measurable_values.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace duo {
namespace {

/// Names of float32 values only; the engine is asked where the model does not tell.
Result<std::vector<std::string>> floatNames(const Model& model, const std::set<std::string>& names)
{
    std::vector<std::string> fed;
    std::vector<std::string> computed;
    for (const std::string& name : names) {
        const ValueId id = model.findValue(name);
        const bool isFed = id.valid() && model.value(id).isInput;
        if (!isFed)
            computed.push_back(name);
        else if (model.value(id).type.element == ElementType::Float32)
            fed.push_back(name);
    }
    DUO_TRY(floats, TappedModel::floatValues(model, computed));
    floats.insert(floats.end(), fed.begin(), fed.end());
    std::ranges::sort(floats);
    return floats;
}

/// What the present setup needs, by the names it is measured under.
std::vector<std::string> neededNames(const Snapshot& snapshot)
{
    std::vector<std::string> names;
    if (!snapshot.placement)
        return names;
    const Model& model = *snapshot.model;
    const SharedMeasures shared(model);
    for (const std::string& name : valuesToMeasure(model, snapshot.placement->setup)) {
        const ValueId value = behindClamps(model, model.findValue(name));
        names.push_back(addressOf(model, shared.of(value)));
    }
    return names;
}

bool holdsAll(const Statistics& statistics, const std::vector<std::string>& names)
{
    return std::ranges::all_of(names, [&](const std::string& name) { return statistics.values.contains(name); });
}

void addComputed(const Model& model, std::set<std::string>& names)
{
    for (const Node& node : model.nodes) {
        for (const ValueId output : node.outputs) {
            if (output.valid() && model.value(output).region == RegionId(0) && node.opType != "Constant")
                names.insert(model.value(output).name);
        }
    }
}

Result<Measurement> everything(const Model& model, const std::vector<std::string>& needed, bool isOfEveryValue)
{
    const MeasurableValues measurable = measurableValues(model);
    std::set<std::string> names(measurable.names.begin(), measurable.names.end());
    names.insert(needed.begin(), needed.end());
    if (isOfEveryValue)
        addComputed(model, names);
    Measurement wanted;
    DUO_TRY(floats, floatNames(model, names));
    wanted.values = std::move(floats);
    wanted.channelAxes = measurable.channelAxes;
    return wanted;
}

/// Of values that transforms made: rounded otherwise than in the model as it was opened.
std::string transformsKey(const Snapshot& snapshot)
{
    const bool isTransformed = snapshot.opened && snapshot.recipe.transforms;
    return isTransformed ? "\n" + transformOptionsJson(*snapshot.recipe.transforms).dump() : std::string();
}

std::string cacheKey(
    const StatisticsOrigin& origin, const Snapshot& snapshot, const MeasureOptions& options, SampleSpan span)
{
    return textHash(origin.model.graph + '\n' + origin.model.weights + '\n' + origin.engine + '\n' + options.freshData
        + '\n' + std::to_string(span.first) + '+' + std::to_string(span.count)
        + (origin.untilConverged ? " until converged" : "") + transformsKey(snapshot));
}

} // namespace

std::int64_t subsetSize(const Snapshot& snapshot)
{
    return snapshot.recipe.quantization.subsetSize.value_or(static_cast<int>(kDefaultSamples));
}

std::optional<Note> fewSamples(std::int64_t held, std::optional<std::int64_t> asked)
{
    constexpr std::int64_t kFew = 10;
    const std::string text = "the data hold " + std::to_string(held) + (held == 1 ? " sample" : " samples");
    if (asked && held < *asked)
        return Note{"few-samples", text + ", " + std::to_string(*asked) + " were asked for", {}};
    if (held < kFew)
        return Note{"few-samples", text + ": ranges of so few may be too narrow, a hundred or more are usual", {}};
    return std::nullopt;
}

std::vector<Note> sampleNotes(const Snapshot& snapshot, const Dataset& dataset)
{
    std::vector<Note> notes;
    if (auto few = fewSamples(dataset.size(), snapshot.recipe.quantization.subsetSize))
        notes.push_back(*std::move(few));
    if (const std::int64_t used = subsetSize(snapshot); dataset.size() > used)
        notes.push_back({"subset",
            "the first " + std::to_string(used) + " of " + std::to_string(dataset.size())
                + " samples were used (subset_size)",
            {}, Severity::Remark});
    return notes;
}

Result<MeasuredStatistics> measureStatistics(
    const Snapshot& snapshot, const Dataset& dataset, const MeasureOptions& options, int threads, const JobContext& job)
{
    const Model& model = *snapshot.model;
    const std::int64_t samples = std::min(options.samples, dataset.size());
    const SampleSpan span = shardOf(samples, options.shard, options.shards);
    if (samples > 0 && span.count < 1)
        return Error{ErrorCode::BadData, "the shard holds no sample",
            std::to_string(options.shard) + "/" + std::to_string(options.shards),
            "make at most " + std::to_string(samples) + " shards of " + std::to_string(samples) + " samples"};
    MeasuredStatistics measured;
    const bool isRemembered = options.cache && !options.data.empty() && !options.isOfEveryValue;
    const auto needed = neededNames(snapshot);
    StatisticsOrigin& origin = measured.file.origin;
    origin.engine = "onnxruntime " + engineVersion();
    origin.data = options.data;
    origin.samplesInData = samples;
    origin.untilConverged = snapshot.recipe.quantization.stopWhenConverged;
    if (origin.untilConverged && options.shards > 1)
        return Error{ErrorCode::Usage, "a shard cannot tell when all samples together have converged",
            "stop_when_converged", "measure without shards, or leave it out"};
    if (!options.data.empty()) {
        DUO_TRY(hashes, hashModel(model, job));
        origin.model = std::move(hashes);
    }
    if (isRemembered) {
        auto found = options.cache->find(cacheKey(origin, snapshot, options, span));
        if (found && found->origin == origin && holdsAll(found->statistics, needed))
            return MeasuredStatistics{*std::move(found), true};
    }
    if (options.isOnlyRemembered)
        return Error{ErrorCode::BadData, "no statistics of these data are remembered", {}, "measure them"};
    DUO_TRY(wanted, everything(model, needed, options.isOfEveryValue));
    wanted.untilConverged = origin.untilConverged;
    DUO_TRY(statistics, collectStatistics(model, wanted, dataset, span, threads, job));
    measured.file.statistics = std::move(statistics);
    if (isRemembered)
        options.cache->store(cacheKey(origin, snapshot, options, span), measured.file);
    return measured;
}

} // namespace duo
