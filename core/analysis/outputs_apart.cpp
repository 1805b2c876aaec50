// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/outputs_apart.h"

#include "core/engine/run_gate.h"
#include "core/support/bytes_of.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

void addInPlace(OutputApart& all, const OutputApart& next)
{
    all.nans += next.nans;
    all.otherShapes += next.otherShapes;
    if (!next.isCompared)
        return;
    all.error.add(next.error);
    all.elements += next.elements;
    all.isDiscrete = next.isDiscrete;
    all.isScores = all.isScores && next.isScores;
    all.isCompared = true;
    all.predictions.all += next.predictions.all;
    all.predictions.agreeing += next.predictions.agreeing;
}

HostTensor floatsOf(const std::vector<float>& values)
{
    HostTensor tensor{{}, ElementType::Float32, {static_cast<std::int64_t>(values.size())}, bytesOf(values)};
    return tensor;
}

/// Where A holds NaN: what is left of both.
OutputApart apartWithoutNans(const TensorView& a, const TensorView& b)
{
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    std::vector<float> keptA;
    std::vector<float> keptB;
    for (std::size_t i = 0; i < std::min(ofA.size(), ofB.size()); ++i) {
        if (std::isnan(ofA[i]))
            continue;
        keptA.push_back(static_cast<float>(ofA[i]));
        keptB.push_back(static_cast<float>(ofB[i]));
    }
    OutputApart apart;
    apart.nans = static_cast<std::int64_t>(ofA.size() - keptA.size());
    apart.elements = static_cast<std::int64_t>(keptA.size());
    apart.isCompared = !keptA.empty();
    const HostTensor left = floatsOf(keptA);
    const HostTensor right = floatsOf(keptB);
    apart.error = signalError(viewOf(left), viewOf(right));
    return apart;
}

} // namespace

OutputApart apartIn(const TensorView& a, const TensorView& b)
{
    OutputApart apart;
    if (a.dims != b.dims) {
        apart.otherShapes = 1;
        return apart;
    }
    if (holdsNan(a))
        return apartWithoutNans(a, b);
    apart.isCompared = true;
    apart.elements = elementCount(a.dims).value_or(0);
    apart.error = signalError(a, b);
    apart.isDiscrete = !isFloating(a.type);
    const auto predictions = apart.isDiscrete ? equalElements(a, b) : predictionsOf(a, b);
    apart.isScores = predictions.has_value();
    apart.predictions = predictions.value_or(Predictions{});
    return apart;
}

void addInPlace(OutputsApart& all, const OutputsApart& next)
{
    all.outputs.resize(next.outputs.size());
    for (std::size_t i = 0; i < next.outputs.size(); ++i)
        addInPlace(all.outputs[i], next.outputs[i]);
}

std::optional<double> agreementOf(const OutputsApart& apart)
{
    Predictions sum;
    for (const OutputApart& output : apart.outputs) {
        if (!output.isCompared || !output.isScores || output.isDiscrete)
            continue;
        sum.all += output.predictions.all;
        sum.agreeing += output.predictions.agreeing;
    }
    if (sum.all == 0)
        return std::nullopt;
    return static_cast<double>(sum.agreeing) / static_cast<double>(sum.all);
}

Result<OutputsApart> outputsApart(
    const SessionPair& sessions, const Dataset& dataset, int threads, const JobContext& job)
{
    std::vector<std::string> names;
    for (const PortInfo& output : sessions.a.outputs())
        names.push_back(output.name);
    std::vector<OutputsApart> bySample(static_cast<std::size_t>(dataset.size()));
    RunGate gate;
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        const RunGate::Pass pass = gate.enter(feeds);
        DUO_TRY(ofA, sessions.a.run(feeds, names, job));
        bySample[i].outputs.resize(names.size());
        const auto compare = [&](std::size_t o, const TensorView& b) -> Status {
            bySample[i].outputs[o] = apartIn(viewOf(ofA[o]), b);
            return success();
        };
        return sessions.b.runVisiting(feeds, names, compare, job);
    }));
    OutputsApart all;
    all.outputs.resize(names.size());
    for (const OutputsApart& sample : bySample)
        addInPlace(all, sample);
    return all;
}

} // namespace duo
