// SPDX-License-Identifier: Apache-2.0
#include "core/outline/formal_names.h"

#include "core/model/op_facts.h"
#include "core/outline/outline_names.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <variant>

namespace duo {
namespace {

/// What `nameOf` says of all calls; "" where they differ.
template <typename NameOf> std::string same(std::span<const NamedCall> calls, const NameOf& nameOf)
{
    const std::string name = nameOf(calls.front());
    return std::ranges::all_of(calls, [&](const NamedCall& call) { return nameOf(call) == name; }) ? name
                                                                                                   : std::string();
}

/// What those records name it that name it; "" where two differ.
std::string recordedName(std::span<const NamedCall> calls, std::size_t input)
{
    std::string name;
    for (const NamedCall& call : calls) {
        if (input >= call.recorded.size() || call.recorded[input].empty())
            continue;
        if (!name.empty() && call.recorded[input] != name)
            return {};
        name = call.recorded[input];
    }
    return name;
}

/// A parameter of another module, or of nobody known.
std::string foreignName(std::span<const NamedCall> calls, std::size_t input)
{
    if (std::string recorded = recordedName(calls, input); !recorded.empty())
        return recorded;
    const auto key = [&](const NamedCall& call) { return call.body->inputs[input].key; };
    const auto last = [&](const NamedCall& call) { return key(call).substr(key(call).rfind('.') + 1); };
    const std::string full = same(calls, key);
    return full.empty() ? same(calls, last) : full;
}

std::string formalOr(const char* otherwise, const std::vector<std::string>& names, std::size_t index)
{
    return index < names.size() && !names[index].empty() ? names[index] : otherwise;
}

/// Names of inputs by who reads them in the body.
class ByReaders
{
public:
    ByReaders(const Model& model, const OutlineEdits& edits, const OutlinedFunction& function,
        const OutlinedCall& pattern, std::span<const NamedCall> calls)
        : m_model(model)
        , m_edits(edits)
        , m_function(function)
        , m_pattern(pattern)
        , m_calls(calls)
    {
        for (std::size_t i = 0; i < pattern.inputs.size(); ++i)
            m_inputAt.emplace(pattern.inputs[i], i);
        for (std::size_t part = 0; part < pattern.parts.size(); ++part) {
            const auto& reads = readsOf(part);
            for (std::size_t port = 0; port < reads.size(); ++port)
                m_firstRead.try_emplace(reads[port], Read{part, port});
        }
    }

    [[nodiscard]] std::string nameOf(std::size_t input) const
    {
        const auto read = m_firstRead.find(m_pattern.inputs[input]);
        const std::string name = read == m_firstRead.end() ? std::string() : nameBy(read->second);
        return !name.empty() ? name : same(m_calls, [&](const NamedCall& call) {
            return below(m_model.value(call.body->inputs[input].value).name, *call.path);
        });
    }

private:
    struct Read {
        std::size_t part;
        std::size_t port;
    };

    [[nodiscard]] const std::vector<ValueId>& readsOf(std::size_t part) const
    {
        const auto* node = std::get_if<NodeId>(&m_pattern.parts[part]);
        return node != nullptr ? m_model.node(*node).inputs
                               : m_edits.calls[std::get<std::size_t>(m_pattern.parts[part])].inputs;
    }

    /// Of what an inner call takes, and of a scale or zero point.
    [[nodiscard]] std::string nameBy(const Read& read) const
    {
        if (const auto* inner = std::get_if<std::size_t>(&m_pattern.parts[read.part]))
            return m_function.partNames[read.part] + "."
                + m_edits.functions[m_edits.calls[*inner].function].inputs[read.port];
        const Node& node = m_model.node(std::get<NodeId>(m_pattern.parts[read.part]));
        if (!isQuantizer(node) || read.port == 0)
            return {};
        const std::string data = inBody(node.inputs.front());
        return data.empty() ? std::string() : data + (read.port == 1 ? "_scale" : "_zero_point");
    }

    [[nodiscard]] std::string inBody(ValueId value) const
    {
        if (const auto input = m_inputAt.find(value); input != m_inputAt.end())
            return m_function.inputs[input->second];
        if (const auto made = m_function.valueNames.find(value.index); made != m_function.valueNames.end())
            return made->second;
        const auto output = std::ranges::find(m_pattern.outputs, value);
        return output == m_pattern.outputs.end()
            ? std::string()
            : m_function.outputs[static_cast<std::size_t>(output - m_pattern.outputs.begin())];
    }

    const Model& m_model;
    const OutlineEdits& m_edits;
    const OutlinedFunction& m_function;
    const OutlinedCall& m_pattern;
    const std::span<const NamedCall> m_calls;
    std::unordered_map<ValueId, std::size_t> m_inputAt; // first place among the inputs
    std::unordered_map<ValueId, Read> m_firstRead;
};

} // namespace

void nameFormals(OutlinedFunction& function, PlannedFunction& planned, std::span<const NamedCall> calls,
    const CallOrder& order, FreshNames& names)
{
    const CallBody& body = *calls.front().body;
    const auto add
        = [&](const std::string& wish) { function.inputs.push_back(wish.empty() ? std::string() : names.fresh(wish)); };
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const CallInput& input = body.inputs[i];
        switch (input.kind) {
        case InputKind::Data:
            ++planned.dataInputs;
            add(formalOr("x", order.inputNames, i));
            break;
        case InputKind::Own:
            ++planned.parameters;
            add(input.key);
            break;
        case InputKind::Foreign:
            ++planned.parameters;
            add(foreignName(calls, i));
            break;
        case InputKind::Constant:
            add({});
            break;
        }
    }
    for (std::size_t o = 0; o < body.outputs.size(); ++o)
        function.outputs.push_back(names.fresh(formalOr("y", order.outputNames, o)));
    function.passed = order.passed;
    for (const PassedInput& passed : order.passed)
        function.outputs.insert(function.outputs.begin() + static_cast<std::ptrdiff_t>(passed.output),
            names.fresh(passed.formal.empty() ? function.inputs[passed.input] + "_out" : passed.formal));
}

void nameLeftFormals(const Model& model, const OutlineEdits& edits, OutlinedFunction& function,
    const OutlinedCall& pattern, std::span<const NamedCall> calls, FreshNames& names)
{
    if (std::ranges::none_of(function.inputs, &std::string::empty))
        return;
    const ByReaders readers(model, edits, function, pattern, calls);
    const CallBody& body = *calls.front().body;
    for (std::size_t i = 0; i < function.inputs.size(); ++i) {
        if (!function.inputs[i].empty())
            continue;
        const std::string wish = readers.nameOf(i);
        const char* otherwise = body.inputs[i].key.empty() ? "constant" : "parameter";
        function.inputs[i] = names.fresh(wish.empty() ? otherwise : wish);
    }
}

} // namespace duo
