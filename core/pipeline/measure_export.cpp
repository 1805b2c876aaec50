// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/measure_export.h"

#include "core/analysis/error_start.h"
#include "core/analysis/inner_values.h"
#include "core/analysis/outputs_apart.h"
#include "core/analysis/top1.h"
#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/onnx/reader.h"
#include "core/pipeline/metric_command.h"
#include "core/quantize/points/profile_rules.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kBytesWaiting = std::int64_t{96} << 20; // of inner values
constexpr LatencyBudget kLatency{std::chrono::milliseconds(0), std::chrono::milliseconds(250), 2};

OutputMeasure measureOf(const std::string& name, const OutputApart& apart)
{
    OutputMeasure measure;
    measure.name = name;
    measure.sqnrDb = apart.error.sqnrDb();
    measure.cosine = apart.error.cosine();
    measure.isCompared = apart.isCompared && apart.otherShapes == 0;
    measure.isDiscrete = apart.isDiscrete;
    measure.nans = apart.nans;
    measure.otherShapes = apart.otherShapes;
    measure.identical = measure.isCompared && apart.error.identical;
    if (measure.isCompared && apart.isScores) {
        measure.predictions = apart.predictions.all;
        measure.agreeing = apart.predictions.agreeing;
    }
    return measure;
}

/// Where the user has one: it goes before accuracy on labels.
Status askForMetric(
    const WrittenExport& written, const VerdictOptions& options, ExportMeasures& measures, const JobContext& job)
{
    if (options.metricCommand.empty())
        return success();
    DUO_TRY(
        quality, metricOf(options.metricCommand, written.snapshot.model->path, written.file, written.floatMetric, job));
    measures.quality = std::move(quality);
    return success();
}

class ExportMeasurer
{
public:
    ExportMeasurer(const WrittenExport& written, const Dataset& dataset, const VerdictOptions& options, int threads,
        const JobContext& job)
        : m_written(written)
        , m_original(*written.snapshot.model)
        , m_dataset(dataset)
        , m_options(options)
        , m_threads(threads)
        , m_job(job)
        , m_chosen(verdictSamples(dataset.size(),
              written.compression.isMeasured ? std::optional(written.compression.samples) : std::nullopt))
        , m_part(dataset, m_chosen.indices)
    {
    }

    Result<Verdict> measure(ExportMeasures measures)
    {
        {
            DUO_TRY(before, openModel(m_original));
            DUO_TRY(after, openExport(m_original, m_written.file));
            const SessionPair sessions{before, after};
            DUO_TRY(apart, outputsApart(sessions, m_part, m_threads, m_job));
            for (std::size_t o = 0; o < apart.outputs.size(); ++o)
                measures.outputs.push_back(measureOf(before.outputs()[o].name, apart.outputs[o]));
            const bool isTarget = targetOf(m_written.snapshot.recipe.quantization).runsOnOrtCpu;
            if (isTarget && m_part.size() > 0) {
                DUO_TRY(feeds, m_part.sample(0));
                DUO_TRY(latency, measureLatency(sessions, feeds, kLatency, m_job));
                measures.latency = Latency{latency.shortestA, latency.shortestB, latency.threads, latency.runs};
            }
            if (!m_options.labels.empty() && m_options.metricCommand.empty()) {
                DUO_TRY(quality, accuracyOf(sessions));
                measures.quality = std::move(quality);
            }
        }
        DUO_CHECK(askForMetric(m_written, m_options, measures, m_job));
        Verdict verdict = judge(measures);
        verdict.samples = m_part.size();
        verdict.areHeldBack = m_chosen.areHeldBack;
        if (verdict.kind == VerdictKind::Regression) {
            DUO_TRY(starts, startsOfError(measures.outputs));
            verdict.starts = std::move(starts);
        }
        return verdict;
    }

private:
    /// Top-1 of the first output over all samples.
    Result<QualityMeasure> accuracyOf(const SessionPair& sessions) const
    {
        DUO_TRY(labels, m_dataset.array(m_options.labels));
        DUO_TRY(count, Top1Count::start(labels, m_dataset.size()));
        const std::string& name = sessions.a.outputs().front().name;
        const std::vector<NamePair> first{{name, name}};
        const auto visit = [&](std::int64_t sample, std::size_t, const TensorView& a, const TensorView& b) {
            return count.add(sample, a, b);
        };
        StepCounter counter("measure accuracy", m_dataset.size(), m_job);
        DUO_CHECK(measurePairs(sessions, first, m_dataset, m_threads, visit, m_job, counter));
        DUO_TRY(top1, count.finish());
        return QualityMeasure{"top-1 accuracy", top1.a, top1.b, false};
    }

    /// On the smallest of the samples. A model whose values cannot be looked at has a verdict all the same.
    Result<std::vector<ErrorStart>> startsOfError(const std::vector<OutputMeasure>& outputs) const
    {
        std::int64_t smallest = m_chosen.indices.front();
        std::size_t least = SIZE_MAX;
        for (const std::int64_t index : m_chosen.indices) {
            DUO_TRY(feeds, m_dataset.sample(index));
            std::size_t bytes = 0;
            for (const HostTensor& feed : feeds)
                bytes += feed.bytes.size();
            smallest = bytes < least ? index : smallest;
            least = std::min(least, bytes);
        }
        const DatasetPart one(m_dataset, {smallest});
        DUO_TRY(written, readModel(m_written.file, {}, m_job));
        const auto values = measureInnerValues(m_original, *written, one, kBytesWaiting, 1, m_job);
        if (m_job.stopped())
            return cancelledError();
        std::vector<ValueDifference> differences;
        if (values) {
            for (const InnerValue& value : *values) {
                const SignalError& error = value.error.error;
                if (value.error.sameShape)
                    differences.push_back({value.name, error.sqnrDb(), error.cosine(), error.finiteMaxAbs(),
                        error.identical, error.nonFinite});
            }
        }
        for (const OutputMeasure& output : outputs)
            differences.push_back({output.name, output.sqnrDb, output.cosine, {}, output.identical, 0});
        return errorStarts(m_original, differences);
    }

    const WrittenExport& m_written;
    const Model& m_original;
    const Dataset& m_dataset;
    const VerdictOptions& m_options;
    int m_threads;
    const JobContext& m_job;
    VerdictSamples m_chosen;
    DatasetPart m_part;
};

} // namespace

VerdictSamples verdictSamples(std::int64_t samples, std::optional<std::int64_t> used)
{
    VerdictSamples chosen;
    chosen.areHeldBack = used && samples > *used;
    const std::int64_t first = chosen.areHeldBack ? *used : 0;
    const std::int64_t there = samples - first;
    const std::int64_t count = std::min(there, kVerdictSamples);
    for (std::int64_t i = 0; i < count; ++i)
        chosen.indices.push_back(first + i * there / count);
    return chosen;
}

Result<Verdict> measureVerdict(const WrittenExport& written, const Dataset* dataset, const VerdictOptions& options,
    int threads, const JobContext& job)
{
    ExportMeasures measures;
    measures.quantizers = static_cast<std::int64_t>(written.compression.setup.points.size());
    measures.bytesBefore = written.snapshot.model->fileBytes;
    measures.bytesAfter = written.bytes;
    measures.maxDrop = options.maxDrop;
    if (dataset == nullptr || dataset->size() < 1) {
        DUO_CHECK(askForMetric(written, options, measures, job));
        return judge(measures);
    }
    return ExportMeasurer(written, *dataset, options, threads, job).measure(std::move(measures));
}

} // namespace duo
