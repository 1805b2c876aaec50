// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/decisions.h"

#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/quantize/points/compressed.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

class Decider
{
public:
    explicit Decider(const DecisionFacts& facts)
        : m_facts(facts)
        , m_model(facts.model)
        , m_places(facts.trace.places)
        , m_neverRuns(bodiesNeverRun(facts.model))
    {
    }

    Decisions decideAll()
    {
        Decisions decisions(m_model.nodes.size());
        for (const NodeId id : m_model.order)
            decisions[id.index] = decision(id, decisions);
        return decisions;
    }

    void decideInPlace(Decisions& decisions, const DecisionChanges& changes) const
    {
        for (const VertexIndex v : changes.vertices) {
            for (const OpIndex op : m_facts.fused.vertices[v].ops) { // the first one decides before the others
                const Op& changed = m_facts.graph.ops[op];
                if (changed.kind == OpKind::Node)
                    decisions[changed.node.index] = decision(changed.node, decisions);
            }
        }
        for (const NodeId id : changes.nodes)
            decisions[id.index] = decision(id, decisions);
    }

private:
    Decision decision(NodeId id, const Decisions& known) const
    {
        const Node& node = m_model.node(id);
        if (!m_facts.graph.isOperator(id))
            return insideRegion(node);
        const OpIndex op = m_facts.graph.opOfNode[id.index];
        const VertexIndex v = m_facts.fused.vertexOfOp[op];
        if (node.isCall)
            return unsupported(id, ReasonKind::Call, "it is a call of a local function, whose nodes stay as they are",
                "it would be considered if the function's nodes were in the main graph");
        if (v == kNoIndex)
            return outsideInference(id, op);
        const Vertex& vertex = m_facts.fused.vertices[v];
        if (vertex.primary() != op) {
            Decision decision = inGroup(id, vertex, known);
            decision.fusedWith = m_facts.graph.ops[vertex.primary()].node;
            return decision;
        }
        return ofPrimary(id, v, known);
    }

    [[nodiscard]] Decision insideRegion(const Node& node) const
    {
        const Node& owner = m_model.node(m_model.region(node.region).owner);
        if (m_neverRuns[node.region.index])
            return {NodeState::Unsupported, "it never runs: it is in a body that a constant condition never takes",
                ReasonKind::Body};
        const bool isCall = owner.isCall || m_model.isInFunction(owner);
        const std::string where = owner.isCall ? "the local function " + inQuotes(owner.opType) + " called by "
                                               : "the body of " + owner.opType + " ";
        Decision decision{NodeState::Unsupported,
            "it is inside " + where + inQuotes(owner.name) + ", where "
                + (isCall ? "nothing is quantized" : whoLeaves()),
            isCall ? ReasonKind::Call : ReasonKind::Body,
            isCall ? "it would be considered if the function's nodes were in the main graph" : wayIntoBodies(owner)};
        decision.about = m_model.region(node.region).owner;
        return decision;
    }

    [[nodiscard]] std::string whoLeaves() const
    {
        const Target& target = m_facts.target;
        if (target.quantizesBodies)
            return "nothing is quantized";
        return (target.likeNncf ? std::string("NNCF") : "profile " + std::string(target.profile))
            + " quantizes nothing";
    }

    [[nodiscard]] std::string wayIntoBodies(const Node& owner) const
    {
        if (m_facts.target.quantizesBodies || !hasBodies(owner))
            return {};
        return m_facts.target.runsOnOrtCpu ? "it would be considered without nncf_compatible"
                                           : "it would be considered with profile ort-cpu";
    }

    [[nodiscard]] Decision outsideInference(NodeId id, OpIndex op) const
    {
        if (isQuantizer(m_model.node(id)))
            return ofFileQuantizer(id);
        if (m_facts.graph.isShapeOnly[op])
            return unsupported(id, ReasonKind::Shape, "it computes a shape, not data");
        return unsupported(id, ReasonKind::Constant, "it does not depend on any input of the model");
    }

