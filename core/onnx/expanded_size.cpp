// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/expanded_size.h"

#include "core/onnx/expansion_budget.h"

#include <algorithm>

namespace duo {
namespace {

class Counter
{
public:
    Counter(const FunctionTable& functions, std::int64_t limit)
        : m_functions(functions)
        , m_limit(limit)
    {
    }

    template <typename NodeList> std::int64_t count(const NodeList& nodes, int nesting)
    {
        std::int64_t total = 0;
        for (const auto& node : nodes) {
            total = capped(total + 1);
            if (const auto* function = m_functions.calledBy(node); function != nullptr)
                total = capped(total + countCall(*function, nesting));
            else
                total = capped(total + countBodies(node, nesting));
        }
        return total;
    }

private:
    [[nodiscard]] std::int64_t capped(std::int64_t nodes) const { return std::min(nodes, m_limit + 1); }

    std::int64_t countBodies(const onnx::NodeProto& node, int nesting)
    {
        std::int64_t total = 0;
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g())
                total = capped(total + count(attribute.g().node(), nesting + 1));
            for (const auto& graph : attribute.graphs())
                total = capped(total + count(graph.node(), nesting + 1));
        }
        return total;
    }

    std::int64_t countCall(const onnx::FunctionProto& function, int nesting)
    {
        // Zero while it is being counted: a recursive call.
        const auto [known, isNew] = m_counts.try_emplace(&function, 0);
        if (!isNew || nesting > ExpansionBudget::kMaxNesting)
            return known->second;
        const std::int64_t nodes = count(function.node(), nesting + 1);
        m_counts[&function] = nodes;
        return nodes;
    }

    const FunctionTable& m_functions;
    std::int64_t m_limit;
    std::unordered_map<const onnx::FunctionProto*, std::int64_t> m_counts;
};

} // namespace

std::int64_t expandedNodes(const onnx::GraphProto& graph, const FunctionTable& functions, std::int64_t limit)
{
    return Counter(functions, limit).count(graph.node(), 0);
}

} // namespace duo
