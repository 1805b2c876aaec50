// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/bounded_export.h"

#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/pipeline/export.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/measure_export.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/suggest_floats.h"
#include "core/pipeline/way_out.h"
#include "core/report/inspect_report.h"
#include "core/report/verdict_report.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostTogether = 6; // scopes that are tried; those it does without are left out again
constexpr std::size_t kMostInVain = 3; // of them one after the other
constexpr double kWorthDb = 1; // that a suggestion gains
constexpr std::size_t kMostOfRun = 64; // nodes of a run, which have to be named one by one

/// How often the search for a suggestion may run the model: as often as quantizing did, which is 24 times at least.
struct SearchCost {
    std::int64_t runs = 0;
    std::int64_t samples = 1; // each choice is looked at on
    std::size_t groups = 0; // whose sensitivity is measured, for half of the runs

    SearchCost(const Compression& compression, const Verdict& verdict)
    {
        constexpr std::int64_t kLeast = 24;
        constexpr std::int64_t kMostGroups = 24;
        constexpr std::int64_t kLeastGroups = 8;
        constexpr std::int64_t kForTwo = 100; // runs
        runs = std::max(kLeast, compression.samples + 2 * verdict.samples);
        samples = runs < kForTwo ? 1 : 2;
        groups = static_cast<std::size_t>(std::clamp(runs / samples / 4, kLeastGroups, kMostGroups));
    }
};

/// Which scopes, kept in float together, take most of the error of an export away. It is looked for on one sample or
/// two that show it, the most sensitive of coarse groups first, each choice with the plan that its rules lead to: what
/// one scope hides of another's error shows only where both are in float.
class Suggestion
{
public:
    /// @param compression of `snapshot`, as exported; @param verdict of it, a regression
    Suggestion(const Snapshot& snapshot, const Compression& compression, const Verdict& verdict, const Dataset& dataset,
        const Recalibrate& recalibrate, int threads, const JobContext& job)
        : m_snapshot(snapshot)
        , m_cost(compression, verdict)
        , m_dataset(dataset)
        , m_recalibrate(recalibrate)
        , m_threads(threads)
        , m_job(job)
    {
    }