    Decision inGroup(NodeId id, const Vertex& vertex, const Decisions& known) const
    {
        const Op& first = m_facts.graph.ops[vertex.primary()];
        const std::string group = vertex.pattern->name;
        if (first.kind == OpKind::Input)
            return unmovedByRules(id,
                {NodeState::Fused,
                    "it is computed together with input " + inQuotes(m_model.value(first.value).name) + " (" + group
                        + ")",
                    ReasonKind::Group});
        const std::string with = inQuotes(m_model.node(first.node).name) + " (" + group + ")";
        const Decision& primary = known[first.node.index];
        if (primary.state == NodeState::Quantized || primary.state == NodeState::WeightOnly)
            return unmovedByRules(id,
                {NodeState::Fused, "it is computed together with " + with, ReasonKind::Group,
                    "it would stay in float if " + inQuotes(m_model.node(first.node).name) + " were ignored"});
        if (isIgnored(primary.state) && !m_facts.hits.isCompressible(id))
            return ofRules(id);
        const NodeState state = primary.state == NodeState::Ignored ? NodeState::IgnoredInherited : primary.state;
        Decision decision = primary;
        decision.state = state;
        decision.reason = "it is computed together with " + with + ", and there " + primary.reason;
        const auto& ignoredBy = m_facts.hits.ignoredBy;
        decision.namesRule = primary.namesRule && ignoredBy[id.index] == ignoredBy[first.node.index];
        return decision;
    }

    [[nodiscard]] Decision ofPrimary(NodeId id, VertexIndex v, const Decisions& known) const
    {
        const Op& op = m_facts.graph.ops[m_facts.fused.vertices[v].primary()];
        const bool isNeverQuantized = op.traits.trait == Trait::NonQuantizable;
        switch (m_facts.floatScope.causes[v]) {
        case FloatCause::Rules:
            return isNeverQuantized ? notQuantizable(id, v) : ofRules(id);
        case FloatCause::Pattern:
            return ofPattern((*m_facts.floatScope.patterns)[m_facts.fused.vertices[v].primary()]->name);
        case FloatCause::TransformerType:
            return {NodeState::Preset, m_model.node(id).opType + " stays in float in transformers",
                ReasonKind::ModelType, "it would be quantized with model_type none"};
        case FloatCause::Extreme:
            return ofContent(v, ReasonKind::Range,
                "it would be quantized if the constant held finite numbers of the size of the others");
        case FloatCause::FrontEnd:
            return ofContent(v, ReasonKind::FrontEnd, "it would be quantized if a precision rule caught it");
        case FloatCause::PostProcessing:
            return isNeverQuantized
                ? notQuantizable(id, v)
                : Decision{NodeState::Preset, "it belongs to the post-processing of the model",
                    ReasonKind::PostProcessing,
                    "it would be quantized if it were not on a path with TopK or NonMaxSuppression"};
        case FloatCause::None:
            break;
        }
        if (runsOnFileCodes(id, v, known))
            return unmovedByRules(id,
                {NodeState::Quantized, "it reads values that the file quantizes already", ReasonKind::FileQuantizer});
        switch (op.traits.trait) {
        case Trait::NonQuantizable:
            return notQuantizable(id, v);
        case Trait::Agnostic:
        case Trait::Concat:
            return ofMovement(id, v);
        case Trait::InputsQuantizable:
            return ofComputation(id, v);
        case Trait::Embedding:
            return ofTable(id);
        }
        return {};
    }

    /// What the constants tell.
    [[nodiscard]] Decision ofContent(VertexIndex v, ReasonKind kind, std::string counterfactual) const
    {
        const FloatReason& reason = m_facts.floatScope.reasons->at(v);
        Decision decision{NodeState::Preset, reason.text, kind, std::move(counterfactual)};
        decision.about = reason.about;
        return decision;
    }

    [[nodiscard]] static Decision ofPattern(const std::string& name)
    {
        return {NodeState::Preset, "it belongs to " + name + ", which stays in float for accuracy", ReasonKind::Pattern,
            "it would be quantized if it were not part of " + name};
    }

    // Rules

    [[nodiscard]] std::string ruleThatExcludes(NodeId id) const
    {
        const int rule = m_facts.hits.ignoredBy[id.index];
        if (rule == RuleHits::kNoRule)
            return {};
        return inQuotes(ruleText(m_facts.hits.hits[static_cast<std::size_t>(rule)].rule));
    }

    [[nodiscard]] Decision ofRules(NodeId id) const
    {
        const int index = m_facts.hits.ignoredBy[id.index];
        if (index == RuleHits::kNoRule)
            return {NodeState::IgnoredInherited, "no target rule catches it", ReasonKind::NoTarget,
                "it would be considered if a target rule caught it"};
        const RuleKind kind = m_facts.hits.hits[static_cast<std::size_t>(index)].rule.kind;
        const bool inherits
            = kind == RuleKind::ExecutionScope || kind == RuleKind::StorageScope || kind == RuleKind::Class;
        Decision decision{inherits ? NodeState::IgnoredInherited : NodeState::Ignored,
            "rule " + ruleThatExcludes(id) + (inherits ? " holds its scope" : " names it"), ReasonKind::Rule,
            "it would be considered without rule " + ruleThatExcludes(id)};
        decision.namesRule = true;
        return decision;
    }

