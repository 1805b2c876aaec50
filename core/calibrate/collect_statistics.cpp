// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/collect_statistics.h"

#include "core/calibrate/measure/meters.h"
#include "core/calibrate/recorder.h"
#include "core/calibrate/step_counter.h"
#include "core/calibrate/tapped_model.h"
#include "core/engine/run_gate.h"
#include "core/engine/session.h"
#include "core/engine/tap_domain.h"
#include "core/support/file.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

namespace duo {
namespace {

/// A value that is measured, with its index in Measurement::values.
struct Place {
    std::string name;
    std::size_t index = 0;
};

struct Places {
    std::vector<Place> fed; // inputs of the model: read from the feeds
    std::vector<Place> computed;
};

bool isInBody(const Model& model, ValueId id)
{
    return model.value(id).region.index != 0;
}

/// While the model runs: what a node gives, and what a body is given.
bool isMeasured(const Model& model, ValueId id)
{
    return id.valid()
        && (model.value(id).producer.valid() || (isInBody(model, id) && !model.value(id).initializer.valid()));
}

/// Values of bodies cannot be fetched from the engine.
std::vector<std::string> outsideBodies(const Model& model, const std::vector<std::string>& values)
{
    std::vector<std::string> names;
    std::ranges::copy_if(values, std::back_inserter(names),
        [&](const std::string& name) { return !isInBody(model, model.findValue(name)); });
    return names;
}

Result<Places> placesOf(const Model& model, const std::vector<std::string>& values)
{
    Places places;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::string& name = values[i];
        const ValueId id = model.findValue(name);
        const bool isFed = id.valid() && model.value(id).isInput;
        if (isFed && model.value(id).type.element != ElementType::Float32)
            return Error{ErrorCode::Unsupported, "only float32 values can be measured", name,
                "its type is " + std::string(elementTypeName(model.value(id).type.element))};
        if (!isFed && !isMeasured(model, id))
            return Error{ErrorCode::Internal, "no node computes this value", name, {}};
        (isFed ? places.fed : places.computed).push_back({name, i});
    }
    return places;
}

std::vector<std::string> namesOf(const std::vector<Place>& places)
{
    std::vector<std::string> names;
    for (const Place& place : places)
        names.push_back(place.name);
    return names;
}

/// One pass over the samples, however the values are got at.
class Pass
{
public:
    Pass(const Measurement& wanted, const Places& places, const Dataset& dataset, SampleSpan span)
        : m_places(places)
        , m_dataset(dataset)
        , m_span(span)
        , m_untilConverged(wanted.untilConverged)
        , m_recorder(wanted, span)
        , m_meters(wanted.kinds)
    {
        for (const Place& place : places.computed)
            m_indices.emplace(place.name, place.index);
    }

    /// Nothing is computed: only the feeds are looked at.
    Status readFeeds(int threads, const JobContext& job)
    {
        StepCounter counter("calibrate", m_span.count, job);
        return eachSample(threads, job, [&](std::int64_t sample, std::span<const HostTensor> feeds) -> Status {
            recordFeeds(sample, feeds, *Meters::Lent(m_meters));
            counter.countOne();
            return success();
        });
    }

    Status runTapped(const Session& session, int threads, const JobContext& job)
    {
        StepCounter counter("calibrate", m_span.count, job);
        return eachSample(threads, job, [&](std::int64_t sample, std::span<const HostTensor> feeds) -> Status {
            const Meters::Lent lent(m_meters);
            TensorMeter& meter = *lent;
            recordFeeds(sample, feeds, meter);
            Status recorded = success();
            const auto visit = [&](std::size_t tap, const TensorView& view) {
                const Status added = m_recorder.addTapped(m_places.computed[tap].index, sample, view, meter);
                if (!added)
                    recorded = added;
            };
            DUO_CHECK(session.runTapped(feeds, visit, job));
            DUO_CHECK(recorded);
            counter.countOne();
            return success();
        });
    }

    Status runFetching(const TappedModel& tapped, int threads, const JobContext& job)
    {
        const auto groups = static_cast<std::int64_t>(tapped.groups().size());
        m_untilConverged = m_untilConverged && groups == 1;
        StepCounter counter("calibrate", m_span.count * groups, job);
        for (const TapGroup& group : tapped.groups()) {
            DUO_TRY(session, tapped.open(group, job));
            const bool isFirst = &group == &tapped.groups().front();
            const int runs = TappedModel::concurrentRuns(group, threads);
            DUO_CHECK(eachSample(runs, job, [&](std::int64_t sample, std::span<const HostTensor> feeds) -> Status {
                const Meters::Lent meter(m_meters);
                if (isFirst)
                    recordFeeds(sample, feeds, *meter);
                DUO_CHECK(fetch(*session, group, sample, feeds, *meter, job));
                counter.countOne();
                return success();
            }));
        }
        return success();
    }