    /// Fewest groups that make the error a good one; where none do, those that gain most. Empty: nothing gains.
    Result<std::vector<SuggestedFloat>> find(const Compression& compression)
    {
        const SensitivityOptions options{
            .by = SensitivityDepth::Scopes, .samples = m_cost.samples, .mostGroups = m_cost.groups, .suggests = false};
        DUO_TRY(telling, tellingSamples(compression));
        m_telling.emplace(m_dataset, std::move(telling));
        DUO_TRY(report, measureSensitivity(m_snapshot, compression, *m_telling, {}, options, m_threads, m_job));
        m_runs += report.samples * (2 * static_cast<std::int64_t>(report.groups.size()) + 2);
        Chosen best{{}, report.all.level()};
        Chosen chosen = best;
        std::size_t inVain = 0;
        for (const std::size_t index : floatOrder(report.groups)) {
            const GroupSensitivity& group = report.groups[index];
            if (group.name.empty() || (group.kind == GroupKind::Run && group.nodes.size() > kMostOfRun))
                continue; // cannot be named
            const double without = chosen.level;
            chosen.groups.push_back(&group);
            DUO_CHECK(measure(chosen));
            if (chosen.level > without + kWorthDb)
                m_gaining.insert(&group);
            inVain = chosen.level > best.level + kWorthDb ? 0 : inVain + 1;
            if (inVain == 0)
                best = chosen;
            const bool isDone = best.level >= verdictBounds().goodDb || inVain == kMostInVain;
            if (isDone || chosen.groups.size() == kMostTogether || !mayRun())
                break;
        }
        DUO_CHECK(leaveOut(best));
        std::vector<SuggestedFloat> suggested;
        for (const GroupSensitivity* group : best.groups)
            appendSuggested(*group, suggested);
        return suggested;
    }

private:
    /// Of a few of the verdict's samples, the smallest, those on which the outputs are furthest apart.
    Result<std::vector<std::int64_t>> tellingSamples(const Compression& compression)
    {
        const auto used = compression.isMeasured ? std::optional(compression.samples) : std::nullopt;
        std::vector<std::pair<std::size_t, std::int64_t>> bySize; // bytes, index
        for (const std::int64_t index : verdictSamples(m_dataset.size(), used).indices) {
            DUO_TRY(feeds, m_dataset.sample(index));
            std::size_t bytes = 0;
            for (const HostTensor& feed : feeds)
                bytes += feed.bytes.size();
            bySize.emplace_back(bytes, index);
        }
        std::ranges::sort(bySize);
        bySize.resize(std::min(bySize.size(), static_cast<std::size_t>(2 * m_cost.samples)));
        std::vector<std::int64_t> looked;
        for (const auto& [bytes, index] : bySize)
            looked.push_back(index);
        const DatasetPart part(m_dataset, looked);
        DUO_TRY(model, SwitchableModel::open(m_snapshot, compression, part, part.size(), m_threads, m_job));
        DUO_TRY(apart, model.apart(m_threads, m_job));
        m_runs += 2 * part.size();
        const std::vector<double> noise = noiseBySample(apart, looked.size());
        std::vector<std::size_t> order(looked.size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return noise[a] > noise[b]; });
        std::vector<std::int64_t> telling;
        for (std::size_t i = 0; i < std::min(order.size(), static_cast<std::size_t>(m_cost.samples)); ++i)
            telling.push_back(looked[order[i]]);
        return telling;
    }

    /// A run of neighbours has no name of its own: its nodes have.
    static void appendSuggested(const GroupSensitivity& group, std::vector<SuggestedFloat>& suggested)
    {
        if (group.kind != GroupKind::Run) {
            suggested.push_back({group.name, group.kind == GroupKind::Node});
            return;
        }
        for (const std::string& node : group.nodes)
            suggested.push_back({node, true});
    }

    struct Chosen {
        std::vector<const GroupSensitivity*> groups;
        double level = 0; // MeasuredError::level with them in float
    };

    Status measure(Chosen& chosen)
    {
        Recipe recipe = m_snapshot.recipe;
        for (const GroupSensitivity* group : chosen.groups)
            recipe = withRules(std::move(recipe), group->rules);
        DUO_TRY(kept, withRecipe(m_snapshot, recipe));
        DUO_TRY(compression, m_recalibrate(kept));
        DUO_TRY(
            model, SwitchableModel::open(kept, compression, *m_telling, m_cost.samples, m_threads, m_job, m_floats));
        DUO_TRY(apart, model.apart(m_threads, m_job));
        m_runs += model.samples() * (m_floats ? 1 : 2);
        chosen.level = measuredError(apart).level();
        m_floats = model.floats();
        return success();
    }

    [[nodiscard]] bool mayRun() const { return m_runs < m_cost.runs; }

    /// Those without which it is as good: of them that gained nothing when they were added, one session each. The last
    /// one is what made it so.
    Status leaveOut(Chosen& best)
    {
        for (std::size_t i = 0; best.groups.size() > 1 && i + 1 < best.groups.size() && mayRun();) {
            if (m_gaining.contains(best.groups[i])) {
                ++i;
                continue;
            }
            Chosen fewer = best;
            fewer.groups.erase(fewer.groups.begin() + static_cast<std::ptrdiff_t>(i));
            DUO_CHECK(measure(fewer));
            const bool isEnough = fewer.level >= std::min(best.level, verdictBounds().goodDb) - kWorthDb / 2;
            if (isEnough)
                best = std::move(fewer);
            else
                ++i;
        }
        return success();
    }

    const Snapshot& m_snapshot;
    SearchCost m_cost;
    const Dataset& m_dataset;
    std::optional<DatasetPart> m_telling; // that shows the regression
    const Recalibrate& m_recalibrate;
    int m_threads;
    const JobContext& m_job;
    std::int64_t m_runs = 0;
    std::shared_ptr<const FloatRuns> m_floats; // of the first choice
    std::set<const GroupSensitivity*> m_gaining; // on top of those before them
};