    /// A decision that no rule changes, which says so of the one that ignores the node.
    [[nodiscard]] Decision unmovedByRules(NodeId id, Decision decision) const
    {
        const std::string rule = ruleThatExcludes(id);
        if (rule.empty())
            return decision;
        decision.reason += "; rule " + rule + " has no effect on it";
        decision.namesRule = true;
        return decision;
    }

    // What is no matter of rules

    [[nodiscard]] Decision unsupported(
        NodeId id, ReasonKind kind, const std::string& reason, std::string counterfactual = {}) const
    {
        return unmovedByRules(id, {NodeState::Unsupported, reason, kind, std::move(counterfactual)});
    }

    [[nodiscard]] Decision ofFileQuantizer(NodeId id) const
    {
        return unsupported(id, ReasonKind::FileQuantizer, "it is a quantizer of the file, left as it is");
    }

    [[nodiscard]] Decision notQuantizable(NodeId id, VertexIndex v) const
    {
        const Node& node = m_model.node(id);
        if (isQuantizer(node))
            return ofFileQuantizer(id);
        if (isBetweenQuantizers(v))
            return unmovedByRules(id,
                {NodeState::Quantized, "it reads and gives quantized values, for which ONNX Runtime has an int8 kernel",
                    ReasonKind::Inputs, "it would stay in float if a neighbour were ignored"});
        const std::string_view reason = floatOnlyReason(node, m_facts.target);
        if (!reason.empty())
            return unsupported(id, ReasonKind::Profile, std::string(reason),
                "it would be quantized with profile " + std::string(otherProfile(node)));
        const std::string type = node.domain.empty() ? node.opType : node.domain + "." + node.opType;
        if (hasBodies(node))
            return unsupported(id, ReasonKind::Operator,
                m_facts.target.quantizesBodies ? type + " computes nothing itself: its bodies' nodes do"
                                               : type + " has bodies, which stay as they are");
        return unsupported(id, ReasonKind::Operator, type + " computes in float");
    }

    /// One that quantizes operators of this type; qnn takes what NNCF does not know.
    [[nodiscard]] std::string_view otherProfile(const Node& node) const
    {
        QuantizationSettings settings;
        settings.profile = Profile::OpenVino;
        const bool isNncfs = opTraits(m_model, node, targetOf(settings)).trait != Trait::NonQuantizable;
        return profileText(isNncfs ? Profile::OpenVino : Profile::Qnn);
    }

