// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/measure_export.h"

#include "core/analysis/class_scores.h"
#include "core/analysis/error_start.h"
#include "core/analysis/found_accuracy.h"
#include "core/analysis/inner_values.h"
#include "core/analysis/outputs_apart.h"
#include "core/analysis/told_range.h"
#include "core/analysis/top1.h"
#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/model/random_operators.h"
#include "core/onnx/external_files.h"
#include "core/onnx/reader.h"
#include "core/pipeline/data_findings.h"
#include "core/pipeline/metric_command.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/quantize/points/profile_rules.h"
#include "core/report/inspect_report.h"
#include "core/support/file.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace duo {
namespace {

constexpr LatencyBudget kLatency{std::chrono::milliseconds(0), std::chrono::milliseconds(250), 2};

OutputMeasure measureOf(const std::string& name, const OutputApart& apart, bool areScores)
{
    OutputMeasure measure;
    measure.name = name;
    measure.isCompared = apart.isCompared && apart.otherShapes == 0;
    if (apart.isInDecibels()) {
        measure.sqnrDb = apart.error.sqnrDb();
        measure.cosine = apart.error.cosine();
        measure.medianDb = medianDb(apart.samples);
        if (const auto variation = variationOf(apart.samples))
            measure.variationDb = variation->db;
    }
    measure.isNumeric = apart.isNumeric;
    measure.isDiscrete = apart.isDiscrete;
    measure.nans = apart.nans;
    measure.otherShapes = apart.otherShapes;
    measure.identical = measure.isCompared && apart.error.identical;
    measure.areScores = !apart.isDiscrete && (areScores || apart.predictions.areKnown);
    if (apart.agreement()) {
        const Predictions answers = apart.answers();
        measure.predictions = answers.all;
        measure.agreeing = answers.agreeing;
        measure.uncommon = uncommon(answers);
        measure.kind = answers.kind;
    }
    return measure;
}

bool isRandom(const Dataset& dataset)
{
    return std::ranges::find(dataset.notes(), "random-data", &Note::kind) != dataset.notes().end();
}

/// Accuracy that tells nothing of the float model cannot tell what quantizing does to it.
Note chanceNote(const std::string& labels, const std::string& output, const Top1& top1)
{
    return {"labels-by-chance",
        "the float model is right in " + fixedText(100 * top1.a, 1) + " % of " + std::to_string(top1.samples)
            + " predictions of output '" + output + "', no more than chance: labels '" + labels
            + "' or the preprocessing of the data probably do not fit; output errors decide instead",
        labels};
}

/// A single answer would be more than the drop that is allowed.
Note fewLabelsNote(const Top1& top1, const LabelsBeside& labels)
{
    const auto percent = [](double share) { return fixedText(100 * share, 1) + " %"; };
    return {"few-labels",
        "top-1 accuracy by labels found with the data, " + labels.text() + ": " + percent(top1.b) + " (float "
            + percent(top1.a) + ") of " + std::to_string(top1.samples) + " predictions, which are too few to decide",
        {}};
}

/// @param what hardly differs
Note alikeNote(const std::string& what, const std::string& output)
{
    return {"alike-samples",
        what + ", by less than 8 bits tell apart: whether the quantized model keeps what differs in output '" + output
            + "' is not known; give samples that differ more",
        output};
}

/// The user's command reads the float model by its path, under which another one may lie by now. O(size)
Status checkIsInPlace(const Model& model)
{
    DUO_TRY(now, MappedFile::open(model.path));
    if (std::ranges::equal(now->bytes(), bytesOfFile(model)))
        return success();
    return Error{ErrorCode::FileNotReadable,
        "another file took the place of the model, and the metric would be of that", model.path.string(),
        "leave it in place, and begin again"};
}

/// Where the user has one: it goes before accuracy on labels.
Status askForMetric(
    const WrittenExport& written, const VerdictOptions& options, ExportMeasures& measures, const JobContext& job)
{
    if (options.metricCommand.empty())
        return success();
    const Model& model = *written.snapshot.model;
    DUO_TRY(quality, metricOf(options.metricCommand, model.path, written.file, written.floatMetric, job));
    DUO_CHECK(checkIsInPlace(model)); // afterwards: it may have been replaced meanwhile
    measures.quality = std::move(quality);
    return success();
}

/// Whether what the engine makes of the file by itself is what counts.
bool isForEngine(const Snapshot& snapshot)
{
    return targetOf(snapshot.recipe.quantization).runsOnOrtCpu;
}

/// A shortest run is believed where another turn gives nearly the same.
bool isSeenAgain(std::vector<double> shortest)
{
    constexpr double kSame = 1.04;
    std::ranges::sort(shortest);
    return shortest.size() > 1 && shortest[1] <= kSame * shortest[0];
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

    Result<Verdict> measure(ExportMeasures measures, std::optional<Session> opened)
    {
        dropPages(*placedBy(m_written.compression, m_written.snapshot).model); // both files are run, and nothing else
        std::vector<Note> notes;
        {
            DUO_TRY(after, measured(std::exchange(opened, {}))); // first: to open it takes more than to have it open
            DUO_TRY(before, openModel(m_original, {}, m_job));
            const SessionPair sessions{before, after};
            DUO_TRY(apart, outputsApart(sessions, m_original, m_part, m_threads, m_job));
            DUO_TRY(random, randomOutputs(before));
            for (std::size_t o = 0; o < apart.outputs.size(); ++o) {
                m_outputs.push_back(before.outputs()[o].name);
                measures.outputs.push_back(
                    measureOf(before.outputs()[o].name, apart.outputs[o], hasClassScores(before.outputs()[o].name)));
                if (random.contains(measures.outputs.back().name)) {
                    measures.outputs.back().isRandom = true;
                    measures.outputs.back().isCompared = false;
                }
                if (isRandom(m_dataset)) // outputs may hardly differ between random samples
                    measures.outputs.back().variationDb.reset();
                DUO_TRY(doubt, doubtOfVariation(measures.outputs.back(), apart.outputs[o]));
                if (!doubt.empty())
                    measures.outputs.back().variationDb.reset();
                notes.insert(notes.end(), doubt.begin(), doubt.end());
            }
            m_apart = std::move(apart);
            if (isForEngine(m_written.snapshot) && m_part.size() > 0) {
                DUO_TRY(feeds, m_part.sample(0));
                DUO_TRY(latency, shortestRuns(sessions, feeds));
                measures.latency = latency;
            }
            if (m_options.metricCommand.empty()) {
                DUO_TRY(accuracy, accuracyOf(sessions));
                measures.quality = std::move(accuracy.quality);
                notes.insert(notes.end(), accuracy.note.begin(), accuracy.note.end());
            }
        }
        DUO_CHECK(askForMetric(m_written, m_options, measures, m_job));
        Verdict verdict = judge(measures);
        verdict.notes.insert(verdict.notes.end(), notes.begin(), notes.end());
        verdict.samples = m_part.size();
        verdict.areHeldBack = m_chosen.areHeldBack;
        if (verdict.kind == VerdictKind::Regression) {
            DUO_TRY(starts, startsOfError());
            verdict.starts = std::move(starts);
        }
        return verdict;
    }

private:
    Result<Session> measured(std::optional<Session> opened) const
    {
        if (opened && isForEngine(m_written.snapshot))
            return *std::move(opened);
        opened.reset();
        return openMeasured(m_written.snapshot, m_written.file, m_job);
    }

    /// Of as many turns as it takes to see both again: one alone may be what others on the machine left of it.
    Result<Latency> shortestRuns(const SessionPair& sessions, const std::vector<HostTensor>& feeds) const
    {
        constexpr std::chrono::seconds kMost{2};
        const auto end = std::chrono::steady_clock::now() + kMost;
        std::vector<double> a;
        std::vector<double> b;
        Latency shortest{.a = HUGE_VAL, .b = HUGE_VAL};
        do {
            DUO_TRY(turn, measureLatency(sessions, feeds, kLatency, m_job));
            a.push_back(turn.shortestA);
            b.push_back(turn.shortestB);
            shortest = {.a = std::min(shortest.a, turn.shortestA),
                .b = std::min(shortest.b, turn.shortestB),
                .threads = turn.threads,
                .runs = shortest.runs + turn.runs,
                .mostA = std::max(shortest.mostA, turn.mostA),
                .mostB = std::max(shortest.mostB, turn.mostB)};
        } while (std::max(shortest.a, shortest.b) >= verdictBounds().tellableMs && (!isSeenAgain(a) || !isSeenAgain(b))
            && std::chrono::steady_clock::now() < end);
        return shortest;
    }

    /// That differ between two runs of the float model on one sample: of nodes that draw numbers.
    [[nodiscard]] Result<std::set<std::string>> randomOutputs(const Session& model) const
    {
        const bool draws = std::ranges::any_of(
            m_original.nodes, [](const Node& node) { return node.domain.empty() && isRandomOperator(node.opType); });
        std::vector<std::string> names;
        for (const PortInfo& port : model.outputs()) {
            if (draws && port.isNumeric())
                names.push_back(port.name);
        }
        std::set<std::string> random;
        if (names.empty() || m_part.size() == 0)
            return random;
        DUO_TRY(feeds, m_part.sample(0));
        DUO_TRY(first, model.run(feeds, names, m_job));
        DUO_TRY(second, model.run(feeds, names, m_job));
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (first[i].dims != second[i].dims || first[i].bytes != second[i].bytes)
                random.insert(names[i]);
        }
        return random;
    }

