// SPDX-License-Identifier: Apache-2.0
#include "core/transform/constant_part.h"

#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/model/random_operators.h"
#include "core/support/one_of.h"
#include "core/transform/elimination.h"
#include "core/transform/even_groups.h"
#include "core/transform/known_shapes.h"
#include "core/transform/plain_operators.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

namespace duo {
namespace {

constexpr std::int64_t kAlwaysSmall = std::int64_t{1} << 10; // bytes
constexpr std::int64_t kNeverSmall = std::int64_t{1} << 20;
constexpr std::uint64_t kSmallShare = 16; // of the constants of a model: a small model is not to grow to several times
constexpr std::int64_t kMostGrowth = std::int64_t{1} << 26; // of all values together
constexpr std::int64_t kWidest = 8; // bytes of an element whose type is not known

/// Whatever it is given, its result has no more elements than its largest input, per dimension of that.
bool neverGrows(const Node& node)
{
    return isOneOf(node.opType,
        {"ArgMax", "ArgMin", "Compress", "Flatten", "NonZero", "Reshape", "Slice", "Split", "Squeeze", "TopK", "Unique",
            "Unsqueeze"});
}

/// Those give no tensor, or something else in another run, or are left to other passes.
bool isNeverFolded(const Node& node)
{
    return isRandomOperator(node.opType) || hasBodies(node)
        || isOneOf(node.opType, {"Dropout", "StringNormalizer", "TfIdfVectorizer"});
}

class PartFinder
{
public:
    explicit PartFinder(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_isOfFunction(scene.model.regions.size())
        , m_isConstant(scene.model.values.size())
        , m_isPinned(pinnedValues(scene.model))
        , m_isPart(scene.model.nodes.size())
        , m_bytes(scene.model.values.size())
    {
    }

    ConstantPart run()
    {
        start();
        findEven();
        for (const NodeId id : m_model.order)
            visit(id);
        finish();
        return std::move(m_result);
    }

private:
    void start()
    {
        for (const Node& node : m_model.nodes)
            m_isOfFunction[node.region.index] = m_model.isInFunction(node);
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            const Value& value = m_model.values[v];
            const TensorId held = heldTensor(m_model, ValueId(v));
            m_isConstant[v] = !m_isOfFunction[value.region.index] && m_model.constant(ValueId(v)) != nullptr
                && !isOverridable(m_model, value);
            if (held.valid())
                m_bytes[v] = storedBytes(m_model.tensor(held));
        }
        std::uint64_t all = 0;
        for (const Tensor& tensor : m_model.tensors)
            all += static_cast<std::uint64_t>(storedBytes(tensor));
        // A power of two, so that what was folded seldom lets a second run fold more.
        m_small = std::clamp(static_cast<std::int64_t>(std::bit_floor(all) / kSmallShare), kAlwaysSmall, kNeverSmall);
    }

    /// As if results might be of any size.
    void findEven()
    {
        const std::vector<bool> before = m_isConstant;
        std::vector<NodeId> nodes;
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            const bool isComputable = mayBePart(id) && (node.region == RegionId(0) || isPlain(node));
            if (!isComputable || whyStays(node) || !findBytes(node))
                continue;
            nodes.push_back(id);
            take(node);
        }
        m_isEven = inEvenGroups(m_model, nodes, m_bytes, kAlwaysSmall);
        m_isConstant = before;
    }

    [[nodiscard]] bool mayBePart(NodeId id) const
    {
        const Node& node = m_model.node(id);
        return !m_isOfFunction[node.region.index] && node.domain.empty() && !node.isCall && !node.inputs.empty()
            && !isNeverFolded(node) && areConstant(node) && m_scene.mayChange(id);
    }

    void visit(NodeId id)
    {
        if (!mayBePart(id))
            return;
        const Node& node = m_model.node(id);
        if (const auto why = m_isEven[id.index] ? std::nullopt : whyNot(node)) {
            m_result.skipped.push_back({id, *why});
            return;
        }
        m_isPart[id.index] = true;
        take(node);
    }

    void take(const Node& node)
    {
        for (const ValueId output : node.outputs) {
            if (output.valid())
                m_isConstant[output.index] = true;
        }
    }

    /// Of its outputs. @return false: not all are known, or they take more than what they are made of, as an Expand's
    /// do
    bool findBytes(const Node& node)
    {
        std::int64_t room = kAlwaysSmall;
        for (const ValueId input : node.inputs)
            room += input.valid() ? m_bytes[input.index] : 0;
        return std::ranges::all_of(node.outputs, [&](ValueId output) {
            const auto bytes = output.valid() ? bytesOf(node, output) : std::int64_t{0};
            if (bytes && output.valid())
                m_bytes[output.index] = *bytes;
            room -= bytes.value_or(0);
            return bytes && room >= 0;
        });
    }

