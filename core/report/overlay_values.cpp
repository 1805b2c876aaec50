// SPDX-License-Identifier: Apache-2.0
#include "core/report/overlay_values.h"

#include "core/model/held_tensors.h"
#include "core/model/value_address.h"
#include "core/quantize/points/compressed.h"
#include "core/scope/facts/scope_facts.h"
#include "core/transform/halve.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

using Values = std::vector<std::optional<double>>;

Overlay started(OverlayKind kind, OverlayUnit unit, const Model& model, std::string about)
{
    Overlay overlay;
    overlay.kind = kind;
    overlay.unit = unit;
    overlay.about = std::move(about);
    overlay.ofNode.resize(model.nodes.size());
    return overlay;
}

Overlay decisions(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Decision, OverlayUnit::Category, sources.model,
        "What happens to each node under the rules and settings.");
    for (int state = 0; state <= static_cast<int>(NodeState::WeightOnly); ++state)
        overlay.categories.emplace_back(nodeStateText(static_cast<NodeState>(state)));
    const auto quantizer = static_cast<double>(overlay.categories.size());
    overlay.categories.emplace_back(kQuantizerWord);
    for (std::size_t i = 0; i < overlay.ofNode.size(); ++i) {
        const Decision& decision = sources.placement->decisions[i];
        overlay.ofNode[i] = isFileQuantizer(decision) ? quantizer : static_cast<double>(decision.state);
    }
    return overlay;
}

/// Bits of the quantizers of one node; 0: none.
struct Bits {
    int data = 0;
    int weights = 0;
};

std::vector<Bits> bitsOf(const OverlaySources& sources)
{
    std::vector<Bits> bits(sources.model.nodes.size());
    for (const auto& [id, point] : sources.placement->setup.points) {
        if (point.isWeight) {
            bits[point.node.index].weights = point.config.numBits;
            continue;
        }
        for (const NodeId node : point.directlyQuantized)
            bits[node.index].data = std::max(bits[node.index].data, point.config.numBits);
    }
    return bits;
}

std::string precisionText(const Decision& decision, Bits bits)
{
    const auto text = [](int count) { return std::to_string(count) + " bit"; };
    if (decision.kind() == ReasonKind::FileQuantizer)
        return "by the file";
    if (bits.data > 0)
        return bits.weights > 0 && bits.weights != bits.data ? text(bits.data) + ", weights " + text(bits.weights)
                                                             : text(bits.data);
    if (bits.weights > 0)
        return "weights " + text(bits.weights);
    return decision.state == NodeState::Quantized ? "moves codes" : "float";
}

Overlay precisions(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Precision, OverlayUnit::Category, sources.model,
        "In how many bits each node computes under the rules and settings.");
    const std::vector<Bits> bits = bitsOf(sources);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < overlay.ofNode.size(); ++i) {
        const Decision& decision = sources.placement->decisions[i];
        const bool isFused = decision.state == NodeState::Fused && decision.fusedWith.valid();
        const std::size_t told = isFused ? decision.fusedWith.index : i; // it is computed together with that one
        texts.push_back(precisionText(sources.placement->decisions[told], bits[told]));
    }
    overlay.categories = texts;
    std::ranges::sort(overlay.categories);
    overlay.categories.erase(std::ranges::unique(overlay.categories).begin(), overlay.categories.end());
    for (std::size_t i = 0; i < texts.size(); ++i)
        overlay.ofNode[i]
            = static_cast<double>(std::ranges::lower_bound(overlay.categories, texts[i]) - overlay.categories.begin());
    return overlay;
}

/// Of a node what it reads; of a scope what it holds, each tensor once.
Overlay parameters(const OverlaySources& sources, OverlayKind kind)
{
    const bool isBytes = kind == OverlayKind::Bytes;
    Overlay overlay = started(kind, isBytes ? OverlayUnit::Bytes : OverlayUnit::Count, sources.model,
        isBytes ? "Bytes of the parameters that each node reads, as the file stores them."
                : "Elements of the parameters that each node reads.");
    if (sources.scopes.facts) {
        const auto& reads = sources.scopes.facts->parameters.reads;
        for (std::size_t i = 0; i < reads.size(); ++i) {
            std::vector<TensorId> counted; // a tensor made of several parameters is read once for each
            for (const ParameterRead& read : reads[i]) {
                if (!read.tensor.valid() || std::ranges::find(counted, read.tensor) != counted.end())
                    continue;
                counted.push_back(read.tensor);
                const Tensor& tensor = sources.model.tensor(read.tensor);
                const auto size
                    = isBytes ? static_cast<double>(storedBytes(tensor)) : static_cast<double>(tensor.elements());
                overlay.ofNode[i] = overlay.ofNode[i].value_or(0) + size;
            }
        }
    }
    const auto totals = [&](const ScopeTree& tree) {
        Values values;
        for (const Scope& scope : tree.scopes) {
            const std::int64_t total = isBytes ? scope.totalBytes : scope.totalParameters;
            values.push_back(total > 0 ? std::optional(static_cast<double>(total)) : std::nullopt);
        }
        return values;
    };
    overlay.ofExecution = totals(sources.scopes.execution);
    overlay.ofStorage = totals(sources.scopes.storage);
    overlay.whole = std::max(overlay.ofExecution.front().value_or(0), overlay.ofStorage.front().value_or(0));
    return overlay;
}

