// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/correspondence.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace duo {
namespace {

/// Names of inputs or outputs, in file order, with their places.
class PortIndex
{
public:
    PortIndex(const Model& model, const std::vector<ValueId>& ids)
        : m_model(model)
    {
        for (const ValueId id : ids)
            m_byName.emplace(model.value(id).name, id);
    }
    [[nodiscard]] const Value* find(const std::string& name) const
    {
        const auto entry = m_byName.find(name);
        return entry == m_byName.end() ? nullptr : &m_model.value(entry->second);
    }

private:
    const Model& m_model;
    std::map<std::string_view, ValueId> m_byName;
};

bool contradict(const std::vector<Dim>& a, const std::vector<Dim>& b)
{
    if (a.size() != b.size())
        return true;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].size && b[i].size && a[i].size != b[i].size)
            return true;
    }
    return false;
}

bool typesDiffer(const Value& a, const Value& b)
{
    return a.type.element != ElementType::Undefined && b.type.element != ElementType::Undefined
        && a.type.element != b.type.element;
}

/// "" if the two fit each other as far as the files tell.
std::string portDifference(const std::string& what, const Value& a, const Value& b)
{
    if (typesDiffer(a, b))
        return what + " '" + a.name + "' is " + std::string(elementTypeName(a.type.element)) + " in A and "
            + std::string(elementTypeName(b.type.element)) + " in B";
    if (a.type.shape && b.type.shape && contradict(*a.type.shape, *b.type.shape))
        return what + " '" + a.name + "' has different shapes in A and B";
    return {};
}

void matchInputs(const Model& a, const Model& b, PortMatch& match)
{
    const PortIndex inA(a, a.mainGraph().inputs);
    const PortIndex inB(b, b.mainGraph().inputs);
    for (const ValueId id : a.mainGraph().inputs) {
        const Value& input = a.value(id);
        const Value* other = inB.find(input.name);
        auto difference
            = other == nullptr ? "B has no input '" + input.name + "'" : portDifference("input", input, *other);
        if (!difference.empty())
            match.findings.push_back(std::move(difference));
    }
    for (const ValueId id : b.mainGraph().inputs) {
        if (inA.find(b.value(id).name) == nullptr)
            match.findings.push_back("A has no input '" + b.value(id).name + "'");
    }
    match.inputsCorrespond = match.findings.empty();
}

void pairOutputs(const Value& a, const Value& b, PortMatch& match)
{
    match.outputs.push_back({a.name, b.name});
    if (a.name != b.name)
        match.notes.push_back({"output-by-order",
            "output '" + a.name + "' of A is compared with output '" + b.name + "' of B, by their order", a.name});
    if (auto difference = portDifference("output", a, b); !difference.empty())
        match.findings.push_back(std::move(difference));
}

void matchOutputs(const Model& a, const Model& b, PortMatch& match)
{
    const PortIndex inA(a, a.mainGraph().outputs);
    const PortIndex inB(b, b.mainGraph().outputs);
    std::vector<const Value*> left; // of B, without a namesake in A
    for (const ValueId id : b.mainGraph().outputs) {
        if (inA.find(b.value(id).name) == nullptr)
            left.push_back(&b.value(id));
    }
    auto next = left.begin();
    for (const ValueId id : a.mainGraph().outputs) {
        const Value& output = a.value(id);
        if (const Value* namesake = inB.find(output.name); namesake != nullptr)
            pairOutputs(output, *namesake, match);
        else if (next != left.end())
            pairOutputs(output, **next++, match);
        else
            match.findings.push_back("B has no output for '" + output.name + "'");
    }
    for (; next != left.end(); ++next)
        match.findings.push_back("A has no output for '" + (*next)->name + "'");
}

bool isComputedFloat(const Model& model, ValueId id)
{
    if (!id.valid())
        return false;
    const Value& value = model.value(id);
    const ElementType type = value.type.element;
    return value.producer.valid() && model.constant(id) == nullptr && value.region == RegionId(0)
        && (type == ElementType::Float32 || type == ElementType::Undefined);
}

} // namespace

PortMatch matchPorts(const Model& a, const Model& b)
{
    PortMatch match;
    matchInputs(a, b, match);
    matchOutputs(a, b, match);
    return match;
}

std::vector<std::string> sharedValues(const Model& a, const Model& b)
{
    std::vector<std::string> names;
    for (const NodeId node : a.mainGraph().nodes) {
        for (const ValueId id : a.node(node).outputs) {
            if (!isComputedFloat(a, id))
                continue;
            const ValueId other = b.findValue(a.value(id).name);
            if (isComputedFloat(b, other) && !(a.value(id).isOutput && b.value(other).isOutput))
                names.push_back(a.value(id).name);
        }
    }
    return names;
}

} // namespace duo
