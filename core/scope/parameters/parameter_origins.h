// SPDX-License-Identifier: Apache-2.0
// Where the constants in a graph come from: each value made of parameters only is followed back to them.
#pragma once

#include "core/content/content_matches.h"
#include "core/model/held_tensors.h"
#include "core/scope/facts/parameters.h"

#include <span>
#include <vector>

namespace duo {

/// One parameter that a constant value is made of.
struct ParameterOrigin {
    std::int32_t key = kNoKey; // kNoKey: it has lost its name
    TensorId tensor; // in the file
    bool isRenamed = false;
    bool isEqualValues = false;
    bool operator==(const ParameterOrigin&) const = default;
};

class ParameterOrigins
{
public:
    /// O(nodes + uses). A value made of more than 16 parameters is no longer followed.
    /// @param matches tensors whose owner is a fact in there are parameters, whatever they are called; may be null
    ParameterOrigins(const Model& model, const Parameters& parameters, const ContentMatches* matches);

    /// Empty if the input is no parameter: data, an index, a shape, a scale of a quantizer, an omitted input. An
    /// Identity alias reads the parameter that it names, not the one it takes the values from.
    [[nodiscard]] std::span<const ParameterOrigin> atPort(const Node& node, std::size_t port) const;
    /// Keys that the exporter's record says were folded into a tensor of the file.
    [[nodiscard]] const std::vector<std::int32_t>& foldedKeys() const { return m_folded; }

private:
    [[nodiscard]] bool isFoundByContent(TensorId tensor) const;
    void addTensor(const Model& model, const Parameters& parameters, ValueId id, TensorId tensor);
    void follow(const Model& model, const Parameters& parameters, const Node& node);
    void set(ValueId id, std::vector<ParameterOrigin> origins);
    void merge(std::vector<ParameterOrigin>& into, std::int32_t source) const;
    void setAlias(const Model& model, const Parameters& parameters, const Node& node);

    const ContentMatches* m_matches;
    std::vector<std::int32_t> m_originOf; // [values] index into m_origins, or a mark
    std::vector<std::vector<ParameterOrigin>> m_origins;
    std::vector<std::int32_t> m_folded;
    std::unordered_map<const Node*, std::int32_t> m_aliases; // index into m_origins
};

} // namespace duo
