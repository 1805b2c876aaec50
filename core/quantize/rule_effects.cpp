// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/rule_effects.h"

#include "core/quantize/left_in_float.h"
#include "core/quantize/operators/op_graph.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/decision_terms.h"
#include "core/quantize/points/point_index.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"
#include "core/transform/halve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace duo {
namespace {

/// Where several rules of one action catch a node, the one that counts, and the rules it makes needless.
class RuleOwners
{
public:
    RuleOwners(const RuleHits& hits, std::size_t nodes);

    /// Of the rules with this rule's action that catch the node: the one with most nodes, of equal ones the first.
    [[nodiscard]] int ownerOf(int rule, NodeId node) const;
    /// A rule of the same action that catches every node of this one and more, or as many and stands before it.
    /// RuleHits::kNoRule if there is none.
    [[nodiscard]] int shadowOf(std::size_t rule) const;

private:
    const RuleHits& m_hits;
    std::vector<int> m_broadest; // rules that catch anything, most nodes first
    std::unordered_map<NodeId, std::vector<int>> m_catching; // those that catch a rule's first node, most nodes first
    std::array<std::vector<int>, 3> m_owner; // [action][nodes]
};

std::size_t at(int rule)
{
    return static_cast<std::size_t>(rule);
}

RuleOwners::RuleOwners(const RuleHits& hits, std::size_t nodes)
    : m_hits(hits)
{
    for (std::size_t rule = 0; rule < hits.hits.size(); ++rule) {
        if (!hits.hits[rule].nodes.empty())
            m_broadest.push_back(static_cast<int>(rule));
    }
    std::stable_sort(m_broadest.begin(), m_broadest.end(),
        [&](int a, int b) { return hits.hits[at(a)].nodes.size() > hits.hits[at(b)].nodes.size(); });
    for (auto& owner : m_owner)
        owner.assign(nodes, RuleHits::kNoRule);
    for (const int rule : m_broadest)
        m_catching[hits.hits[at(rule)].nodes.front()];
    for (const int rule : m_broadest) {
        auto& owner = m_owner[static_cast<std::size_t>(hits.hits[at(rule)].rule.action)];
        for (const NodeId node : hits.hits[at(rule)].nodes) {
            if (owner[node.index] == RuleHits::kNoRule)
                owner[node.index] = rule;
            if (const auto first = m_catching.find(node); first != m_catching.end())
                first->second.push_back(rule);
        }
    }
}

int RuleOwners::ownerOf(int rule, NodeId node) const
{
    return m_owner[static_cast<std::size_t>(m_hits.hits[at(rule)].rule.action)][node.index];
}

int RuleOwners::shadowOf(std::size_t rule) const
{
    const RuleHit& hit = m_hits.hits[rule];
    if (hit.nodes.empty())
        return RuleHits::kNoRule;
    for (const int other : m_catching.at(hit.nodes.front())) { // behind the rule itself are narrower and later ones
        if (at(other) == rule)
            return RuleHits::kNoRule;
        const RuleHit& broader = m_hits.hits[at(other)];
        const bool isSameKind = broader.rule.action == hit.rule.action && broader.rule.precision == hit.rule.precision;
        if (isSameKind && std::includes(broader.nodes.begin(), broader.nodes.end(), hit.nodes.begin(), hit.nodes.end()))
            return other;
    }
    return RuleHits::kNoRule;
}

/// What the sentences of a decision's reason are made of, the node's own operator among it: equal for equal sentences.
struct ReasonKey {
    bool isUnruled = false;
    DecisionReason reason;
    std::uint16_t group = kNoPattern;
    NodeId with; // of what is told of its group
    int rule = RuleHits::kNoRule; // the first of its text
    std::string_view opType, domain;
    std::string_view precision;
    std::uint8_t flags = 0;
    std::vector<OtherBits> otherBits;

