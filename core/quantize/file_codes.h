// SPDX-License-Identifier: Apache-2.0
// FileCodes: what runs on codes that the file holds already, as an export of this program or of another tool does.
#pragma once

#include "core/quantize/decisions.h"

namespace duo {

class FileCodes
{
public:
    explicit FileCodes(const DecisionFacts& facts) // must outlive this
        : m_facts(facts)
        , m_model(facts.model)
    {
    }

    /// All data that the first node of a vertex reads are codes of the file, nothing is placed at it, and it has a
    /// kernel for them: for ort-cpu those that ONNX Runtime was seen to take (resources/docs/runtime.md).
    /// `known`: the decisions of all nodes before it.
    [[nodiscard]] bool runs(NodeId id, VertexIndex v, const Decisions& known) const;
    /// The same without asking for the kernel; constants in float beside the data count, biases do not.
    [[nodiscard]] bool readsCodesOnly(NodeId id, VertexIndex v, const Decisions& known) const;

    [[nodiscard]] bool isRead(const Vertex& vertex) const; // a DequantizeLinear of the file gives some of its data
    [[nodiscard]] bool hasWeights(NodeId id) const; // a DequantizeLinear of the file gives them
    [[nodiscard]] bool isTableRead(const Node& node) const; // of which it gives rows
    [[nodiscard]] bool isGivenInCodes(NodeId id) const; // all that read its first output make codes of it, moved or not

private:
    [[nodiscard]] bool isCode(NodeId reader, ValueId value, const Decisions& known) const;
    [[nodiscard]] bool areDataCodes(NodeId id, VertexIndex v, const Decisions& known) const;
    [[nodiscard]] bool isPlacedAt(NodeId id) const;
    [[nodiscard]] bool computesOnCodes(NodeId id) const;
    [[nodiscard]] bool movesOnCodes(NodeId id) const;
    [[nodiscard]] bool goIntoCodes(ValueId value) const;

    const DecisionFacts& m_facts;
    const Model& m_model;
};

/// In any width, or of a type that is not known.
bool mayBeFloat(const Model& model, ValueId value);

} // namespace duo
