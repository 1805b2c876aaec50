// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/tensor_uses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace duo {
namespace {

constexpr int kMostSteps = 4; // between a product and its bias
constexpr std::int64_t kFewChannels = 4; // factors of that few are more often a preparation of the input

/// What is known of a value that is made of constants only.
struct Constant {
    std::int64_t elements = 0; // 0: not known
    TensorId tensor; // the one it is in another form; invalid: made of several
    bool isConstant = false;
    bool isInteger = false; // integers went into it
};

/// What each input of a node is asked against; found once for all of them, as a Concat may have many.
struct Surroundings {
    bool areConstant = false; // all inputs
    std::int64_t integers = -1; // elements of the largest input that integers went into; -1: there is none
    Operand ofResult = Operand::Setting;
};

bool isArithmetic(const Node& node)
{
    constexpr std::array<std::string_view, 4> kTypes{"Add", "Sub", "Mul", "Div"};
    return std::ranges::find(kTypes, node.opType) != kTypes.end();
}

bool keepsElements(const Node& node)
{
    return passingOf(node) == Passing::Layout && has(node, mark::kKeepsElements | mark::kConverts);
}

/// At most one axis is not of size 1.
bool isPerChannel(const Tensor& tensor)
{
    return std::ranges::count_if(tensor.dims, [](std::int64_t dim) { return dim != 1; }) <= 1;
}

/// A product whose bias an Add behind it may add: none that has scales for its own, and no Gemm fused with an
/// activation.
bool takesAddedBias(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return facts.product != Product::None && facts.product != Product::Recurrent && facts.form != ProductForm::Codes
        && (facts.form != ProductForm::Fused || facts.product == Product::Convolution || facts.biasPort == kNoPort);
}

class TensorUses
{
public:
    TensorUses(const Model& model, std::span<const HeldTensor> held)
        : m_model(model)
        , m_constants(model.values.size())
        , m_uses(model.values.size(), Operand::Setting)
        , m_isScale(model.nodes.size(), false)
    {
        for (const HeldTensor& entry : held) {
            if (!entry.value.valid())
                continue;
            const Tensor& tensor = model.tensor(entry.tensor);
            m_constants[entry.value.index] = {tensor.elements(), entry.tensor, true, !isFloating(tensor.type)};
        }
        for (const NodeId id : model.order)
            findConstants(model.node(id));
        for (auto id = model.order.rbegin(); id != model.order.rend(); ++id)
            findUses(*id);
    }

    [[nodiscard]] Operand of(ValueId value) const { return m_uses[value.index]; }

private:
    [[nodiscard]] const Constant& constant(ValueId id) const { return m_constants[id.index]; }
    [[nodiscard]] bool isConstant(ValueId id) const { return id.valid() && constant(id).isConstant; }

    [[nodiscard]] bool areAllConstant(const Node& node) const
    {
        return std::ranges::all_of(node.inputs, [&](ValueId input) { return !input.valid() || isConstant(input); });
    }

    void findConstants(const Node& node)
    {
        const bool isSource = node.inputs.empty() && isConstantNode(node);
        const bool isMade = passingOf(node) != Passing::None && !node.inputs.empty() && areAllConstant(node);
        if (node.isCall || (!isSource && !isMade))
            return;
        Constant made;
        made.isConstant = true;
        if (isMade && node.inputs[0].valid() && keepsElements(node))
            made = constant(node.inputs[0]);
        for (const ValueId input : node.inputs)
            made.isInteger = made.isInteger
                || (input.valid() && passingOf(node) == Passing::Arithmetic && constant(input).isInteger);
        for (const ValueId output : node.outputs) {
            if (output.valid() && !isConstant(output))
                m_constants[output.index] = made;
        }
    }

