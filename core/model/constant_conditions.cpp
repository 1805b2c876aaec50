// SPDX-License-Identifier: Apache-2.0
#include "core/model/constant_conditions.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

constexpr int kDeepest = 32; // operators that one condition is folded through

std::optional<double> elementOf(const Tensor& tensor)
{
    if (tensor.elements() != 1)
        return std::nullopt;
    if (const auto ints = toInts(tensor); ints.size() == 1)
        return static_cast<double>(ints.front());
    const auto floats = toFloats(tensor);
    return floats.size() == 1 ? std::optional<double>(floats.front()) : std::nullopt;
}

class Folding
{
public:
    explicit Folding(const Model& model)
        : m_model(model)
    {
    }

    /// The only element of a value that no input changes. O(1) for each value and caller.
    [[nodiscard]] std::optional<double> element(ValueId id, int depth = 0)
    {
        if (!id.valid() || depth > kDeepest)
            return std::nullopt;
        const auto [known, isNew] = m_known.try_emplace(id.index);
        if (isNew) {
            const auto found = computed(id, depth);
            m_known[id.index] = found;
            return found;
        }
        return known->second;
    }

    /// What an If inside of a branch has for a condition where that of an If around it, or its opposite, is the same.
    [[nodiscard]] std::optional<double> implied(const Node& owner) const
    {
        if (owner.inputs.empty() || !owner.inputs[0].valid())
            return std::nullopt;
        const Sign asked = signOf(owner.inputs[0]);
        for (RegionId at = owner.region; m_model.region(at).owner.valid();) {
            const Region& region = m_model.region(at);
            const Node& around = m_model.node(region.owner);
            at = around.region;
            if (around.isCall || !isAnyOf(around, {"If"}) || around.inputs.empty() || !around.inputs[0].valid())
                continue;
            const Sign given = signOf(around.inputs[0]);
            if (given.value == asked.value)
                return (region.attribute == "then_branch") == (given.isOpposite == asked.isOpposite) ? 1 : 0;
        }
        return std::nullopt;
    }

private:
    /// A condition, or its opposite.
    struct Sign {
        ValueId value;
        bool isOpposite = false;
    };

    /// What a condition is handed on from.
    [[nodiscard]] Sign signOf(ValueId condition) const
    {
        Sign sign{condition};
        for (int depth = 0; depth < kDeepest; ++depth) {
            const Value& value = m_model.value(sign.value);
            if (!value.producer.valid())
                return sign;
            const Node& node = m_model.node(value.producer);
            const bool isNot = isAnyOf(node, {"Not"});
            const bool handsOn = isNot || (node.domain.empty() && has(node, mark::kKeepsElements));
            if (!handsOn || node.isCall || node.inputs.empty() || !node.inputs[0].valid())
                return sign;
            sign = {node.inputs[0], sign.isOpposite != isNot};
        }
        return sign;
    }

    [[nodiscard]] std::optional<double> computed(ValueId id, int depth)
    {
        const Value& value = m_model.value(id);
        if (value.initializer.valid())
            return isOverridable(m_model, value) ? std::nullopt : elementOf(m_model.tensor(value.initializer));
        if (!value.producer.valid())
            return std::nullopt;
        const Node& node = m_model.node(value.producer);
        if (!node.domain.empty())
            return std::nullopt;
        if (const Tensor* constant = m_model.constant(id))
            return elementOf(*constant);
        return folded(node, depth);
    }

    [[nodiscard]] std::optional<double> folded(const Node& node, int depth)
    {
        const auto at = [&](std::size_t port) {
            return port < node.inputs.size() ? element(node.inputs[port], depth + 1) : std::nullopt;
        };
        if (has(node, mark::kKeepsElements))
            return at(0);
        if (node.opType == "Cast" && node.intAttribute("to", 0) == static_cast<std::int64_t>(ElementType::Bool))
            return asBool(at(0));
        if (node.opType == "Not") {
            const auto input = asBool(at(0));
            return input ? std::optional(1 - *input) : std::nullopt;
        }
        if (isOneOf(node.opType, {"And", "Or"})) { // one operand may be enough
            const double decides = node.opType == "Or" ? 1 : 0;
            const auto a = asBool(at(0));
            const auto b = asBool(at(1));
            const bool isDecided = a == decides || b == decides;
            return isDecided ? std::optional(decides) : a && b ? std::optional(1 - decides) : std::nullopt;
        }
        return compared(node.opType, at(0), at(1));
    }

