// SPDX-License-Identifier: Apache-2.0
// QdqWriter: the state shared while QDQ edits are built: names, the growing edit list, dequantized values.
#pragma once

#include "core/quantize/edits/edit_place.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/weights.h"
#include "core/transform/edit_names.h"
#include "core/transform/known_ranks.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace duo {

class QdqWriter
{
public:
    QdqWriter(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
        const Decisions& decisions, const Target& target, const BiasShifts& shifts, EditList passed);

    void partSums(); // before activations, which stand behind the sums
    Status writeActivations();
    Status writeWeights(); // after activations: biases need the scales of both
    void keepIgnoredInFloat(); // inputs of what is ignored; its outputs are done with the activations
    void keepProductsInInt8(); // after weights, whose biases decide of it
    void shieldCapturedMoves();
    void removeUnread();
    [[nodiscard]] QdqEdits take() { return std::move(m_result); }

private:
    static constexpr std::uint32_t kAddedPort = 2; // of a Gemm

    struct Pair { // one QuantizeLinear/DequantizeLinear pair in the file
        QuantizationParameters parameters;
        std::string dequantized;
    };

    struct CodeNames {
        std::string codes;
        std::string scale;
        std::string zeroPoint;
    };

    struct StoredWeight { // an 8-bit initializer in the file and its dequantized values
        QuantizationParameters parameters;
        std::size_t codes = 0; // index into EditList::newTensors
        std::map<RegionId, CodeNames> names{}; // in each graph that reads it: fusions stay inside one
        std::map<std::pair<RegionId, NodeId>, std::string> dequantized{}; // by the node that has it alone, or no node
        std::vector<float> fold{}; // scale of the batch norm folded in
        ElementType floats = ElementType::Float32; // that its readers compute in
    };

    Status writeOutputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    void writeModelInput(PointId id, ValueId value, const QuantizationParameters& parameters);
    Status writeInputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    void addPair(PointId id, ValueId value, RegionId region, const ActivationNames& names,
        const QuantizationParameters& parameters);
    /// Scale and zero point, in the graph of the quantizer that reads them. @param dims of both
    /// @param floats type of the scale, and so of what is dequantized
    std::pair<std::string, std::string> addParameters(PointId id, const QuantizationParameters& parameters,
        const std::vector<std::int64_t>& dims, RegionId region, ElementType floats = ElementType::Float32);
    static std::vector<Attribute> axisAttributes(const QuantizationParameters& parameters);
    std::string zeroPointOf(
        const QuantizationParameters& parameters, const std::vector<std::int64_t>& dims, RegionId region);
    ActivationNames namesBehind(
        PointId id, ValueId value); // of a value that keeps its name and is read through its quantizer
    std::string domainFor(ElementType type); // of QuantizeLinear and DequantizeLinear; imported from then on
    [[nodiscard]] bool needsBarrier(ValueId value, RegionId region) const;
    [[nodiscard]] bool staysFloat(NodeId node) const;
    std::string addBarrier(const std::string& input, ValueId value, const NewNode& place);
    [[nodiscard]] NewNode placeBehind(ValueId value, RegionId region) const;
    [[nodiscard]] RegionId regionOf(NodeId node) const { return m_model.node(outsideCalls(m_model, node)).region; }
    [[nodiscard]] bool isInsideCall(NodeId node) const { return outsideCalls(m_model, node) != node; }
    void addNode(const NewNode& place, std::string name, std::string opType, std::string domain,
        std::vector<std::string> inputs, std::vector<std::string> outputs, std::vector<Attribute> attributes);

    Status writeWeight(PointId id, const QuantizationPoint& point);
    const CodeNames& codesIn(RegionId region, PointId id, StoredWeight& weight);
    const std::string& dequantizedIn(RegionId region, NodeId alone, PointId id, StoredWeight& weight);
    Result<StoredWeight> storeWeight(
        PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    Status writeBias(NodeId node, const QuantizationParameters& weight);
    void writeInt32Bias(const BiasPort& place, const std::vector<float>& values, const QuantizationParameters& weight,
        float inputScale);
    [[nodiscard]] std::string biasName(const BiasPort& place) const;
    [[nodiscard]] std::vector<std::int64_t> biasDims(const BiasPort& place, std::size_t channels) const;
    std::string addFloats(const std::string& wanted, std::vector<std::int64_t> dims, const std::vector<float>& values,
        RegionId region = RegionId(0), ElementType type = ElementType::Float32);
    void partSum(NodeId gemm);
    [[nodiscard]] bool isDequantizedProduct(NodeId node) const;
    [[nodiscard]] bool clampsInFloat(NodeId product) const;
    [[nodiscard]] bool clampsWithinCodes(NodeId product) const;
    [[nodiscard]] bool isAddedInFloat(NodeId product) const;
    [[nodiscard]] bool partsReaders(ValueId value, const ActivationNames& names) const;
    [[nodiscard]] bool endsProduct(NodeId node) const;
    [[nodiscard]] bool movesToBody(NodeId node) const;
    [[nodiscard]] bool movesDequantized(NodeId node) const;
    [[nodiscard]] bool isIgnoredProduct(NodeId id) const;
    [[nodiscard]] bool isIgnoredMove(NodeId id) const;
    [[nodiscard]] std::string nameRead(NodeId node, std::uint32_t port) const; // by the edits so far
    void rewire(NodeId node, std::uint32_t port, const std::string& value);
    void renameOutput(NodeId node, std::uint32_t port, const std::string& name);
    [[nodiscard]] bool isDequantized(NodeId node, std::uint32_t port) const;

    const Model& m_model;
    const QuantizerSetup& m_setup;
    const ParametersByPoint& m_parameters;
    const Decisions& m_decisions;
    Target m_target;
    const BiasShifts& m_shifts;
    PointIndex m_index;
    KnownRanks m_ranks;
    EditNames m_names;
    QdqEdits m_result;
    std::map<std::pair<ValueId, RegionId>, std::vector<Pair>> m_pairs; // by graph that reads it
    /// By graph, type, dimensions and numbers.
    std::map<std::tuple<RegionId, ElementType, std::vector<std::int64_t>, std::vector<std::int32_t>>, std::string>
        m_zeroPoints;
    std::multimap<ValueId, StoredWeight> m_weights; // by the value read, so that a graph stores a shared weight once
    /// Outputs that passes gave to other nodes: index into EditList::outputs, by graph and name in the model.
    std::map<std::pair<RegionId, std::string>, std::size_t> m_movedOutputs;
    std::map<NodeId, std::size_t> m_sums; // of a Gemm taken apart, its Add: index into EditList::newNodes
    std::set<std::pair<NodeId, std::uint32_t>> m_rewired;
};

} // namespace duo
