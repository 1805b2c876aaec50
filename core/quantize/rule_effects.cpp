// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/rule_effects.h"

#include "core/quantize/operators/op_graph.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/point_index.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
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
    [[nodiscard]] bool catches(int rule, NodeId node) const; // O(log caught nodes)

    const RuleHits& m_hits;
    std::vector<int> m_broadest; // rules that catch anything, most nodes first
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
    for (const int rule : m_broadest) {
        auto& owner = m_owner[static_cast<std::size_t>(hits.hits[at(rule)].rule.action)];
        for (const NodeId node : hits.hits[at(rule)].nodes) {
            if (owner[node.index] == RuleHits::kNoRule)
                owner[node.index] = rule;
        }
    }
}

int RuleOwners::ownerOf(int rule, NodeId node) const
{
    return m_owner[static_cast<std::size_t>(m_hits.hits[at(rule)].rule.action)][node.index];
}

bool RuleOwners::catches(int rule, NodeId node) const
{
    const auto& nodes = m_hits.hits[at(rule)].nodes;
    return std::binary_search(nodes.begin(), nodes.end(), node);
}

int RuleOwners::shadowOf(std::size_t rule) const
{
    const RuleHit& hit = m_hits.hits[rule];
    if (hit.nodes.empty())
        return RuleHits::kNoRule;
    for (const int other : m_broadest) { // up to the rule itself: those after it are narrower or stand behind it
        if (at(other) == rule)
            return RuleHits::kNoRule;
        const RuleHit& broader = m_hits.hits[at(other)];
        const bool isSameKind = broader.rule.action == hit.rule.action && broader.rule.precision == hit.rule.precision;
        if (isSameKind && catches(other, hit.nodes.front())
            && std::includes(broader.nodes.begin(), broader.nodes.end(), hit.nodes.begin(), hit.nodes.end()))
            return other;
    }
    return RuleHits::kNoRule;
}

std::string numbered(int rule)
{
    return "rule " + std::to_string(rule + 1);
}

/// Why a rule has no effect on a node, before it is put into words.
enum class Idle : std::uint8_t {
    None, // it has an effect
    NoPlacement,
    Ignored, // by rule `about`
    FloatAnyway, // the reason is that of node `about` without rules
    NotTargeted,
    Owned, // by rule `about`
    InOpenGroup, // of the node `about` (kNoIndex: of several nodes), which no rule ignores
    Compressed, // the reason is that of node `about`
    Decided, // by the node `about` of its group (or several)
    InFloatGroup, // of the node `about` (or several)
    InFloat, // the reason is that of node `about`
    SamePrecision, // what a precision rule wants is so without it
};

