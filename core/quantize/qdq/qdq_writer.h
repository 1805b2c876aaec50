// SPDX-License-Identifier: Apache-2.0
// QdqWriter: the state shared while QDQ edits are built: names, the growing edit list, dequantized values.
#pragma once

#include "core/quantize/points/batch_norm.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/profile_rules.h"
#include "core/quantize/qdq/edit_names.h"
#include "core/quantize/qdq/qdq_edits.h"

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
        const Decisions& decisions, const ProfileRules& rules, const BiasShifts& shifts);

    Status writeActivations();
    Status writeWeights(); // after activations: biases need the scales of both
    void keepIgnoredInFloat(); // inputs of ignored products; their outputs are done with the activations
    void removeUnread();
    [[nodiscard]] QdqEdits take() { return std::move(m_result); }

private:
    struct Pair { // one QuantizeLinear/DequantizeLinear pair in the file
        QuantizationParameters parameters;
        std::string dequantized;
    };

    struct StoredWeight { // an 8-bit initializer in the file and its dequantized value
        QuantizationParameters parameters;
        std::string quantized;
        std::string dequantized;
        std::vector<float> fold{}; // scale of the batch norm folded in
    };

    Status writeOutputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    void writeModelInput(PointId id, ValueId value, const QuantizationParameters& parameters);
    Status writeInputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    void addPair(PointId id, ValueId value, const ActivationNames& names, const QuantizationParameters& parameters);
    void addParameters(
        PointId id, const QuantizationParameters& parameters, std::string& scale, std::string& zeroPoint);
    static std::vector<Attribute> axisAttribute(const QuantizationParameters& parameters);
    std::string zeroPointOf(const QuantizationParameters& parameters);
    ActivationNames namesBehind(
        PointId id, ValueId value); // of a value that keeps its name and is read through its quantizer
    std::string domainFor(ElementType type); // of QuantizeLinear and DequantizeLinear; imported from then on
    [[nodiscard]] bool needsBarrier(ValueId value) const;
    [[nodiscard]] bool staysFloat(NodeId node) const;
    std::string addBarrier(const std::string& input, ValueId value, NodeId anchor, bool after);
    [[nodiscard]] NodeId mainNode(NodeId node) const;

    Status writeWeight(PointId id, const QuantizationPoint& point);
    Result<StoredWeight> storeWeight(
        PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters);
    Status writeBias(NodeId node, const QuantizationParameters& weight);
    void writeInt32Bias(const BiasPort& place, const std::vector<float>& values, const QuantizationParameters& weight,
        float inputScale);
    [[nodiscard]] std::string biasName(const BiasPort& place) const;
    std::string addFloats(const std::string& wanted, std::vector<std::int64_t> dims, const std::vector<float>& values);
    void foldNorm(NodeId conv, const FoldedNorm& norm);
    void rewire(NodeId node, std::uint32_t port, const std::string& value);
    [[nodiscard]] bool isDequantized(NodeId node, std::uint32_t port) const;

    const Model& m_model;
    const QuantizerSetup& m_setup;
    const ParametersByPoint& m_parameters;
    const Decisions& m_decisions;
    ProfileRules m_rules;
    const BiasShifts& m_shifts;
    PointIndex m_index;
    EditNames m_names;
    QdqEdits m_result;
    std::map<ValueId, std::vector<Pair>> m_pairs;
    std::map<std::tuple<ElementType, bool, std::vector<std::int32_t>>, std::string> m_zeroPoints; // per axis or not
    std::multimap<ValueId, StoredWeight> m_weights; // by the value read, so that a shared weight is stored once
    std::set<NodeId> m_foldedNorms;
    std::set<std::pair<NodeId, std::uint32_t>> m_rewired;
};

} // namespace duo
