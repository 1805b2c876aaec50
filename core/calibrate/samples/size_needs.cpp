// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/size_needs.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace duo {
namespace {

constexpr double kMostMultiple = 128;

/// What is known of a value that depends on the input.
struct Trace {
    double shrunk = 1; // elements of the input per element, along one axis
    std::int64_t channels = 0; // 0: not known
    bool isFlat = false;
};

double largestOf(const Node& node, std::string_view name)
{
    const Attribute* attribute = node.attribute(name);
    const auto* numbers = attribute == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(&attribute->value);
    if (numbers == nullptr || numbers->empty())
        return 1;
    return static_cast<double>(std::max<std::int64_t>(1, std::ranges::max(*numbers)));
}

class Needs
{
public:
    Needs(const Model& model, ValueId input)
        : m_model(model)
    {
        m_traces.emplace(input, Trace{});
    }

    SizeNeeds find()
    {
        for (const NodeId id : m_model.order)
            visit(m_model.node(id));
        m_needs.multiple = static_cast<std::int64_t>(std::min(m_most, kMostMultiple));
        return std::move(m_needs);
    }

private:
    void visit(const Node& node)
    {
        const Trace* widest = nullptr;
        for (const ValueId input : node.inputs) {
            const auto found = input.valid() ? m_traces.find(input) : m_traces.end();
            if (found != m_traces.end() && (widest == nullptr || found->second.shrunk > widest->shrunk))
                widest = &found->second;
        }
        if (widest == nullptr || node.opType == "Shape" || node.opType == "Size")
            return;
        const Trace before = *widest;
        addNeeds(node, before);
        const Trace after = behind(node, before);
        m_most = std::max(m_most, after.shrunk);
        for (const ValueId output : node.outputs) {
            if (output.valid())
                m_traces.emplace(output, after);
        }
    }

    [[nodiscard]] Trace behind(const Node& node, Trace trace) const
    {
        const std::string& type = node.opType;
        const OpFacts& facts = opFacts(node);
        if (facts.product == Product::Convolution || has(node, mark::kPools)) {
            trace.shrunk *= largestOf(node, "strides");
        } else if (facts.product == Product::TransposedConvolution) {
            trace.shrunk = std::max(1.0, trace.shrunk / largestOf(node, "strides"));
        } else if (type == "Resize" || type == "Upsample") {
            trace.shrunk = std::max(1.0, trace.shrunk / scaleOf(node).value_or(trace.shrunk));
        } else if (type == "Flatten" || type == "Reshape") {
            trace.isFlat = true;
        } else if (type == "GlobalAveragePool" || type == "GlobalMaxPool" || type.starts_with("Reduce")) {
            trace.shrunk = 1;
        }
        const auto weight = dimsOf(node, facts.weightPort);
        if (const auto layout = convolutionLayout(node, weight.size())) {
            trace.channels = weight.size() >= 3 && facts.product == Product::Convolution ? weight[*layout->output] : 0;
            trace.isFlat = false;
        }
        return trace;
    }

    /// By how much it enlarges, where that is constant.
    [[nodiscard]] std::optional<double> scaleOf(const Node& node) const
    {
        for (std::size_t port = node.inputs.size() > 3 ? node.inputs.size() : 1; port < node.inputs.size(); ++port) {
            const Tensor* constant = node.inputs[port].valid() ? m_model.constant(node.inputs[port]) : nullptr;
            const bool isScales = constant != nullptr && constant->type == ElementType::Float32;
            const auto scales = isScales ? toFloats(*constant) : std::vector<float>();
            if (scales.size() >= 3)
                return std::max(1.0, static_cast<double>(std::ranges::max(scales)));
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<std::int64_t> dimsOf(const Node& node, std::size_t port) const
    {
        const ValueId value = port < node.inputs.size() ? node.inputs[port] : ValueId();
        const Tensor* constant = value.valid() ? m_model.constant(value) : nullptr;
        return constant == nullptr ? std::vector<std::int64_t>() : constant->dims;
    }

    void addNeeds(const Node& node, const Trace& trace)
    {
        const bool isAdded = node.opType == "Add" || node.opType == "Sub" || node.opType == "Mul";
        for (std::size_t port = 0; isAdded && port < node.inputs.size(); ++port) {
            const auto dims = dimsOf(node, port);
            if (dims.size() == 2 || dims.size() == 3) // positions: [1, L, D]
                addLength(dims[dims.size() - 2], trace.shrunk);
            if (dims.size() == 4 && dims[2] > 1 && dims[2] == dims[3])
                addSide(static_cast<double>(dims[2]) * trace.shrunk);
        }
        const auto weight = isProduct(node, Product::Matrix) ? dimsOf(node, 1) : std::vector<std::int64_t>();
        const auto layout = weightLayout(node, 1, weight.size());
        if (weight.size() != 2 || !layout || !layout->input || !trace.isFlat || trace.channels == 0)
            return;
        const std::int64_t reads = weight[*layout->input];
        if (reads > trace.channels && reads % trace.channels == 0)
            addLength(reads / trace.channels, trace.shrunk);
    }

    /// Of a sequence; or of a square picture's patches, of which one may stand for the whole.
    void addLength(std::int64_t length, double shrunk)
    {
        if (length < 2)
            return;
        m_needs.lengths.push_back(static_cast<std::int64_t>(static_cast<double>(length) * shrunk));
        for (const std::int64_t patches : {length, length - 1}) {
            const auto side = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(patches))));
            if (side > 1 && side * side == patches)
                addSide(static_cast<double>(side) * shrunk);
        }
    }

    void addSide(double side) { m_needs.sides.push_back(static_cast<std::int64_t>(side)); }

    const Model& m_model;
    std::unordered_map<ValueId, Trace> m_traces;
    double m_most = 1;
    SizeNeeds m_needs;
};

} // namespace

SizeNeeds sizeNeeds(const Model& model, ValueId input)
{
    return Needs(model, input).find();
}

} // namespace duo