/// Fills Verdict::suggested of a regression. Other verdicts, and models whose sensitivity cannot be measured, stay as
/// they are.
/// @param compression of `snapshot`, as exported
/// @return Cancelled
Status suggestInPlace(ExportReport& report, const Snapshot& snapshot, const Compression& compression,
    const Dataset& dataset, const Recalibrate& recalibrate, int threads, const JobContext& job)
{
    if (report.verdict.kind != VerdictKind::Regression)
        return success();
    auto found
        = Suggestion(snapshot, compression, report.verdict, dataset, recalibrate, threads, job).find(compression);
    if (job.stopped())
        return cancelledError();
    if (found)
        report.verdict.suggested = *std::move(found);
    return success();
}

constexpr const char* kBoundsKeepAll
    = "nothing short of the whole model in float reaches the bounds: ask for lower ones, try cross_layer_equalization "
      "or smooth_quant_alphas in the recipe (in the window Config), or keep the float model";
constexpr std::size_t kMostRecent = 2;

/// What one bound asks for.
struct Bound {
    enum class Kind { Sqnr, Agreement };
    Kind kind = Kind::Sqnr;
    double wanted = 0;
    double more = 0; // asked of the switchable quantizers because the written file gave less than they did
};

double numberOf(Bound::Kind kind, const OutputsApart& apart)
{
    return kind == Bound::Kind::Sqnr ? measuredError(apart).decibels() : agreementOf(apart).value_or(0);
}

/// As `apart`, but on the verdict's samples. Both are in the order of the outputs.
std::optional<double> agreementOnVerdict(const std::vector<JudgedOutput>& outputs, OutputsApart apart)
{
    for (std::size_t i = 0; i < std::min(outputs.size(), apart.outputs.size()); ++i) {
        Predictions& predictions = apart.outputs[i].predictions;
        predictions = {.all = outputs[i].measure.predictions,
            .agreeing = outputs[i].measure.agreeing,
            .areKnown = predictions.areKnown};
    }
    return agreementOf(apart);
}

/// Of the written file, on these samples and on those of the verdict, whose numbers the user sees.
double reachedBy(Bound::Kind kind, const OutputsApart& apart, const ExportReport& report)
{
    double reached = numberOf(kind, apart);
    if (kind == Bound::Kind::Agreement)
        return std::min(reached, agreementOnVerdict(report.verdict.outputs, apart).value_or(reached));
    for (const JudgedOutput& output : report.verdict.outputs) {
        if (!output.measure.identical && output.measure.isCompared && !output.measure.isDiscrete) // as isInDecibels
            reached = std::min(reached, output.measure.sqnrDb.value_or(-std::numeric_limits<double>::infinity()));
    }
    return reached;
}

bool isMeasurable(Bound::Kind kind, const OutputsApart& apart)
{
    return kind == Bound::Kind::Sqnr ? std::ranges::any_of(apart.outputs, &OutputApart::isInDecibels)
                                     : agreementOf(apart).has_value();
}

/// Asked for agreement where there is none.
Error nothingAgrees(const OutputsApart& apart)
{
    const bool isDetector = std::ranges::any_of(
        apart.outputs, [](const OutputApart& output) { return output.predictions.kind == AnswerKind::Detection; });
    if (isDetector)
        return Error{ErrorCode::BadData, "the float model detects nothing in the first samples that could agree", {},
            "give samples that show what it knows, or bound the error (--min-sqnr)"};
    return Error{ErrorCode::BadData, "no output is known to hold class scores that could agree", {},
        "bound the error (--min-sqnr), or give a metric (--metric)"};
}

std::string numberText(Bound::Kind kind, double number)
{
    if (std::isinf(number))
        return number > 0 ? "without error" : "not finite";
    return kind == Bound::Kind::Sqnr ? fixedText(number, 1) + " dB" : fixedText(100 * number, 2) + " %";
}

class Bounded
{
public:
    Bounded(VerdictOptions verdict, const Dataset& dataset, const StagedExport& staged, const Recalibrate& recalibrate,
        int threads, const JobContext& job)
        : m_verdict(std::move(verdict))
        , m_dataset(dataset)
        , m_staged(staged)
        , m_recalibrate(recalibrate)
        , m_threads(threads)
        , m_job(job)
    {
    }

