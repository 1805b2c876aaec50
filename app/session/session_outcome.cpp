// SPDX-License-Identifier: Apache-2.0
// Session: which results are of the present recipe, and what is shown of its plan: where that is known, what became of
// it.
#include "app/session/session.h"

#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/sensitivity/foreseen_size.h"
#include "core/quantize/points/compressed.h"
#include "core/report/measured_line.h"

#include <map>
#include <utility>

namespace duo::app {
namespace {

/// What is planned beyond what the file, an export, has in codes is in float there, for the reason that its state gives
/// where that is not a rule.
Result<Snapshot> leftInFloat(const Snapshot& snapshot, const std::vector<std::pair<std::string, KeptFloat>>& told)
{
    const RecordedKept untold{"it is in float in this export", "the next one under the present rules quantizes it"};
    const std::map<std::string, KeptFloat> reasons(told.begin(), told.end());
    KeptFloats kept;
    for (std::uint32_t i = 0; i < snapshot.model->nodes.size(); ++i) {
        const Decision& decision = snapshot.placement->decisions[i];
        if (!isCompressed(decision.state) || decision.fusedWith.valid() || decision.kind() == ReasonKind::FileQuantizer)
            continue;
        const auto reason = reasons.find(snapshot.model->nodes[i].name);
        kept.emplace(NodeId(i), reason == reasons.end() ? untold : reason->second);
    }
    return withKeptFloat(snapshot, kept);
}

bool saysHowNodesRun(const EarlierResult& result)
{
    return result.nodes && !result.nodes->running.empty();
}

} // namespace

bool Session::isOfPresentRules(const Snapshot& then) const
{
    if (then.recipe != m_recipe)
        return false;
    if (then.scopes == m_snapshot->scopes)
        return true;
    const RuleHits& before = *then.hits; // a checkpoint may have moved nodes to other scopes
    const RuleHits& now = *m_snapshot->hits;
    return before.ignoredBy == now.ignoredBy && before.targeted == now.targeted && before.precisions == now.precisions
        && before.precisionOf == now.precisionOf;
}

bool Session::isResultCurrent() const
{
    return m_result && m_snapshot && m_result->snapshot.model == m_snapshot->model
        && isOfPresentRules(m_result->snapshot);
}

bool Session::isReportCurrent() const
{
    return !m_export.report || isOfPresentRules(*m_export.snapshot);
}

std::shared_ptr<const Snapshot> Session::settled() const
{
    return m_snapshot && m_snapshot->recipe == m_recipe ? m_snapshot : nullptr;
}

Session::Outcome Session::outcome() const
{
    if (m_export.report && isReportCurrent())
        return {measuredLine(*m_export.report), nullptr, {}};
    if (isTakenInUse())
        return {}; // what is foreseen is of the recipe's own quantizers
    if (const auto* earlier = keptOf([](const EarlierResult& result) { return !result.line.empty(); }))
        return {earlier->line, nullptr, {}};
    if (m_foresight && !m_foresight->problem && m_foresight->snapshot->recipe == m_recipe)
        return {{}, m_foresight, {}};
    const bool isSized = settled() && m_snapshot->placement == m_size.of;
    return {{}, nullptr, isSized ? m_size.size : std::nullopt};
}

/// What is kept is found with what became of the plan.
std::shared_ptr<const NodeRuns> Session::knownRuns() const
{
    if (m_export.report)
        return {m_export.report, isReportCurrent() ? runsIn(*m_export.report) : nullptr};
    if (!m_snapshot || !m_found.became || m_found.plan != m_snapshot->placement || isTakenInUse())
        return nullptr;
    const auto* kept = keptOf(saysHowNodesRun);
    return kept && kept->nodes == m_found.of ? m_found.runs : nullptr;
}

std::shared_ptr<const RunsOfNodes> Session::nodeRuns()
{
    const auto known = m_snapshot ? knownRuns() : nullptr;
    if (!known)
        m_runsShown = {};
    else if (m_runsShown.known != known || m_runsShown.model != m_snapshot->model)
        m_runsShown = {known, m_snapshot->model, std::make_shared<const RunsOfNodes>(known, *m_snapshot->model)};
    return m_runsShown.runs;
}

std::shared_ptr<const Compression> Session::unexported() const
{
    const bool isUnexported = m_result && m_result->compression != m_export.compression.lock();
    return isUnexported ? m_result->compression : nullptr;
}

bool Session::isSensitivityCurrent() const
{
    return !m_sensitivity.report || isOfPresentRules(*m_sensitivity.snapshot);
}

void Session::setSnapshot(Shown snapshot)
{
    if (m_snapshot && m_snapshot->model != snapshot->model)
        m_retired.add({m_snapshot->model, m_snapshot->opened, m_snapshot->scopes, m_snapshot->base, m_snapshot->unruled,
            m_snapshot->placement});
    m_snapshot = std::move(snapshot);
    m_shown = withOutcome();
    m_findingOutcome.run();
    m_foreseeingSize.run();
}

LatestJob<Session::FoundSize>::Work Session::foreseeingSize() const
{
    if (!m_snapshot || !m_snapshot->placement)
        return {};
    return [snapshot = m_snapshot](const JobContext&) -> Result<FoundSize> {
        return FoundSize{snapshot->placement, foreseenSize(*snapshot)};
    };
}

/// What became of the nodes in the last run under the present recipe, by their names: it may be of an earlier session,
/// or have changed the model. Else what is planned beyond what the file, an export, has in codes.
LatestJob<Session::FoundOutcome>::Work Session::findingOutcome() const
{
    if (!m_snapshot || !m_snapshot->placement || m_snapshot->recipe != m_recipe || placementMade())
        return {};
    if (isTakenInUse()) {
        return [snapshot = m_snapshot, result = m_result](const JobContext& job) -> Result<FoundOutcome> {
            const Snapshot& placed = placedBy(*result->compression, result->snapshot);
            DUO_TRY(became, placementWith(*snapshot, nodeOutcomes(result->snapshot, placed), job));
            return FoundOutcome{snapshot->placement, std::move(became)};
        };
    }
    if (const auto* kept = keptOf([](const EarlierResult& result) { return result.nodes != nullptr; })) {
        const auto* ran = keptOf(saysHowNodesRun);
        return [snapshot = m_snapshot, nodes = kept->nodes, ran = ran ? ran->nodes : nullptr](
                   const JobContext& job) -> Result<FoundOutcome> {
            DUO_TRY(became, placementWith(*snapshot, *nodes, job));
            return FoundOutcome{snapshot->placement, std::move(became), ran, ran ? runsWith(*snapshot, *ran) : nullptr};
        };
    }
    if (!m_leftInFloat)
        return {};
    return [snapshot = m_snapshot, told = *m_leftInFloat](const JobContext&) -> Result<FoundOutcome> {
        DUO_TRY(left, leftInFloat(*snapshot, told));
        return FoundOutcome{snapshot->placement, left.placement};
    };
}

/// What an export wrote of the plan, a quantization made of it, or was taken from a file for it; null where nothing
/// is known, or it is of nodes of another model, which the plan was changed to.
std::shared_ptr<const Placement> Session::placementMade() const
{
    const bool isExported = m_export.report && !unexported() && isReportCurrent();
    if (!isExported && !isResultCurrent())
        return nullptr;
    const Compression& compression = isExported ? *m_export.written : *m_result->compression;
    const Snapshot& placed = placedBy(compression, isExported ? *m_export.snapshot : m_result->snapshot);
    if (placed.model != m_snapshot->model || !placed.placement)
        return nullptr;
    if (!isTakenInUse()) // it is what was placed
        return placed.placement;
    Placement placement = *placed.placement;
    placement.setup = compression.setup;
    return std::make_shared<const Placement>(std::move(placement));
}

/// Also where it takes time to find.
std::shared_ptr<const Placement> Session::outcomePlacement() const
{
    if (auto made = placementMade())
        return made;
    return m_found.plan == m_snapshot->placement ? m_found.became : nullptr;
}

std::shared_ptr<const Snapshot> Session::withOutcome() const
{
    const auto placement = m_snapshot->recipe == m_recipe ? outcomePlacement() : nullptr;
    if (!placement || placement == m_snapshot->placement)
        return m_snapshot;
    Snapshot shown = *m_snapshot;
    shown.placement = placement;
    return std::make_shared<const Snapshot>(std::move(shown));
}

/// After there is another result, or none any more.
void Session::showOutcome()
{
    if (!m_snapshot)
        return;
    const auto before = std::exchange(m_shown, withOutcome());
    if (m_shown->placement != before->placement)
        Q_EMIT snapshotChanged();
}

} // namespace duo::app