    /// Why it is not known whether what differs between the samples is kept where it seems lost: it is less than 8 bits
    /// tell apart in any model. Empty where it is known.
    Result<std::vector<Note>> doubtOfVariation(const OutputMeasure& measure, const OutputApart& apart) const
    {
        constexpr double kSteps = 255;
        if (!measure.variationDb || *measure.variationDb > verdictBounds().leastVariationDb)
            return std::vector<Note>{};
        const auto width = toldWidth(m_original, m_original.findValue(measure.name));
        if (width && variationOf(apart.samples)->size < *width / kSteps)
            return std::vector{
                alikeNote("output '" + measure.name + "' hardly differs between the samples", measure.name)};
        DUO_TRY(isAlike, hardlyDiffer(m_dataset, m_chosen.indices));
        return isAlike ? std::vector{alikeNote("the samples hardly differ", measure.name)} : std::vector<Note>{};
    }

    /// The user says it, the model does, or else it is not known.
    [[nodiscard]] bool hasClassScores(const std::string& output) const
    {
        const ValueId value = m_original.findValue(output);
        return m_options.hasClassScores || (value.valid() && isToldAsClassScores(m_original, value));
    }

    struct Accuracy {
        std::optional<QualityMeasure> quality; // nothing where it says nothing of the models
        std::vector<Note> note;
    };

