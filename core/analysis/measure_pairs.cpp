// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/measure_pairs.h"

#include "core/engine/run_gate.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kSamplesAtOnce = 64; // whose errors wait to be added in order

/// Both models on one sample.
class SampleRun
{
public:
    SampleRun(const SessionPair& sessions, std::span<const NamePair> pairs)
        : m_sessions(sessions)
    {
        for (const NamePair& pair : pairs) {
            m_namesA.push_back(pair.a);
            m_namesB.push_back(pair.b);
        }
    }

    [[nodiscard]] Result<std::vector<PairError>> measure(
        const Dataset& dataset, std::int64_t sample, const PairVisitor& visit, const JobContext& job)
    {
        DUO_TRY(feeds, dataset.sample(sample));
        const RunGate::Pass pass = m_gate.enter(feeds);
        auto errors = errorsOf(feeds, sample, visit, job);
        if (!errors)
            return refusedSample(errors.error(), sample, feeds, dataset);
        return errors;
    }

private:
    Result<std::vector<PairError>> errorsOf(
        std::span<const HostTensor> feeds, std::int64_t sample, const PairVisitor& visit, const JobContext& job) const
    {
        DUO_TRY(ofA, m_sessions.a.run(feeds, m_namesA, job));
        std::vector<PairError> errors(ofA.size());
        const auto compare = [&](std::size_t i, const TensorView& ofB) -> Status {
            const TensorView view = viewOf(ofA[i]);
            errors[i] = pairError(view, ofB);
            return visit ? visit(sample, i, view, ofB) : success();
        };
        DUO_CHECK(m_sessions.b.runVisiting(feeds, m_namesB, compare, job));
        return errors;
    }

    const SessionPair& m_sessions;
    std::vector<std::string> m_namesA;
    std::vector<std::string> m_namesB;
    RunGate m_gate;
};

void addErrorsInPlace(std::vector<PairError>& total, const std::vector<PairError>& sample)
{
    for (std::size_t i = 0; i < total.size(); ++i) {
        total[i].error.add(sample[i].error);
        total[i].sameShape = total[i].sameShape && sample[i].sameShape;
        if (!sample[i].equal)
            continue;
        Predictions sum = total[i].equal.value_or(Predictions{});
        addInPlace(sum, *sample[i].equal);
        total[i].equal = sum;
    }
}

} // namespace

PairError pairError(const TensorView& a, const TensorView& b)
{
    if (a.dims != b.dims)
        return PairError{{}, false};
    return PairError{signalError(a, b), true, isFloating(a.type) ? std::nullopt : equalElements(a, b)};
}

Result<std::vector<PairError>> errorsOverSamples(const Dataset& dataset, std::size_t values, int threads,
    const std::function<Result<std::vector<PairError>>(std::int64_t sample)>& errorsOf, const JobContext& job,
    StepCounter& counter)
{
    std::vector<PairError> total(values);
    for (std::int64_t first = 0; first < dataset.size(); first += kSamplesAtOnce) {
        const std::int64_t count = std::min(kSamplesAtOnce, dataset.size() - first);
        std::vector<std::vector<PairError>> bySample(static_cast<std::size_t>(count));
        DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
            DUO_TRY(errors, errorsOf(first + static_cast<std::int64_t>(i)));
            bySample[i] = std::move(errors);
            counter.countOne();
            return success();
        }));
        for (const auto& sample : bySample)
            addErrorsInPlace(total, sample);
    }
    return total;
}

Result<std::vector<PairError>> measurePairs(const SessionPair& sessions, std::span<const NamePair> pairs,
    const Dataset& dataset, int threads, const PairVisitor& visit, const JobContext& job, StepCounter& counter)
{
    if (pairs.empty())
        return std::vector<PairError>{};
    SampleRun run(sessions, pairs);
    return errorsOverSamples(
        dataset, pairs.size(), threads, [&](std::int64_t sample) { return run.measure(dataset, sample, visit, job); },
        job, counter);
}

} // namespace duo
