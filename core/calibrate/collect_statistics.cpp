// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/extremes.h"
#include "core/calibrate/statistics.h"
#include "core/calibrate/step_counter.h"
#include "core/calibrate/tapped_model.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace duo {
namespace {

/// Takes extremes from several threads; each sample has its own place, so their order does not matter.
class Recorder
{
public:
    Recorder(const std::vector<std::string>& values, std::int64_t samples)
    {
        m_statistics.samples = samples;
        for (const std::string& name : values) {
            ValueStatistics& value = m_statistics.values[name];
            value.sampleMin.resize(static_cast<std::size_t>(samples), Extremes{}.min);
            value.sampleMax.resize(static_cast<std::size_t>(samples), Extremes{}.max);
        }
    }

    void add(const std::string& name, std::int64_t sample, std::span<const float> elements)
    {
        const Extremes extremes = extremesOf(elements);
        ValueStatistics& value = m_statistics.values.at(name);
        value.sampleMin[static_cast<std::size_t>(sample)] = extremes.min;
        value.sampleMax[static_cast<std::size_t>(sample)] = extremes.max;
        if (extremes.nonFinite == 0)
            return;
        const std::lock_guard lock(m_mutex);
        value.nonFinite += extremes.nonFinite;
        const std::int64_t first = value.firstNonFiniteSample;
        value.firstNonFiniteSample = first < 0 ? sample : std::min(first, sample);
    }

    Statistics finish()
    {
        for (auto& [name, value] : m_statistics.values) {
            value.min = std::ranges::min(value.sampleMin);
            value.max = std::ranges::max(value.sampleMax);
        }
        return std::move(m_statistics);
    }

private:
    Statistics m_statistics;
    std::mutex m_mutex;
};

struct Wanted {
    std::vector<std::string> fed; // inputs of the model: read from the feeds
    std::vector<std::string> computed;
};

Result<Wanted> wantedValues(const Model& model, const std::vector<std::string>& values)
{
    Wanted wanted;
    std::set<std::string> seen;
    for (const std::string& name : values) {
        if (!seen.insert(name).second)
            continue;
        const ValueId id = model.findValue(name);
        if (id.valid() && model.value(id).isInput && model.value(id).type.element != ElementType::Float32)
            return Error{ErrorCode::Unsupported, "only float32 values can be measured", name,
                "its type is " + std::string(elementTypeName(model.value(id).type.element))};
        (id.valid() && model.value(id).isInput ? wanted.fed : wanted.computed).push_back(name);
    }
    return wanted;
}

void recordFeeds(
    const std::vector<std::string>& names, std::span<const HostTensor> feeds, std::int64_t sample, Recorder& recorder)
{
    for (const std::string& name : names) {
        const auto feed = std::ranges::find(feeds, name, &HostTensor::name);
        if (feed != feeds.end())
            recorder.add(name, sample, feed->floats());
    }
}

/// One run of one sample: its group's values go to the recorder as soon as they are there.
Status recordSample(const Session& session, const TapGroup& group, std::span<const HostTensor> feeds,
    std::int64_t sample, Recorder& recorder, const JobContext& job)
{
    const auto visit = [&](std::size_t i, const TensorView& view) -> Status {
        recorder.add(group.values[i], sample, view.floats());
        return success();
    };
    return session.runVisiting(feeds, group.values, visit, job);
}

} // namespace

Result<Statistics> collectStatistics(const Model& model, const std::vector<std::string>& values, const Dataset& dataset,
    std::int64_t samples, int threads, const JobContext& job)
{
    const std::int64_t count = std::min(samples, dataset.size());
    if (count < 1)
        return Error{ErrorCode::BadData, "there are no samples to measure", {}, "give data with at least one sample"};
    DUO_TRY(wanted, wantedValues(model, values));
    DUO_TRY(firstSample, dataset.sample(0));
    DUO_TRY(tapped, TappedModel::prepare(model, wanted.computed, firstSample));
    const auto groups = static_cast<std::int64_t>(tapped.groups().size());
    Recorder recorder(values, count);
    StepCounter counter("calibrate", count * std::max<std::int64_t>(1, groups), job);
    const auto indices = static_cast<std::size_t>(count);
    if (groups == 0)
        DUO_CHECK(parallelFor(indices, threads, job, [&](std::size_t i) -> Status {
            DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
            recordFeeds(wanted.fed, feeds, static_cast<std::int64_t>(i), recorder);
            counter.countOne();
            return success();
        }));
    for (const TapGroup& group : tapped.groups()) {
        DUO_TRY(session, tapped.open(group));
        const auto& fed = &group == &tapped.groups().front() ? wanted.fed : std::vector<std::string>();
        DUO_CHECK(parallelFor(indices, TappedModel::concurrentRuns(group, threads), job, [&](std::size_t i) -> Status {
            const auto sample = static_cast<std::int64_t>(i);
            DUO_TRY(feeds, dataset.sample(sample));
            recordFeeds(fed, feeds, sample, recorder);
            DUO_CHECK(recordSample(*session, group, feeds, sample, recorder, job));
            counter.countOne();
            return success();
        }));
    }
    return recorder.finish();
}

} // namespace duo
