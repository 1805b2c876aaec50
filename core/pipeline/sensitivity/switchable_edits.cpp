// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/switchable_edits.h"

#include "core/engine/swap_domain.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/weights.h"
#include "core/support/bytes_of.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

template <typename T> std::vector<T> numbersOf(const NewTensor& tensor)
{
    std::vector<T> numbers(tensor.bytes.size() / sizeof(T));
    if (!numbers.empty())
        std::memcpy(numbers.data(), tensor.bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

template <typename T> std::vector<std::int32_t> codesAs(const NewTensor& tensor)
{
    const auto codes = numbersOf<T>(tensor);
    return {codes.begin(), codes.end()};
}

/// Of codes that may share bytes.
std::vector<std::int32_t> packedCodes(const NewTensor& tensor)
{
    const int bits = elementBits(tensor.type);
    const bool isSigned = codeRange(tensor.type).value_or(CodeRange()).isSigned();
    std::size_t count = 1;
    for (const std::int64_t dim : tensor.dims)
        count *= static_cast<std::size_t>(dim);
    return codesOfBytes(tensor.bytes, count, bits, isSigned);
}

std::vector<std::int32_t> zeroPointsOf(const NewTensor& tensor)
{
    switch (tensor.type) {
    case ElementType::Int16:
        return codesAs<std::int16_t>(tensor);
    case ElementType::UInt16:
        return codesAs<std::uint16_t>(tensor);
    case ElementType::Int32:
        return codesAs<std::int32_t>(tensor);
    default:
        return packedCodes(tensor);
    }
}

std::optional<std::int64_t> integerOf(const NewNode& node, const char* name)
{
    const auto attribute = std::ranges::find(node.attributes, name, &Attribute::name);
    if (attribute == node.attributes.end())
        return std::nullopt;
    return std::get<std::int64_t>(attribute->value);
}

class SwitchWriter
{
public:
    SwitchWriter(const Model& model, const Decisions& decisions, QdqEdits qdq)
        : m_model(model)
        , m_decisions(decisions)
        , m_qdq(std::move(qdq))
    {
        for (std::size_t i = 0; i < m_qdq.edits.newTensors.size(); ++i)
            m_tensors.emplace(m_qdq.edits.newTensors[i].name, i);
        for (std::size_t i = 0; i < m_qdq.edits.inputs.size(); ++i)
            m_rewired[m_qdq.edits.inputs[i].value].push_back(i);
        for (const auto& [value, names] : m_qdq.activations)
            m_quantized.emplace(names.dequantized, value);
    }

    Result<SwitchableEdits> write()
    {
        DUO_CHECK(writeNodes());
        DUO_CHECK(writeFloatBiases());
        moveTensors();
        m_result.edits.removedTensors = m_qdq.edits.removedTensors;
        std::erase_if(m_result.edits.removedTensors, [&](const std::string& name) { return m_kept.contains(name); });
        m_result.edits.removedNodes = m_qdq.edits.removedNodes;
        m_result.edits.inputs = m_qdq.edits.inputs;
        m_result.edits.outputs = m_qdq.edits.outputs;
        m_result.edits.nodeNames = m_qdq.edits.nodeNames;
        return std::move(m_result);
    }

private:
    /// Every new node but the QuantizeLinear nodes, whose DequantizeLinear becomes the swap of both.
    Status writeNodes()
    {
        std::unordered_map<std::string_view, const NewNode*> quantizers;
        for (const NewNode& node : m_qdq.edits.newNodes) {
            if (node.opType == "QuantizeLinear") {
                quantizers.emplace(node.outputs.front(), &node);
                continue;
            }
            if (node.opType != "DequantizeLinear") {
                m_result.edits.newNodes.push_back(node);
                continue;
            }
            const auto quantizer = quantizers.find(node.inputs.front());
            DUO_CHECK(quantizer == quantizers.end() ? writeConstant(node) : writeActivation(*quantizer->second, node));
        }
        return success();
    }

    Result<QuantizationParameters> parametersOf(const NewNode& node, ElementType type)
    {
        const NewTensor* scale = tensor(node.inputs[1]);
        if (scale == nullptr || scale->type != ElementType::Float32)
            return Error{ErrorCode::Unsupported, "only quantizers with float32 scales can be switched",
                node.outputs.front(), {}};
        QuantizationParameters parameters{
            type, numbersOf<float>(*scale), {}, integerOf(node, "axis"), integerOf(node, "block_size").value_or(0)};
        m_consumed.insert(scale->name);
        if (const NewTensor* zero = node.inputs.size() > 2 ? tensor(node.inputs[2]) : nullptr) {
            parameters.zeroPoint = zeroPointsOf(*zero);
            parameters.type = zero->type;
            m_consumed.insert(zero->name);
        }
        parameters.zeroPoint.resize(parameters.scale.size());
        return parameters;
    }

    Status writeActivation(const NewNode& quantize, const NewNode& dequantize)
    {
        const std::string& given = dequantize.outputs.front();
        DUO_TRY(parameters, parametersOf(quantize, ElementType::UInt8));
        Switch made;
        made.value = given;
        made.parameters = std::move(parameters);
        const auto value = m_quantized.find(given);
        if (value != m_quantized.end())
            made.nodes = nodesAround(value->second, given);
        addSwap(std::move(made), quantize.inputs.front(), quantize.anchor, quantize.after);
        m_result.edits.newNodes.back().region = quantize.region;
        return success();
    }

    /// A stored weight, or an int32 bias.
    Status writeConstant(const NewNode& node)
    {
        const NewTensor* codes = tensor(node.inputs.front());
        if (codes == nullptr)
            return Error{
                ErrorCode::Internal, "a dequantized value is neither computed nor stored", node.inputs.front(), {}};
        Switch made;
        made.kind = codes->type == ElementType::Int32 ? SwitchKind::Bias : SwitchKind::Weight;
        made.value = node.outputs.front();
        made.dims = codes->dims;
        made.stored = codes->bytes;
        m_consumed.insert(codes->name);
        DUO_TRY(parameters, parametersOf(node, codes->type));
        made.parameters = std::move(parameters);
        DUO_TRY(source, floatSource(made));
        addSwapPerReader(made, source);
        return success();
    }

    /// Each node that reads a constant may be in float by itself.
    void addSwapPerReader(const Switch& made, const std::string& source)
    {
        std::map<NodeId, std::vector<std::size_t>> editsOf;
        for (const std::size_t edit : m_rewired.at(made.value))
            editsOf[decidingNode(m_decisions, m_qdq.edits.inputs[edit].node)].push_back(edit);
        bool isFirst = true;
        for (const auto& [reader, edits] : editsOf) {
            Switch one = made;
            addIfCompressed(reader, one.nodes);
            one.sharesStorage = !isFirst;
            if (!isFirst)
                one.value = freshValue(made.value + "_" + std::to_string(m_result.switches.size()));
            for (const std::size_t edit : edits)
                m_qdq.edits.inputs[edit].value = one.value;
            addSwap(std::move(one), source, {}, false);
            isFirst = false;
        }
    }

    /// Biases that stay float but were corrected for what rounding takes from the mean.
    Status writeFloatBiases()
    {
        for (std::size_t i = 0; i < m_qdq.edits.inputs.size(); ++i) {
            const std::string written = m_qdq.edits.inputs[i].value;
            const NewTensor* values = tensor(written);
            if (values == nullptr || values->type != ElementType::Float32 || m_consumed.contains(written))
                continue;
            Switch made;
            made.kind = SwitchKind::Bias;
            made.value = freshValue(written + "_switched");
            made.dims = values->dims;
            made.stored = values->bytes;
            made.nodes = readersOf(written);
            DUO_TRY(floats, floatsBehind(m_qdq.edits.inputs[i], made));
            if (bytesOf(floats) == made.stored)
                continue; // a batch norm folded in, nothing else
            m_consumed.insert(written);
            for (const std::size_t edit : m_rewired.at(written))
                m_qdq.edits.inputs[edit].value = made.value;
            const std::string source = addFloats(made, floats);
            addSwap(std::move(made), source, {}, false);
        }
        return success();
    }

    void addSwap(Switch made, const std::string& source, NodeId anchor, bool after)
    {
        const auto number = static_cast<std::int64_t>(m_result.switches.size());
        const std::string name = std::string(kSwapDomain) + "." + std::to_string(number);
        m_result.edits.newNodes.push_back(swapNode(number, name, source, made.value, anchor, after));
        m_result.switches.push_back(std::move(made));
    }

    /// The float value of a stored constant: the model's own initializer where that is it.
    Result<std::string> floatSource(const Switch& made)
    {
        const auto edits = m_rewired.find(made.value);
        if (edits == m_rewired.end())
            return Error{ErrorCode::Internal, "nobody reads a stored value", made.value, {}};
        const PortEdit& reader = m_qdq.edits.inputs[edits->second.front()];
        const auto& inputs = m_model.node(reader.node).inputs;
        const ValueId read = reader.port < inputs.size() ? inputs[reader.port] : ValueId();
        if (read.valid() && !foldableNorm(m_model, reader.node)) {
            const Value& value = m_model.value(read);
            const bool isOwn = value.initializer.valid() && value.region == RegionId(0)
                && m_model.tensor(value.initializer).type == ElementType::Float32
                && m_model.tensor(value.initializer).dims == made.dims;
            if (isOwn) {
                m_kept.insert(value.name);
                return value.name;
            }
        }
        DUO_TRY(floats, floatsBehind(reader, made));
        return addFloats(made, floats);
    }

    /// What the export computes with before it rounds: rearranged, a batch norm folded in.
    Result<std::vector<float>> floatsBehind(const PortEdit& reader, const Switch& made) const
    {
        const auto& inputs = m_model.node(reader.node).inputs;
        const bool isRead = reader.port < inputs.size() && inputs[reader.port].valid();
        if (made.kind == SwitchKind::Bias && (!isRead || foldableNorm(m_model, reader.node))) {
            auto bias = effectiveBias(m_model, reader.node);
            bias.resize(static_cast<std::size_t>(elementCount(made.dims).value_or(0)));
            return bias;
        }
        if (!isRead)
            return Error{ErrorCode::Internal, "a stored value has no float value", made.value, {}};
        DUO_TRY(weight, readWeight(m_model, reader.node, reader.port));
        const auto count = static_cast<std::size_t>(elementCount(made.dims).value_or(0));
        if (made.kind == SwitchKind::Bias && weight.values.size() == 1) // for all columns of a Gemm
            weight.values.assign(count, weight.values.front());
        return std::move(weight.values);
    }

    /// A name for a new value that neither model nor export uses.
    [[nodiscard]] std::string freshValue(std::string name) const
    {
        while (m_model.findValue(name).valid() || m_tensors.contains(name) || m_rewired.contains(name))
            name += "_";
        return name;
    }

    std::string addFloats(const Switch& made, const std::vector<float>& floats)
    {
        std::string name = freshValue(made.value + "_floats");
        m_result.edits.newTensors.push_back({name, ElementType::Float32, made.dims, bytesOf(floats)});
        return name;
    }

    /// New tensors that no swap stands for: what other new nodes read.
    void moveTensors()
    {
        for (NewTensor& tensor : m_qdq.edits.newTensors) {
            if (!m_consumed.contains(tensor.name))
                m_result.edits.newTensors.push_back(std::move(tensor));
        }
    }

    [[nodiscard]] const NewTensor* tensor(const std::string& name) const
    {
        const auto found = m_tensors.find(name);
        return found == m_tensors.end() ? nullptr : &m_qdq.edits.newTensors[found->second];
    }

    void addIfCompressed(NodeId node, std::vector<NodeId>& nodes) const
    {
        if (isCompressed(m_decisions[node.index].state))
            nodes.push_back(decidingNode(m_decisions, node));
    }

    static std::vector<NodeId> sorted(std::vector<NodeId> nodes)
    {
        std::ranges::sort(nodes);
        nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
        return nodes;
    }

    [[nodiscard]] std::vector<NodeId> readersOf(const std::string& written) const
    {
        std::vector<NodeId> nodes;
        if (const auto edits = m_rewired.find(written); edits != m_rewired.end()) {
            for (const std::size_t edit : edits->second)
                addIfCompressed(m_qdq.edits.inputs[edit].node, nodes);
        }
        return sorted(std::move(nodes));
    }

    /// Who reads the dequantized value, and who computes the value where everybody reads it dequantized: then the
    /// quantizer is there for the node that gives it, too.
    [[nodiscard]] std::vector<NodeId> nodesAround(ValueId id, const std::string& written) const
    {
        const Value& value = m_model.value(id);
        if (written != value.name)
            return readersOf(written);
        std::vector<NodeId> nodes;
        for (const Use& use : value.uses)
            addIfCompressed(use.node, nodes);
        if (value.producer.valid())
            addIfCompressed(value.producer, nodes);
        return sorted(std::move(nodes));
    }

    const Model& m_model;
    const Decisions& m_decisions;
    QdqEdits m_qdq;
    std::unordered_map<std::string, std::size_t> m_tensors; // index in newTensors
    std::unordered_map<std::string, std::vector<std::size_t>> m_rewired; // indices in inputs, by the value read
    std::unordered_map<std::string, ValueId> m_quantized; // by the dequantized value
    std::unordered_set<std::string> m_consumed; // new tensors that became part of a switch
    std::unordered_set<std::string> m_kept; // initializers the swaps read
    SwitchableEdits m_result;
};

} // namespace

NodeId decidingNode(const Decisions& decisions, NodeId node)
{
    const NodeId with = decisions[node.index].fusedWith;
    return with.valid() ? with : node;
}

Result<SwitchableEdits> switchableEdits(const Model& model, const Decisions& decisions, QdqEdits qdq)
{
    return SwitchWriter(model, decisions, std::move(qdq)).write();
}

} // namespace duo
