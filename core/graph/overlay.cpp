// SPDX-License-Identifier: Apache-2.0
#include "core/graph/overlay.h"

#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

namespace duo {
namespace {

constexpr auto kKindTexts = enumTexts<OverlayKind::Difference>(
    {"decision", "precision", "parameters", "bytes", "range", "error", "sensitivity", "time", "half", "difference"});
constexpr std::array<double, kOverlaySteps - 1> kShares{0.001, 0.01, 0.05, 0.2};
constexpr std::array<double, kOverlaySteps - 1> kDecibels{40, 30, 20, 10};

std::string formatted(const char* format, double value)
{
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), format, value);
    std::string result(text.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::ranges::replace(result, ',', '.'); // of the user's locale
    return result;
}

std::string shareText(double share)
{
    const double percent = 100 * share;
    if (percent > 0 && percent < 0.1)
        return "under 0.1 %";
    return formatted(percent < 9.95 ? "%.1f %%" : "%.0f %%", percent);
}

/// One of several units, the largest of which there is at least one.
std::string scaled(double value, std::initializer_list<std::pair<double, const char*>> units)
{
    const auto* unit = units.begin();
    while (unit + 1 != units.end() && std::abs(value) < unit->first)
        ++unit;
    const double shown = value / unit->first;
    return formatted(shown < 9.95 && unit + 1 != units.end() ? "%.1f " : "%.0f ", shown) + unit->second;
}

std::string valueText(const Overlay& overlay, double value)
{
    switch (overlay.unit) {
    case OverlayUnit::Category:
        return overlay.categories[static_cast<std::size_t>(value)];
    case OverlayUnit::Count:
        return countText(std::llround(value));
    case OverlayUnit::Bytes:
        return scaled(value, {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}});
    case OverlayUnit::Microseconds:
        return scaled(value, {{1e6, "s"}, {1e3, "ms"}, {1, "µs"}});
    case OverlayUnit::Share:
        return shareText(value);
    case OverlayUnit::Magnitude:
        return formatted("%.3g", value);
    case OverlayUnit::Decibel:
        return formatted("%.1f dB", value);
    }
    return {};
}

std::optional<double> joined(OverlayUnit unit, std::optional<double> sum, std::optional<double> value)
{
    if (!sum || !value)
        return sum ? sum : value;
    switch (unit) {
    case OverlayUnit::Category:
        return *sum == *value ? sum : -1; // several: no colour, and no way back
    case OverlayUnit::Count:
    case OverlayUnit::Bytes:
    case OverlayUnit::Microseconds:
        return *sum + *value;
    case OverlayUnit::Share:
    case OverlayUnit::Magnitude:
        return std::max(*sum, *value);
    case OverlayUnit::Decibel:
        return std::min(*sum, *value);
    }
    return sum;
}

std::optional<double> ended(OverlayUnit unit, std::optional<double> sum)
{
    return unit == OverlayUnit::Category && sum && *sum < 0 ? std::nullopt : sum;
}

/// Every node once for each scope at or above one of those it is listed in.
class RollUp
{
public:
    RollUp(const ScopeTree& tree, OverlayUnit unit)
        : m_tree(tree)
        , m_unit(unit)
        , m_sums(tree.scopes.size())
        , m_lastNode(tree.scopes.size())
    {
    }

    void add(NodeId node, ScopeId scope, double value)
    {
        while (scope.valid() && m_lastNode[scope.index] != node) {
            m_lastNode[scope.index] = node;
            m_sums[scope.index] = joined(m_unit, m_sums[scope.index], value);
            scope = m_tree.scope(scope).parent;
        }
    }

    std::vector<std::optional<double>> sums()
    {
        for (auto& sum : m_sums)
            sum = ended(m_unit, sum);
        return std::move(m_sums);
    }

private:
    const ScopeTree& m_tree;
    OverlayUnit m_unit;
    std::vector<std::optional<double>> m_sums;
    std::vector<NodeId> m_lastNode;
};

std::unordered_map<std::string_view, std::uint32_t> containersByKey(const Containment& containment)
{
    std::unordered_map<std::string_view, std::uint32_t> containers;
    for (std::uint32_t i = 0; i < containment.containers.size(); ++i)
        containers.emplace(containment.containers[i].key, i);
    return containers;
}

std::vector<NodeId> nodesIn(const Containment& containment, std::uint32_t container)
{
    std::vector<NodeId> nodes;
    std::vector<std::uint32_t> pending{container};
    while (!pending.empty()) {
        const Container& inside = containment.containers[pending.back()];
        pending.pop_back();
        for (const ContainedItem& item : inside.items) {
            if (item.kind == ContainedItem::Kind::Node)
                nodes.emplace_back(item.index);
            else if (item.kind == ContainedItem::Kind::Container)
                pending.push_back(item.index);
        }
    }
    return nodes;
}

} // namespace

std::string_view overlayKindText(OverlayKind kind)
{
    return enumText(kKindTexts, kind);
}

std::optional<OverlayKind> overlayKindFrom(std::string_view text)
{
    return enumFromText<OverlayKind>(kKindTexts, text);
}

