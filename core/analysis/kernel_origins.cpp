// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/kernel_origins.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

class Tracer
{
public:
    Tracer(const Model& original, const Model& optimized)
        : m_original(original)
        , m_optimized(optimized)
        , m_seenBy(original.nodes.size(), kNobody)
        , m_ownerOf(original.nodes.size(), kNobody)
    {
        for (const Node& node : optimized.nodes) {
            for (const ValueId output : node.outputs) {
                if (output.valid())
                    m_computed.insert(addressOf(optimized, output));
            }
        }
        for (std::size_t kernel = 0; kernel < optimized.nodes.size(); ++kernel) {
            if (const NodeId same = original.findNode(optimized.nodes[kernel].name); same.valid())
                m_ownerOf[same.index] = kernel;
        }
        for (std::size_t kernel = 0; kernel < optimized.nodes.size(); ++kernel)
            takeQuantizerBehind(kernel);
    }

    std::vector<NodeId> originsOf(std::size_t kernel)
    {
        const Node& node = m_optimized.nodes[kernel];
        m_kernel = kernel;
        m_reads.clear();
        for (const ValueId input : node.inputs) {
            if (input.valid())
                m_reads.insert(addressOf(m_optimized, input));
        }
        m_pending.clear();
        for (const ValueId output : node.outputs) {
            const ValueId known = output.valid() ? m_original.findValue(addressOf(m_optimized, output)) : ValueId();
            if (known.valid())
                m_pending.push_back(known);
        }
        std::vector<NodeId> origins = walk();
        if (const auto own = m_ownedBy.find(kernel); own != m_ownedBy.end())
            origins.insert(origins.end(), own->second.begin(), own->second.end());
        if (const NodeId same = m_original.findNode(node.name); same.valid()) // whatever its result is called
            origins.push_back(same);
        sortUniqueInPlace(origins);
        return origins;
    }

private:
    static constexpr std::size_t kNobody = ~std::size_t{0};

    /// A product in codes gives what the quantizer behind it gave, often under a name of the engine's own. The
    /// quantizer and a clamp before it are the kernel's then, unless they have kernels of their own.
    void takeQuantizerBehind(std::size_t kernel)
    {
        const Node& node = m_optimized.nodes[kernel];
        NodeId at = m_original.findNode(node.name);
        if (!at.valid() || isQuantizer(m_original.node(at)) || givesKnownValue(node))
            return;
        std::vector<NodeId> behind;
        for (bool isEnd = false; !isEnd;) {
            at = onlyReader(at);
            if (!at.valid() || m_ownerOf[at.index] != kNobody)
                return;
            const Node& next = m_original.node(at);
            isEnd = isAnyOf(next, {"QuantizeLinear"});
            if (!isEnd && !has(next, mark::kClamp))
                return;
            behind.push_back(at);
        }
        for (const NodeId taken : behind)
            m_ownerOf[taken.index] = kernel;
        m_ownedBy.emplace(kernel, std::move(behind));
    }

    [[nodiscard]] bool givesKnownValue(const Node& kernel) const
    {
        return std::ranges::any_of(kernel.outputs, [this](ValueId output) {
            return output.valid() && m_original.findValue(addressOf(m_optimized, output)).valid();
        });
    }

    [[nodiscard]] NodeId onlyReader(NodeId node) const
    {
        const std::vector<ValueId>& outputs = m_original.node(node).outputs;
        if (outputs.size() != 1 || !outputs[0].valid())
            return {};
        const std::vector<Use>& uses = m_original.value(outputs[0]).uses;
        return uses.size() == 1 ? uses[0].node : NodeId();
    }

    /// Backwards from the pending values to what the kernel reads, or another one gives or is called after.
    std::vector<NodeId> walk()
    {
        std::vector<NodeId> found;
        while (!m_pending.empty()) {
            const Value& value = m_original.value(m_pending.back());
            m_pending.pop_back();
            if (!value.producer.valid() || m_seenBy[value.producer.index] == m_kernel)
                continue;
            if (const std::size_t owner = m_ownerOf[value.producer.index]; owner != kNobody && owner != m_kernel)
                continue;
            m_seenBy[value.producer.index] = m_kernel;
            found.push_back(value.producer);
            for (const ValueId input : m_original.node(value.producer).inputs) {
                if (input.valid() && !isGiven(addressOf(m_original, input)))
                    m_pending.push_back(input);
            }
        }
        return found;
    }

    [[nodiscard]] bool isGiven(const std::string& address) const
    {
        return m_reads.contains(address) || m_computed.contains(address);
    }

    const Model& m_original;
    const Model& m_optimized;
    std::unordered_set<std::string> m_computed; // addresses of values that some kernel gives
    std::unordered_set<std::string> m_reads; // by the kernel at hand
    std::vector<std::size_t> m_seenBy; // [nodes of the original] kernel
    std::vector<std::size_t> m_ownerOf; // [nodes of the original] the kernel that has its name, or took it
    std::unordered_map<std::size_t, std::vector<NodeId>> m_ownedBy; // kernel: nodes that it took
    std::vector<ValueId> m_pending;
    std::size_t m_kernel = kNobody;
};

/// The kernel whose result, a value of the engine's own, another one only moves about; invalid where there is none.
NodeId computingBehind(const Model& original, const Model& optimized, const Node& kernel)
{
    NodeId behind;
    const Node* at = &kernel;
    while (has(*at, mark::kKeepsElements) && !at->inputs.empty() && at->inputs[0].valid()) {
        const Value& read = optimized.value(at->inputs[0]);
        if (!read.producer.valid() || original.findValue(addressOf(optimized, at->inputs[0])).valid())
            return {};
        behind = read.producer;
        at = &optimized.node(behind);
    }
    return behind;
}

/// A product over more than two axes becomes a Gemm between two Reshapes, of which only the last one gives a value that
/// the original has: the Gemm does the work.
void giveToComputingInPlace(const Model& original, const Model& optimized, std::vector<std::vector<NodeId>>& origins)
{
    for (std::size_t kernel = 0; kernel < origins.size(); ++kernel) {
        const NodeId behind = computingBehind(original, optimized, optimized.nodes[kernel]);
        if (!behind.valid() || !origins[behind.index].empty())
            continue;
        const auto moving = std::ranges::stable_partition(
            origins[kernel], [&](NodeId node) { return has(original.node(node), mark::kKeepsElements); });
        origins[behind.index].assign(moving.begin(), moving.end());
        origins[kernel].erase(moving.begin(), moving.end());
    }
}

} // namespace

std::vector<std::vector<NodeId>> kernelOrigins(const Model& original, const Model& optimized)
{
    Tracer tracer(original, optimized);
    std::vector<std::vector<NodeId>> origins;
    origins.reserve(optimized.nodes.size());
    for (std::size_t kernel = 0; kernel < optimized.nodes.size(); ++kernel)
        origins.push_back(tracer.originsOf(kernel));
    giveToComputingInPlace(original, optimized, origins);
    return origins;
}

NodeId leadingNode(const Model& original, const std::vector<NodeId>& origins)
{
    const auto product
        = std::ranges::find_if(origins, [&](NodeId node) { return isFloatProduct(original.node(node)); });
    if (product != origins.end())
        return *product;
    const auto last = std::find_if(
        origins.rbegin(), origins.rend(), [&](NodeId node) { return !isQuantizer(original.node(node)); });
    if (last != origins.rend())
        return *last;
    return origins.empty() ? NodeId() : origins.back();
}

} // namespace duo