    static std::optional<double> asBool(std::optional<double> element)
    {
        return element ? std::optional<double>(*element != 0 ? 1 : 0) : std::nullopt;
    }

    static std::optional<double> compared(
        std::string_view type, const std::optional<double>& a, const std::optional<double>& b)
    {
        if (!a || !b)
            return std::nullopt;
        if (type == "Equal")
            return *a == *b ? 1 : 0;
        if (type == "Xor")
            return (*a != 0) != (*b != 0) ? 1 : 0;
        if (type == "Less")
            return *a < *b ? 1 : 0;
        if (type == "LessOrEqual")
            return *a <= *b ? 1 : 0;
        if (type == "Greater")
            return *a > *b ? 1 : 0;
        if (type == "GreaterOrEqual")
            return *a >= *b ? 1 : 0;
        return std::nullopt;
    }

    const Model& m_model;
    std::unordered_map<std::uint32_t, std::optional<double>> m_known; // by value
};

bool neverRuns(Folding& folding, const Node& owner, std::string_view attribute)
{
    const auto at = [&](std::size_t port) {
        return port < owner.inputs.size() ? folding.element(owner.inputs[port]) : std::nullopt;
    };
    if (!owner.domain.empty() || owner.isCall)
        return false;
    if (owner.opType == "If") {
        auto condition = at(0);
        if (!condition)
            condition = folding.implied(owner);
        return condition && (attribute == "then_branch") == (*condition == 0);
    }
    return owner.opType == "Loop" && (at(0).value_or(1) <= 0 || at(1) == 0.0);
}

} // namespace

const Tensor* fixedInput(const Model& model, const Node& node, std::size_t port)
{
    const bool isThere = port < node.inputs.size() && node.inputs[port].valid();
    return isThere && !isOverridable(model, model.value(node.inputs[port])) ? model.constant(node.inputs[port])
                                                                            : nullptr;
}

bool isOverridable(const Model& model, const Value& value)
{
    constexpr std::int64_t kFirstFreeOfInputs = 4;
    const bool isListed = std::any_of(
        value.metadata.begin(), value.metadata.end(), [](const auto& entry) { return entry.first == kOverridable; });
    return isListed && (value.region.index != 0 || model.irVersion >= kFirstFreeOfInputs);
}

std::vector<bool> bodiesNeverRun(const Model& model)
{
    std::vector<bool> never(model.regions.size(), false);
    if (model.regions.size() == 1)
        return never;
    Folding folding(model);
    const auto isInside = [&](RegionId region) {
        const NodeId owner = model.region(region).owner;
        return owner.valid() && never[model.node(owner).region.index];
    };
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        const Region& region = model.regions[r];
        if (region.owner.valid() && !region.attribute.empty())
            never[r] = neverRuns(folding, model.node(region.owner), region.attribute);
    }
    for (const NodeId id : model.order) { // an owner comes before what it holds
        const RegionId region = model.node(id).region;
        if (!never[region.index] && isInside(region))
            never[region.index] = true;
    }
    return never;
}

std::vector<Note> constantConditionNotes(const Model& model)
{
    const std::vector<bool> never = bodiesNeverRun(model);
    std::vector<Note> notes;
    for (std::size_t r = 1; r < never.size(); ++r) {
        const NodeId owner = model.regions[r].owner;
        if (never[r] && !never[model.node(owner).region.index])
            notes.push_back({"branch-never-runs", "a body never runs: its condition is constant",
                model.node(owner).name + "::" + model.regions[r].attribute});
    }
    return notes;
}

} // namespace duo
