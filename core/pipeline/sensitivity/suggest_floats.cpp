// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/suggest_floats.h"

#include "core/pipeline/sensitivity/switchable_edits.h"
#include "core/pipeline/snapshot/exported_edits.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kMostSuggested = 8;
constexpr std::size_t kMostInVain = 3;
constexpr double kGainDb = 0.5; // that a step is worth

double floatShareOf(const Snapshot& before, const Snapshot& after)
{
    const auto quantizedNodes
        = [](const Snapshot& snapshot) { return static_cast<double>(NodeGroups(snapshot).whole().nodes.size()); };
    const double all = quantizedNodes(before);
    return all == 0 ? 0 : 1 - quantizedNodes(after) / all;
}

/// The one that is worth most: a percent of the nodes in float has to bring a quarter of a decibel, and half of them at
/// most may be. None where everything quantized is worth as much.
void markRecommended(std::vector<FloatSuggestion>& suggestions, const MeasuredError& all)
{
    constexpr double kDecibelsForAll = 25; // nodes in float
    constexpr double kMostInFloat = 0.5;
    double best = all.level();
    FloatSuggestion* recommended = nullptr;
    for (FloatSuggestion& suggestion : suggestions) {
        const double worth = suggestion.error.level() - kDecibelsForAll * suggestion.floatShare;
        if (worth < best + kGainDb || suggestion.floatShare > kMostInFloat)
            continue;
        best = worth;
        recommended = &suggestion;
    }
    if (recommended != nullptr)
        recommended->isRecommended = true;
}

} // namespace

std::optional<FloatQueue::Turn> FloatQueue::next()
{
    if (!m_again.empty()) {
        m_last = {m_again.front(), true};
        m_again.pop_front();
        return m_last;
    }
    if (m_order.empty())
        return std::nullopt;
    m_last = {m_order.front(), false};
    m_order.pop_front();
    return m_last;
}

void FloatQueue::take()
{
    m_again.insert(m_again.begin(), m_passedOver.begin(), m_passedOver.end());
    m_passedOver.clear();
}

void FloatQueue::passOver()
{
    if (++m_timesPassed[m_last.group] <= kMostAgain)
        m_passedOver.push_back(m_last.group);
}

Recipe withRules(Recipe recipe, const std::vector<Rule>& rules)
{
    auto& all = recipe.rules.rules;
    for (const Rule& rule : rules) {
        const bool isThere = std::ranges::any_of(all, [&](const Rule& other) {
            return other.enabled && other.action == rule.action && other.kind == rule.kind && other.value == rule.value;
        });
        if (!isThere)
            all.push_back(rule);
    }
    return recipe;
}

Result<std::vector<FloatSuggestion>> suggestFloats(const Snapshot& snapshot, const SensitivityReport& report,
    const Dataset& dataset, const ForeseenSpeed& speed, const Recalibrate& recalibrate, std::int64_t samples,
    int threads, const JobContext& job)
{
    std::vector<FloatSuggestion> suggestions;
    double best = report.all.level();
    std::size_t inVain = 0;
    FloatQueue queue(floatOrder(report.groups));
    while (suggestions.size() < kMostSuggested && inVain < kMostInVain) {
        const auto turn = queue.next();
        if (!turn)
            break;
        const GroupSensitivity& group = report.groups[turn->group];
        job.tell({"suggestions", static_cast<std::int64_t>(suggestions.size()), kMostSuggested});
        FloatSuggestion next = suggestions.empty() ? FloatSuggestion() : suggestions.back();
        next.groups.push_back(group.name);
        next.rules.insert(next.rules.end(), group.rules.begin(), group.rules.end());
        DUO_TRY(kept, withRecipe(snapshot, withRules(snapshot.recipe, next.rules)));
        DUO_TRY(compression, recalibrate(kept));
        DUO_TRY(model, SwitchableModel::open(kept, compression, dataset, samples, threads, job));
        DUO_TRY(apart, model.apart(threads, job));
        next.error = measuredError(apart);
        next.agreement = agreementOf(apart);
        DUO_TRY(bytes, plannedBytes(kept, compression, job));
        next.bytes = bytes;
        next.floatShare = floatShareOf(snapshot, kept);
        if (next.error.level() > best + kGainDb)
            inVain = 0;
        else if (!turn->isAgain)
            ++inVain;
        if (next.error.level() < best) { // what others leave of its error is more than it takes away
            queue.passOver();
            continue;
        }
        queue.take();
        best = next.error.level();
        DUO_TRY(measured, speed.of(kept, compression));
        next.speed = measured;
        suggestions.push_back(std::move(next));
    }
    markRecommended(suggestions, report.all);
    return suggestions;
}

} // namespace duo
