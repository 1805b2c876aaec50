// SPDX-License-Identifier: Apache-2.0
// GraphBuilder: nodes, values and bodies of an exported program, in a draft of a Model.
#pragma once

#include "core/formats/pt2/exported_program.h"
#include "core/model/model.h"

#include <string>
#include <unordered_map>

namespace duo {

using NamedValues = std::unordered_map<std::string, ValueId>;

class GraphBuilder
{
public:
    explicit GraphBuilder(Model& draft)
        : m_draft(draft)
    {
    }

    /// Adds the main graph. Operators become nodes: opType is the target without `torch.ops.`, the domain "torch.ops"
    /// (for functions of Python the module, "_operator"); tensors and symbolic numbers they read are inputs, lists
    /// flattened; everything else is an attribute. Bodies of higher-order operators are regions: an operand that stays
    /// the same in every run of the body is read there directly and is no input of the operator, as in ONNX.
    /// @param placed names that have a value already: parameters, buffers, constants
    /// @return MalformedModel: a value is defined twice; Unsupported: bodies deeper than 32
    Status addMain(const ExportGraph& graph, const NamedValues& placed);

private:
    Status addGraph(const ExportGraph& graph, RegionId region, NamedValues names, int depth);
    Status addNode(const ExportNode& node, RegionId region, std::size_t index, std::vector<ValueId> outputs,
        const NamedValues& names, int depth);
    Status addBodies(const ExportNode& node, NodeId owner, const NamedValues& names, int depth);
    Result<std::vector<ValueId>> defineOutputs(
        const ExportGraph& graph, const ExportNode& node, RegionId region, NamedValues& names);
    ValueId addValue(const std::string& name, const ExportGraph& graph, RegionId region);
    ValueId find(const std::string& name, const NamedValues& names, const ExportNode& reader);

    Model& m_draft;
    bool m_hasUndefined = false;
};

} // namespace duo