    Result<Accuracy> accuracyOf(const SessionPair& sessions) const
    {
        if (m_options.hasNamedLabels())
            return accuracyByNamed(sessions);
        if (m_options.found.labels)
            return accuracyByFound(sessions, *m_options.found.labels);
        const auto several = severalLabelsNote(m_options.found);
        return Accuracy{{}, several ? std::vector{*several} : std::vector<Note>{}};
    }

    /// Top-1 of the first output that is a tensor of numbers, over the first samples: nobody has asked for more. It
    /// decides where the predictions are enough to tell the drop that is allowed.
    Result<Accuracy> accuracyByFound(const SessionPair& sessions, const LabelsBeside& labels) const
    {
        constexpr std::int64_t kMost = 1000;
        const auto numeric = std::ranges::find_if(sessions.a.outputs(), &PortInfo::isNumeric);
        if (numeric == sessions.a.outputs().end())
            return Accuracy{};
        const DatasetPart first = DatasetPart::firstOf(m_dataset, kMost);
        FoundAccuracy accuracy(labels, m_dataset, first.size());
        const std::vector<NamePair> pair{{numeric->name, numeric->name}};
        const auto visit = [&](std::int64_t sample, std::size_t, const TensorView& a, const TensorView& b) -> Status {
            accuracy.add(sample, a, b);
            return success();
        };
        StepCounter counter("measure accuracy", first.size(), m_job);
        if (!accuracy.hasFailed())
            DUO_CHECK(measurePairs(sessions, pair, first, m_threads, visit, m_job, counter));
        const auto [top1, note] = accuracy.finish();
        if (!top1)
            return Accuracy{{}, {note}};
        const bool isEnough = static_cast<double>(top1->samples) * m_options.maxDrop >= 1;
        if (!isEnough)
            return Accuracy{{}, {fewLabelsNote(*top1, labels)}};
        return Accuracy{QualityMeasure{"top-1 accuracy", top1->a, top1->b, false}, {note}};
    }

    /// The same by labels of the user, over all samples.
    Result<Accuracy> accuracyByNamed(const SessionPair& sessions) const
    {
        DUO_TRY(labels, m_dataset.array(m_options.labels));
        DUO_TRY(count, Top1Count::start(labels, m_dataset.size()));
        const auto& outputs = sessions.a.outputs();
        const auto numeric = std::ranges::find_if(outputs, &PortInfo::isNumeric);
        if (numeric == outputs.end())
            return Error{ErrorCode::BadData, "no output is a tensor of numbers that labels could be of", {},
                "leave --labels out, or give a metric (--metric)"};
        const std::vector<NamePair> first{{numeric->name, numeric->name}};
        const auto visit = [&](std::int64_t sample, std::size_t, const TensorView& a, const TensorView& b) {
            return count.add(sample, a, b);
        };
        StepCounter counter("measure accuracy", m_dataset.size(), m_job);
        DUO_CHECK(measurePairs(sessions, first, m_dataset, m_threads, visit, m_job, counter));
        DUO_TRY(top1, count.finish());
        if (!top1.isChance)
            return Accuracy{QualityMeasure{"top-1 accuracy", top1.a, top1.b, false}, {}};
        return Accuracy{{}, {chanceNote(m_options.labels, numeric->name, top1)}};
    }

