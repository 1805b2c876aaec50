// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/inner_values.h"

#include "core/analysis/value_meeting.h"
#include "core/calibrate/tapped_model.h"
#include "core/engine/run_gate.h"
#include "core/engine/tap_domain.h"

#include <algorithm>
#include <thread>

namespace duo {
namespace {

class TappedPair
{
public:
    TappedPair(const SessionPair& sessions, std::size_t values, const Dataset& dataset, const JobContext& job)
        : m_sessions(sessions)
        , m_values(values)
        , m_dataset(dataset)
        , m_job(job)
    {
    }

    Result<std::vector<PairError>> measure(std::int64_t mostBytes, int threads)
    {
        const int samplesAtOnce = std::max(1, threads / 2);
        m_mostBytes = mostBytes / samplesAtOnce;
        StepCounter counter("compare values", m_dataset.size(), m_job);
        return errorsOverSamples(
            m_dataset, m_values, samplesAtOnce, [this](std::int64_t sample) { return errorsOf(sample); }, m_job,
            counter);
    }

private:
    using Side = ValueMeeting::Side;

    [[nodiscard]] Result<std::vector<PairError>> errorsOf(std::int64_t sample)
    {
        DUO_TRY(feeds, m_dataset.sample(sample));
        const RunGate::Pass pass = m_gate.enter(feeds);
        ValueMeeting meeting(m_values, m_mostBytes, m_job);
        while (meeting.startRound()) {
            const auto run = [&](const Session& session, Side side) {
                const auto visit = [&](std::size_t i, const TensorView& view) { meeting.visit(side, i, view); };
                Status status = session.runTapped(feeds, visit, m_job);
                meeting.leave(side);
                return status;
            };
            Status ofA = success();
            std::jthread besides([&] { ofA = run(m_sessions.a, Side::A); });
            const Status ofB = run(m_sessions.b, Side::B);
            besides.join();
            DUO_CHECK(ofA);
            DUO_CHECK(ofB);
        }
        return std::move(meeting).errors();
    }

    const SessionPair& m_sessions;
    std::size_t m_values;
    const Dataset& m_dataset;
    const JobContext& m_job;
    RunGate m_gate;
    std::int64_t m_mostBytes = 0; // of one sample
};

std::vector<InnerValue> named(const std::vector<std::string>& names, const std::vector<PairError>& errors)
{
    std::vector<InnerValue> values;
    for (std::size_t i = 0; i < names.size(); ++i)
        values.push_back({names[i], errors[i]});
    return values;
}

/// Where taps cannot be put: values as outputs, in groups of guessed sizes.
Result<std::vector<InnerValue>> fetchedValues(const Model& a, const Model& b, const std::vector<std::string>& names,
    const Dataset& dataset, int threads, const JobContext& job)
{
    std::vector<InnerValue> values;
    DUO_TRY(feeds, dataset.sample(0));
    DUO_TRY(tappedA, TappedModel::prepare(a, names, feeds, job));
    DUO_TRY(tappedB, TappedModel::prepare(b, names, feeds, job));
    StepCounter counter("compare values", dataset.size() * static_cast<std::int64_t>(tappedA.groups().size()), job);
    for (const TapGroup& group : tappedA.groups()) {
        DUO_TRY(sessionA, tappedA.open(group, job));
        DUO_TRY(sessionB, tappedB.open(group, job));
        std::vector<NamePair> pairs;
        for (const std::string& name : group.values)
            pairs.push_back({name, name});
        const int runs = TappedModel::concurrentRuns({group.values, 2 * group.bytes}, threads);
        DUO_TRY(errors, measurePairs({*sessionA, *sessionB}, pairs, dataset, runs, {}, job, counter));
        for (InnerValue& value : named(group.values, errors))
            values.push_back(std::move(value));
    }
    return values;
}

} // namespace

Result<std::vector<InnerValue>> measureInnerValues(
    const Model& a, const Model& b, const Dataset& dataset, std::int64_t mostBytes, int threads, const JobContext& job)
{
    DUO_TRY(ofA, TappedModel::floatValues(a, sharedValues(a, b), job));
    DUO_TRY(names, TappedModel::floatValues(b, ofA, job));
    if (names.empty())
        return std::vector<InnerValue>{};
    const auto sessionA = openTappedModel(a, names, job);
    const auto sessionB = openTappedModel(b, names, job);
    if (job.stopped())
        return cancelledError();
    if (!sessionA || !sessionB)
        return fetchedValues(a, b, names, dataset, threads, job);
    const SessionPair sessions{*sessionA, *sessionB};
    DUO_TRY(errors, TappedPair(sessions, names.size(), dataset, job).measure(mostBytes, threads));
    return named(names, errors);
}

} // namespace duo