    void findUses(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.isCall)
            return;
        if (node.opType == "Add")
            findScale(node);
        const Surroundings around = surroundingsOf(node);
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (!node.inputs[port].valid())
                continue;
            Operand& use = m_uses[node.inputs[port].index];
            use = std::max(use, useAt(id, node, port, around));
        }
    }

    [[nodiscard]] Surroundings surroundingsOf(const Node& node) const
    {
        Surroundings around{areAllConstant(node), -1, useOfResult(node)};
        for (const ValueId input : node.inputs) {
            if (input.valid() && constant(input).isInteger)
                around.integers = std::max(around.integers, constant(input).elements);
        }
        return around;
    }

    [[nodiscard]] Operand useOfResult(const Node& node) const
    {
        Operand use = Operand::Setting;
        for (const ValueId output : node.outputs)
            use = output.valid() ? std::max(use, m_uses[output.index]) : use;
        return use;
    }

    [[nodiscard]] Operand useAt(NodeId id, const Node& node, std::size_t port, const Surroundings& around) const
    {
        const Passing passing = passingOf(node);
        if (passing == Passing::Layout)
            return port == 0 ? around.ofResult : Operand::Setting;
        if (passing == Passing::Arithmetic && around.areConstant)
            return isSettingAmong(node, port, around) ? Operand::Setting : around.ofResult;
        const Operand use = operandOf(node, port);
        const bool isTerm = use == Operand::Term && isConstant(node.inputs[port]);
        return isTerm && (isBias(node, port) || (m_isScale[id.index] && isOnePerChannel(node.inputs[port])))
            ? Operand::Weight
            : use;
    }

    /// Among constants: a single number, or what makes numbers of the integers beside it.
    [[nodiscard]] bool isSettingAmong(const Node& node, std::size_t port, const Surroundings& around) const
    {
        if (!isArithmetic(node) && node.opType != "Pow")
            return false;
        const Constant& own = constant(node.inputs[port]);
        if (own.elements == 1)
            return true;
        return own.isInteger ? own.elements > 0 && own.elements < around.integers : around.integers >= 0;
    }

    [[nodiscard]] bool isOnePerChannel(ValueId id) const
    {
        return constant(id).tensor.valid() && isPerChannel(m_model.tensor(constant(id).tensor));
    }

    /// The only other input of a node with two; invalid if there is none.
    static ValueId other(const Node& node, std::size_t port)
    {
        return node.inputs.size() == 2 ? node.inputs[1 - port] : ValueId{};
    }

    [[nodiscard]] bool isBias(const Node& node, std::size_t port) const
    {
        const ValueId data = other(node, port);
        if ((node.opType != "Add" && node.opType != "Sub") || !data.valid() || isConstant(data)
            || !isOnePerChannel(node.inputs[port]))
            return false;
        const Node* product = productBehind(data);
        return product != nullptr && hasChannels(*product, constant(node.inputs[port]).elements);
    }

    /// The product a value is the result of, through operators that change its layout or type only; null if none.
    [[nodiscard]] const Node* productBehind(ValueId value) const
    {
        for (int step = 0; step < kMostSteps; ++step) {
            const NodeId producer = m_model.value(value).producer;
            if (!producer.valid())
                return nullptr;
            const Node& node = m_model.node(producer);
            if (takesAddedBias(node))
                return &node;
            if (!keepsElements(node) || node.inputs.empty() || !node.inputs[0].valid())
                return nullptr;
            value = node.inputs[0];
        }
        return nullptr;
    }

    /// A bias of its own, or a third factor.
    [[nodiscard]] static bool hasOtherWeights(const Node& product)
    {
        for (std::size_t port = 2; port < product.inputs.size(); ++port) {
            if (product.inputs[port].valid() && operandOf(product, port) == Operand::Weight)
                return true;
        }
        return false;
    }

    /// A product without a bias of its own gives as many channels.
    [[nodiscard]] bool hasChannels(const Node& product, std::int64_t channels) const
    {
        const OpFacts& facts = opFacts(product);
        const std::size_t port = facts.weightPort;
        if (hasOtherWeights(product) || product.inputs.size() <= port || !isConstant(product.inputs[port]))
            return false;
        const TensorId weight = constant(product.inputs[port]).tensor;
        if (!weight.valid() || m_model.tensor(weight).dims.size() < 2)
            return false;
        const auto& dims = m_model.tensor(weight).dims;
        if (const auto layout = convolutionLayout(product, dims.size()))
            return dims[*layout->output] * (*layout->output == 0 ? 1 : layout->groups) == channels;
        if (facts.form == ProductForm::Packed)
            return dims[0] == channels;
        const bool isEither = dims.back() == channels || dims[dims.size() - 2] == channels; // may be transposed
        return channels == 1 ? dims.back() == 1 : isEither;
    }

    /// Mul by one number per channel, then Add of as many.
    void findScale(const Node& node)
    {
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId data = other(node, port);
            if (!data.valid() || !isConstant(node.inputs[port]) || isConstant(data)
                || !isOnePerChannel(node.inputs[port]))
                continue;
            const NodeId producer = m_model.value(data).producer;
            const std::int64_t channels = constant(node.inputs[port]).elements;
            if (!producer.valid() || m_model.node(producer).opType != "Mul" || channels <= kFewChannels)
                continue;
            const auto& factors = m_model.node(producer).inputs;
            const bool isScale = std::ranges::any_of(factors, [&](ValueId factor) {
                return isConstant(factor) && isOnePerChannel(factor) && constant(factor).elements == channels;
            });
            if (!isScale)
                continue;
            m_isScale[producer.index] = true;
            m_uses[node.inputs[port].index] = Operand::Weight;
        }
    }

    const Model& m_model;
    std::vector<Constant> m_constants; // [values]
    std::vector<Operand> m_uses; // [values]
    std::vector<bool> m_isScale; // [nodes] Mul of a normalization
};

} // namespace

std::vector<Operand> tensorUses(const Model& model, std::span<const HeldTensor> held)
{
    const TensorUses uses(model, held);
    std::vector<Operand> found(model.tensors.size(), Operand::Setting);
    for (const HeldTensor& entry : held) {
        if (entry.value.valid())
            found[entry.tensor.index] = std::max(found[entry.tensor.index], uses.of(entry.value));
    }
    return found;
}

} // namespace duo
