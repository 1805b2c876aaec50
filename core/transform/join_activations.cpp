// SPDX-License-Identifier: Apache-2.0
// Activations that were written as several operators, where the model's opset has one for them.
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/formula.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace duo {
namespace {

constexpr std::int64_t kHardSwishOpset = 14;
constexpr std::int64_t kMishOpset = 18;
constexpr std::int64_t kGeluOpset = 20;
constexpr std::int64_t kSwishOpset = 24; // ONNX Runtime 1.32 does not find it in models of newer ones

/// Of two factors, the one that the gate is not; nothing where there are others.
std::optional<ValueId> besides(const Formula::Factors& factors, ValueId gate)
{
    if (factors.times.size() != 2 || !factors.by.empty())
        return std::nullopt;
    return factors.times[0] == gate ? factors.times[1] : factors.times[0];
}

bool isOf(const std::optional<ValueId>& value, ValueId input)
{
    return value && *value == input;
}

/// max(0, min(1, x / 6 + 1/2)) without the division, or with it.
bool isHardGate(Formula& formula, ValueId gate, ValueId input, double factor)
{
    if (const Node* sigmoid = formula.take("HardSigmoid", gate))
        return sigmoid->inputs[0] == input && isNear(factor, 1)
            && isNear(sigmoid->floatAttribute("alpha", 0.2F), 1.0 / 6)
            && isNear(sigmoid->floatAttribute("beta", 0.5F), 0.5);
    const Node* clip = formula.take("Clip", gate);
    return clip != nullptr && clip->inputs.size() == 3 && formula.number(clip->inputs[1]) == 0.0
        && formula.number(clip->inputs[2]) == 6.0 && isNear(factor, 1.0 / 6)
        && isOf(formula.lessConstant(clip->inputs[0], 3), input);
}

/// Softplus, also where it is said besides that large ones stay as they are, as torch writes it: from 15 on adding
/// log(1 + exp(-x)) changes no float of 32 bits.
bool isSoftplus(Formula& formula, ValueId value, ValueId input)
{
    constexpr double kLarge = 15;
    if (isOf(formula.under("Softplus", value), input))
        return true;
    const Node* choice = formula.take("Where", value);
    const auto large = choice != nullptr && choice->inputs.size() == 3 ? formula.operands("Greater", choice->inputs[0])
                                                                       : std::nullopt;
    const auto least = large && large->first == input ? formula.number(large->second) : std::nullopt;
    return least && *least >= kLarge && choice->inputs[1] == input
        && isOf(formula.under("Softplus", choice->inputs[2]), input);
}

bool isMishGate(Formula& formula, ValueId gate, ValueId input, double factor)
{
    const auto inner = formula.under("Tanh", gate);
    return inner && isNear(factor, 1) && isSoftplus(formula, *inner, input);
}

/// sigmoid(alpha x): its alpha.
std::optional<float> swishGate(Formula& formula, ValueId gate, ValueId input)
{
    const auto inner = formula.under("Sigmoid", gate);
    if (isOf(inner, input))
        return 1.0F;
    const auto factors = inner ? formula.factorsOf(*inner) : std::nullopt;
    const bool isScaled = factors && factors->by.empty() && factors->times == std::vector{input};
    return isScaled ? std::optional(static_cast<float>(factors->factor)) : std::nullopt;
}

bool isErfGate(Formula& formula, ValueId gate, ValueId input)
{
    const auto erf = formula.lessConstant(gate, 1);
    const auto scaled = erf ? formula.under("Erf", *erf) : std::nullopt;
    const auto factors = scaled ? formula.factorsOf(*scaled) : std::nullopt;
    return factors && factors->by.empty() && factors->times == std::vector{input}
    && isNear(factors->factor, 1 / std::numbers::sqrt2);
}

/// x + 0.044715 x^3, or x (1 + 0.044715 x^2); what tanh is taken of is that times the root of 2 / pi.
bool isBentLine(Formula& formula, const Formula::Factors& factors, ValueId input)
{
    constexpr double kBend = 0.044715;
    const auto isPower = [&](ValueId value, std::size_t exponent) {
        const auto power = formula.factorsOf(value);
        return power && power->by.empty() && isNear(power->factor, kBend)
            && power->times == std::vector<ValueId>(exponent, input);
    };
    if (factors.times.size() == 1) {
        const auto sum = formula.operands("Add", factors.times[0]);
        return sum
            && ((sum->first == input && isPower(sum->second, 3)) || (sum->second == input && isPower(sum->first, 3)));
    }
    const auto line
        = factors.times.size() == 2 ? std::optional(factors.times[factors.times[0] == input ? 1 : 0]) : std::nullopt;
    const auto bent = line && std::ranges::find(factors.times, input) != factors.times.end()
        ? formula.lessConstant(*line, 1)
        : std::nullopt;
    return bent && isPower(*bent, 2);
}

bool isTanhGate(Formula& formula, ValueId gate, ValueId input)
{
    const auto tanh = formula.lessConstant(gate, 1);
    const auto scaled = tanh ? formula.under("Tanh", *tanh) : std::nullopt;
    const auto factors = scaled ? formula.factorsOf(*scaled) : std::nullopt;
    return factors && factors->by.empty() && isNear(factors->factor, std::sqrt(2 / std::numbers::pi))
        && isBentLine(formula, *factors, input);
}

class ActivationJoining
{
public:
    explicit ActivationJoining(const PassScene& scene)
        : m_model(scene.model)
        , m_formulas(scene)
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            if (isAnyOf(m_model.node(id), {"Mul", "Div"}) && m_formulas.mayBeLast(id))
                visit(id);
        }
        return std::move(m_formulas).result();
    }

private:
    void visit(NodeId id)
    {
        Formula product(m_model, id);
        const auto factors = product.factorsOf(m_model.node(id).outputs[0]);
        if (!factors)
            return;
        for (const ValueId gate : factors->times) {
            const auto input = besides(*factors, gate);
            if (!input || *input == gate)
                return;
            if (tryGate(product, gate, *input, factors->factor))
                return;
        }
    }

    /// @return whether it is that operator, also where the opset has it not
    template <typename Test> bool tryOne(Formula formula, OneOperator by, std::int64_t since, const Test& isIt)
    {
        if (!isIt(formula))
            return false;
        if (m_model.opset() < since) {
            m_formulas.skip(formula, notInOpset(m_model.opset(), by.opType, since));
            return true;
        }
        return m_formulas.replace(formula, std::move(by));
    }

    bool tryGate(const Formula& product, ValueId gate, ValueId input, double factor)
    {
        if (tryOne(product, {"HardSwish", {input}}, kHardSwishOpset,
                [&](Formula& formula) { return isHardGate(formula, gate, input, factor); })
            || tryOne(product, {"Mish", {input}}, kMishOpset,
                [&](Formula& formula) { return isMishGate(formula, gate, input, factor); }))
            return true;
        if (m_model.opset() == kSwishOpset && isNear(factor, 1)) {
            Formula formula = product;
            if (const auto alpha = swishGate(formula, gate, input))
                return m_formulas.replace(formula, {"Swish", {input}, {{"alpha", *alpha}}});
        }
        if (!isNear(factor, 0.5))
            return false;
        return tryOne(product, {"Gelu", {input}}, kGeluOpset,
                   [&](Formula& formula) { return isErfGate(formula, gate, input); })
            || tryOne(product, {"Gelu", {input}, {{"approximate", std::string("tanh")}}}, kGeluOpset,
                [&](Formula& formula) { return isTanhGate(formula, gate, input); });
    }

    const Model& m_model;
    Formulas m_formulas;
};

} // namespace

PassResult joinActivations(const PassScene& scene)
{
    return ActivationJoining(scene).run();
}

} // namespace duo