Overlay ranges(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Range, OverlayUnit::Magnitude, sources.model,
        "The largest magnitude that each node gave over " + std::to_string(sources.statistics->samples())
            + " samples.");
    for (std::size_t i = 0; i < overlay.ofNode.size(); ++i) {
        for (const ValueId output : sources.model.nodes[i].outputs) {
            if (!output.valid())
                continue;
            const auto found = sources.statistics->values.find(addressOf(sources.model, output));
            if (found == sources.statistics->values.end() || found->second.min > found->second.max)
                continue;
            const double magnitude = std::max(
                std::abs(static_cast<double>(found->second.min)), std::abs(static_cast<double>(found->second.max)));
            overlay.ofNode[i] = std::max(overlay.ofNode[i].value_or(0), magnitude);
        }
        if (const auto value = overlay.ofNode[i]; value && *value > 0) {
            overlay.least = overlay.least > 0 ? std::min(overlay.least, *value) : *value;
            overlay.most = std::max(overlay.most, *value);
        }
    }
    return overlay;
}

Overlay errors(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Error, OverlayUnit::Decibel, sources.model,
        "Signal to noise of each node's worst quantizer, foreseen from statistics; noise of several does not add up.");
    const auto lower = [&](NodeId node, double decibels) {
        auto& value = overlay.ofNode[node.index];
        value = std::min(value.value_or(decibels), decibels);
    };
    for (const QuantizerForecast& quantizer : sources.forecast->quantizers) {
        const auto point = sources.placement->setup.points.find(quantizer.point);
        if (point == sources.placement->setup.points.end() || !quantizer.outcome.fit.sqnrDb)
            continue;
        if (point->second.isWeight)
            lower(point->second.node, *quantizer.outcome.fit.sqnrDb);
        for (const NodeId node : point->second.directlyQuantized)
            lower(node, *quantizer.outcome.fit.sqnrDb);
    }
    return overlay;
}

/// Of a node the share of the smallest group it was measured in; of a scope that was measured as a whole its own.
Overlay sensitivities(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Sensitivity, OverlayUnit::Share, sources.model,
        "Share of the output noise that comes from here, measured on " + std::to_string(sources.sensitivity->samples)
            + " samples.");
    std::vector<std::size_t> sizes(sources.model.nodes.size(), sources.model.nodes.size() + 1);
    for (const GroupSensitivity& group : sources.sensitivity->groups) {
        for (const std::string& name : group.nodes) {
            const NodeId node = sources.model.findNode(name);
            if (!node.valid() || sizes[node.index] <= group.nodes.size())
                continue;
            sizes[node.index] = group.nodes.size();
            overlay.ofNode[node.index] = std::max(0.0, group.score());
        }
    }
    rollUpInPlace(overlay, sources.scopes);
    for (const GroupSensitivity& group : sources.sensitivity->groups) {
        const ScopeId scope = group.kind == GroupKind::Scope ? sources.scopes.execution.find(group.name) : ScopeId();
        if (scope.valid())
            overlay.ofExecution[scope.index] = std::max(0.0, group.score());
    }
    return overlay;
}

/// ", measured on 2026-11-22"; "" where that is just now.
std::string whenText(std::string_view date)
{
    return date.empty() ? std::string() : ", measured on " + std::string(date.substr(0, date.find('T')));
}

Overlay nodeTimes(const OverlaySources& sources)
{
    const NodeTimes& times = *sources.times;
    Overlay overlay = started(OverlayKind::Time, OverlayUnit::Microseconds, sources.model,
        "Time of one run in ONNX Runtime, median of " + std::to_string(times.runs) + " runs with "
            + std::to_string(times.threads) + (times.threads == 1 ? " thread" : " threads") + whenText(times.date)
            + "; nodes computed together count at the one that leads them.");
    overlay.ofNode = times.ofNode;
    overlay.whole = times.kernelMicroseconds;
    return overlay;
}

