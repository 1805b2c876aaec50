// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/way_out.h"

#include "core/analysis/latency.h"
#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/fitted_plan.h"
#include "core/pipeline/measure_export.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/node_groups.h"
#include "core/pipeline/sensitivity/suggest_floats.h"
#include "core/quantize/points/profile_rules.h"
#include "core/report/inspect_report.h"
#include "core/report/note_groups.h"
#include "core/report/verdict_report.h"
#include "core/state/model_hash.h"
#include "core/support/phrases.h"
#include "core/support/scratch_folder.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace duo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostGroups = 8;
constexpr std::size_t kMostTogether = 4;
constexpr std::size_t kMostOfRun = 64; // nodes that have to be named one by one
constexpr std::chrono::seconds kSearch{10};
constexpr LatencyBudget kBudget{std::chrono::milliseconds(20), std::chrono::milliseconds(200), 3};
constexpr double kWorth = 0.03; // of the time, that one scope more in float has to save

/// A plan with some groups in float, as it was written and ran.
struct TriedPlan {
    std::vector<const NodeGroup*> groups;
    ExportMeasures measures;
    [[nodiscard]] double milliseconds() const { return measures.latency->b; }
};

/// Which scopes, kept in float, make an export worth having that is neither faster nor smaller enough: what changes
/// between codes and floats around them costs more than their int8 kernels save.
class FasterPlan
{
public:
    /// @param judged what was measured of the export, but for its time
    FasterPlan(const Snapshot& snapshot, const Compression& compression, ExportMeasures judged, const Dataset& dataset,
        const Recalibrate& recalibrate, int threads, const JobContext& job)
        : m_snapshot(snapshot)
        , m_judged(std::move(judged))
        , m_dataset(dataset)
        , m_recalibrate(recalibrate)
        , m_threads(threads)
        , m_job(job)
        , m_groups(nameable(NodeGroups(placedBy(compression, snapshot)).coarse(kMostGroups)))
    {
    }

    [[nodiscard]] std::size_t tried() const { return m_tried; }

    /// Nothing: none of those that were tried is worth having.
    Result<std::optional<TriedPlan>> find(double milliseconds)
    {
        if (m_groups.empty())
            return std::optional<TriedPlan>();
        DUO_TRY(original, openModel(*m_snapshot.model, {}, m_job));
        DUO_TRY(feeds, m_dataset.sample(0));
        DUO_TRY(scratch, ScratchFolder::make());
        const auto end = Clock::now() + kSearch;
        std::vector<TriedPlan> gaining;
        const auto tryOut = [&](std::vector<const NodeGroup*> groups) -> Result<std::optional<TriedPlan>> {
            m_job.tell({"way out", static_cast<std::int64_t>(m_tried), static_cast<std::int64_t>(m_groups.size())});
            return planWithout(std::move(groups), original, feeds, scratch.path() / "trial.onnx");
        };
        for (const NodeGroup& group : m_groups) {
            if (Clock::now() > end)
                break;
            DUO_TRY(plan, tryOut({&group}));
            ++m_tried;
            if (plan && plan->milliseconds() < (1 - kWorth) * milliseconds)
                gaining.push_back(*std::move(plan));
        }
        if (gaining.empty())
            return std::optional<TriedPlan>();
        std::ranges::stable_sort(gaining, {}, &TriedPlan::milliseconds);
        TriedPlan best = gaining.front();
        for (std::size_t i = 1; i < std::min(gaining.size(), kMostTogether) && Clock::now() <= end; ++i) {
            auto groups = best.groups;
            groups.push_back(gaining[i].groups.front());
            DUO_TRY(plan, tryOut(std::move(groups)));
            if (plan && plan->milliseconds() < (1 - kWorth) * best.milliseconds())
                best = *std::move(plan);
        }
        return judge(best.measures).isAccepted() ? std::optional(std::move(best)) : std::nullopt;
    }

private:
    static std::vector<NodeGroup> nameable(std::vector<NodeGroup> groups)
    {
        std::erase_if(groups, [](const NodeGroup& group) {
            return group.name.empty() || (group.kind == GroupKind::Run && group.nodes.size() > kMostOfRun);
        });
        return groups;
    }