    /// The smallest of the samples on which the outputs are about as bad as on the worst, as a place in m_chosen.
    [[nodiscard]] Result<std::size_t> tellingSample() const
    {
        const std::vector<double> noise = noiseBySample(m_apart, m_chosen.indices.size());
        const double worst = *std::ranges::max_element(noise);
        std::size_t chosen = noise.size();
        std::size_t bytesOfChosen = 0;
        for (std::size_t i = 0; i < noise.size(); ++i) {
            if (noise[i] < worst / 2)
                continue;
            DUO_TRY(feeds, m_dataset.sample(m_chosen.indices[i]));
            std::size_t bytes = 0;
            for (const HostTensor& feed : feeds)
                bytes += feed.bytes.size();
            if (chosen == noise.size() || bytes < bytesOfChosen) {
                chosen = i;
                bytesOfChosen = bytes;
            }
        }
        return chosen;
    }

    /// Of the outputs in one of m_chosen.
    [[nodiscard]] std::vector<ValueDifference> outputsOf(std::size_t chosen) const
    {
        std::vector<ValueDifference> differences;
        for (std::size_t o = 0; o < m_apart.outputs.size(); ++o) {
            const OutputApart& output = m_apart.outputs[o];
            if (!output.isInDecibels() || output.samples.size() != m_chosen.indices.size())
                continue;
            const double noise = noiseOf(output.samples[chosen]);
            const double decibels = -10 * std::log10(noise);
            differences.push_back({m_outputs[o], std::isfinite(decibels) ? std::optional(decibels) : std::nullopt, {},
                {}, noise == 0, 0});
        }
        return differences;
    }

    /// A model whose values cannot be looked at has a verdict all the same.
    Result<std::vector<ErrorStart>> startsOfError() const
    {
        // where corrections rescale the float model, values under one name are alike in that one only
        const Model& model = *placedBy(m_written.compression, m_written.snapshot).model;
        DUO_TRY(chosen, tellingSample());
        const DatasetPart one(m_dataset, {m_chosen.indices[chosen]});
        DUO_TRY(written, readModel(m_written.file, {}, m_job));
        const auto values = measureInnerValues(model, *written, one, kBytesWaiting, 1, m_job);
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
        std::ranges::move(outputsOf(chosen), std::back_inserter(differences));
        DUO_TRY(feeds, one.sample(0));
        auto starts = errorStarts(model, differences, [&](const std::vector<NodeId>& nodes) {
            auto errors = measureOwnErrors(model, *written, nodes, feeds, m_job);
            return errors ? *std::move(errors) : std::vector<OwnError>{};
        });
        if (m_job.stopped())
            return cancelledError();
        return starts;
    }

    const WrittenExport& m_written;
    const Model& m_original;
    const Dataset& m_dataset;
    const VerdictOptions& m_options;
    int m_threads;
    const JobContext& m_job;
    VerdictSamples m_chosen;
    DatasetPart m_part;
    OutputsApart m_apart; // on m_part
    std::vector<std::string> m_outputs; // their names
};

/// Without the text of functions; or with it, where it is the shorter one, because calls share what the functions hold.
std::int64_t leastBytes(const Snapshot& snapshot)
{
    return std::min(snapshot.model->fileBytes, openedBytes(snapshot));
}

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

Result<Session> openMeasured(const Snapshot& snapshot, const std::filesystem::path& file, const JobContext& job)
{
    return openExport(*snapshot.model, file, {.keepsFloatBiases = !isForEngine(snapshot), .stop = job.stop});
}

Result<Verdict> measureVerdict(const WrittenExport& written, const Dataset* dataset, const VerdictOptions& options,
    int threads, const JobContext& job, std::optional<Session> opened)
{
    ExportMeasures measures;
    measures.quantizers = static_cast<std::int64_t>(written.compression.setup.points.size());
    measures.bytesBefore = leastBytes(written.snapshot);
    measures.bytesAfter = written.bytes;
    measures.maxDrop = options.maxDrop;
    if (dataset == nullptr || dataset->size() < 1) {
        opened.reset();
        DUO_CHECK(askForMetric(written, options, measures, job));
        return judge(measures);
    }
    return ExportMeasurer(written, *dataset, options, threads, job).measure(std::move(measures), std::move(opened));
}

} // namespace duo