    /// A node with a QLinear kernel that quantizers happen to enclose (Softmax, LeakyRelu).
    [[nodiscard]] bool isBetweenQuantizers(VertexIndex v) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        const NodeId id = m_facts.graph.ops[vertex.primary()].node;
        if (!m_facts.target.placesForOrtCpu || opFacts(m_model.node(id)).int8 != Int8Kernel::Own
            || m_model.node(id).outputs.empty() || m_facts.floatScope.causes[v] != FloatCause::None)
            return false;
        return countQuantizedInputs(vertex) == vertex.in.size() && !vertex.in.empty()
            && m_places.results[id.index] != 0;
    }

    [[nodiscard]] std::uint8_t kindAt(NodeId id, std::uint32_t port) const
    {
        const PortTable& ports = m_facts.graph.ports;
        return port < ports.count(id) ? m_places.inputs[ports.first(id) + port] : std::uint8_t{QuantizedPlaces::None};
    }

    [[nodiscard]] std::size_t countQuantizedInputs(const Vertex& vertex) const
    {
        const NodeId id = m_facts.graph.ops[vertex.primary()].node;
        return static_cast<std::size_t>(std::count_if(vertex.in.begin(), vertex.in.end(),
            [&](InputIndex index) { return kindAt(id, m_facts.fused.inputs[index].port) != QuantizedPlaces::None; }));
    }

    /// "" if a float32 value is read; else what stands against quantizing it.
    [[nodiscard]] std::string typeReason(const Vertex& vertex) const
    {
        std::string reason = "it reads no data that changes with the inputs";
        for (const InputIndex index : vertex.in) {
            const FusedInput& input = m_facts.fused.inputs[index];
            if (!input.isInteger)
                return {};
            const ElementType type = m_model.value(m_facts.graph.edges[input.edge].value).type.element;
            const std::string name(elementTypeName(type));
            if (isOtherFloat(type))
                return name + " values stay float";
            reason = type == ElementType::Undefined ? "the type of its inputs is not known"
                                                    : name + " values are not quantized";
        }
        return reason;
    }

    [[nodiscard]] Decision ofMovement(NodeId id, VertexIndex v) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        const std::string type = typeReason(vertex);
        if (!type.empty())
            return ofType(id, vertex, type);
        for (const InputIndex index : vertex.in) {
            const FusedInput& input = m_facts.fused.inputs[index];
            if (!input.isInteger && kindAt(id, input.port) != QuantizedPlaces::None)
                return {NodeState::Quantized, "it moves quantized data", ReasonKind::Movement,
                    "it would stay in float if it were ignored; quantizers would then stay below it"};
        }
        return {NodeState::Blocked, "it moves data that no reader or neighbour wants quantized", ReasonKind::Neighbour,
            "it would be quantized if what reads its result were quantized"};
    }

    [[nodiscard]] std::vector<std::uint32_t> weightPorts(NodeId id) const
    {
        std::vector<std::uint32_t> ports;
        for (std::uint32_t port = 0; port < m_facts.graph.ports.count(id); ++port) {
            if (kindAt(id, port) == QuantizedPlaces::Weight)
                ports.push_back(port);
        }
        return ports;
    }

    [[nodiscard]] Decision ofComputation(NodeId id, VertexIndex v) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        const bool hasWeights = !weightPorts(id).empty();
        const std::string& profileReason = m_facts.trace.floatReasons[id.index];
        if (!profileReason.empty())
            return {hasWeights ? NodeState::WeightOnly : NodeState::Blocked, profileReason, ReasonKind::Profile,
                profileWish(id)};
        const std::string type = typeReason(vertex);
        if (!type.empty() && !hasWeights)
            return ofType(id, vertex, type);
        if (countQuantizedInputs(vertex) > 0)
            return {NodeState::Quantized,
                (hasWeights ? "its inputs and weights are quantized" : "its inputs are quantized") + precisionOf(id),
                ReasonKind::Inputs, "it would stay in float if a rule ignored it"};
        if (hasWeights)
            return {NodeState::WeightOnly, type.empty() ? "only its weights are quantized" : type,
                type.empty() ? ReasonKind::Weights : ReasonKind::Type,
                "its inputs would be quantized too if they were float32 and not quantized by the file"};
        if (readsFileQuantizer(vertex))
            return {NodeState::Quantized, "it reads values that the file quantizes already", ReasonKind::FileQuantizer};
        if (vertex.in.size() == 1 && (vertex.traits.roles & role::kElementwise) != 0)
            return {NodeState::Blocked, "its other operand is constant, and nothing around it asks for quantized data",
                ReasonKind::Neighbour, "it would be quantized if what reads or gives its data were"};
        return {NodeState::Blocked, "its inputs stay in float", ReasonKind::Neighbour,
            "it would be quantized if its inputs could be"};
    }

    /// What precision rules want of it, and what happens where other bits meet its own.
    [[nodiscard]] std::string precisionOf(NodeId id) const
    {
        const std::string wanted(m_facts.trace.rules.precisionAt(id));
        const bool isWide = wantsWideWeights(id) || readsMoreThanEightBits(m_places.bits, m_facts.graph.ports, id);
        const bool isFloatHere = m_facts.target.placesForOrtCpu && isWide;
        return (wanted.empty() ? std::string() : ", as a rule wants: " + wanted)
            + boundaryText(m_places.bits, m_facts.graph.ports, id)
            + (isFloatHere ? "; ONNX Runtime's CPU provider computes it in float, having no kernel for such codes"
                           : "");
    }

    [[nodiscard]] bool wantsWideWeights(NodeId id) const
    {
        const std::uint32_t of = m_facts.hits.precisionOf.empty() ? 0 : m_facts.hits.precisionOf[id.index];
        return of != 0 && m_facts.hits.precisions[of - 1].weights.numBits.value_or(8) > 8;
    }

    /// What would change a decision of the profile.
    [[nodiscard]] std::string profileWish(NodeId id) const
    {
        const auto& outputs = m_model.node(id).outputs;
        const bool isOutput = !outputs.empty() && outputs.front().valid() && m_model.value(outputs.front()).isOutput;
        if (isOutput)
            return isBodyOutput(m_model, outputs.front()) ? "" : "it would be quantized with quantize_outputs";
        return "it would be quantized if its neighbours were";
    }

    [[nodiscard]] Decision ofType(NodeId id, const Vertex& vertex, const std::string& reason) const
    {
        const bool isReduced = std::any_of(vertex.in.begin(), vertex.in.end(), [&](InputIndex index) {
            return isOtherFloat(
                m_model.value(m_facts.graph.edges[m_facts.fused.inputs[index].edge].value).type.element);
        });
        return unsupported(id, ReasonKind::Type, reason,
            isReduced ? "it would be quantized if the model were exported in float32" : std::string());
    }

    [[nodiscard]] bool readsFileQuantizer(const Vertex& vertex) const
    {
        return std::any_of(vertex.in.begin(), vertex.in.end(), [&](InputIndex index) {
            return isDequantized(m_model, m_facts.graph.edges[m_facts.fused.inputs[index].edge].value);
        });
    }

    /// A DequantizeLinear of the file gives it, or what moves such values.
    [[nodiscard]] bool isOfFileCodes(ValueId value, const Decisions& known) const
    {
        if (isDequantized(m_model, value))
            return true;
        const NodeId producer = value.valid() ? m_model.value(value).producer : NodeId{};
        if (!producer.valid() || !m_facts.graph.isOperator(producer))
            return false;
        const Trait trait = m_facts.graph.ops[m_facts.graph.opOfNode[producer.index]].traits.trait;
        const Decision& decision = known[producer.index];
        return (trait == Trait::Agnostic || trait == Trait::Concat) && decision.state == NodeState::Quantized
            && decision.kind == ReasonKind::FileQuantizer;
    }

    /// A constant in float that the kernel on codes would have to read as codes; biases may be either.
    [[nodiscard]] bool hasFloatOperand(const Node& node) const
    {
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const Tensor* constant = node.inputs[port].valid() ? m_model.constant(node.inputs[port]) : nullptr;
            const bool isBias = port == opFacts(node).biasPort && isFloatProduct(node);
            if (constant && constant->type == ElementType::Float32 && !isBias)
                return true;
        }
        return false;
    }

    [[nodiscard]] bool goesIntoCodes(const Node& node) const
    {
        const auto& uses = m_model.value(node.outputs.front()).uses;
        return !uses.empty() && std::all_of(uses.begin(), uses.end(), [this](const Use& use) {
            return m_model.node(use.node).opType == "QuantizeLinear";
        });
    }

    /// All data that it reads are codes of the file, as they are behind an export, and nothing is placed at it.
    [[nodiscard]] bool runsOnFileCodes(NodeId id, VertexIndex v, const Decisions& known) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        const Node& node = m_model.node(id);
        const bool areCodes
            = !vertex.in.empty() && std::all_of(vertex.in.begin(), vertex.in.end(), [&](InputIndex index) {
                  const FusedInput& input = m_facts.fused.inputs[index];
                  return !input.isInteger && isOfFileCodes(m_facts.graph.edges[input.edge].value, known);
              });
        if (!areCodes || countQuantizedInputs(vertex) > 0 || !weightPorts(id).empty())
            return false;
        switch (vertex.traits.trait) {
        case Trait::InputsQuantizable:
            return !hasFloatOperand(node);
        case Trait::Agnostic:
        case Trait::Concat:
            return true;
        case Trait::NonQuantizable:
            return m_facts.target.placesForOrtCpu && opFacts(node).int8 == Int8Kernel::Own && !node.outputs.empty()
                && node.outputs.front().valid() && goesIntoCodes(node);
        case Trait::Embedding:
            return false;
        }
        return false;
    }

    [[nodiscard]] Decision ofTable(NodeId id) const
    {
        if (weightPorts(id).empty())
            return {NodeState::Blocked, "its table is not a float32 weight of its own", ReasonKind::Type};
        if (m_places.results[id.index] != 0)
            return {NodeState::Quantized, "its table and the rows it gives are quantized alike", ReasonKind::Table,
                "it would stay in float if a rule ignored it"};
        return {NodeState::WeightOnly, "its table is quantized", ReasonKind::Table,
            "it would stay in float if a rule ignored it"};
    }

    const DecisionFacts& m_facts;
    const Model& m_model;
    const QuantizedPlaces& m_places;
    std::vector<bool> m_neverRuns; // [Model::regions]
};

} // namespace

Decisions decide(const DecisionFacts& facts)
{
    return Decider(facts).decideAll();
}

Decisions decideAgain(const DecisionFacts& facts, Decisions known, const DecisionTrace& before)
{
    Decider(facts).decideInPlace(known, changesBetween(before, facts.trace, facts.graph, facts.fused));
    return known;
}

} // namespace duo
