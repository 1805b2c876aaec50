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
    all.isNumeric = all.isNumeric && next.isNumeric;
    if (!next.isCompared)
        return;
    all.error.add(next.error);
    all.elements += next.elements;
    all.isDiscrete = next.isDiscrete;
    all.hasPredictions = all.hasPredictions && next.hasPredictions;
    all.isCompared = true;
    addInPlace(all.predictions, next.predictions);
    all.samples.insert(all.samples.end(), next.samples.begin(), next.samples.end());
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
    apart.samples = {glimpseOf(viewOf(left), viewOf(right), apart.error)};
    return apart;
}

std::optional<Predictions> answersIn(const TensorView& a, const TensorView& b, const AnswerForm& form)
{
    if (form.scoreRows) {
        if (auto detections = detectionsOf(a, b, *form.scoreRows))
            return detections;
    }
    auto classes = predictionsOf(a, b);
    const bool areClasses = classes && classes->areKnown;
    return form.isChosen && !areClasses ? chosenNumbersOf(a, b) : std::move(classes);
}

} // namespace

AnswerForm answerFormOf(const Model& model, ValueId output)
{
    if (!output.valid())
        return {};
    return {scoreRowsOf(model, output), isChosen(model, output)};
}

OutputApart apartIn(const TensorView& a, const TensorView& b, const AnswerForm& form)
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
    if (!apart.isDiscrete)
        apart.samples = {glimpseOf(a, b, apart.error)};
    const auto predictions = apart.isDiscrete ? equalElements(a, b) : answersIn(a, b, form);
    apart.hasPredictions = predictions.has_value();
    apart.predictions = predictions.value_or(Predictions{});
    return apart;
}

std::optional<double> OutputApart::agreement() const
{
    if (!isCompared || otherShapes > 0 || !hasPredictions || predictions.all == 0)
        return std::nullopt;
    const Predictions counted = answers();
    return static_cast<double>(counted.agreeing) / static_cast<double>(counted.all);
}

void addInPlace(OutputsApart& all, const OutputsApart& next)
{
    all.outputs.resize(next.outputs.size());
    for (std::size_t i = 0; i < next.outputs.size(); ++i)
        addInPlace(all.outputs[i], next.outputs[i]);
}

std::optional<double> agreementOf(const OutputsApart& apart)
{
    std::optional<double> known;
    std::optional<double> possible;
    for (const OutputApart& output : apart.outputs) {
        const auto share = output.agreement();
        if (!share)
            continue;
        auto& least = output.isDiscrete || output.predictions.areKnown ? known : possible;
        least = std::min(least.value_or(1), *share);
    }
    return known ? known : possible;
}

std::vector<double> noiseBySample(const OutputsApart& apart, std::size_t samples)
{
    std::vector<double> noise(samples, 0);
    for (const OutputApart& output : apart.outputs) {
        const bool isInAll = output.isInDecibels() && output.samples.size() == samples;
        for (std::size_t i = 0; isInAll && i < samples; ++i)
            noise[i] += noiseOf(output.samples[i]);
    }
    return noise;
}

Result<OutputsApart> outputsApart(
    const SessionPair& sessions, const Model& model, const Dataset& dataset, int threads, const JobContext& job)
{
    std::vector<std::string> names;
    std::vector<std::size_t> places; // [names] in all outputs
    std::vector<AnswerForm> forms(sessions.a.outputs().size());
    const std::vector<PortInfo>& ports = sessions.a.outputs();
    for (std::size_t o = 0; o < ports.size(); ++o) {
        if (!ports[o].isNumeric())
            continue;
        names.push_back(ports[o].name);
        places.push_back(o);
        forms[o] = answerFormOf(model, model.findValue(ports[o].name));
    }
    std::vector<OutputsApart> bySample(static_cast<std::size_t>(dataset.size()));
    RunGate gate;
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        const RunGate::Pass pass = gate.enter(feeds);
        DUO_TRY(ofA, sessions.a.run(feeds, names, job));
        bySample[i].outputs.resize(ports.size());
        const auto compare = [&](std::size_t o, const TensorView& b) -> Status {
            bySample[i].outputs[places[o]] = apartIn(viewOf(ofA[o]), b, forms[places[o]]);
            return success();
        };
        return sessions.b.runVisiting(feeds, names, compare, job);
    }));
    OutputsApart all;
    all.outputs.resize(ports.size());
    for (const OutputsApart& sample : bySample)
        addInPlace(all, sample);
    for (std::size_t o = 0; o < ports.size(); ++o)
        all.outputs[o].isNumeric = ports[o].isNumeric();
    return all;
}

} // namespace duo
