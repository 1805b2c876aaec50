// SPDX-License-Identifier: Apache-2.0
#include "core/content/read_tensors.h"

#include "core/content/telling.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::size_t kMostOrigins = 16;

struct Origin {
    TensorId tensor;
    ValueId named;
};

/// A value made of constants only. Not constant: not in the map.
using Origins = std::vector<Origin>;

class Follower
{
public:
    explicit Follower(const Model& model)
        : m_model(model)
    {
    }

    std::vector<ReadTensor> run()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            if (m_model.values[v].initializer.valid())
                start(ValueId(v), m_model.values[v].initializer);
        }
        for (const NodeId id : m_model.order)
            visit(id);
        std::vector<ReadTensor> result;
        for (auto& [tensor, read] : m_reads) {
            if (read.uses.empty())
                continue;
            std::ranges::sort(read.uses, [](const TensorUse& a, const TensorUse& b) {
                return std::pair(a.reader, a.port) < std::pair(b.reader, b.port);
            });
            result.push_back(std::move(read));
        }
        return result;
    }

private:
    void start(ValueId value, TensorId tensor)
    {
        m_origins[value.index] = {};
        if (!hasAllBytes(m_model.tensor(tensor)) || m_model.tensor(tensor).bytes().empty())
            return;
        m_origins[value.index].push_back({tensor, value});
        m_reads[tensor] = ReadTensor{tensor, value, {}, {}};
    }

    void visit(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.isCall)
            return;
        if (node.opType == "Constant" && node.inputs.empty()) {
            const Attribute* value = node.attribute("value");
            if (value != nullptr && std::holds_alternative<TensorId>(value->value) && node.outputs.size() == 1)
                start(node.outputs[0], std::get<TensorId>(value->value));
            return;
        }
        const bool isConstant = std::ranges::all_of(
            node.inputs, [&](ValueId input) { return !input.valid() || m_origins.contains(input.index); });
        if (isConstant && !node.inputs.empty() && passesTensor(node, 0))
            passOn(id, node);
        else
            use(id, node);
    }

    void passOn(NodeId id, const Node& node)
    {
        Origins all;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (!node.inputs[port].valid() || !passesTensor(node, port))
                continue;
            for (Origin origin : m_origins.at(node.inputs[port].index)) {
                if (node.opType == "DequantizeLinear" && !m_reads.at(origin.tensor).dequantizer.valid())
                    m_reads.at(origin.tensor).dequantizer = id;
                if (node.opType == "Identity" && isNameOf(origin, node.inputs[port]))
                    origin.named = node.outputs[0];
                all.push_back(origin);
            }
        }
        if (all.size() > kMostOrigins)
            all.clear();
        for (const ValueId output : node.outputs) {
            if (output.valid())
                m_origins[output.index] = all;
        }
    }

    /// The value is the stored one, or what a quantizer's integers stand for.
    bool isNameOf(const Origin& origin, ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return origin.named == value || (producer.valid() && producer == m_reads.at(origin.tensor).dequantizer);
    }

    void use(NodeId id, const Node& node)
    {
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (!node.inputs[port].valid())
                continue;
            const auto found = m_origins.find(node.inputs[port].index);
            if (found == m_origins.end())
                continue;
            for (const Origin& origin : found->second)
                m_reads.at(origin.tensor).uses.push_back({id, static_cast<std::uint32_t>(port), origin.named});
        }
    }

    const Model& m_model;
    std::unordered_map<std::uint32_t, Origins> m_origins; // by value; only looked up
    std::map<TensorId, ReadTensor> m_reads;
};

} // namespace

bool passesTensor(const Node& node, std::size_t port)
{
    const Passing passing = passingOf(node);
    return passing == Passing::Arithmetic || (passing == Passing::Layout && port == 0);
}

std::vector<ReadTensor> readTensors(const Model& model)
{
    return Follower(model).run();
}

} // namespace duo