struct IdleCause {
    Idle kind = Idle::None;
    std::uint32_t about = 0;
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
    }

    [[nodiscard]] RuleEffect effectOf(std::size_t rule) const
    {
        RuleEffect effect;
        const RuleHit& hit = m_hits.hits[rule];
        effect.suggestions = hit.suggestions;
        effect.verdict = plainVerdict(hit);
        if (effect.verdict == RuleVerdict::NoEffect) {
            effect.finding = nodesText(hit.gone) + " it names went when the model was simplified";
            return effect;
        }
        if (effect.verdict != RuleVerdict::Works) {
            effect.finding = effect.verdict == RuleVerdict::Invalid ? hit.problem
                : effect.verdict == RuleVerdict::MatchesNothing     ? "matches nothing"
                                                                    : "";
            return effect;
        }
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
        std::vector<IdleCause> causes; // of the groups
        std::unordered_map<std::uint64_t, std::size_t> groups; // what tells causes apart -> group
        std::array<std::unordered_map<std::string_view, std::uint32_t>, 2> firstOf; // [unruled] reason -> its node
        for (const NodeId node : hit.nodes) {
            IdleCause cause = idleCause(rule, node);
            if (cause.kind == Idle::None) {
                effect.effective.push_back(node);
                continue;
            }
            if (const std::string* told = decisionReason(cause))
                cause.about
                    = firstOf[cause.kind == Idle::FloatAnyway ? 1 : 0].try_emplace(*told, cause.about).first->second;
            const std::uint32_t apart = isOfGroup(cause.kind) ? 0 : cause.about;
            const auto [group, isNew]
                = groups.try_emplace(static_cast<std::uint64_t>(cause.kind) << 32U | apart, causes.size());
            if (isNew) {
                causes.push_back(cause);
                effect.idle.emplace_back();
            } else if (causes[group->second].about != cause.about) {
                causes[group->second].about = kNoIndex; // several
            }
            effect.idle[group->second].nodes.push_back(node);
        }
        for (std::size_t i = 0; i < causes.size(); ++i)
            effect.idle[i].reason = reasonText(rule, causes[i]);
        std::stable_sort(effect.idle.begin(), effect.idle.end(),
            [](const IdleNodes& a, const IdleNodes& b) { return a.nodes.size() > b.nodes.size(); });
    }

    /// The cause is another node of the fused group.
    static bool isOfGroup(Idle kind)
    {
        return kind == Idle::InOpenGroup || kind == Idle::Decided || kind == Idle::InFloatGroup;
    }

    void addVerdictInPlace(RuleEffect& effect, const RuleHit& hit) const
    {
        if (effect.shadowedBy != RuleHits::kNoRule) {
            const Rule& other = m_hits.hits[static_cast<std::size_t>(effect.shadowedBy)].rule;
            effect.verdict = RuleVerdict::Shadowed;
            effect.finding = "shadowed by " + numbered(effect.shadowedBy) + " " + inQuotes(ruleText(other))
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
        if (m_placement == nullptr || m_unruled == nullptr)
            return {Idle::NoPlacement};
        const bool isIgnore = m_hits.hits[static_cast<std::size_t>(rule)].rule.action == RuleAction::Ignore;
        const int ignoring = m_hits.ignoredBy[node.index];
        if (!isIgnore && ignoring != RuleHits::kNoRule)
            return {Idle::Ignored, static_cast<std::uint32_t>(ignoring)};
        if (!isCompressed(m_unruled->decisions[node.index].state))
            return {Idle::FloatAnyway, node.index};
        if (isIgnore && !m_hits.targeted[node.index])
            return {Idle::NotTargeted};
        if (m_hits.hits[static_cast<std::size_t>(rule)].rule.action == RuleAction::Precision)
            return idlePrecision(node);
        const int owner = m_owners.ownerOf(rule, node);
        if (owner != rule)
            return {Idle::Owned, static_cast<std::uint32_t>(owner)};
        return isIgnore ? idleIgnore(rule, node) : idleTarget(rule, node);
    }

    /// Precision rules combine; they decide about inputs and weights of what is quantized for its own sake.
    [[nodiscard]] IdleCause idlePrecision(NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (!isCompressed(now.state))
            return {Idle::InFloat, node.index};
        if (now.fusedWith.valid())
            return {Idle::Decided, now.fusedWith.index};
        if (now.kind == ReasonKind::Movement)
            return {Idle::Compressed, node.index};
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
            return {Idle::InOpenGroup, now.fusedWith.index};
        if (isCompressed(now.state))
            return {Idle::Compressed, node.index};
        return decidedByGroup(rule, now);
    }

    [[nodiscard]] IdleCause idleTarget(int rule, NodeId node) const
    {
        const Decision& now = m_placement->decisions[node.index];
        if (isCompressed(now.state))
            return decidedByGroup(rule, now);
        return now.fusedWith.valid() && !m_hits.isCompressible(now.fusedWith)
            ? IdleCause{Idle::InFloatGroup, now.fusedWith.index}
            : IdleCause{Idle::InFloat, node.index};
    }

    [[nodiscard]] IdleCause decidedByGroup(int rule, const Decision& now) const
    {
        if (now.fusedWith.valid() && m_owners.ownerOf(rule, now.fusedWith) != rule)
            return {Idle::Decided, now.fusedWith.index};
        return {};
    }

    /// What a cause takes over from a decision; null for causes in words of their own.
    [[nodiscard]] const std::string* decisionReason(const IdleCause& cause) const
    {
        if (cause.kind == Idle::FloatAnyway)
            return &m_unruled->decisions[cause.about].reason;
        if (cause.kind == Idle::Compressed || cause.kind == Idle::InFloat)
            return &m_placement->decisions[cause.about].reason;
        return nullptr;
    }

    [[nodiscard]] std::string reasonText(int rule, const IdleCause& cause) const
    {
        const bool isIgnore = m_hits.hits[static_cast<std::size_t>(rule)].rule.action == RuleAction::Ignore;
        switch (cause.kind) {
        case Idle::None:
            break;
        case Idle::NoPlacement:
            return "the model cannot be quantized";
        case Idle::Ignored:
            return numbered(static_cast<int>(cause.about)) + " ignores it, and ignoring wins";
        case Idle::FloatAnyway:
            return "it stays in float without any rule: " + *decisionReason(cause);
        case Idle::NotTargeted:
            return "no target rule catches it, so it stays in float anyway";
        case Idle::Owned:
            return numbered(static_cast<int>(cause.about)) + (isIgnore ? " already ignores it" : " already targets it");
        case Idle::InOpenGroup:
            return inGroup(cause.about, ", which no rule ignores");
        case Idle::Compressed:
            return *decisionReason(cause);
        case Idle::Decided:
            return inGroup(cause.about, ", which decides for it");
        case Idle::InFloatGroup:
            return inGroup(cause.about, ", which is not to be compressed");
        case Idle::InFloat:
            return "it stays in float under these rules: " + *decisionReason(cause);
        case Idle::SamePrecision:
            return "its quantizers are the same without any rule";
        }
        return {};
    }

    [[nodiscard]] std::string inGroup(std::uint32_t primary, const std::string& whatOfIt) const
    {
        if (primary == kNoIndex)
            return "each is computed together with another node" + whatOfIt;
        return "it is computed together with " + inQuotes(m_model.node(NodeId(primary)).name) + whatOfIt;
    }

    const Model& m_model;
    const RuleHits& m_hits;
    const Placement* m_placement;
    const Placement* m_unruled;
    RuleOwners m_owners;
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
