// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/half_noise.h"

#include "core/analysis/signal_error.h"
#include "core/engine/open_model.h"
#include "core/engine/run_gate.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <limits>

namespace duo {
namespace {

constexpr std::int64_t kSamples = 8;

std::vector<std::string> floatingOutputs(const Session& session)
{
    std::vector<std::string> names;
    for (const PortInfo& port : session.outputs()) {
        if (port.isNumeric() && isFloating(port.type))
            names.push_back(port.name);
    }
    return names;
}

double ratioOf(const SignalError& error)
{
    if (error.identical)
        return 0;
    return error.signal > 0 && error.nonFiniteApart == 0 ? error.noise / error.signal
                                                         : std::numeric_limits<double>::infinity();
}

} // namespace

HalfNoise::HalfNoise(const Model& model, int threads)
    : m_model(model)
    , m_threads(threads)
{
}

Result<HalfNoise> HalfNoise::ofModel(const Model& model, const Dataset& dataset, int threads, const JobContext& job)
{
    HalfNoise made(model, threads);
    DUO_TRY(session, openModel(model, {}, job));
    made.m_outputs = floatingOutputs(session);
    for (std::int64_t i = 0; i < std::min(kSamples, dataset.size()); ++i) {
        DUO_TRY(feeds, dataset.sample(i));
        DUO_TRY(results, session.run(feeds, made.m_outputs, job));
        made.m_feeds.push_back(std::move(feeds));
        made.m_results.push_back(std::move(results));
    }
    return made;
}

Result<double> HalfNoise::with(const EditList& edits, const JobContext& job) const
{
    if (m_outputs.empty())
        return 0.0;
    DUO_TRY(session, openWithEdits(m_model, edits, job));
    std::vector<std::vector<SignalError>> errors(m_feeds.size(), std::vector<SignalError>(m_outputs.size()));
    RunGate gate;
    DUO_CHECK(parallelFor(m_feeds.size(), m_threads, job, [&](std::size_t sample) {
        const RunGate::Pass pass = gate.enter(m_feeds[sample]);
        return session.runVisiting(
            m_feeds[sample], m_outputs,
            [&](std::size_t output, const TensorView& result) -> Status {
                const TensorView wanted = viewOf(m_results[sample][output]);
                errors[sample][output] = signalError(wanted, result);
                errors[sample][output].nonFiniteApart += wanted.dims != result.dims ? 1 : 0;
                return success();
            },
            job);
    }));
    double worst = 0;
    for (std::size_t output = 0; output < m_outputs.size(); ++output) {
        SignalError sum;
        for (const auto& ofSample : errors)
            sum.add(ofSample[output]);
        worst = std::max(worst, ratioOf(sum));
    }
    return worst;
}

} // namespace duo
