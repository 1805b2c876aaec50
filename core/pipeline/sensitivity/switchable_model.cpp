// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/switchable_model.h"

#include "core/calibrate/step_counter.h"
#include "core/engine/open_model.h"
#include "core/engine/run_gate.h"
#include "core/engine/swap_domain.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/quantize/points/fake_quantize.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace duo {
namespace {

/// What a switch that is on puts in the place of the float value.
bool writeQuantized(const Switch& quantizer, const TensorView& computed, std::span<float> out)
{
    if (quantizer.kind == SwitchKind::Activation)
        fakeQuantize(computed.floats(), computed.dims, quantizer.parameters, out);
    else if (!quantizer.parameters.scale.empty())
        dequantize(quantizer.stored, quantizer.dims, quantizer.parameters, out);
    else if (quantizer.stored.size() == out.size_bytes())
        std::memcpy(out.data(), quantizer.stored.data(), quantizer.stored.size());
    return true;
}

OutputsApart between(
    const std::vector<HostTensor>& floats, const std::vector<HostTensor>& given, const std::vector<AnswerForm>& forms)
{
    OutputsApart apart;
    for (std::size_t i = 0; i < floats.size(); ++i)
        apart.outputs.push_back(apartIn(viewOf(floats[i]), viewOf(given[i]), forms[i]));
    return apart;
}

} // namespace

Result<SwitchableModel> SwitchableModel::open(const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, std::int64_t samples, int threads, const JobContext& job,
    std::shared_ptr<const FloatRuns> known)
{
    DUO_TRY(exported, exportedSnapshot(snapshot, compression));
    DUO_TRY(qdq, exportedEdits(snapshot, compression));
    DUO_TRY(edits, switchableEdits(*exported->model, exported->placement->decisions, std::move(qdq)));
    if (job.stopped())
        return cancelledError();
    DUO_TRY(session, openSwappingModel(*exported->model, std::move(edits.edits), job));
    SwitchableModel made(std::move(session));
    made.m_switches = std::move(edits.switches);
    for (const PortInfo& output : made.m_session.outputs()) {
        if (!output.isNumeric())
            continue;
        made.m_outputs.push_back(output.name);
        made.m_forms.push_back(answerFormOf(*snapshot.model, snapshot.model->findValue(output.name)));
    }
    if (known) {
        made.m_floats = std::move(known);
        return made;
    }
    const auto count = static_cast<std::size_t>(std::clamp<std::int64_t>(samples, 0, dataset.size()));
    const auto runs = std::make_shared<FloatRuns>();
    runs->feeds.resize(count);
    runs->outputs.resize(count);
    const Switched off(made.m_switches.size(), false);
    RunGate gate;
    DUO_CHECK(parallelFor(count, threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        const RunGate::Pass pass = gate.enter(feeds);
        DUO_TRY(floats, made.run(feeds, off, job));
        runs->feeds[i] = std::move(feeds);
        runs->outputs[i] = std::move(floats);
        return success();
    }));
    made.m_floats = runs;
    return made;
}

Result<std::vector<HostTensor>> SwitchableModel::run(
    std::span<const HostTensor> feeds, const Switched& isOn, const JobContext& job) const
{
    return m_session.runSwapping(
        feeds,
        [&](std::size_t swap, const TensorView& computed, std::span<float> out) {
            return swap < isOn.size() && isOn[swap] && writeQuantized(m_switches[swap], computed, out);
        },
        job);
}

Result<std::vector<OutputsApart>> SwitchableModel::apart(std::size_t count,
    const std::function<Switched(std::size_t)>& setting, const std::string& stage, int threads,
    const JobContext& job) const
{
    const std::size_t samples = m_floats->feeds.size();
    std::vector<OutputsApart> bySample(count * samples);
    RunGate gate;
    StepCounter counter(stage, static_cast<std::int64_t>(bySample.size()), job);
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        const RunGate::Pass pass = gate.enter(m_floats->feeds[i % samples]);
        DUO_TRY(given, run(m_floats->feeds[i % samples], setting(i / samples), job));
        bySample[i] = between(m_floats->outputs[i % samples], given, m_forms);
        counter.countOne();
        return success();
    }));
    std::vector<OutputsApart> all(count);
    for (std::size_t i = 0; i < bySample.size(); ++i) // in sample order: the sums do not depend on threads
        addInPlace(all[i / samples], bySample[i]);
    return all;
}

Result<OutputsApart> SwitchableModel::apart(int threads, const JobContext& job) const
{
    const auto everything = [this](std::size_t) { return Switched(m_switches.size(), true); };
    DUO_TRY(all, apart(1, everything, "output error", threads, job));
    return std::move(all.front());
}

} // namespace duo