    /// Written, with what the engine would not fuse taken out, and run. Nothing where nothing is quantized any more, or
    /// the engine does not load it.
    Result<std::optional<TriedPlan>> planWithout(std::vector<const NodeGroup*> groups, const Session& original,
        const std::vector<HostTensor>& feeds, const std::filesystem::path& file)
    {
        Recipe recipe = m_snapshot.recipe;
        for (const NodeGroup* group : groups)
            recipe = withRules(std::move(recipe), group->rules);
        DUO_TRY(kept, withRecipe(m_snapshot, recipe));
        DUO_TRY(compression, m_recalibrate(kept));
        if (compression.setup.points.empty())
            return std::optional<TriedPlan>();
        const auto write = [&](Compression plan) {
            return writePlan(
                kept, std::move(plan), textHash({}), file, [](const std::string&) {}, m_job);
        };
        DUO_TRY(plan, writeFittedPlan(kept, std::move(compression), write, &m_dataset, m_threads, m_job));
        if (!plan.checks.front().ok)
            return std::optional<TriedPlan>();
        DUO_TRY(quantized, takeSession(plan, *m_snapshot.model, file, m_job));
        DUO_TRY(latency, measureLatency({original, quantized}, feeds, kBudget, m_job));
        TriedPlan tried{std::move(groups), m_judged};
        tried.measures.quantizers = static_cast<std::int64_t>(plan.compression.setup.points.size());
        tried.measures.bytesAfter = plan.bytes;
        tried.measures.latency = Latency{latency.shortestA, latency.shortestB, latency.threads, latency.runs};
        return std::optional(std::move(tried));
    }

    const Snapshot& m_snapshot;
    ExportMeasures m_judged;
    const Dataset& m_dataset;
    const Recalibrate& m_recalibrate;
    int m_threads;
    const JobContext& m_job;
    std::vector<NodeGroup> m_groups;
    std::size_t m_tried = 0;
};

ExportMeasures measuresOf(const ExportReport& report)
{
    ExportMeasures measures;
    measures.quantizers = report.quantizers;
    measures.bytesBefore = report.verdict.bytesBefore;
    measures.bytesAfter = report.verdict.bytesAfter;
    for (const JudgedOutput& output : report.verdict.outputs)
        measures.outputs.push_back(output.measure);
    measures.quality = report.verdict.quality;
    measures.maxDrop = 1; // it was judged already
    return measures;
}

std::string ratioText(double ratio)
{
    return ratio >= 1 ? fixedText(ratio, 2) + " x faster than float" : fixedText(1 / ratio, 2) + " x slower than float";
}

constexpr const char* kKeepFloat = "with this profile the float model is the better one";
constexpr const char* kInWindow = " (in the window Quantize > Bounds)";

/// Why the file is no smaller, where little of it is in int8; "" where most is.
std::string keptText(const ExportReport& report)
{
    constexpr double kMost = 0.9;
    if (report.int8Share >= kMost)
        return {};
    std::string text = "; " + fixedText(100 * report.int8Share, 0) + " % of the parameters are in int8";
    if (report.ignoredNodes > 0)
        text += ", and rules keep " + nodesText(static_cast<std::size_t>(report.ignoredNodes)) + " in float";
    return text;
}

