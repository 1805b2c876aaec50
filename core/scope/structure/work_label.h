// SPDX-License-Identifier: Apache-2.0
// WorkLabel: what kind of work a node does, told apart from how wide it is and what it is called.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace duo {

/// Joins a number to a hash. Hashes are the same on every machine, as names and orders follow from them.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t number)
{
    hash = (hash ^ (number + 0x9E3779B97F4A7C15ULL)) * 0xFF51AFD7ED558CCDULL;
    return hash ^ (hash >> 32);
}

/// Values that hold the same whatever the data are: tensors of the file, and what is computed from them or from shapes.
class ConstantValues
{
public:
    explicit ConstantValues(const Model& model);
    [[nodiscard]] bool isConstant(ValueId value) const { return m_isConstant[value.index]; }
    [[nodiscard]] bool isConstantNode(NodeId node) const { return m_isConstantNode[node.index]; }
    /// The tensor that a constant value is made of first; null where it comes of shapes.
    [[nodiscard]] const Tensor* source(ValueId value) const { return m_source[value.index]; }

private:
    void follow(const Model& model, NodeId id);

    std::vector<bool> m_isConstant; // [values]
    std::vector<bool> m_isConstantNode; // [nodes]
    std::vector<const Tensor*> m_source; // [values]
};

struct WorkLabel {
    std::uint64_t hash = 0; // operator, kernel, which inputs are constant
    bool isHeavy = false; // works with a weight matrix
    bool isApart = false; // begins something of its own: pooling, cutting, joining along an axis
    bool isReduction = false; // pooling, unless more is made of its input: then a norm
    bool hasTensor = false; // reads a constant that is more than a number
    bool takesMany = false; // any number of inputs of one kind: Concat
};

WorkLabel workLabel(const Model& model, const ConstantValues& constants, NodeId id);

/// A convolution whose channels do not mix.
bool isGrouped(const Node& node);

} // namespace duo
