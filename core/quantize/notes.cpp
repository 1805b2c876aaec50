// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/notes.h"

#include "core/model/op_facts.h"
#include "core/model/random_operators.h"
#include "core/quantize/points/compressed.h"
#include "core/support/phrases.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

std::string inputCount(std::size_t count)
{
    return counted(count, "input", "inputs");
}

/// Nodes that could be quantized but read values of another floating type, by type.
std::map<ElementType, std::vector<NodeId>> otherFloatNodes(const Model& model, const OpGraph& graph)
{
    std::map<ElementType, std::vector<NodeId>> nodes;
    for (const Op& op : graph.ops) {
        if (op.kind != OpKind::Node || op.traits.trait != Trait::InputsQuantizable || op.in.empty())
            continue;
        const ElementType type = model.value(graph.edges[op.in.front()].value).type.element;
        if (isFloating(type) && type != ElementType::Float32)
            nodes[type].push_back(op.node);
    }
    return nodes;
}

/// What the file's opset was turned into, or what it does not allow.
std::vector<Note> opsetNotes(const Model& model)
{
    if (const auto raised = std::ranges::find(model.notes, kOpsetRaised, &Note::kind); raised != model.notes.end())
        return {*raised};
    if (model.opset() >= kPerChannelOpset)
        return {};
    const auto kept = std::ranges::find(model.notes, kOpsetKept, &Note::kind);
    if (kept != model.notes.end())
        return {{"per-tensor-only", kept->text + "; scales are per tensor", kept->where}};
    return {{"per-tensor-only",
        "opset " + std::to_string(model.opset())
            + " quantizes per tensor only; convert the model to opset 13 or newer for scales per channel",
        {}}};
}

/// A dropout that drops, or cannot be told not to: of opset 12 on, by an input; of those before, none does.
bool isInTraining(const Model& model, const Node& node)
{
    constexpr std::size_t kTraining = 2; // its input
    if (node.inputs.size() <= kTraining || !node.inputs[kTraining].valid())
        return false;
    const Tensor* constant = model.constant(node.inputs[kTraining]);
    return constant == nullptr || constant->bytes().empty() || constant->bytes().front() != std::byte(0);
}

bool isRandom(const Model& model, const Node& node)
{
    return isRandomOperator(node.opType) || (node.opType == "Dropout" && isInTraining(model, node));
}

/// Where the body of a control-flow node runs what it runs: "run inside If bodies".
std::string insideBodies(const Model& model, const Node& node)
{
    return "run inside " + model.node(model.region(node.region).owner).opType + " bodies";
}

/// What the nodes of a decision have in common, behind their number.
std::string sharedReason(const Model& model, const Node& node, ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::Body:
        return insideBodies(model, node);
    case ReasonKind::Call:
        return "are calls of local functions, or inside them";
    case ReasonKind::Rule:
        return "are ignored by rules";
    case ReasonKind::NoTarget:
        return "are caught by no target rule";
    case ReasonKind::Constant:
        return "depend on no input of the model";
    case ReasonKind::Shape:
        return "compute shapes";
    case ReasonKind::Type:
        return "work on values that are not float32";
    case ReasonKind::Pattern:
    case ReasonKind::ModelType:
    case ReasonKind::PostProcessing:
    case ReasonKind::FrontEnd:
    case ReasonKind::Range:
        return "stay in float for accuracy";
    case ReasonKind::Profile:
        return "gain nothing or have no int8 kernel in the profile";
    case ReasonKind::FileQuantizer:
        return "are quantizers of the file";
    case ReasonKind::Operator:
        return "compute in float";
    case ReasonKind::Neighbour:
    case ReasonKind::Inputs:
    case ReasonKind::Weights:
    case ReasonKind::Movement:
    case ReasonKind::Group:
    case ReasonKind::Table:
        break;
    }
    return "have nothing quantized around them";
}

} // namespace