    [[nodiscard]] bool areConstant(const Node& node) const
    {
        return std::ranges::all_of(node.inputs, [&](ValueId input) {
            return !input.valid() || m_isConstant[input.index];
        }) && std::ranges::any_of(node.inputs, &ValueId::valid);
    }

    [[nodiscard]] std::optional<std::string> whyStays(const Node& node) const
    {
        for (const ValueId output : node.outputs) {
            if (output.valid() && m_isPinned[output.index])
                return "a local function reads or gives its value";
            if (output.valid() && m_model.value(output).isOutput)
                return "it gives an output of its graph, which stays computed";
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<std::string> whyNot(const Node& node)
    {
        if (auto why = whyStays(node))
            return why;
        const std::int64_t freed = freedBy(node);
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            const ValueId output = node.outputs[port];
            if (!output.valid())
                continue;
            const auto bytes = bytesOf(node, output);
            if (!bytes)
                return "how large its result is, is not known before it is computed";
            const bool grows = *bytes > freed;
            if (grows && *bytes > m_small)
                return "its result would take more than " + std::to_string(m_small >> 10U)
                    + " KB, and more than what it is made of";
            if (grows && m_growth + *bytes > kMostGrowth)
                return "all results together would take more than 64 MB";
            m_growth += grows ? *bytes : 0;
            m_bytes[output.index] = *bytes;
        }
        return std::nullopt;
    }

    /// Bytes of the largest constant that nobody else reads.
    [[nodiscard]] std::int64_t freedBy(const Node& node) const
    {
        std::int64_t most = 0;
        for (const ValueId input : node.inputs) {
            if (input.valid() && onlyUse(m_model, input))
                most = std::max(most, m_bytes[input.index]);
        }
        return most;
    }

    /// Bytes of an output; nothing where they are not known.
    [[nodiscard]] std::optional<std::int64_t> bytesOf(const Node& node, ValueId output)
    {
        if (!m_shapes)
            m_shapes.emplace(m_model, m_scene.sizes); // few models ask
        const int bits = elementBits(m_model.value(output).type.element);
        if (const auto count = m_shapes->elements(output))
            return bits > 0 ? (*count * bits + 7) / 8 : *count * kWidest;
        if (!neverGrows(node))
            return std::nullopt;
        std::int64_t most = 0;
        for (const ValueId input : node.inputs) {
            if (input.valid())
                most = std::max(most, m_bytes[input.index]);
        }
        return most * kWidest * kWidest; // of bytes, as indices with up to eight dimensions
    }

    void finish()
    {
        std::vector<bool> isAsked(m_model.nodes.size());
        for (auto id = m_model.order.rbegin(); id != m_model.order.rend(); ++id) {
            const Node& node = m_model.node(*id);
            if (!m_isPart[id->index])
                continue;
            for (const ValueId output : node.outputs) {
                if (output.valid() && isReadOutside(output))
                    m_result.results.push_back(output);
            }
        }
        std::ranges::reverse(m_result.results);
        for (const ValueId result : m_result.results)
            isAsked[m_model.value(result).producer.index] = true;
        for (auto id = m_model.order.rbegin(); id != m_model.order.rend(); ++id) {
            if (!isAsked[id->index])
                continue;
            m_result.nodes.push_back(*id);
            for (const ValueId input : m_model.node(*id).inputs) {
                if (input.valid() && m_model.value(input).producer.valid())
                    isAsked[m_model.value(input).producer.index] = true;
            }
        }
        std::ranges::reverse(m_result.nodes);
    }

    /// By a node that is not computed, also inside of bodies.
    [[nodiscard]] bool isReadOutside(ValueId value) const
    {
        return std::ranges::any_of(
            m_model.value(value).uses, [&](const Use& use) { return !m_isPart[use.node.index]; });
    }

    const PassScene& m_scene;
    const Model& m_model;
    std::vector<bool> m_isOfFunction; // [regions] that have nodes
    std::vector<bool> m_isConstant; // [values]
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isPart; // [nodes]
    std::vector<bool> m_isEven; // [nodes] computed whatever it takes, for the constants that it is made of go
    std::vector<std::int64_t> m_bytes; // [values] of those that are constant
    std::optional<KnownShapes> m_shapes;
    std::int64_t m_growth = 0;
    std::int64_t m_small = 0; // bytes that a result may take whatever it is made of
    ConstantPart m_result;
};

} // namespace

ConstantPart constantPart(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? ConstantPart{} : PartFinder(scene).run();
}

} // namespace duo
