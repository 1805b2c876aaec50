// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/decisions.h"

#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/quantize/file_codes.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

class Decider
{
public:
    explicit Decider(const DecisionFacts& facts)
        : m_facts(facts)
        , m_model(facts.model)
        , m_places(facts.trace.places)
        , m_file(facts)
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
            return unsupported(id, {ReasonCode::Call}, WouldBe::ConsideredInMainGraph);
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
        const NodeId ownerId = m_model.region(node.region).owner;
        const Node& owner = m_model.node(ownerId);
        if (m_neverRuns[node.region.index])
            return {NodeState::Unsupported, {ReasonCode::NeverRuns}};
        const bool isCall = owner.isCall || m_model.isInFunction(owner);
        return {NodeState::Unsupported, {.code = isCall ? ReasonCode::InsideCall : bodyLeft(), .about = ownerId},
            isCall ? WouldBe::ConsideredInMainGraph : wayIntoBodies(owner)};
    }

    /// Who leaves the nodes of a body alone.
    [[nodiscard]] ReasonCode bodyLeft() const
    {
        if (m_facts.target.quantizesBodies)
            return ReasonCode::InsideBody;
        return m_facts.target.likeNncf ? ReasonCode::InsideBodyLikeNncf : ReasonCode::InsideBodyOfProfile;
    }

    [[nodiscard]] WouldBe wayIntoBodies(const Node& owner) const
    {
        if (m_facts.target.quantizesBodies || !hasBodies(owner))
            return WouldBe::Nothing;
        if (!m_facts.target.likeNncf)
            return WouldBe::ConsideredOnOrtCpu;
        return m_facts.target.runsOnOrtCpu ? WouldBe::ConsideredLikeOrtCpu : WouldBe::ConsideredOnOrtCpuAlone;
    }

    [[nodiscard]] Decision outsideInference(NodeId id, OpIndex op) const
    {
        if (isQuantizer(m_model.node(id)))
            return ofFileQuantizer(id);
        if (m_file.isTableRead(m_model.node(id)))
            return ofFileTable(id);
        if (m_facts.graph.isShapeOnly[op])
            return unsupported(id, {ReasonCode::ShapeOnly});
        return unsupported(id, {ReasonCode::ConstantOnly});
    }

    Decision inGroup(NodeId id, const Vertex& vertex, const Decisions& known) const
    {
        const Op& first = m_facts.graph.ops[vertex.primary()];
        const std::uint16_t group = m_facts.patterns.of(*vertex.pattern);
        if (first.kind == OpKind::Input)
            return unmovedByRules(id,
                {.state = NodeState::Fused,
                    .reason = {.code = ReasonCode::WithInput, .value = first.value},
                    .group = group});
        const Decision& primary = known[first.node.index];
        const bool isBehindFileCodes = isQuantizer(m_model.node(first.node)) && m_facts.target.placesForOrtCpu;
        if (isBehindFileCodes || (primary.state == NodeState::Quantized && readsCodesOfItsGroup(id, vertex, known)))
            return unmovedByRules(id, behindCodesOfItsGroup(id, vertex, known));
        if (primary.state == NodeState::Quantized || primary.state == NodeState::WeightOnly)
            return unmovedByRules(id,
                {.state = NodeState::Fused,
                    .reason = {ReasonCode::WithNode},
                    .would = WouldBe::FloatWithoutFirst,
                    .group = group});
        if (isIgnored(primary.state) && !m_facts.hits.isCompressible(id))
            return ofRules(id);
        Decision decision = primary;
        decision.state = primary.state == NodeState::Ignored ? NodeState::IgnoredInherited : primary.state;
        decision.isOfGroup = true;
        decision.group = group;
        return decision;
    }

    [[nodiscard]] bool isQuantizedBehind(NodeId id) const { return m_places.results[id.index] != 0; }

    /// A quantizer stands between the node and those it would be computed together with, where ONNX Runtime runs the
    /// first one in int8 only so; what one reads that stands behind it is no longer theirs either.
    [[nodiscard]] bool readsCodesOfItsGroup(NodeId id, const Vertex& vertex, const Decisions& known) const
    {
        if (!m_facts.target.placesForOrtCpu)
            return false;
        return std::ranges::any_of(m_model.node(id).inputs, [&](ValueId value) {
            const NodeId producer = value.valid() ? m_model.value(value).producer : NodeId();
            if (!producer.valid()
                || std::ranges::find(vertex.ops, m_facts.graph.opOfNode[producer.index]) == vertex.ops.end())
                return false;
            const ReasonCode reason = known[producer.index].reason.code;
            return isQuantizedBehind(producer) || reason == ReasonCode::BehindCodes || reason == ReasonCode::MovesCodes;
        });
    }

    [[nodiscard]] Decision behindCodesOfItsGroup(NodeId id, const Vertex& vertex, const Decisions& known) const
    {
        if (movesData(m_facts.graph, id) && kindAt(id, 0) != QuantizedPlaces::None)
            return {NodeState::Quantized, {ReasonCode::MovesCodes}, WouldBe::FloatWithoutFirst};
        if (opFacts(m_model.node(id)).int8 == Int8Kernel::Own && readsCodesOnly(id) && isQuantizedBehind(id))
            return {NodeState::Quantized, {ReasonCode::BetweenQuantizers}, WouldBe::FloatWithoutFirst};
        return {stateBehindCodes(id, vertex, known), {ReasonCode::BehindCodes}};
    }

    /// As that of what it is computed together with behind the codes; else as its type wants.
    [[nodiscard]] NodeState stateBehindCodes(NodeId id, const Vertex& vertex, const Decisions& known) const
    {
        for (const OpIndex op : vertex.ops) {
            const Op& member = m_facts.graph.ops[op];
            const bool isBefore = member.kind == OpKind::Node && op < m_facts.graph.opOfNode[id.index];
            if (isBefore && known[member.node.index].reason.code == ReasonCode::BehindCodes)
                return known[member.node.index].state;
        }
        const Op& own = m_facts.graph.ops[m_facts.graph.opOfNode[id.index]];
        return own.traits.trait == Trait::NonQuantizable ? NodeState::Unsupported : NodeState::Blocked;
    }

    /// Of all that it computes with in float, constants among it, codes are made.
    [[nodiscard]] bool readsCodesOnly(NodeId id) const
    {
        const auto& inputs = m_model.node(id).inputs;
        for (std::uint32_t port = 0; port < inputs.size(); ++port) {
            const bool isFloat = inputs[port].valid() && mayBeFloat(m_model, inputs[port]);
            if (isFloat && kindAt(id, port) == QuantizedPlaces::None)
                return false;
        }
        return true;
    }

    [[nodiscard]] Decision ofPrimary(NodeId id, VertexIndex v, const Decisions& known) const
    {
        const Op& op = m_facts.graph.ops[m_facts.fused.vertices[v].primary()];
        const bool isNeverQuantized = op.traits.trait == Trait::NonQuantizable;
        switch (m_facts.floatScope.causes[v]) {
        case FloatCause::Rules:
            return isNeverQuantized ? notQuantizable(id, v) : ofRules(id);
        case FloatCause::Pattern:
            return ofPattern(*(*m_facts.floatScope.patterns)[m_facts.fused.vertices[v].primary()]);
        case FloatCause::TransformerType:
            return {NodeState::Preset, {ReasonCode::TransformerType}, WouldBe::QuantizedWithoutModelType};
        case FloatCause::Extreme:
            return ofContent(v, WouldBe::QuantizedIfFinite);
        case FloatCause::FrontEnd:
            return ofContent(v, WouldBe::QuantizedByPrecisionRule);
        case FloatCause::PostProcessing:
            return isNeverQuantized
                ? notQuantizable(id, v)
                : Decision{NodeState::Preset, {ReasonCode::PostProcessing}, WouldBe::QuantizedOffPostProcessing};
        case FloatCause::None:
            break;
        }
        if (m_file.runs(id, v, known))
            return unmovedByRules(id, {NodeState::Quantized, {ReasonCode::ReadsFileCodes}});
        if (m_file.isTableRead(m_model.node(id)))
            return ofFileTable(id);
        switch (op.traits.trait) {
        case Trait::NonQuantizable:
            return notQuantizable(id, v);
        case Trait::Agnostic:
        case Trait::Concat:
            return ofMovement(id, v);
        case Trait::InputsQuantizable:
            return ofComputation(id, v, known);
        case Trait::Embedding:
            return ofTable(id);
        }
        return {};
    }

    /// What the constants tell.
    [[nodiscard]] Decision ofContent(VertexIndex v, WouldBe would) const
    {
        return {NodeState::Preset, m_facts.floatScope.reasons->at(v), would};
    }

    [[nodiscard]] Decision ofPattern(const FusionPattern& pattern) const
    {
        return {NodeState::Preset, {.code = ReasonCode::FloatPattern, .pattern = m_facts.patterns.of(pattern)},
            WouldBe::QuantizedOutsidePattern};
    }

    // Rules

    [[nodiscard]] Decision ofRules(NodeId id) const
    {
        const int index = m_facts.hits.ignoredBy[id.index];
        if (index == RuleHits::kNoRule)
            return {NodeState::IgnoredInherited, {ReasonCode::NoTarget}, WouldBe::ConsideredIfTargeted};
        const RuleKind kind = m_facts.hits.hits[static_cast<std::size_t>(index)].rule.kind;
        if (kind == RuleKind::ExecutionScope || kind == RuleKind::StorageScope || kind == RuleKind::Class)
            return {NodeState::IgnoredInherited, {ReasonCode::ScopeCaughtByRule}, WouldBe::ConsideredWithoutRule};
        return {NodeState::Ignored, {ReasonCode::CaughtByRule}, WouldBe::ConsideredWithoutRule};
    }

    /// A decision that no rule changes, which says so of the one that ignores the node.
    [[nodiscard]] Decision unmovedByRules(NodeId id, Decision decision) const
    {
        decision.isUnmovedByRule = m_facts.hits.ignoredBy[id.index] != RuleHits::kNoRule;
        return decision;
    }

    // What is no matter of rules

    [[nodiscard]] Decision unsupported(NodeId id, DecisionReason reason, WouldBe would = WouldBe::Nothing) const
    {
        return unmovedByRules(id, {NodeState::Unsupported, reason, would});
    }

    [[nodiscard]] Decision ofFileQuantizer(NodeId id) const { return unsupported(id, {ReasonCode::IsFileQuantizer}); }

    [[nodiscard]] Decision notQuantizable(NodeId id, VertexIndex v) const
    {
        const Node& node = m_model.node(id);
        if (isQuantizer(node) || isAnyOf(node, {"DynamicQuantizeLinear"}))
            return ofFileQuantizer(id);
        if (worksOnCodes(node))
            return unmovedByRules(id, {NodeState::Quantized, {ReasonCode::ReadsFileCodes}});
        if (opFacts(node).form == ProductForm::Packed)
            return unmovedByRules(id, {NodeState::WeightOnly, {ReasonCode::ReadsFileCodes}});
        if (isBetweenQuantizers(v))
            return unmovedByRules(
                id, {NodeState::Quantized, {ReasonCode::BetweenQuantizers}, WouldBe::FloatIfNeighbourIgnored});
        const ReasonCode reason = floatOnlyReason(node, m_facts.target);
        if (reason != ReasonCode::None)
            return unsupported(id, {reason}, otherProfile(node));
        if (hasBodies(node))
            return unsupported(
                id, {m_facts.target.quantizesBodies ? ReasonCode::BodiesCompute : ReasonCode::BodiesStay});
        return unsupported(id, {ReasonCode::FloatOperator});
    }

    /// One that quantizes operators of this type; qnn takes what NNCF does not know.
    [[nodiscard]] WouldBe otherProfile(const Node& node) const
    {
        QuantizationSettings settings;
        settings.profile = Profile::OpenVino;
        const bool isNncfs = opTraits(m_model, node, targetOf(settings)).trait != Trait::NonQuantizable;
        return isNncfs ? WouldBe::QuantizedOnOpenVino : WouldBe::QuantizedOnQnn;
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

    /// Nothing if a float32 value is read; else what stands against quantizing it.
    [[nodiscard]] std::optional<DecisionReason> typeReason(const Vertex& vertex) const
    {
        DecisionReason reason{ReasonCode::NoData};
        for (const InputIndex index : vertex.in) {
            const FusedInput& input = m_facts.fused.inputs[index];
            if (!input.isInteger)
                return std::nullopt;
            const ElementType type = m_model.value(m_facts.graph.edges[input.edge].value).type.element;
            if (isOtherFloat(type))
                return DecisionReason{.code = ReasonCode::OtherFloatType, .type = type};
            const bool isKnown = type != ElementType::Undefined;
            reason = {.code = isKnown ? ReasonCode::OtherType : ReasonCode::UnknownType, .type = type};
        }
        return reason;
    }

    [[nodiscard]] Decision ofMovement(NodeId id, VertexIndex v) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        if (const auto type = typeReason(vertex))
            return ofType(id, vertex, *type);
        const bool readsCodes = countQuantizedInputs(vertex) > 0;
        const bool givesThem = handsCodesOn(m_facts.graph, m_places, id, m_facts.target.placesForOrtCpu);
        if (readsCodes && givesThem)
            return {NodeState::Quantized, {ReasonCode::MovesCodes}, WouldBe::FloatIfIgnored};
        if (!givesThem && (readsCodes || m_file.isRead(vertex)))
            return {NodeState::Blocked, {ReasonCode::NotReadInInt8}, WouldBe::QuantizedIfReadersAre};
        return {NodeState::Blocked, {ReasonCode::MovesUnwanted}, WouldBe::QuantizedIfReadersAre};
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

    [[nodiscard]] Decision ofComputation(NodeId id, VertexIndex v, const Decisions& known) const
    {
        const Vertex& vertex = m_facts.fused.vertices[v];
        const bool hasWeights = !weightPorts(id).empty();
        if (!hasWeights && countQuantizedInputs(vertex) == 0 && m_file.isRead(vertex))
            return besideFileCodes(id, v, known);
        const DecisionReason& profileReason = m_facts.trace.floatReasons[id.index];
        if (profileReason.code != ReasonCode::None)
            return {hasWeights ? NodeState::WeightOnly : NodeState::Blocked, profileReason, profileWish(id)};
        const auto type = typeReason(vertex);
        if (type && !hasWeights)
            return m_file.hasWeights(id) ? Decision{NodeState::WeightOnly, {ReasonCode::ReadsFileCodes}}
                                         : ofType(id, vertex, *type);
        if (countQuantizedInputs(vertex) > 0)
            return {.state = NodeState::Quantized,
                .reason = {hasWeights ? ReasonCode::InputsAndWeights : ReasonCode::InputsOnly},
                .would = WouldBe::FloatByRule,
                .runsOnWideCodes = runsOnWideCodes(id)};
        if (hasWeights)
            return {NodeState::WeightOnly, type.value_or(DecisionReason{ReasonCode::WeightsOnly}),
                WouldBe::InputsQuantizedInFloat32};
        if (vertex.in.size() == 1 && (vertex.traits.roles & role::kElementwise) != 0)
            return {NodeState::Blocked, {ReasonCode::ConstantOperand}, WouldBe::QuantizedIfAroundWere};
        return {NodeState::Blocked, {ReasonCode::InputsInFloat}, WouldBe::QuantizedIfInputsAre};
    }

    /// More than eight bits, for which ONNX Runtime's CPU provider has no kernel.
    [[nodiscard]] bool runsOnWideCodes(NodeId id) const
    {
        return m_facts.target.runsOnOrtCpu
            && (wantsWideWeights(id) || readsMoreThanEightBits(m_places.bits, m_facts.graph.ports, id));
    }

    [[nodiscard]] bool wantsWideWeights(NodeId id) const
    {
        const std::uint32_t of = m_facts.hits.precisionOf.empty() ? 0 : m_facts.hits.precisionOf[id.index];
        return of != 0 && m_facts.hits.precisions[of - 1].weights.numBits.value_or(8) > 8;
    }

    [[nodiscard]] bool givesOutput(NodeId id) const
    {
        const ValueId result = m_facts.graph.ports.result(id);
        return result.valid() && m_model.value(result).isOutput;
    }

    /// What would change a decision of the profile.
    [[nodiscard]] WouldBe profileWish(NodeId id) const
    {
        if (givesOutput(id))
            return isBodyOutput(m_model, m_model.node(id).outputs.front()) ? WouldBe::Nothing
                                                                           : WouldBe::QuantizedWithOutputs;
        return WouldBe::QuantizedIfNeighboursWere;
    }

    [[nodiscard]] Decision ofType(NodeId id, const Vertex& vertex, const DecisionReason& reason) const
    {
        const bool isReduced = std::any_of(vertex.in.begin(), vertex.in.end(), [&](InputIndex index) {
            return isOtherFloat(
                m_model.value(m_facts.graph.edges[m_facts.fused.inputs[index].edge].value).type.element);
        });
        return unsupported(id, reason, isReduced ? WouldBe::QuantizedInFloat32 : WouldBe::Nothing);
    }

    [[nodiscard]] Decision ofFileTable(NodeId id) const
    {
        const bool givesCodes = m_file.isGivenInCodes(id);
        return unmovedByRules(
            id, {givesCodes ? NodeState::Quantized : NodeState::WeightOnly, {ReasonCode::ReadsFileCodes}});
    }

    /// It reads codes of the file, which are made numbers for it again where ONNX Runtime runs it.
    [[nodiscard]] Decision besideFileCodes(NodeId id, VertexIndex v, const Decisions& known) const
    {
        if (!m_facts.target.placesForOrtCpu)
            return {NodeState::Quantized, {ReasonCode::ReadsFileCodes}};
        ReasonCode reason = givesOutput(id) ? ReasonCode::ModelOutput : ReasonCode::NotReadInInt8;
        if (!m_file.readsCodesOnly(id, v, known))
            reason = m_file.hasWeights(id) ? ReasonCode::InputInFloat : ReasonCode::OneInputInFloat;
        else if (opFacts(m_model.node(id)).int8 == Int8Kernel::None)
            reason = ReasonCode::NoInt8Kernel;
        return {m_file.hasWeights(id) ? NodeState::WeightOnly : NodeState::Blocked, {reason}};
    }

    [[nodiscard]] Decision ofTable(NodeId id) const
    {
        if (weightPorts(id).empty())
            return {NodeState::Blocked, {ReasonCode::NoTableOfItsOwn}};
        if (m_places.results[id.index] != 0)
            return {NodeState::Quantized, {ReasonCode::TableAndRows}, WouldBe::FloatByRule};
        return {NodeState::WeightOnly, {ReasonCode::TableOnly}, WouldBe::FloatByRule};
    }

    const DecisionFacts& m_facts;
    const Model& m_model;
    const QuantizedPlaces& m_places;
    FileCodes m_file;
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