    Result<BoundedExport> run(const Snapshot& snapshot, Compression compression, std::vector<Bound> bounds)
    {
        m_bounds = std::move(bounds);
        BoundedExport made;
        made.snapshot = snapshot;
        made.compression = std::move(compression);
        if (!m_bounds.empty() || isQualityBound()) // else nothing is made again
            m_recent.emplace_back(made.snapshot.recipe, made.compression);
        for (bool isWritten = false; !isWritten || askForMore(made.report); isWritten = true) {
            const std::size_t before = made.kept.size();
            for (const Bound& bound : m_bounds)
                DUO_CHECK(keepUntil(bound, made));
            if (isWritten && made.kept.size() == before)
                break; // the session promises what the file does not hold
            DUO_CHECK(write(made));
        }
        if (!isGoodEnough(made))
            DUO_CHECK(keepFewest(made));
        if (!m_bounds.empty() || (made.report.verdict.quality && isQualityBound())) {
            const Check check = checkOf(made);
            made.report = withChecks(std::move(made.report), {check});
        }
        return made;
    }

private:
    /// Each bound, and the file, ask for what the one before came to.
    Result<Compression> compressionOf(const Snapshot& snapshot)
    {
        const auto known = std::ranges::find(m_recent, snapshot.recipe, &std::pair<Recipe, Compression>::first);
        if (known != m_recent.end())
            return known->second;
        DUO_TRY(made, m_recalibrate(snapshot));
        if (m_recent.size() == kMostRecent)
            m_recent.erase(m_recent.begin());
        m_recent.emplace_back(snapshot.recipe, made);
        return made;
    }

    Status keepUntil(const Bound& bound, BoundedExport& made)
    {
        const auto measure = [&](const Snapshot& snapshot) -> Result<double> {
            DUO_TRY(compression, compressionOf(snapshot));
            DUO_TRY(model, SwitchableModel::open(snapshot, compression, m_dataset, kVerdictSamples, m_threads, m_job));
            DUO_TRY(apart, model.apart(m_threads, m_job));
            if (bound.kind == Bound::Kind::Agreement && !isMeasurable(bound.kind, apart))
                return nothingAgrees(apart);
            return numberOf(bound.kind, apart);
        };
        DUO_TRY(now, measure(made.snapshot));
        if (now >= bound.wanted + bound.more)
            return success();
        DUO_CHECK(findCandidates(made));
        DUO_TRY(fallback, fallBack(made.snapshot, now, m_candidates, bound.wanted + bound.more, measure, m_job));
        made.snapshot = std::move(fallback.snapshot);
        made.kept.insert(made.kept.end(), fallback.kept.begin(), fallback.kept.end());
        std::erase_if(m_candidates, [&](const FallbackCandidate& candidate) {
            return std::ranges::find(fallback.kept, candidate.name, &FallbackStep::name) != fallback.kept.end();
        });
        return success();
    }

    /// Adds the rules of the first candidates.
    Status keepFirst(std::size_t count, BoundedExport& made) const
    {
        Recipe recipe = made.snapshot.recipe;
        for (std::size_t i = 0; i < count; ++i) {
            recipe = withRules(std::move(recipe), m_candidates[i].rules);
            made.kept.push_back({m_candidates[i].name, 0});
        }
        DUO_TRY(next, withRecipe(made.snapshot, recipe));
        made.snapshot = std::move(next);
        return success();
    }

    /// What matters, most first; then the rest, which is all that is left where nothing else did.
    Status findCandidates(const BoundedExport& made)
    {
        if (m_hasRanked)
            return success();
        m_hasRanked = true;
        SensitivityOptions options;
        options.suggests = false;
        DUO_TRY(report,
            measureSensitivity(made.snapshot, made.compression, m_dataset, m_recalibrate, options, m_threads, m_job));
        std::vector<std::size_t> order = floatOrder(report.groups);
        std::vector<bool> isDone(report.groups.size(), false);
        for (const std::size_t index : order)
            isDone[index] = true;
        for (const GroupSensitivity& group : report.groups) {
            if (group.partOf)
                isDone[*group.partOf] = true; // its parts stand for it
        }
        for (std::size_t i = 0; i < report.groups.size(); ++i) {
            if (!isDone[i])
                order.push_back(i);
        }
        for (const std::size_t index : order) {
            const GroupSensitivity& group = report.groups[index];
            m_candidates.push_back({group.name.empty() ? "the whole model" : group.name, group.rules});
        }
        return success();
    }