    Statistics finish() { return m_recorder.finish(m_taken); }

private:
    /// Every sample, or batches of them until scales change no more.
    template <typename Work> Status eachSample(int threads, const JobContext& job, const Work& work)
    {
        const std::int64_t batch = m_untilConverged ? Convergence::kBatch : m_span.count;
        Convergence convergence(m_recorder.values());
        for (m_taken = 0; m_taken < m_span.count && !convergence.reached();) {
            const std::int64_t count = std::min(batch, m_span.count - m_taken);
            DUO_CHECK(samplesOfBatch(count, threads, job, work));
            if (m_untilConverged)
                lookAt(m_taken, count, convergence);
            m_taken += count;
        }
        return success();
    }

    void lookAt(std::int64_t first, std::int64_t count, Convergence& convergence) const
    {
        const std::int64_t end = first + count;
        for (; first < end && !convergence.reached(); first += Convergence::kRound)
            convergence.addRound(m_recorder.extremes(first, std::min(Convergence::kRound, end - first)));
    }

    template <typename Work>
    Status samplesOfBatch(std::int64_t count, int threads, const JobContext& job, const Work& work)
    {
        return parallelFor(static_cast<std::size_t>(count), threads, job, [&](std::size_t i) -> Status {
            const std::int64_t sample = m_span.first + m_taken + static_cast<std::int64_t>(i);
            DUO_TRY(feeds, m_dataset.sample(sample));
            const RunGate::Pass pass = m_gate.enter(feeds);
            if (m_hasFailed) // while this one waited: each may take as long as that one did
                return success();
            Status status = work(sample, feeds);
            if (!status)
                status = refusedSample(status.error(), sample, feeds, m_dataset);
            m_hasFailed = m_hasFailed || !status;
            return status;
        });
    }

    void recordFeeds(std::int64_t sample, std::span<const HostTensor> feeds, TensorMeter& meter)
    {
        for (const Place& place : m_places.fed) {
            const auto feed = std::ranges::find(feeds, place.name, &HostTensor::name);
            if (feed != feeds.end())
                m_recorder.add(place.index, sample, feed->floats(), feed->dims, meter);
        }
    }

    Status fetch(const Session& session, const TapGroup& group, std::int64_t sample, std::span<const HostTensor> feeds,
        TensorMeter& meter, const JobContext& job)
    {
        const auto visit = [&](std::size_t i, const TensorView& view) -> Status {
            m_recorder.add(m_indices.at(group.values[i]), sample, view.floats(), view.dims, meter);
            return success();
        };
        return session.runVisiting(feeds, group.values, visit, job);
    }

    const Places& m_places;
    const Dataset& m_dataset;
    SampleSpan m_span;
    bool m_untilConverged;
    std::int64_t m_taken = 0; // samples measured
    std::map<std::string_view, std::size_t> m_indices; // of computed values, by name
    Recorder m_recorder;
    Meters m_meters;
    RunGate m_gate;
    std::atomic<bool> m_hasFailed = false; // one of the samples
};

Measurement withoutRepeats(const Measurement& wanted)
{
    Measurement once = wanted;
    std::set<std::string> seen;
    std::erase_if(once.values, [&](const std::string& name) { return !seen.insert(name).second; });
    return once;
}

Result<Statistics> collected(const Model& model, const Measurement& wanted, const Dataset& dataset, SampleSpan span,
    int threads, const JobContext& job)
{
    span.count = std::min(span.count, dataset.size() - span.first);
    if (span.count < 1)
        return Error{ErrorCode::BadData, "there are no samples to measure", {}, "give data with at least one sample"};
    const Measurement once = withoutRepeats(wanted);
    DUO_TRY(places, placesOf(model, once.values));
    Pass pass(once, places, dataset, span);
    if (places.computed.empty()) {
        DUO_CHECK(pass.readFeeds(threads, job));
        return pass.finish();
    }
    const std::vector<std::string> computed = namesOf(places.computed);
    std::string remark;
    if (!once.fetch) {
        const auto session = openMeasuringModel(model, computed, writeTapMeasures(tapMeasures(once, computed)), job);
        if (session) {
            DUO_CHECK(pass.runTapped(*session, threads, job));
            return pass.finish();
        }
        if (job.stopped())
            return cancelledError();
        remark = "values are fetched from the engine, which is slower: " + session.error().line();
    }
    DUO_TRY(firstSample, dataset.sample(span.first));
    DUO_TRY(tapped, TappedModel::prepare(model, outsideBodies(model, computed), firstSample, job));
    DUO_CHECK(pass.runFetching(tapped, threads, job));
    Statistics statistics = pass.finish();
    if (!remark.empty())
        statistics.remarks.push_back(std::move(remark));
    return statistics;
}

} // namespace

Result<Statistics> collectStatistics(const Model& model, const Measurement& wanted, const Dataset& dataset,
    SampleSpan span, int threads, const JobContext& job)
{
    return ifFilesWhole(collected(model, wanted, dataset, span, threads, job));
}

} // namespace duo