/// @param dataset null: nothing is tried
Result<std::string> ofNoBenefit(ExportReport& report, const Snapshot& snapshot, const Compression& compression,
    const Dataset* dataset, const Recalibrate& recalibrate, int threads, const JobContext& job)
{
    const auto& latency = report.verdict.latency;
    if (!latency || dataset == nullptr || std::max(latency->a, latency->b) < verdictBounds().tellableMs)
        return "time says nothing here, and it is not smaller enough" + keptText(report) + ": " + kKeepFloat;
    FasterPlan faster(snapshot, compression, measuresOf(report), *dataset, recalibrate, threads, job);
    DUO_TRY(found, faster.find(latency->b));
    if (!found) {
        const std::string count = std::to_string(faster.tried());
        return (faster.tried() == 0          ? "which scopes would help is not known"
                       : faster.tried() == 1 ? std::string("its one scope was kept in float on trial, in vain")
                                             : "each of " + count
                           + " scopes was kept in float on trial, then those that gained together, in vain")
            + keptText(report) + ": " + kKeepFloat;
    }
    const Model& model = *placedBy(compression, snapshot).model;
    for (const NodeGroup* group : found->groups) {
        if (group->kind == GroupKind::Run) {
            for (const NodeId node : group->nodes)
                report.verdict.suggested.push_back({model.node(node).name, true});
        } else {
            report.verdict.suggested.push_back({group->name, group->kind == GroupKind::Node});
        }
    }
    return "keep " + suggestionText(report.verdict)
        + " in float: " + ratioText(found->measures.latency->a / found->measures.latency->b) + " and "
        + sizeChangeText(report.verdict.bytesBefore, found->measures.bytesAfter) + ", measured";
}

/// Whether what was found on few samples helps on those of the verdict too.
class SuggestionCheck
{
public:
    SuggestionCheck(const Compression& compression, const Dataset& dataset, const Recalibrate& recalibrate, int threads,
        const JobContext& job)
        : m_compression(compression)
        , m_samples(dataset, someOf(dataset, compression))
        , m_recalibrate(recalibrate)
        , m_threads(threads)
        , m_job(job)
    {
    }

    struct Gain {
        bool isAnythingLeft = true; // quantized
        std::string text{}; // "foreseen on 8 samples: 24.1 dB, it is 12.1 dB now"; empty where it gains less than 1 dB
        std::optional<double> before{}; // dB that the quantizers alone leave on those samples
    };

    [[nodiscard]] Result<Gain> gain(const Snapshot& snapshot, const std::vector<SuggestedFloat>& suggested) const
    {
        std::vector<Rule> rules;
        for (const SuggestedFloat& kept : suggested) {
            Rule& rule = rules.emplace_back();
            rule.kind = kept.isNode ? RuleKind::Name : RuleKind::ExecutionScope;
            rule.value = kept.name;
        }
        DUO_TRY(kept, withRecipe(snapshot, withRules(snapshot.recipe, rules)));
        DUO_TRY(compression, m_recalibrate(kept));
        if (compression.setup.points.empty())
            return Gain{.isAnythingLeft = false};
        DUO_TRY(before, error(snapshot, m_compression));
        DUO_TRY(after, error(kept, compression));
        constexpr double kWorthDb = 1;
        Gain gain{.before = before.worstSqnrDb()};
        if (after.level() >= before.level() + kWorthDb)
            gain.text = "foreseen on " + counted(static_cast<std::size_t>(m_samples.size()), "sample", "samples") + ": "
                + levelText(after) + ", it is " + levelText(before) + " now";
        return gain;
    }

private:
    /// Of the verdict's, evenly.
    static std::vector<std::int64_t> someOf(const Dataset& dataset, const Compression& compression)
    {
        constexpr std::size_t kMost = 8;
        const auto used = compression.isMeasured ? std::optional(compression.samples) : std::nullopt;
        const auto all = verdictSamples(dataset.size(), used).indices;
        const std::size_t count = std::min(all.size(), kMost);
        std::vector<std::int64_t> some;
        for (std::size_t i = 0; i < count; ++i)
            some.push_back(all[i * all.size() / count]);
        return some;
    }

    [[nodiscard]] Result<MeasuredError> error(const Snapshot& snapshot, const Compression& compression) const
    {
        DUO_TRY(model, SwitchableModel::open(snapshot, compression, m_samples, m_samples.size(), m_threads, m_job));
        DUO_TRY(apart, model.apart(m_threads, m_job));
        return measuredError(apart);
    }