    Status write(BoundedExport& made)
    {
        if (!made.kept.empty()) {
            DUO_TRY(compression, compressionOf(made.snapshot));
            made.compression = std::move(compression);
        }
        if (!m_known.hashes) {
            DUO_TRY(hashes, hashModel(*made.snapshot.model, m_job));
            m_known.hashes = std::move(hashes);
        }
        m_staged.clear(); // of the plan before, which may have had data beside it
        DUO_TRY(exported,
            exportCompression(
                made.snapshot, made.compression, &m_dataset, m_staged.model(), m_threads, m_job, m_verdict, m_known));
        made.report = std::move(exported.report);
        made.written = std::move(exported.compression);
        if (const auto& quality = made.report.verdict.quality)
            m_known.metric = quality->before;
        if (m_bounds.empty())
            return success();
        DUO_TRY(before, openModel(*made.snapshot.model, {}, m_job));
        DUO_TRY(after, openMeasured(made.snapshot, m_staged.model(), m_job));
        const DatasetPart first = DatasetPart::firstOf(m_dataset, kVerdictSamples);
        DUO_TRY(apart, outputsApart({before, after}, *made.snapshot.model, first, m_threads, m_job));
        m_apart = std::move(apart);
        return success();
    }

    /// Labels that nobody named change no rule.
    [[nodiscard]] bool isQualityBound() const { return m_verdict.hasNamedLabels() || !m_verdict.metricCommand.empty(); }

    [[nodiscard]] bool isQualityKept(const BoundedExport& made) const
    {
        const Verdict& verdict = made.report.verdict;
        return !verdict.quality || !isQualityBound() || verdict.kind != VerdictKind::Regression;
    }

    [[nodiscard]] double missing(const Bound& bound, const ExportReport& report) const
    {
        return bound.wanted - reachedBy(bound.kind, m_apart, report);
    }

    /// The written file keeps the bounds, and the quality by labels or metric.
    [[nodiscard]] bool isGoodEnough(const BoundedExport& made) const
    {
        return isQualityKept(made)
            && std::ranges::all_of(m_bounds, [&](const Bound& bound) { return missing(bound, made.report) <= 0; });
    }

    /// Twice as many candidates until the written file is good enough, then half as many as long as it is.
    Status keepFewest(BoundedExport& made)
    {
        DUO_CHECK(findCandidates(made));
        const BoundedExport start = made;
        std::size_t missing = 0; // so many do not do
        std::size_t enough = 0; // so many do; 0: not found yet
        std::size_t written = 0;
        const auto tryOut = [&](std::size_t count) -> Status {
            m_job.tell({"fallback", static_cast<std::int64_t>(count), static_cast<std::int64_t>(m_candidates.size())});
            DUO_CHECK(writeWithout(start, count, made));
            written = count;
            (isGoodEnough(made) ? enough : missing) = count;
            return success();
        };
        while (enough == 0 && missing < m_candidates.size())
            DUO_CHECK(tryOut(std::min(m_candidates.size(), std::max<std::size_t>(1, 2 * missing))));
        while (enough > missing + 1)
            DUO_CHECK(tryOut(missing + (enough - missing) / 2));
        return enough == 0 || written == enough ? success() : writeWithout(start, enough, made);
    }

    /// With the first candidates in float.
    Status writeWithout(const BoundedExport& start, std::size_t count, BoundedExport& made)
    {
        made.kept = start.kept;
        made.snapshot = start.snapshot;
        DUO_CHECK(keepFirst(count, made));
        return write(made);
    }

    /// @return whether a bound is missed
    bool askForMore(const ExportReport& report)
    {
        bool isMissed = false;
        for (Bound& bound : m_bounds) {
            const double less = missing(bound, report);
            if (less <= 0)
                continue;
            bound.more += less;
            isMissed = true;
        }
        return isMissed;
    }

