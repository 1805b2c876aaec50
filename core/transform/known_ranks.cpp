// SPDX-License-Identifier: Apache-2.0
#include "core/transform/known_ranks.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

using Rank = std::optional<std::int64_t>;

constexpr std::int64_t kMostLength = 1 << 20; // of what could be a shape

/// How the rank of an operator's outputs follows from its inputs.
enum class Rule {
    Same, // that of the first input
    Broadcast, // the largest of all inputs
    Matrix, // 2
    Product, // MatMul
    ByShape, // as many as the shape has entries that is the second input (or attribute "shape")
    ShapeInput, // the same of the first input
    Squeezed,
    Unsqueezed,
    Reduced,
    Gathered,
    Vector, // 1
    Scalar, // 0
    OneMore,
};

Rule const* ruleOf(const Node& node)
{
    static const std::unordered_map<std::string_view, Rule> kRules = [] {
        std::unordered_map<std::string_view, Rule> rules{{"Gemm", Rule::Matrix}, {"Flatten", Rule::Matrix},
            {"NonZero", Rule::Matrix}, {"MatMul", Rule::Product}, {"Reshape", Rule::ByShape},
            {"ConstantOfShape", Rule::ShapeInput}, {"Squeeze", Rule::Squeezed}, {"Unsqueeze", Rule::Unsqueezed},
            {"Gather", Rule::Gathered}, {"Shape", Rule::Vector}, {"Range", Rule::Vector}, {"Size", Rule::Scalar},
            {"OneHot", Rule::OneMore}};
        for (const char* type : {"Abs", "AveragePool", "BatchNormalization", "Cast", "Ceil", "Clip", "Concat", "Conv",
                 "ConvTranspose", "CumSum", "DepthToSpace", "DequantizeLinear", "Dropout", "Elu", "Erf", "Exp", "Floor",
                 "GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool", "HardSigmoid", "Hardmax", "Identity",
                 "InstanceNormalization", "LRN", "LeakyRelu", "Log", "LogSoftmax", "LpNormalization", "LpPool",
                 "MaxPool", "MeanVarianceNormalization", "Neg", "Not", "PRelu", "Pad", "QuantizeLinear", "Reciprocal",
                 "Relu", "Resize", "ReverseSequence", "Round", "Scatter", "ScatterElements", "ScatterND", "Selu",
                 "Shrink", "Sigmoid", "Sign", "Sin", "Slice", "Softmax", "Softplus", "Softsign", "SpaceToDepth",
                 "Split", "Sqrt", "Tanh", "ThresholdedRelu", "Tile", "TopK", "Transpose", "Upsample"})
            rules.emplace(type, Rule::Same);
        for (const char* type : {"Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
                 "Max", "Mean", "Min", "Mod", "Mul", "Or", "Pow", "Sub", "Sum", "Where", "Xor"})
            rules.emplace(type, Rule::Broadcast);
        for (const char* type : {"ArgMax", "ArgMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
                 "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"})
            rules.emplace(type, Rule::Reduced);
        return rules;
    }();
    const auto found = node.domain.empty() ? kRules.find(node.opType) : kRules.end();
    return found == kRules.end() ? nullptr : &found->second;
}

class RankFinder
{
public:
    RankFinder(const Model& model, std::vector<Rank>& ranks, std::vector<Rank>& lengths)
        : m_model(model)
        , m_ranks(ranks)
        , m_lengths(lengths)
    {
    }

    void run()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            if (m_model.values[v].producer.valid())
                continue;
            m_ranks[v] = declared(ValueId(v));
            m_lengths[v] = plausible(declaredLength(ValueId(v)));
        }
        for (const NodeId id : m_model.order) {
            const Node& node = m_model.node(id);
            for (std::size_t port = 0; port < node.outputs.size(); ++port) {
                const ValueId output = node.outputs[port];
                if (!output.valid() || m_model.value(output).producer != id)
                    continue;
                const Rank told = plausible(produced(node, port));
                m_ranks[output.index] = told ? told : declared(output);
                if (m_ranks[output.index] == 1 && port == 0) {
                    const Rank length = plausible(producedLength(node));
                    m_lengths[output.index] = length ? length : plausible(declaredLength(output));
                }
            }
        }
    }

