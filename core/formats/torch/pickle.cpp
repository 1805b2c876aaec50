// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/pickle.h"

#include "core/formats/torch/pickle_machine.h"

namespace duo {

Result<Pickle> Pickle::parse(SharedBytes bytes, const std::string& where, const JobContext& job)
{
    PickleMachine machine(std::move(bytes), where);
    DUO_CHECK(machine.run(job));
    return std::move(machine).takeResult();
}

bool Pickle::isGlobal(PickleId id, std::string_view module, std::string_view name) const
{
    if (id == kNoPickle)
        return false;
    const PickleValue& value = m_values[id];
    return value.kind == PickleKind::Global && value.text == module && value.name == name;
}

std::span<const PickleId> Pickle::sequence(PickleId id) const
{
    if (id == kNoPickle)
        return {};
    const PickleValue& value = m_values[id];
    const bool isSequence = value.kind == PickleKind::Tuple || value.kind == PickleKind::List;
    return isSequence ? std::span<const PickleId>(value.items) : std::span<const PickleId>();
}

std::span<const PickleId> Pickle::pairs(PickleId id) const
{
    if (id == kNoPickle)
        return {};
    const PickleValue& value = m_values[id];
    const bool isDict = value.kind == PickleKind::Dict || value.hasPairs;
    return isDict ? std::span<const PickleId>(value.items) : std::span<const PickleId>();
}

PickleId Pickle::find(PickleId dict, std::string_view key) const
{
    const auto entries = pairs(dict);
    PickleId found = kNoPickle;
    for (std::size_t i = 0; i < entries.size(); i += 2)
        if (text(entries[i]) == key)
            found = entries[i + 1];
    return found;
}

std::optional<std::string_view> Pickle::text(PickleId id) const
{
    if (id == kNoPickle || m_values[id].kind != PickleKind::Text)
        return std::nullopt;
    return m_values[id].text;
}

std::optional<std::int64_t> Pickle::integer(PickleId id) const
{
    if (id == kNoPickle || m_values[id].kind != PickleKind::Int)
        return std::nullopt;
    return m_values[id].integer;
}

} // namespace duo
