// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/comparison/inner_values.h"

#include "core/calibrate/tapped_model.h"
#include "core/engine/tap_domain.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kLookedAt = 64; // samples among which the largest is looked for

/// Index of the sample with the most bytes among the first ones.
Result<std::int64_t> largestSample(const Dataset& dataset, const JobContext& job)
{
    std::int64_t largest = 0;
    std::size_t most = 0;
    for (std::int64_t i = 0; i < std::min(dataset.size(), kLookedAt) && dataset.size() > 1; ++i) {
        if (job.stopped())
            return cancelledError();
        DUO_TRY(feeds, dataset.sample(i));
        std::size_t bytes = 0;
        for (const HostTensor& feed : feeds)
            bytes += feed.bytes.size();
        if (bytes > most) {
            most = bytes;
            largest = i;
        }
    }
    return largest;
}

/// Values whose tensors of A wait at once.
struct Group {
    std::size_t first = 0; // in the order of names
    std::size_t end = 0;
    std::int64_t bytes = 0;
};

std::vector<Group> groupsOf(const std::vector<std::int64_t>& bytes, std::int64_t most)
{
    std::vector<Group> groups;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (groups.empty() || groups.back().bytes + bytes[i] > most)
            groups.push_back({i, i, 0});
        groups.back().end = i + 1;
        groups.back().bytes += bytes[i];
    }
    return groups;
}

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
        DUO_TRY(sizes, measuredSizes());
        m_groups = groupsOf(sizes, mostBytes);
        std::int64_t largest = 1;
        for (const Group& group : m_groups)
            largest = std::max(largest, group.bytes);
        const int runs = static_cast<int>(std::clamp<std::int64_t>(mostBytes / largest, 1, std::max(1, threads)));
        StepCounter counter("compare values", m_dataset.size(), m_job);
        return errorsOverSamples(
            m_dataset, m_values, runs, [this](std::int64_t sample) { return errorsOf(sample); }, m_job, counter);
    }

private:
    /// Bytes of each value in the largest sample.
    Result<std::vector<std::int64_t>> measuredSizes()
    {
        std::vector<std::int64_t> sizes(m_values, 0);
        DUO_TRY(largest, largestSample(m_dataset, m_job));
        DUO_TRY(feeds, m_dataset.sample(largest));
        const auto look = [&sizes](std::size_t i, const TensorView& view) {
            sizes[i] = static_cast<std::int64_t>(view.bytes.size());
        };
        DUO_CHECK(m_sessions.a.runTapped(feeds, look, m_job));
        return sizes;
    }

    [[nodiscard]] Result<std::vector<PairError>> errorsOf(std::int64_t sample) const
    {
        DUO_TRY(feeds, m_dataset.sample(sample));
        std::vector<PairError> errors(m_values);
        for (const Group& group : m_groups) {
            std::vector<HostTensor> ofA(group.end - group.first);
            const auto isOurs = [&group](std::size_t i) { return i >= group.first && i < group.end; };
            const auto keep = [&](std::size_t i, const TensorView& view) {
                if (isOurs(i))
                    ofA[i - group.first] = {view.name, view.type, view.dims, {view.bytes.begin(), view.bytes.end()}};
            };
            DUO_CHECK(m_sessions.a.runTapped(feeds, keep, m_job));
            const auto compare = [&](std::size_t i, const TensorView& view) {
                if (isOurs(i))
                    errors[i] = pairError(viewOf(ofA[i - group.first]), view);
            };
            DUO_CHECK(m_sessions.b.runTapped(feeds, compare, m_job));
        }
        return errors;
    }

    const SessionPair& m_sessions;
    std::size_t m_values;
    const Dataset& m_dataset;
    const JobContext& m_job;
    std::vector<Group> m_groups;
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
    DUO_TRY(tappedA, TappedModel::prepare(a, names, feeds));
    DUO_TRY(tappedB, TappedModel::prepare(b, names, feeds));
    StepCounter counter("compare values", dataset.size() * static_cast<std::int64_t>(tappedA.groups().size()), job);
    for (const TapGroup& group : tappedA.groups()) {
        DUO_TRY(sessionA, tappedA.open(group));
        DUO_TRY(sessionB, tappedB.open(group));
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
    DUO_TRY(ofA, TappedModel::floatValues(a, sharedValues(a, b)));
    DUO_TRY(names, TappedModel::floatValues(b, ofA));
    if (names.empty())
        return std::vector<InnerValue>{};
    const auto sessionA = openTappedModel(a, names);
    const auto sessionB = openTappedModel(b, names);
    if (!sessionA || !sessionB)
        return fetchedValues(a, b, names, dataset, threads, job);
    const SessionPair sessions{*sessionA, *sessionB};
    DUO_TRY(errors, TappedPair(sessions, names.size(), dataset, job).measure(mostBytes, threads));
    return named(names, errors);
}

} // namespace duo
