// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/effect/rule_effects.h"
#include "core/quantize/effect/compressed.h"

#include "core/quantize/effect/rule_owners.h"

#include <algorithm>
#include <array>
#include <map>

namespace duo {
namespace {

std::string quoted(const std::string& name)
{
    return "'" + name + "'";
}

std::string numbered(int rule)
{
    return "rule " + std::to_string(rule + 1);
}

std::string nodesText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

class EffectFinder
{
public:
    EffectFinder(const Model& model, const RuleHits& hits, const Placement* placement, const Placement* unruled)
        : m_model(model)
        , m_hits(hits)
        , m_placement(placement)
        , m_unruled(unruled)
        , m_owners(hits, model.nodes.size())
    {
    }

    [[nodiscard]] RuleEffect effectOf(std::size_t rule) const
    {
        RuleEffect effect;
        const RuleHit& hit = m_hits.hits[rule];
        effect.suggestions = hit.suggestions;
        effect.verdict = plainVerdict(hit);
        if (effect.verdict != RuleVerdict::Works) {
            effect.finding = effect.verdict == RuleVerdict::Invalid ? hit.problem
                : effect.verdict == RuleVerdict::MatchesNothing     ? "matches nothing"
                                                                    : "";
            return effect;
        }
        std::map<std::string, std::vector<NodeId>> idle;
        for (const NodeId node : hit.nodes) {
            std::string reason = idleReason(static_cast<int>(rule), node);
            if (reason.empty())
                effect.effective.push_back(node);
            else
                idle[std::move(reason)].push_back(node);
        }
        for (auto& [reason, nodes] : idle)
            effect.idle.push_back({reason, std::move(nodes)});
        std::stable_sort(effect.idle.begin(), effect.idle.end(),
            [](const IdleNodes& a, const IdleNodes& b) { return a.nodes.size() > b.nodes.size(); });
        effect.shadowedBy = m_owners.shadowOf(rule);
        if (effect.effective.empty())
            addVerdictInPlace(effect, hit);
        return effect;
    }

private:
    static RuleVerdict plainVerdict(const RuleHit& hit)
    {
        if (!hit.rule.enabled)
            return RuleVerdict::Disabled;
        if (!hit.problem.empty())
            return RuleVerdict::Invalid;
        return hit.nodes.empty() ? RuleVerdict::MatchesNothing : RuleVerdict::Works;
    }

    void addVerdictInPlace(RuleEffect& effect, const RuleHit& hit) const
    {
        if (effect.shadowedBy != RuleHits::kNoRule) {
            const Rule& other = m_hits.hits[static_cast<std::size_t>(effect.shadowedBy)].rule;
            effect.verdict = RuleVerdict::Shadowed;
            effect.finding = "shadowed by " + numbered(effect.shadowedBy) + " " + quoted(ruleText(other))
                + ", which catches all it catches";
            return;
        }
        effect.verdict = RuleVerdict::NoEffect;
        effect.finding
            = "matches " + nodesText(hit.nodes.size()) + ", but has no effect: " + effect.idle.front().reason;
        if (effect.idle.size() > 1)
            effect.finding += ", and " + std::to_string(effect.idle.size() - 1) + " other reasons";
        suggestPrimariesInPlace(effect, hit);
    }

    /// A rule on a later node of a fused group belongs on the group's first one.
    void suggestPrimariesInPlace(RuleEffect& effect, const RuleHit& hit) const
    {
        constexpr std::size_t kMost = 5;
        if (m_unruled == nullptr)
            return;
        for (const NodeId node : hit.nodes) {
            const NodeId primary = m_unruled->decisions[node.index].fusedWith;
            if (effect.suggestions.size() == kMost)
                return;
            if (!primary.valid() || !isCompressed(m_unruled->decisions[node.index].state))
                continue;
            const std::string& name = m_model.node(primary).name;
            Suggestion suggestion{quoted(m_model.node(node).name) + " is computed together with " + quoted(name)
                    + ", whose rules decide for both",
                RuleKind::Name, name};
            const auto isSame = [&](const Suggestion& known) { return known.value == name; };
            if (std::none_of(effect.suggestions.begin(), effect.suggestions.end(), isSame))
                effect.suggestions.push_back(std::move(suggestion));
        }
    }

    /// "" if the rule has an effect on the node.
    [[nodiscard]] std::string idleReason(int rule, NodeId node) const
    {
        if (m_placement == nullptr || m_unruled == nullptr)
            return "the model cannot be quantized";
        const bool isIgnore = m_hits.hits[static_cast<std::size_t>(rule)].rule.action == RuleAction::Ignore;
        const int ignoring = m_hits.ignoredBy[node.index];
        if (!isIgnore && ignoring != RuleHits::kNoRule)
            return numbered(ignoring) + " ignores it, and ignoring wins";
        const Decision& before = m_unruled->decisions[node.index];
        if (!isCompressed(before.state))
            return "it stays in float without any rule: " + before.reason;
        if (isIgnore && !m_hits.targeted[node.index])
            return "no target rule catches it, so it stays in float anyway";
        const int owner = m_owners.ownerOf(rule, node);
        if (owner != rule)
            return numbered(owner) + (isIgnore ? " already ignores it" : " already targets it");
        return isIgnore ? idleIgnore(rule, node) : idleTarget(rule, node);
    }

    [[nodiscard]] std::string idleIgnore(int rule, NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (isCompressed(now.state) && now.fusedWith.valid())
            return "it is computed together with " + primaryName(now) + ", which no rule ignores";
        if (isCompressed(now.state))
            return now.reason;
        if (now.fusedWith.valid() && m_owners.ownerOf(rule, now.fusedWith) != rule)
            return "it is computed together with " + primaryName(now) + ", which decides for it";
        return {};
    }

    [[nodiscard]] std::string idleTarget(int rule, NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (!isCompressed(now.state))
            return now.fusedWith.valid() && !m_hits.isCompressible(now.fusedWith)
                ? "it is computed together with " + primaryName(now) + ", which is not to be compressed"
                : "it stays in float under these rules: " + now.reason;
        if (now.fusedWith.valid() && m_owners.ownerOf(rule, now.fusedWith) != rule)
            return "it is computed together with " + primaryName(now) + ", which decides for it";
        return {};
    }

    [[nodiscard]] std::string primaryName(const Decision& decision) const
    {
        return quoted(m_model.node(decision.fusedWith).name);
    }

    const Model& m_model;
    const RuleHits& m_hits;
    const Placement* m_placement;
    const Placement* m_unruled;
    RuleOwners m_owners;
};

} // namespace

std::string_view ruleVerdictText(RuleVerdict verdict)
{
    static constexpr std::array<std::string_view, 6> kTexts{
        "works", "no-effect", "shadowed", "matches-nothing", "invalid", "disabled"};
    return kTexts[static_cast<std::size_t>(verdict)];
}

std::vector<RuleEffect> ruleEffects(
    const Model& model, const RuleHits& hits, const Placement* placement, const Placement* unruled)
{
    const EffectFinder finder(model, hits, placement, unruled);
    std::vector<RuleEffect> effects;
    effects.reserve(hits.hits.size());
    for (std::size_t rule = 0; rule < hits.hits.size(); ++rule)
        effects.push_back(finder.effectOf(rule));
    return effects;
}

} // namespace duo
