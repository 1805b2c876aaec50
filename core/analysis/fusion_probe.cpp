// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/fusion_probe.h"

#include "core/analysis/optimized_graph.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

constexpr int kMaxSteps = 4; // operators a kernel may have swallowed behind the node: bias Add, Relu, Clip

class Finder
{
public:
    Finder(const Model& original, const QdqEdits& edits, const Model& optimized)
        : m_original(original)
        , m_edits(edits)
        , m_optimized(optimized)
    {
    }

    [[nodiscard]] NodeKernel kernelOf(NodeId id) const
    {
        const Node& node = m_original.node(id);
        if (node.outputs.empty() || !node.outputs[0].valid())
            return {};
        ValueId value = node.outputs[0];
        if (const auto product = m_edits.products.find(id); product != m_edits.products.end()) {
            const Node* producer = computing(value, product->second);
            return producer == nullptr ? NodeKernel{} : NodeKernel{kernelAs(*producer), producer->opType};
        }
        for (int step = 0; step < kMaxSteps; ++step) {
            if (const auto found = producerOf(value, !has(node, mark::kReshapes)))
                return *found;
            if (const Node* same = step == 0 && hasInt8Product(node) ? named(node.name) : nullptr)
                return {kernelAs(*same), same->opType};
            const Value& current = m_original.value(value);
            if (current.uses.size() != 1)
                break;
            const Node& reader = m_original.node(current.uses[0].node);
            if (reader.outputs.size() != 1 || !reader.outputs[0].valid())
                break;
            value = reader.outputs[0];
        }
        return {};
    }

private:
    static Kernel kernelAs(const Node& producer) { return worksOnCodes(producer) ? Kernel::Int8 : Kernel::Float; }

    /// ONNX Runtime keeps the name of a product that it puts another operator in the place of, but not always those of
    /// values: signed codes that it makes unsigned ones of are called anew.
    [[nodiscard]] const Node* named(const std::string& name) const
    {
        const NodeId found = name.empty() ? NodeId() : m_optimized.findNode(name);
        return found.valid() && !isQuantizer(m_optimized.node(found)) ? &m_optimized.node(found) : nullptr;
    }

    /// @param isComputed what is looked for computes, and is nothing that one Reshape could stand for
    [[nodiscard]] std::optional<NodeKernel> producerOf(ValueId value, bool isComputed) const
    {
        const auto [first, last] = m_edits.activations.equal_range(value);
        for (auto entry = first; entry != last; ++entry) { // what gives codes computes on codes
            if (const Node* producer = unshaped(computing(value, entry->second.quantized), isComputed))
                return NodeKernel{Kernel::Int8, producer->opType};
        }
        std::vector<std::string> names{m_original.value(value).name};
        for (auto entry = first; entry != last; ++entry) {
            names.push_back(entry->second.floating);
            names.push_back(entry->second.kept);
        }
        std::optional<NodeKernel> best;
        for (const std::string& name : names) {
            const Node* producer = unshaped(computing(value, name), isComputed);
            if (producer == nullptr)
                continue;
            best = NodeKernel{kernelAs(*producer), producer->opType};
            if (best->kernel == Kernel::Int8)
                return best;
        }
        return best;
    }

    /// A product over more than two axes and the Add behind it become a Gemm between two Reshapes, the second of which
    /// may be one with the model's own: that Gemm.
    [[nodiscard]] const Node* unshaped(const Node* producer, bool isComputed) const
    {
        const bool isAdded = producer != nullptr && producer->opType == "Reshape" && isComputed;
        if (!isAdded || producer->inputs.empty() || !producer->inputs[0].valid())
            return producer;
        const NodeId before = m_optimized.value(producer->inputs[0]).producer;
        return before.valid() ? &m_optimized.node(before) : producer;
    }

    /// What gives a value of a name in the optimized graph, or in its body where `value` is in one; null for a
    /// quantizer.
    [[nodiscard]] const Node* computing(ValueId value, const std::string& name) const
    {
        for (const std::string& address : addressesOf(value, name)) {
            const ValueId found = m_optimized.findValue(address);
            if (!found.valid() || !m_optimized.value(found).producer.valid())
                continue;
            const Node& producer = m_optimized.node(m_optimized.value(found).producer);
            return isQuantizer(producer) || producer.opType == "If" ? nullptr : &producer;
        }
        return nullptr;
    }

    /// ONNX Runtime moves the branch of an If whose condition it finds constant into the graph around, where values get
    /// longer names and those the branch gives the names of what the If gave.
    [[nodiscard]] std::vector<std::string> addressesOf(ValueId value, const std::string& name) const
    {
        const RegionId id = m_original.value(value).region;
        const Region& region = m_original.region(id);
        std::vector<std::string> addresses{addressPrefix(m_original, id) + name};
        if (!region.owner.valid() || m_original.node(region.owner).opType != "If")
            return addresses;
        const Node& owner = m_original.node(region.owner);
        const std::string around = addressPrefix(m_original, owner.region);
        addresses.push_back(around + "_" + owner.name.substr(around.size()) + "_" + region.attribute + "_" + name);
        const auto given = std::ranges::find(region.outputs, value);
        const auto port = static_cast<std::size_t>(given - region.outputs.begin());
        if (port < owner.outputs.size() && owner.outputs[port].valid())
            addresses.push_back(around + m_original.value(owner.outputs[port]).name);
        return addresses;
    }

    const Model& m_original;
    const QdqEdits& m_edits;
    const Model& m_optimized;
};

} // namespace

Result<std::map<NodeId, NodeKernel>> probeFusion(const Model& original, const QdqEdits& edits,
    const std::vector<NodeId>& nodes, const std::filesystem::path& written, const JobContext& job)
{
    DUO_TRY(optimized, optimizedExport(original, written, job));
    const Finder finder(original, edits, *optimized);
    std::map<NodeId, NodeKernel> kernels;
    for (const NodeId id : nodes)
        kernels.emplace(id, finder.kernelOf(id));
    return kernels;
}

} // namespace duo