std::string overlayTitle(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Decision:
        return "Decision";
    case OverlayKind::Precision:
        return "Precision";
    case OverlayKind::Parameters:
        return "Parameters";
    case OverlayKind::Bytes:
        return "Size of parameters";
    case OverlayKind::Range:
        return "Range";
    case OverlayKind::Error:
        return "Foreseen error";
    case OverlayKind::Sensitivity:
        return "Sensitivity";
    case OverlayKind::Time:
        return "Time";
    case OverlayKind::Half:
        return "16-bit floats";
    case OverlayKind::Difference:
        return "Difference";
    }
    return {};
}

bool Overlay::isSummed() const
{
    return unit == OverlayUnit::Count || unit == OverlayUnit::Bytes || unit == OverlayUnit::Microseconds;
}

std::string Overlay::whyOf(NodeId node) const
{
    return whyOfNode.empty() ? std::string() : whyOfNode[node.index];
}

std::optional<double> Overlay::of(const std::vector<NodeId>& nodes) const
{
    std::optional<double> sum;
    for (const NodeId node : nodes)
        sum = joined(unit, sum, ofNode[node.index]);
    return ended(unit, sum);
}

std::vector<double> Overlay::limits() const
{
    switch (unit) {
    case OverlayUnit::Category:
        return {};
    case OverlayUnit::Count:
    case OverlayUnit::Bytes:
    case OverlayUnit::Microseconds:
    case OverlayUnit::Share:
        return {kShares.begin(), kShares.end()};
    case OverlayUnit::Decibel:
        return {kDecibels.begin(), kDecibels.end()};
    case OverlayUnit::Magnitude:
        break;
    }
    std::vector<double> limits;
    for (int step = 1; step < kOverlaySteps; ++step)
        limits.push_back(least * std::pow(most / least, static_cast<double>(step) / kOverlaySteps));
    return limits;
}

int Overlay::stepOf(double value) const
{
    if (unit == OverlayUnit::Category)
        return static_cast<int>(value);
    const double measured = isSummed() ? (whole > 0 ? value / whole : 0) : value;
    const auto bounds = limits();
    return static_cast<int>(std::ranges::count_if(
        bounds, [&](double limit) { return unit == OverlayUnit::Decibel ? measured < limit : measured >= limit; }));
}

std::string overlayText(const Overlay& overlay, double value)
{
    const std::string text = valueText(overlay, value);
    return overlay.isSummed() && overlay.whole > 0 ? shareText(value / overlay.whole) + ", " + text : text;
}

std::string stepText(const Overlay& overlay, int step)
{
    if (overlay.unit == OverlayUnit::Category)
        return overlay.categories[static_cast<std::size_t>(step)];
    const auto limits = overlay.limits();
    const auto text = [&](int limit) {
        const double value = limits[static_cast<std::size_t>(limit)];
        if (overlay.unit == OverlayUnit::Decibel)
            return formatted("%.0f dB", value);
        return overlay.unit == OverlayUnit::Magnitude ? formatted("%.3g", value) : formatted("%g %%", 100 * value);
    };
    const bool falls = overlay.unit == OverlayUnit::Decibel;
    if (step == 0)
        return (falls ? "over " : "under ") + text(0);
    if (step == kOverlaySteps - 1)
        return (falls ? "under " : "over ") + text(step - 1);
    return text(step - 1) + " to " + text(step);
}

std::vector<std::optional<double>> overlayOfBoxes(
    const Overlay& overlay, const ViewGraph& view, const Containment& containment)
{
    const auto containers = containersByKey(containment);
    std::vector<std::optional<double>> values;
    values.reserve(view.boxes.size());
    for (const ViewBox& box : view.boxes) {
        values.emplace_back();
        if (box.kind == ViewBox::Kind::Node)
            values.back() = overlay.ofNode[box.node.index];
        else if (box.kind == ViewBox::Kind::Scope)
            values.back() = overlay.ofExecution[box.scope.index];
        else if (const auto group = containers.find(box.key);
                 box.kind == ViewBox::Kind::Group && group != containers.end())
            values.back() = overlay.of(nodesIn(containment, group->second));
    }
    return values;
}

std::vector<bool> mixedBoxes(const Overlay& overlay, const ViewGraph& view, const Containment& containment)
{
    std::vector<bool> areMixed(view.boxes.size(), false);
    if (overlay.unit != OverlayUnit::Category)
        return areMixed;
    const auto containers = containersByKey(containment);
    for (std::size_t i = 0; i < view.boxes.size(); ++i) {
        const auto container = containers.find(view.boxes[i].key);
        if (view.boxes[i].key.empty() || container == containers.end())
            continue;
        std::optional<double> first;
        for (const NodeId node : nodesIn(containment, container->second)) {
            const auto& value = overlay.ofNode[node.index];
            areMixed[i] = areMixed[i] || (value && first && *value != *first);
            first = first ? first : value;
        }
    }
    return areMixed;
}

void rollUpInPlace(Overlay& overlay, const Scopes& scopes)
{
    RollUp execution(scopes.execution, overlay.unit);
    RollUp storage(scopes.storage, overlay.unit);
    for (std::size_t i = 0; i < overlay.ofNode.size(); ++i) {
        if (!overlay.ofNode[i])
            continue;
        execution.add(NodeId(i), scopes.nodes[i].executionScope, *overlay.ofNode[i]);
        for (const ScopeId scope : scopes.nodes[i].storageScopes)
            storage.add(NodeId(i), scope, *overlay.ofNode[i]);
    }
    overlay.ofExecution = execution.sums();
    overlay.ofStorage = storage.sums();
}

} // namespace duo