    [[nodiscard]] auto parts() const
    {
        return std::tuple(isUnruled, reason.code, reason.pattern, reason.type, reason.about, reason.value,
            std::bit_cast<std::uint32_t>(reason.number.value), group, with, rule, opType, domain, precision, flags);
    }
    bool operator<(const ReasonKey& other) const
    {
        if (parts() != other.parts())
            return parts() < other.parts();
        const auto asTuple = [](const OtherBits& bits) { return std::tuple(bits.port, bits.read, bits.given); };
        return std::ranges::lexicographical_compare(otherBits, other.otherBits, {}, asTuple, asTuple);
    }
};

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
        if (placement != nullptr && unruled != nullptr && !hits.precisions.empty()) {
            m_points.emplace(model, placement->setup);
            m_unruledPoints.emplace(model, unruled->setup);
        }
        std::map<std::string, int> first;
        for (std::size_t rule = 0; rule < hits.hits.size(); ++rule)
            m_firstOfText.push_back(
                first.try_emplace(ruleText(hits.hits[rule].rule), static_cast<int>(rule)).first->second);
    }

    [[nodiscard]] RuleEffect effectOf(std::size_t rule) const
    {
        RuleEffect effect;
        const RuleHit& hit = m_hits.hits[rule];
        effect.suggestions = hit.suggestions;
        effect.verdict = plainVerdict(hit);
        if (effect.verdict != RuleVerdict::Works)
            return effect;
        groupInPlace(effect, static_cast<int>(rule), hit);
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
        if (hit.nodes.empty())
            return hit.gone == 0 ? RuleVerdict::MatchesNothing : RuleVerdict::NoEffect;
        return RuleVerdict::Works;
    }

    /// Groups of nodes with one reason; of equal size the one whose nodes come first.
    void groupInPlace(RuleEffect& effect, int rule, const RuleHit& hit) const
    {
        std::map<std::tuple<Idle, int, NodeId>, std::size_t> groups; // what tells causes apart -> group
        std::map<ReasonKey, NodeId> firstOf; // reason -> the first node with it
        for (const NodeId node : hit.nodes) {
            IdleCause cause = idleCause(rule, node);
            if (cause.kind == Idle::None) {
                effect.effective.push_back(node);
                continue;
            }
            if (const Placement* told = placementTold(cause.kind))
                cause.node = firstOf.try_emplace(reasonKey(*told, cause.node), cause.node).first->second;
            const std::tuple apart(cause.kind, cause.rule, isOfGroup(cause.kind) ? NodeId() : cause.node);
            const auto [group, isNew] = groups.try_emplace(apart, effect.idle.size());
            if (isNew)
                effect.idle.push_back({cause, {}});
            IdleNodes& idle = effect.idle[group->second];
            if (idle.cause.node != cause.node)
                idle.cause.node = {}; // several
            idle.nodes.push_back(node);
        }
        std::stable_sort(effect.idle.begin(), effect.idle.end(),
            [](const IdleNodes& a, const IdleNodes& b) { return a.nodes.size() > b.nodes.size(); });
    }

    /// Whose decision a cause takes over; null for causes of their own.
    [[nodiscard]] const Placement* placementTold(Idle kind) const
    {
        if (kind == Idle::FloatAnyway)
            return m_unruled;
        return kind == Idle::Compressed || kind == Idle::InFloat ? m_placement : nullptr;
    }

    [[nodiscard]] ReasonKey reasonKey(const Placement& told, NodeId node) const
    {
        const Decision& decision = told.decisions[node.index];
        const NodeId subject = decision.subject(node);
        ReasonKey key;
        key.isUnruled = &told == m_unruled;
        key.reason = decision.reason;
        key.group = decision.group;
        key.with = decision.isOfGroup || decision.reason.code == ReasonCode::WithNode ? decision.fusedWith : NodeId();
        key.flags = static_cast<std::uint8_t>(
            (decision.isOfGroup ? 1 : 0) | (decision.isUnmovedByRule ? 2 : 0) | (decision.runsOnWideCodes ? 4 : 0));
        if (namesOperator(decision.reason.code)) {
            key.opType = m_model.node(subject).opType;
            key.domain = m_model.node(subject).domain;
        }
        if (told.terms == nullptr)
            return key;
        if (decision.namesRule())
            key.rule = firstOfText(told.terms->ruleAt(subject));
        if (tellsPrecision(decision.reason.code)) {
            key.precision = told.terms->precisionAt(subject);
            const auto bits = told.terms->otherBits.find(subject);
            if (bits != told.terms->otherBits.end())
                key.otherBits = bits->second;
        }
        return key;
    }

    [[nodiscard]] int firstOfText(int rule) const { return rule == RuleHits::kNoRule ? rule : m_firstOfText[at(rule)]; }

    /// The cause is another node of the fused group.
    static bool isOfGroup(Idle kind)
    {
        return kind == Idle::InOpenGroup || kind == Idle::Decided || kind == Idle::InFloatGroup;
    }

    void addVerdictInPlace(RuleEffect& effect, const RuleHit& hit) const
    {
        if (effect.shadowedBy != RuleHits::kNoRule) {
            effect.verdict = RuleVerdict::Shadowed;
            return;
        }
        const auto rule = static_cast<std::size_t>(&hit - m_hits.hits.data());
        if (leftInFloatBy(rule, m_hits, m_placement, m_unruled) == 0)
            effect.verdict = RuleVerdict::NoEffect;
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
            Suggestion suggestion{inQuotes(m_model.node(node).name) + " is computed together with " + inQuotes(name)
                    + ", whose rules decide for both",
                RuleKind::Name, name};
            const auto isSame = [&](const Suggestion& known) { return known.value == name; };
            if (std::none_of(effect.suggestions.begin(), effect.suggestions.end(), isSame))
                effect.suggestions.push_back(std::move(suggestion));
        }
    }

    [[nodiscard]] IdleCause idleCause(int rule, NodeId node) const
    {
        const Rule& own = m_hits.hits[at(rule)].rule;
        if (own.action == RuleAction::Precision && own.precision.floatBits) {
            if (hasHalfForm(m_model, m_model.node(node)))
                return {};
            if (!own.precision.wantsQuantizers())
                return {Idle::NoHalfForm};
        }
        if (m_placement == nullptr || m_unruled == nullptr)
            return {Idle::NoPlacement};
        const bool isIgnore = own.action == RuleAction::Ignore;
        const int ignoring = m_hits.ignoredBy[node.index];
        if (!isIgnore && ignoring != RuleHits::kNoRule)
            return {Idle::Ignored, ignoring};
        if (!isCompressed(m_unruled->decisions[node.index].state))
            return {.kind = Idle::FloatAnyway, .node = node};
        if (isIgnore && !m_hits.targeted[node.index])
            return {Idle::NotTargeted};
        if (own.action == RuleAction::Precision)
            return idlePrecision(node);
        const int owner = m_owners.ownerOf(rule, node);
        if (owner != rule)
            return {Idle::Owned, owner};
        return isIgnore ? idleIgnore(rule, node) : idleTarget(rule, node);
    }

    /// Precision rules combine; they decide about inputs and weights of what is quantized for its own sake.
    [[nodiscard]] IdleCause idlePrecision(NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (!isCompressed(now.state))
            return {.kind = Idle::InFloat, .node = node};
        if (now.fusedWith.valid())
            return {.kind = Idle::Decided, .node = now.fusedWith};
        if (now.kind() == ReasonKind::Movement)
            return {.kind = Idle::Compressed, .node = node};
        return hasSameQuantizers(node) ? IdleCause{Idle::SamePrecision} : IdleCause{Idle::None};
    }

    /// What a node reads and gives is quantized with rules as without.
    [[nodiscard]] bool hasSameQuantizers(NodeId node) const
    {
        const auto config = [](const Placement& of, std::optional<PointId> id) {
            return id ? std::optional(of.setup.points.at(*id).config) : std::nullopt;
        };
        const Node& read = m_model.node(node);
        for (std::uint32_t port = 0; port < read.inputs.size(); ++port) {
            if (config(*m_placement, m_points->at(node, port)) != config(*m_unruled, m_unruledPoints->at(node, port)))
                return false;
        }
        return std::all_of(read.outputs.begin(), read.outputs.end(), [&](ValueId value) {
            return config(*m_placement, m_points->onValue(value))
                == config(*m_unruled, m_unruledPoints->onValue(value));
        });
    }

    [[nodiscard]] IdleCause idleIgnore(int rule, NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (isCompressed(now.state) && now.fusedWith.valid())
            return {.kind = Idle::InOpenGroup, .node = now.fusedWith};
        if (isCompressed(now.state))
            return {.kind = Idle::Compressed, .node = node};
        return decidedByGroup(rule, now);
    }

    [[nodiscard]] IdleCause idleTarget(int rule, NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (isCompressed(now.state))
            return decidedByGroup(rule, now);
        return now.fusedWith.valid() && !m_hits.isCompressible(now.fusedWith)
            ? IdleCause{.kind = Idle::InFloatGroup, .node = now.fusedWith}
            : IdleCause{.kind = Idle::InFloat, .node = node};
    }

    [[nodiscard]] IdleCause decidedByGroup(int rule, const Decision& now) const
    {
        if (now.fusedWith.valid() && m_owners.ownerOf(rule, now.fusedWith) != rule)
            return {.kind = Idle::Decided, .node = now.fusedWith};
        return {};
    }

    const Model& m_model;
    const RuleHits& m_hits;
    const Placement* m_placement;
    const Placement* m_unruled;
    RuleOwners m_owners;
    std::vector<int> m_firstOfText; // [rules] the first rule of the same text
    std::optional<PointIndex> m_points, m_unruledPoints; // of both placements, where there are precision rules
};

} // namespace

std::string_view ruleVerdictText(RuleVerdict verdict)
{
    static constexpr auto kTexts = enumTexts<RuleVerdict::Disabled>(
        {"works", "no-effect", "shadowed", "matches-nothing", "invalid", "disabled"});
    return enumText(kTexts, verdict);
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