    const Compression& m_compression;
    DatasetPart m_samples;
    const Recalibrate& m_recalibrate;
    int m_threads;
    const JobContext& m_job;
};

/// The option by which an export goes on by itself until an output that is bad is good.
std::string boundFor(const Verdict& verdict)
{
    const VerdictBounds& bounds = verdictBounds();
    const std::string byError = "--min-sqnr " + fixedText(bounds.goodDb, 0) + kInWindow;
    const JudgedOutput* worst = worstOutput(verdict.outputs);
    if (worst == nullptr)
        return byError;
    const OutputMeasure& measure = worst->measure;
    if (measure.isDiscrete
        || (measure.kind == AnswerKind::Detection && measure.sqnrDb && *measure.sqnrDb >= bounds.goodDb))
        return "--min-agreement " + fixedText(bounds.agreement, 2) + kInWindow;
    return measure.sqnrDb && *measure.sqnrDb >= bounds.goodDb ? "" : byError;
}

/// The quantizers alone leave far less noise than the file has: the engine computes something else with them, which no
/// scope in float mends as it promises. "" where they agree.
std::string ofKernels(const ExportReport& report, const Compression& compression, const std::optional<double>& before)
{
    constexpr double kApartDb = 10;
    const JudgedOutput* worst = worstOutput(report.verdict.outputs);
    if (!before || worst == nullptr || !worst->measure.sqnrDb || *before < *worst->measure.sqnrDb + kApartDb)
        return {};
    const std::string apart = "its quantizers alone leave " + fixedText(*before, 1) + " dB, what the engine runs "
        + fixedText(*worst->measure.sqnrDb, 1) + " dB: ";
    return apart
        + (noteOf(compression.notes, kPairSaturation) == nullptr
                ? "its int8 kernels compute something else here, and which scopes would help is not known"
                : "most likely its int8 kernels add up wrongly on this processor: try overflow_fix: enable in the "
                  "recipe (in the window Config)");
}

/// Suggestions that do not keep what they promise are taken back.
Result<std::string> ofRegression(ExportReport& report, const Snapshot& snapshot, const Compression& compression,
    const Dataset* dataset, const Recalibrate& recalibrate, int threads, const JobContext& job)
{
    std::vector<SuggestedFloat>& suggested = report.verdict.suggested;
    const bool isByQuality = report.verdict.quality.has_value();
    const std::string drop = std::string("allow a larger drop (--max-drop)") + kInWindow + ", or keep the float model";
    if (isByQuality && dataset == nullptr)
        return "give data (--data) to find scopes that would help in float, " + drop;
    const std::string bound = boundFor(report.verdict);
    const std::string answers = "--labels or --metric say whether the answers suffer at all";
    const std::string further = isByQuality ? drop
        : bound.empty()                     ? answers
                                            : bound + " goes on, one scope after the other, and " + answers;
    if (suggested.empty() || dataset == nullptr)
        return "which scopes would help is not known: none of the most sensitive ones, alone or with those before it, "
               "gains 1 dB in float; "
            + further;
    auto gain = SuggestionCheck(compression, *dataset, recalibrate, threads, job).gain(snapshot, suggested);
    if (const std::string kernels = gain ? ofKernels(report, compression, gain->before) : ""; !kernels.empty()) {
        suggested.clear();
        return kernels;
    }
    if (gain && !gain->text.empty())
        return "keep " + suggestionText(report.verdict) + " in float (" + gain->text + "); "
            + (isByQuality          ? drop
                    : bound.empty() ? answers
                                    : bound + " keeps as many scopes as it takes");
    suggested.clear();
    if (!gain)
        return gain.error();
    if (!gain->isAnythingLeft)
        return std::string("with what helps in float nothing is left quantized: try cross_layer_equalization or "
                           "smooth_quant_alphas in the recipe (in the window Config), or keep the float model");
    return "which scopes would help is not known: what helps on a few samples gains less than 1 dB on the others; "
        + further;
}