void addPlacementNotes(const Model& model, const OpGraph& graph, std::vector<Note>& notes)
{
    for (const Node& node : model.nodes) {
        if (isRandom(model, node))
            notes.push_back({"random",
                node.opType
                    + " gives other numbers in each run: ranges that are measured behind it, "
                      "and with them the bytes of an export, may differ from run to run",
                node.name});
    }
    for (const Note& note : opsetNotes(model))
        notes.push_back(note);
    for (const auto& [type, nodes] : otherFloatNodes(model, graph)) {
        const std::string name(elementTypeName(type));
        notes.push_back({name + "-stays-float",
            name + " values stay float: " + nodesText(nodes.size()) + " not quantized; export the model in float32",
            model.node(nodes.front()).name});
    }
    const auto isOnCodes = [](const Node& node) {
        return isQuantizer(node) || node.opType == "DynamicQuantizeLinear" || worksOnCodes(node);
    };
    const auto first = std::find_if(model.nodes.begin(), model.nodes.end(), isOnCodes);
    if (first != model.nodes.end()) {
        const auto count = std::count_if(model.nodes.begin(), model.nodes.end(), isOnCodes);
        notes.push_back({"already-quantized",
            "parts of the model are quantized already (" + nodesText(static_cast<std::size_t>(count))
                + "); they stay as they are",
            first->name});
    }
}

void addFloatNotes(const Model& model, const OpGraph& graph, const FusedGraph& fused, const FloatScope& scope,
    std::vector<Note>& notes)
{
    const auto add = [&](FloatCause cause, const char* kind, const std::string& text) {
        const auto count = static_cast<std::size_t>(std::count(scope.causes.begin(), scope.causes.end(), cause));
        if (count == 0)
            return;
        const auto at = std::find(scope.causes.begin(), scope.causes.end(), cause) - scope.causes.begin();
        const Op& first = graph.ops[fused.vertices[static_cast<std::size_t>(at)].primary()];
        notes.push_back({kind, nodesText(count) + (count == 1 ? " stays" : " stay") + " in float: " + text,
            first.node.valid() ? model.node(first.node).name : std::string(), Severity::Remark});
    };
    add(FloatCause::Extreme, "extremes", "codes cannot hold the masks or infinities that constants bring");
    add(FloatCause::FrontEnd, "front-end",
        "a fixed transform in front of the network and what follows it, which eight bits would spoil (a precision rule "
        "takes them in)");
}

std::optional<Note> nothingQuantizedNote(const Model& model, const Decisions& decisions)
{
    bool isByRules = false;
    std::map<std::string, std::size_t> counts;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Decision& decision = decisions[n];
        if (isCompressed(decision.state))
            return std::nullopt;
        isByRules = isByRules || decision.kind() == ReasonKind::Rule || decision.kind() == ReasonKind::NoTarget;
        ++counts[sharedReason(model, model.nodes[n], decision.kind())];
    }
    if (counts.empty())
        return std::nullopt;
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const std::string_view verb = !isByRules ? " can be" : model.nodes.size() == 1 ? " is" : " are";
    std::string text = "0 of " + nodesText(model.nodes.size()) + std::string(verb) + " quantized: ";
    for (std::size_t i = 0; i < sorted.size(); ++i)
        text += (i == 0 ? "" : ", ") + (sorted.size() == 1 ? "all" : countText(sorted[i].second)) + " "
            + sorted[i].first;
    return Note{"nothing-quantized", text, {}};
}

void renewNothingQuantized(const Model& model, Placement& placement)
{
    std::erase_if(placement.notes, [](const Note& note) { return note.kind == "nothing-quantized"; });
    if (auto note = nothingQuantizedNote(model, placement.decisions))
        placement.notes.insert(placement.notes.begin(), *std::move(note));
}

std::optional<Note> precisionNote(const Model& model, const RuleHits& hits, const std::vector<ReadBits>& bits)
{
    const auto isCaught = [](std::uint32_t of) { return of != 0; };
    const auto caught = std::count_if(hits.precisionOf.begin(), hits.precisionOf.end(), isCaught);
    if (caught == 0)
        return std::nullopt;
    const auto countOf
        = [&](auto test) { return static_cast<std::size_t>(std::count_if(bits.begin(), bits.end(), test)); };
    const std::size_t again = countOf([](const ReadBits& at) { return at.given != 0 && at.given != at.read; });
    const std::size_t apart = countOf([](const ReadBits& at) { return at.isApart; });
    std::string text = "rules want another precision of " + nodesText(static_cast<std::size_t>(caught));
    if (again != 0)
        text += "; given in other bits and quantized again: " + inputCount(again);
    if (apart != 0)
        text += "; quantized from float in bits of their own: " + inputCount(apart);
    const auto first = std::find_if(hits.precisionOf.begin(), hits.precisionOf.end(), isCaught);
    const auto node = static_cast<std::size_t>(first - hits.precisionOf.begin());
    return Note{"other-precision", text, model.nodes[node].name};
}

} // namespace duo
