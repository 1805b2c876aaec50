// SPDX-License-Identifier: Apache-2.0
#include "core/transform/even_groups.h"

#include "core/support/disjoint_sets.h"
#include "core/transform/node_key.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

class Groups
{
public:
    Groups(const Model& model, const std::vector<NodeId>& nodes, const std::vector<std::int64_t>& bytes,
        std::int64_t small)
        : m_model(model)
        , m_nodes(nodes)
        , m_bytes(bytes)
        , m_small(small)
        , m_isOne(model.nodes.size())
        , m_groups(model.nodes.size())
        , m_growth(model.nodes.size())
    {
        for (const NodeId id : nodes)
            m_isOne[id.index] = true;
    }

    std::vector<bool> find()
    {
        join();
        countConstants();
        countResults();
        std::vector<bool> isEven(m_model.nodes.size());
        for (const NodeId id : m_nodes)
            isEven[id.index] = m_growth[m_groups.of(id.index)] <= m_small;
        return isEven;
    }

private:
    [[nodiscard]] bool isGivenByOne(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() && m_isOne[producer.index];
    }

    void join()
    {
        for (const NodeId id : m_nodes) {
            for (const ValueId input : m_model.node(id).inputs) {
                if (!input.valid())
                    continue;
                if (isGivenByOne(input))
                    m_groups.join(id.index, m_model.value(input).producer.index);
                else if (m_bytes[input.index] > m_small)
                    m_groups.join(id.index, m_readers.emplace(input.index, id).first->second.index);
            }
        }
    }

    [[nodiscard]] bool isReadByOthers(ValueId id) const
    {
        const Value& value = m_model.value(id);
        return value.isOutput
            || !std::ranges::all_of(value.uses, [this](const Use& use) { return m_isOne[use.node.index]; });
    }

    void countConstants()
    {
        for (const auto& [value, reader] : m_readers) {
            if (!isReadByOthers(ValueId(value)))
                m_growth[m_groups.of(reader.index)] -= m_bytes[value];
        }
    }

    void countResults()
    {
        std::unordered_set<std::string> counted;
        for (const NodeId id : m_nodes) {
            const Node& node = m_model.node(id);
            const std::string key = keyOf(id);
            for (std::size_t port = 0; port < node.outputs.size(); ++port) {
                const ValueId output = node.outputs[port];
                if (!output.valid())
                    continue;
                const std::string made = key + "#" + std::to_string(port);
                m_number[output.index] = m_numbers.emplace(made, m_numbers.size()).first->second;
                if (isReadByOthers(output) && counted.insert(made).second)
                    m_growth[m_groups.of(id.index)] += m_bytes[output.index];
            }
        }
    }

    /// Equal for what is computed the same way of the same constants.
    std::string keyOf(NodeId id)
    {
        const Node& node = m_model.node(id);
        std::string key = node.opType;
        for (const ValueId input : node.inputs)
            key += "," + (input.valid() ? std::to_string(numberOf(input)) : std::string());
        key += "|";
        return addAttributes(key, node) ? key : "node " + std::to_string(id.index);
    }

    std::size_t numberOf(ValueId value)
    {
        if (const auto known = m_number.find(value.index); known != m_number.end())
            return known->second;
        const std::size_t number = m_numbers.emplace(contentOf(value), m_numbers.size()).first->second;
        m_number.emplace(value.index, number);
        return number;
    }

    /// Of a constant; large ones are taken for different ones.
    [[nodiscard]] std::string contentOf(ValueId value) const
    {
        const Tensor* tensor = m_model.constant(value);
        if (tensor == nullptr || m_bytes[value.index] > m_small)
            return "value " + std::to_string(value.index);
        std::string content = "content " + std::to_string(static_cast<int>(tensor->type));
        for (const std::int64_t dim : tensor->dims)
            content += " " + std::to_string(dim);
        const auto bytes = tensor->bytes();
        return content + ":" + std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    const Model& m_model;
    const std::vector<NodeId>& m_nodes;
    const std::vector<std::int64_t>& m_bytes;
    std::int64_t m_small;
    std::vector<bool> m_isOne; // [nodes] of m_nodes
    DisjointSets m_groups; // of nodes
    std::vector<std::int64_t> m_growth; // [nodes] of the group that it stands for, bytes
    std::unordered_map<std::uint32_t, NodeId> m_readers; // constants that hold groups together: the first reader
    std::unordered_map<std::string, std::size_t> m_numbers; // of what is computed, or held
    std::unordered_map<std::uint32_t, std::size_t> m_number; // by value
};

} // namespace

std::vector<bool> inEvenGroups(
    const Model& model, const std::vector<NodeId>& nodes, const std::vector<std::int64_t>& bytes, std::int64_t small)
{
    return Groups(model, nodes, bytes, small).find();
}

} // namespace duo
