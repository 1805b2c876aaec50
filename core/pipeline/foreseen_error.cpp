// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/foreseen_error.h"

#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/fitted_plan.h"
#include "core/pipeline/functions_check.h"
#include "core/pipeline/measure_export.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/report/decision_sentences.h"
#include "core/state/model_hash.h"
#include "core/support/scratch_folder.h"

#include <utility>

namespace duo {
namespace {

/// On what the engine would not run in int8 where it stands.
std::optional<Note> noteOnTakenOut(const Model& model, const Compression& compression)
{
    std::size_t count = 0;
    const KeptFloat* first = nullptr;
    std::string name;
    for (const auto& [node, why] : compression.keptFloat) {
        if (keptDecision(why).kind() != ReasonKind::Profile)
            continue;
        if (count++ == 0) {
            first = &why;
            name = model.node(node).name;
        }
    }
    if (count == 0)
        return std::nullopt;
    std::string text = std::to_string(count) + (count == 1 ? " node stays" : " nodes stay")
        + " in float after all, first '" + name + "': " + keptTexts(model, *first).reason;
    return Note{"taken-out", std::move(text), std::move(name)};
}

/// A forecast with what an export comes to.
class Trial
{
public:
    Trial(const Snapshot& opened, const Dataset& dataset, int threads, const JobContext& job)
        : m_opened(opened)
        , m_dataset(dataset)
        , m_threads(threads)
        , m_job(job)
    {
    }

    [[nodiscard]] Result<Forecast> run(Forecast forecast, std::shared_ptr<const StatisticsFile> statistics) const
    {
        DUO_TRY(compression, compressionFrom(m_opened, std::move(statistics), m_threads, m_job));
        forecast.outputs.clear();
        forecast.whyNoError = "nothing is quantized";
        if (compression.setup.points.empty())
            return forecast;
        DUO_TRY(scratch, ScratchFolder::make());
        const std::filesystem::path file = scratch.path() / "trial.onnx";
        const auto write = [&](Compression plan) { // with a digest as long as that of the state, which is not written
            return writePlan(
                m_opened, std::move(plan), textHash({}), file, [](const std::string&) {}, m_job);
        };
        DUO_TRY(plan, writeFittedPlan(m_opened, std::move(compression), write, &m_dataset, m_threads, m_job));
        forecast.whyNoError = plan.checks.front().ok ? "" : plan.checks.front().message;
        forecast.size.after = plan.bytes;
        const Model& written = *placedBy(plan.compression, m_opened).model;
        if (auto note = noteOnTakenOut(written, plan.compression))
            forecast.notes.push_back(*std::move(note));
        if (forecast.whyNoError.empty())
            DUO_CHECK(addOutputs(plan, file, forecast));
        DUO_CHECK(makeFunctions(m_opened, file, forecast.size.after, m_job));
        return forecast;
    }

private:
    Status addOutputs(WrittenPlan& plan, const std::filesystem::path& file, Forecast& forecast) const
    {
        const DatasetPart part(m_dataset, verdictSamples(m_dataset.size(), std::nullopt).indices);
        DUO_TRY(after, takeSession(plan, *m_opened.model, file, m_job));
        DUO_TRY(before, openModel(*m_opened.model, {}, m_job));
        DUO_TRY(apart, outputsApart({before, after}, *m_opened.model, part, m_threads, m_job));
        const MeasuredError error = measuredError(apart);
        forecast.outputSamples = part.size();
        const std::vector<ValueId>& outputs = m_opened.model->mainGraph().outputs;
        for (std::size_t i = 0; i < error.outputs.size(); ++i)
            forecast.outputs.push_back({m_opened.model->value(outputs[i]).name, error.outputs[i].sqnrDb,
                error.outputs[i].identical && error.outputs[i].isCompared, error.outputs[i].isCompared,
                error.outputs[i].equal});
        return success();
    }

    const Snapshot& m_opened;
    const Dataset& m_dataset;
    int m_threads;
    const JobContext& m_job;
};

} // namespace

Result<std::shared_ptr<const Foresight>> withErrors(std::shared_ptr<const Foresight> foresight, const Snapshot& opened,
    const Dataset& dataset, int threads, const JobContext& job)
{
    if (foresight->problem || changesFloatModel(opened.settings))
        return foresight;
    auto measured = Trial(opened, dataset, threads, job).run(*foresight->forecast, foresight->statistics);
    if (measured)
        return withForecast(*foresight, *std::move(measured));
    if (measured.error().code == ErrorCode::Cancelled)
        return measured.error();
    return withoutErrors(std::move(foresight), measured.error());
}

} // namespace duo