/// The first value that kept a node in float because the samples give it no number at all; invalid if there is none.
ValueId valueWithoutNumbers(const KeptFloats& kept)
{
    for (const auto& [node, why] : kept) {
        const auto* found = std::get_if<WithoutRange>(&why);
        const bool isOfSamples = found != nullptr && !found->isWeight
            && (found->trouble.kind == RangeTrouble::Kind::Empty
                || found->trouble.kind == RangeTrouble::Kind::NeverFinite);
        if (isOfSamples)
            return found->value;
    }
    return {};
}

std::string ofNothingQuantized(const ExportReport& report, const Snapshot& snapshot, const KeptFloats& kept)
{
    const bool isByRules = std::ranges::any_of(snapshot.placement->decisions, [](const Decision& decision) {
        return decision.kind() == ReasonKind::Rule || decision.kind() == ReasonKind::NoTarget;
    });
    if (isByRules)
        return "take away or narrow the rules that keep nodes in float";
    if (const ValueId value = valueWithoutNumbers(kept); value.valid())
        return "give other samples: of these the float model itself makes no number of '"
            + snapshot.model->value(value).name + "'";
    const auto isAnyFor = [&](ReasonKind kind) {
        return std::ranges::any_of(
            snapshot.placement->decisions, [kind](const Decision& decision) { return decision.kind() == kind; });
    };
    if (isAnyFor(ReasonKind::FileQuantizer))
        return "it is quantized already: use it as it is, or write it in float (dequantize, in the window Save in "
               "float) "
               "and quantize that";
    if (!report.keptFloat.empty())
        return "each node that stays has its reason; without another profile, keep the float model";
    if (isAnyFor(ReasonKind::FrontEnd))
        return "what this profile could run in 8 bits is a fixed transform, which they would spoil: keep the float "
               "model";
    return "there is nothing in it that this profile runs in 8 bits: keep the float model";
}

std::string ofFailedCheck(const ExportReport& report)
{
    static const std::map<std::string, std::string> kWays{
        {"loads", "keep the node that the engine names in float, or leave custom settings out"},
        {"opset", "export the model in an older opset, or make sure that the runtime reads this one"},
        {"int8-kernels", "keep the nodes it names in float, or choose the profile of the engine that will run it"},
        {"varying-data", "give samples from where the model is used"},
        {"finite-data", "mend the samples that hold NaN or infinities"},
        {"output-bounds", "ask for a lower bound, or keep the float model"},
    };
    const auto failed = std::ranges::find(report.checks, false, &Check::ok);
    const auto way = failed == report.checks.end() ? kWays.end() : kWays.find(failed->id);
    return way != kWays.end() ? way->second : "do not use this file: keep the float model, and report it as a fault";
}

} // namespace

Status addWayOut(ExportReport& report, const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const Recalibrate& recalibrate, int threads, const JobContext& job)
{
    const auto searched = [&]() -> Result<std::string> {
        switch (report.verdict.kind) {
        case VerdictKind::Accepted:
        case VerdictKind::NotMeasured:
            break;
        case VerdictKind::NothingQuantized:
            return ofNothingQuantized(report, snapshot, compression.keptFloat);
        case VerdictKind::NotComparable:
            return std::string("give a metric (--metric 'COMMAND {model}')") + kInWindow
                + ", which is asked of both models";
        case VerdictKind::Regression:
            return ofRegression(report, snapshot, compression, dataset, recalibrate, threads, job);
        case VerdictKind::CheckFailed:
        case VerdictKind::Infeasible:
            return ofFailedCheck(report);
        case VerdictKind::NoBenefit:
            return ofNoBenefit(report, snapshot, compression, dataset, recalibrate, threads, job);
        }
        return std::string();
    };
    auto way = searched();
    if (job.stopped())
        return cancelledError();
    std::string text = way ? *std::move(way) : "not known: " + way.error().line();
    if (text.empty())
        return success();
    report.verdict.notes.push_back({std::string(kWayOut), std::move(text), {}});
    return success();
}

} // namespace duo