/// What has no form of 16 bits stays in 32 by its operator, whatever its values are.
Overlay halves(const OverlaySources& sources)
{
    enum Category { Half, ByChoice, ByOperator };
    Overlay overlay = started(OverlayKind::Half, OverlayUnit::Category, sources.model,
        "What each node can compute in, by the values that it reads and gives over the data.");
    overlay.categories = {"16 bits", "32 bits: values, rules", "32 bits: operator"};
    overlay.ofNode.assign(sources.model.nodes.size(), ByOperator);
    overlay.whyOfNode.resize(sources.model.nodes.size());
    const auto mark = [&](const TransformedNode& told, Category category) {
        const NodeId node = sources.model.findNode(told.name);
        if (!node.valid())
            return;
        overlay.ofNode[node.index] = category;
        overlay.whyOfNode[node.index] = told.why;
    };
    for (const TransformedNode& node : sources.half->applied)
        mark(node, Half);
    for (const TransformedNode& told : sources.half->skipped) {
        const NodeId node = sources.model.findNode(told.name);
        mark(told, node.valid() && hasHalfForm(sources.model, sources.model.node(node)) ? ByChoice : ByOperator);
    }
    return overlay;
}

/// Scopes whose nodes have no difference in common have several.
void rollUpDifferencesInPlace(Overlay& overlay, const Scopes& scopes)
{
    rollUpInPlace(overlay, scopes);
    Overlay counted = overlay;
    counted.unit = OverlayUnit::Count;
    rollUpInPlace(counted, scopes);
    const auto several = static_cast<double>(overlay.categories.size());
    const auto fill = [several](Values& kinds, const Values& counts) {
        bool isFilled = false;
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            if (!counts[i] || kinds[i])
                continue;
            kinds[i] = several;
            isFilled = true;
        }
        return isFilled;
    };
    const bool inExecution = fill(overlay.ofExecution, counted.ofExecution);
    const bool inStorage = fill(overlay.ofStorage, counted.ofStorage);
    if (inExecution || inStorage)
        overlay.categories.emplace_back("several");
}

Overlay differences(const OverlaySources& sources)
{
    Overlay overlay = started(OverlayKind::Difference, OverlayUnit::Category, sources.model,
        "Which nodes have other quantizers in the setups that were compared last.");
    for (const auto& [node, difference] : *sources.differences)
        overlay.categories.push_back(difference);
    std::ranges::sort(overlay.categories);
    overlay.categories.erase(std::ranges::unique(overlay.categories).begin(), overlay.categories.end());
    overlay.categories.insert(overlay.categories.begin(), "the same"); // has the palest colour, and no node
    for (const auto& [name, difference] : *sources.differences) {
        if (const NodeId node = sources.model.findNode(name); node.valid())
            overlay.ofNode[node.index]
                = static_cast<double>(std::ranges::find(overlay.categories, difference) - overlay.categories.begin());
    }
    rollUpDifferencesInPlace(overlay, sources.scopes);
    return overlay;
}

bool isKnown(OverlayKind kind, const OverlaySources& sources)
{
    switch (overlayNeed(kind)) {
    case OverlayNeed::Nothing:
        return true;
    case OverlayNeed::Placement:
        return sources.placement != nullptr;
    case OverlayNeed::Statistics:
        return kind == OverlayKind::Error ? sources.forecast != nullptr && sources.placement != nullptr
                                          : sources.statistics != nullptr;
    case OverlayNeed::Sensitivity:
        return sources.sensitivity != nullptr;
    case OverlayNeed::Times:
        return sources.times != nullptr;
    case OverlayNeed::Halving:
        return sources.half != nullptr;
    case OverlayNeed::Comparison:
        return sources.differences != nullptr;
    }
    return false;
}

Overlay valuesOf(OverlayKind kind, const OverlaySources& sources)
{
    switch (kind) {
    case OverlayKind::Decision:
        return decisions(sources);
    case OverlayKind::Precision:
        return precisions(sources);
    case OverlayKind::Parameters:
    case OverlayKind::Bytes:
        return parameters(sources, kind);
    case OverlayKind::Range:
        return ranges(sources);
    case OverlayKind::Error:
        return errors(sources);
    case OverlayKind::Sensitivity:
        return sensitivities(sources);
    case OverlayKind::Time:
        return nodeTimes(sources);
    case OverlayKind::Half:
        return halves(sources);
    case OverlayKind::Difference:
        return differences(sources);
    }
    return {};
}

} // namespace

OverlayNeed overlayNeed(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Decision:
    case OverlayKind::Precision:
        return OverlayNeed::Placement;
    case OverlayKind::Parameters:
    case OverlayKind::Bytes:
        return OverlayNeed::Nothing;
    case OverlayKind::Range:
    case OverlayKind::Error:
        return OverlayNeed::Statistics;
    case OverlayKind::Sensitivity:
        return OverlayNeed::Sensitivity;
    case OverlayKind::Time:
        return OverlayNeed::Times;
    case OverlayKind::Half:
        return OverlayNeed::Halving;
    case OverlayKind::Difference:
        return OverlayNeed::Comparison;
    }
    return OverlayNeed::Nothing;
}

std::optional<Overlay> makeOverlay(OverlayKind kind, const OverlaySources& sources)
{
    if (!isKnown(kind, sources))
        return std::nullopt;
    Overlay overlay = valuesOf(kind, sources);
    if (overlay.ofExecution.empty())
        rollUpInPlace(overlay, sources.scopes);
    return overlay;
}

} // namespace duo
