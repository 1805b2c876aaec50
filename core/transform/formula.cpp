// SPDX-License-Identifier: Apache-2.0
#include "core/transform/formula.h"

#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/elimination.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <cmath>

namespace duo {

bool isNear(double value, double wanted)
{
    constexpr double kShare = 1e-5;
    return std::abs(value - wanted) <= kShare * std::abs(wanted);
}

std::string notInOpset(std::int64_t opset, const std::string& opType, std::int64_t since)
{
    return "opset " + std::to_string(opset) + " has no " + opType + ", which came with " + std::to_string(since);
}

std::optional<double> Formula::number(ValueId value)
{
    const Tensor* constant
        = value.valid() && !isOverridable(m_model, m_model.value(value)) ? m_model.constant(value) : nullptr;
    if (constant == nullptr || constant->elements() != 1 || constant->dims.size() > 1)
        return std::nullopt;
    m_hasVectors = m_hasVectors || !constant->dims.empty();
    m_hasIntegers = m_hasIntegers || !isFloating(constant->type);
    const std::vector<float> numbers = toFloats(*constant);
    return numbers.size() == 1 ? std::optional<double>(numbers.front()) : std::nullopt;
}

const Node* Formula::take(const char* opType, ValueId value)
{
    const NodeId id = value.valid() ? m_model.value(value).producer : NodeId{};
    if (!id.valid() || !isAnyOf(m_model.node(id), {opType}) || m_model.node(id).inputs.empty()
        || !m_model.node(id).inputs[0].valid() || m_model.value(value).producerPort != 0)
        return nullptr;
    if (id != m_last && std::ranges::find(m_inner, id) == m_inner.end())
        m_inner.push_back(id);
    return &m_model.node(id);
}

std::optional<ValueId> Formula::under(const char* opType, ValueId value)
{
    const Node* node = take(opType, value);
    return node != nullptr ? std::optional(node->inputs[0]) : std::nullopt;
}

std::optional<Formula::Pair> Formula::operands(const char* opType, ValueId value)
{
    const Node* node = take(opType, value);
    if (node == nullptr || node->inputs.size() != 2 || !node->inputs[1].valid())
        return std::nullopt;
    return Pair{node->inputs[0], node->inputs[1]};
}

std::optional<Formula::Raised> Formula::lessAnyConstant(ValueId value)
{
    const auto sum = operands("Add", value);
    if (!sum)
        return std::nullopt;
    if (const auto second = number(sum->second))
        return Raised{sum->first, *second};
    const auto first = number(sum->first);
    return first ? std::optional(Raised{sum->second, *first}) : std::nullopt;
}

std::optional<ValueId> Formula::lessConstant(ValueId value, double constant)
{
    const auto raised = lessAnyConstant(value);
    return raised && isNear(raised->by, constant) ? std::optional(raised->value) : std::nullopt;
}

std::optional<Formula::Factors> Formula::factorsOf(ValueId value)
{
    Factors factors;
    if (!addFactors(value, false, factors))
        return std::nullopt;
    return factors;
}

/// As deep as there are factors, of which there are few.
bool Formula::addFactors(ValueId value, bool isDivided, Factors& factors)
{
    constexpr std::size_t kMost = 8;
    if (factors.times.size() + factors.by.size() >= kMost || m_inner.size() > 4 * kMost)
        return false;
    if (const auto constant = number(value)) {
        factors.factor = isDivided ? factors.factor / *constant : factors.factor * *constant;
        return *constant != 0;
    }
    const bool isOfFormulaAlone = m_model.value(value).producer == m_last || onlyUse(m_model, value);
    if (!isOfFormulaAlone) {
        (isDivided ? factors.by : factors.times).push_back(value);
        return true;
    }
    if (const auto product = operands("Mul", value))
        return addFactors(product->first, isDivided, factors) && addFactors(product->second, isDivided, factors);
    if (const auto share = operands("Div", value))
        return addFactors(share->first, isDivided, factors) && addFactors(share->second, !isDivided, factors);
    const Node* power = take("Pow", value);
    const auto exponent = power != nullptr && power->inputs.size() == 2 ? number(power->inputs[1]) : std::nullopt;
    if (power != nullptr && exponent != 2.0 && exponent != 3.0)
        return false;
    for (int i = 0; power != nullptr && i < static_cast<int>(*exponent); ++i) {
        if (!addFactors(power->inputs[0], isDivided, factors))
            return false;
    }
    if (power == nullptr)
        (isDivided ? factors.by : factors.times).push_back(value);
    return true;
}

Formulas::Formulas(const PassScene& scene)
    : m_scene(scene)
    , m_model(scene.model)
    , m_names(scene.model)
    , m_isPinned(pinnedValues(scene.model))
    , m_isDone(scene.model.nodes.size())
{
}

bool Formulas::isFree(NodeId id) const
{
    const Node& node = m_model.node(id);
    return !m_isDone[id.index] && m_scene.mayChange(id) && !node.isCall && !m_model.isInFunction(node)
        && node.outputs.size() == 1 && node.outputs[0].valid();
}

const KnownRanks& Formulas::ranks()
{
    if (!m_ranks)
        m_ranks.emplace(m_model);
    return *m_ranks;
}

bool Formulas::mayBeLast(NodeId id) const
{
    return isFree(id);
}

bool Formulas::replace(const Formula& formula, OneOperator by)
{
    const auto isPart = [&](NodeId id) {
        return id == formula.last() || std::ranges::find(formula.inner(), id) != formula.inner().end();
    };
    const Node& last = m_model.node(formula.last());
    if (formula.hasIntegers() || (by.turned && !isFree(by.turned->transpose)))
        return false;
    if (formula.hasVectors() && ranks().of(by.inputs.front()).value_or(0) < 1)
        return false;
    for (const NodeId id : formula.inner()) {
        if (!isFree(id))
            return false;
        const ValueId given = m_model.node(id).outputs[0];
        if (m_model.node(id).region != last.region || m_isPinned[given.index] || m_model.value(given).isOutput
            || !std::ranges::all_of(m_model.value(given).uses, [&](const Use& use) { return isPart(use.node); })) {
            skip(formula,
                "it is a " + by.opType + ", but something else reads '" + m_model.value(given).name + "' inside");
            return false;
        }
    }
    NewNode made{last.localName, std::move(by.opType), {}, {}, {m_model.value(last.outputs[0]).name},
        std::move(by.attributes), last.metadata, formula.last(), false, last.region};
    for (const ValueId input : by.inputs) {
        const bool isTurned = by.turned && m_model.value(input).producer == by.turned->transpose;
        made.inputs.push_back(isTurned ? turn(*by.turned) : m_model.value(input).name);
    }
    for (NewTensor& constant : by.constants)
        made.inputs.push_back(add(std::move(constant)));
    m_edits.newNodes.push_back(std::move(made));
    m_edits.removedNodes.push_back(formula.last());
    m_isDone[formula.last().index] = true;
    m_result.applied.push_back(formula.last());
    for (const NodeId id : formula.inner()) {
        m_edits.removedNodes.push_back(id);
        m_result.applied.push_back(id);
        m_result.fused.emplace_back(formula.last(), id);
        m_isDone[id.index] = true;
    }
    return true;
}

void Formulas::skip(const Formula& formula, std::string why)
{
    const bool isOurs = std::ranges::any_of(
        formula.inner(), [&](NodeId id) { return !metadataValue(m_model.node(id).metadata, kWrittenOfKey).empty(); });
    if (!isOurs) // else a target wanted it so
        m_result.skipped.push_back({formula.last(), std::move(why)});
}

/// The name that it has in the end.
std::string Formulas::add(NewTensor constant)
{
    constant.name = m_names.value(constant.name);
    m_edits.newTensors.push_back(std::move(constant));
    return m_edits.newTensors.back().name;
}

std::string Formulas::turn(const OneOperator::Turned& turned)
{
    const NodeId id = turned.transpose;
    std::string name = m_names.value(m_model.value(m_model.node(id).outputs[0]).name + "_turned");
    m_edits.attributes.push_back({id, {"perm", turned.order}});
    m_edits.outputs.push_back({id, 0, name});
    m_result.applied.push_back(id);
    m_isDone[id.index] = true;
    return name;
}

PassResult Formulas::result() &&
{
    if (!m_result.applied.empty())
        m_result.edits = std::move(m_edits);
    return std::move(m_result);
}

} // namespace duo