    [[nodiscard]] Check checkOf(const BoundedExport& made) const
    {
        Check check{"output-bounds", true, {}, {}, {}};
        for (const Bound& bound : m_bounds) {
            const double reached = reachedBy(bound.kind, m_apart, made.report);
            const bool isCompared = isMeasurable(bound.kind, m_apart);
            check.ok = check.ok && isCompared && reached >= bound.wanted;
            check.message += check.message.empty() ? "" : "; ";
            check.message += std::string(bound.kind == Bound::Kind::Sqnr ? "worst output " : "rows that agree ")
                + (isCompared ? numberText(bound.kind, reached) : "not compared") + " of "
                + numberText(bound.kind, bound.wanted) + " wanted";
        }
        if (const auto& quality = made.report.verdict.quality; quality && isQualityBound()) {
            check.ok = check.ok && isQualityKept(made);
            check.message += (check.message.empty() ? "" : "; ") + quality->what + " " + shortText(quality->after)
                + " of " + shortText(quality->before);
        }
        const bool isAnythingLeft = !made.compression.setup.points.empty();
        check.ok = check.ok && isAnythingLeft;
        check.message += !isAnythingLeft ? "; nothing is left quantized"
            : made.kept.empty()          ? "; nothing had to stay in float"
                                         : "; kept in float: " + std::to_string(made.kept.size());
        for (const FallbackStep& step : made.kept)
            check.nodes.push_back(step.name);
        return check;
    }

    VerdictOptions m_verdict;
    const Dataset& m_dataset;
    const StagedExport& m_staged; // files that are rejected replace nothing
    const Recalibrate& m_recalibrate;
    int m_threads;
    const JobContext& m_job;
    std::vector<Bound> m_bounds;
    std::vector<std::pair<Recipe, Compression>> m_recent; // the last ones made
    KnownOfFloat m_known; // from the first file on
    OutputsApart m_apart; // of the written file, where there are bounds
    bool m_hasRanked = false;
    std::vector<FallbackCandidate> m_candidates; // not kept yet
};

std::vector<Bound> boundsOf(const OutputBounds& bounds)
{
    std::vector<Bound> all;
    if (bounds.minSqnrDb)
        all.push_back({Bound::Kind::Sqnr, *bounds.minSqnrDb, 0});
    if (bounds.minAgreement)
        all.push_back({Bound::Kind::Agreement, *bounds.minAgreement, 0});
    return all;
}

} // namespace

Result<BoundedExport> exportWithin(const ExportDemands& demands, const Snapshot& snapshot, Compression compression,
    const Dataset* dataset, const std::filesystem::path& target, const Recalibrate& recalibrate, int threads,
    const JobContext& job)
{
    if (dataset == nullptr) {
        if (demands.bounds.any() || demands.verdict.hasNamedLabels())
            return Error{ErrorCode::Usage, "bounds and labels need samples to compare outputs on", {},
                "give data (--data), not statistics alone"};
        DUO_TRY(exported, exportCompression(snapshot, compression, nullptr, target, threads, job, demands.verdict));
        ExportReport& report = exported.report;
        if (report.verdict.kind == VerdictKind::Regression)
            report.notes.push_back({"no-fallback",
                "no scope was kept in float for the metric: what to keep is measured on samples (--data)", {}});
        DUO_CHECK(addWayOut(report, snapshot, compression, nullptr, recalibrate, threads, job));
        return BoundedExport{std::move(report), snapshot, std::move(compression), std::move(exported.compression), {}};
    }
    DUO_CHECK(checkExportTarget(*snapshot.model, {}, target));
    VerdictOptions verdict = demands.verdict;
    verdict.hasClassScores = verdict.hasClassScores || demands.bounds.minAgreement;
    DUO_TRY(staged, StagedExport::beside(target));
    DUO_TRY(made,
        Bounded(verdict, *dataset, staged, recalibrate, threads, job)
            .run(snapshot, std::move(compression), boundsOf(demands.bounds)));
    if (job.stopped())
        return cancelledError();
    DUO_TRY(files, staged.putInPlace());
    made.report.files = std::move(files);
    DUO_CHECK(suggestInPlace(made.report, made.snapshot, made.compression, *dataset, recalibrate, threads, job));
    if (made.report.verdict.kind == VerdictKind::NothingQuantized && !made.kept.empty())
        made.report.verdict.notes.push_back({std::string(kWayOut), kBoundsKeepAll, {}});
    else
        DUO_CHECK(addWayOut(made.report, made.snapshot, made.compression, dataset, recalibrate, threads, job));
    return made;
}

} // namespace duo