private:
    /// Numbers of a damaged file are not computed with.
    static Rank plausible(Rank told) { return told && *told >= 0 && *told <= kMostLength ? told : Rank(); }

    [[nodiscard]] Rank declared(ValueId id) const
    {
        if (const TensorId held = m_model.value(id).initializer; held.valid())
            return static_cast<std::int64_t>(m_model.tensor(held).dims.size());
        const auto& shape = m_model.value(id).type.shape;
        return shape ? Rank(static_cast<std::int64_t>(shape->size())) : Rank();
    }

    [[nodiscard]] Rank declaredLength(ValueId id) const
    {
        if (const TensorId held = m_model.value(id).initializer; held.valid())
            return m_model.tensor(held).dims.size() == 1 ? Rank(m_model.tensor(held).dims.front()) : Rank();
        const auto& shape = m_model.value(id).type.shape;
        return shape && shape->size() == 1 ? shape->front().size : Rank();
    }

    [[nodiscard]] Rank inputLength(const Node& node, std::size_t port) const
    {
        const bool isThere = port < node.inputs.size() && node.inputs[port].valid();
        return isThere ? m_lengths[node.inputs[port].index] : Rank();
    }

    /// Of an output with one dimension, where shapes are computed.
    [[nodiscard]] Rank producedLength(const Node& node) const
    {
        if (!node.domain.empty())
            return {};
        if (node.opType == "Constant") {
            const Tensor* tensor = m_model.constant(node.outputs.front());
            return tensor != nullptr && tensor->dims.size() == 1 ? Rank(tensor->dims.front()) : Rank();
        }
        if (node.opType == "Shape")
            return input(node, 0);
        if (node.opType == "Concat")
            return sumOfLengths(node);
        if (node.opType == "Unsqueeze")
            return 1; // of a scalar
        if (node.opType == "Gather")
            return inputLength(node, 1);
        if (node.opType == "Slice")
            return slicedLength(node);
        const bool isSame = node.opType == "Cast" || node.opType == "Identity";
        return isSame ? inputLength(node, 0) : Rank();
    }

    [[nodiscard]] Rank sumOfLengths(const Node& node) const
    {
        std::int64_t sum = 0;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const Rank length = inputLength(node, port);
            if (!length)
                return {};
            sum += *length;
        }
        return sum;
    }

    /// The only entry of a list that is an attribute or a constant input.
    [[nodiscard]] Rank onlyEntry(const Node& node, const char* attribute, std::size_t port) const
    {
        std::vector<std::int64_t> entries;
        if (const Attribute* given = node.attribute(attribute)) {
            if (const auto* list = std::get_if<std::vector<std::int64_t>>(&given->value))
                entries = *list;
        } else if (port < node.inputs.size()) {
            if (const Tensor* tensor = m_model.constant(node.inputs[port]); tensor && tensor->elements() == 1)
                entries = toInts(*tensor);
        }
        return entries.size() == 1 ? Rank(entries.front()) : Rank();
    }

    /// One piece in steps of 1.
    [[nodiscard]] Rank slicedLength(const Node& node) const
    {
        const Rank whole = inputLength(node, 0);
        const Rank start = onlyEntry(node, "starts", 1);
        const Rank end = onlyEntry(node, "ends", 2);
        const bool hasSteps = node.inputs.size() > 4 && onlyEntry(node, "", 4) != 1;
        if (!whole || !start || !end || hasSteps)
            return {};
        const auto within
            = [&](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + *whole : at, 0, *whole); };
        return std::max<std::int64_t>(0, within(*end) - within(*start));
    }

    [[nodiscard]] Rank input(const Node& node, std::size_t port) const
    {
        const bool isThere = port < node.inputs.size() && node.inputs[port].valid();
        return isThere ? m_ranks[node.inputs[port].index] : Rank();
    }

    [[nodiscard]] Rank produced(const Node& node, std::size_t port) const
    {
        if (node.opType == "Constant" && node.domain.empty())
            return constantRank(node);
        if (isRecurrent(node))
            return port == 0 ? 4 : 3;
        const Rule* rule = ruleOf(node);
        return rule == nullptr ? Rank() : byRule(node, *rule);
    }

    [[nodiscard]] Rank constantRank(const Node& node) const
    {
        const Tensor* tensor = m_model.constant(node.outputs.front());
        return tensor != nullptr ? Rank(static_cast<std::int64_t>(tensor->dims.size())) : Rank();
    }

    [[nodiscard]] Rank byRule(const Node& node, Rule rule) const
    {
        const Rank first = input(node, 0);
        switch (rule) {
        case Rule::Same:
            return first;
        case Rule::Broadcast:
            return largest(node);
        case Rule::Matrix:
            return 2;
        case Rule::Product:
            return product(first, input(node, 1));
        case Rule::ByShape:
            return byShape(node, 1);
        case Rule::ShapeInput:
            return byShape(node, 0);
        case Rule::Squeezed:
        case Rule::Unsqueezed: {
            const Rank axes = plausible(axesOf(node));
            if (!first || !axes || *axes == 0)
                return {};
            return rule == Rule::Squeezed ? *first - *axes : *first + *axes;
        }
        case Rule::Reduced:
            return reduced(node, first);
        case Rule::Gathered: {
            const Rank indices = input(node, 1);
            return first && indices ? Rank(*first - 1 + *indices) : Rank();
        }
        case Rule::Vector:
            return 1;
        case Rule::Scalar:
            return 0;
        case Rule::OneMore:
            return first ? Rank(*first + 1) : Rank();
        }
        return {};
    }

    [[nodiscard]] Rank largest(const Node& node) const
    {
        Rank most;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const Rank rank = input(node, port);
            if (!rank)
                return {};
            most = std::max(most.value_or(0), *rank);
        }
        return most;
    }

    static Rank product(Rank a, Rank b)
    {
        if (!a || !b || *a == 0 || *b == 0)
            return {};
        if (*a == 1 || *b == 1)
            return *a + *b - 2;
        return std::max(*a, *b);
    }

    [[nodiscard]] Rank byShape(const Node& node, std::size_t port) const
    {
        if (const Attribute* shape = node.attribute("shape")) {
            const auto* dims = std::get_if<std::vector<std::int64_t>>(&shape->value);
            return dims != nullptr ? Rank(static_cast<std::int64_t>(dims->size())) : Rank();
        }
        if (port >= node.inputs.size() || !node.inputs[port].valid())
            return {};
        return inputLength(node, port);
    }

    /// How many axes an attribute or an input lists; 0 if none is named.
    [[nodiscard]] Rank axesOf(const Node& node) const
    {
        if (const Attribute* axes = node.attribute("axes")) {
            const auto* list = std::get_if<std::vector<std::int64_t>>(&axes->value);
            return list != nullptr ? Rank(static_cast<std::int64_t>(list->size())) : Rank();
        }
        if (node.inputs.size() < 2 || !node.inputs[1].valid())
            return 0;
        const Tensor* tensor = m_model.constant(node.inputs[1]);
        return tensor != nullptr ? Rank(tensor->elements()) : Rank();
    }

    [[nodiscard]] Rank reduced(const Node& node, Rank first) const
    {
        const Rank axes = node.opType.starts_with("Arg") ? Rank(1) : plausible(axesOf(node));
        if (!first || node.intAttribute("keepdims", 1) != 0)
            return first;
        if (!axes)
            return {};
        return *axes == 0 ? 0 : *first - *axes;
    }

    const Model& m_model;
    std::vector<Rank>& m_ranks;
    std::vector<Rank>& m_lengths;
};

} // namespace

KnownRanks::KnownRanks(const Model& model)
    : m_ranks(model.values.size())
    , m_lengths(model.values.size())
{
    RankFinder(model, m_ranks, m_lengths).run();
}

std::optional<std::int64_t> KnownRanks::of(ValueId value) const
{
    return value.valid() ? m_ranks[value.index] : std::nullopt;
}

} // namespace duo
