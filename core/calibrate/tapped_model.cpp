// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/tapped_model.h"

#include "core/engine/open_model.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace duo {
namespace {

constexpr std::int64_t kBytesInFlight = std::int64_t{1} << 30; // fetched values of all concurrent runs

/// What the engine could not infer is taken from the feeds: symbols where an input has them, else the largest axis fed.
class SizeGuess
{
public:
    SizeGuess(const Session& session, std::span<const HostTensor> feeds)
    {
        for (const HostTensor& feed : feeds) {
            for (const std::int64_t dim : feed.dims)
                m_largest = std::max(m_largest, dim);
            const auto port = std::ranges::find(session.inputs(), feed.name, &PortInfo::name);
            if (port == session.inputs().end())
                continue;
            for (std::size_t axis = 0; axis < std::min(port->symbols.size(), feed.dims.size()); ++axis)
                m_symbols.try_emplace(port->symbols[axis], feed.dims[axis]);
        }
    }

    [[nodiscard]] std::int64_t bytes(const PortInfo& port) const
    {
        std::vector<std::int64_t> dims = port.dims;
        for (std::size_t axis = 0; axis < dims.size(); ++axis) {
            const auto symbol = m_symbols.find(port.symbols[axis]);
            if (dims[axis] < 0)
                dims[axis] = !port.symbols[axis].empty() && symbol != m_symbols.end() ? symbol->second : m_largest;
        }
        const auto count = elementCount(dims);
        const auto bytes = count ? packedBytes(port.type, *count) : std::nullopt;
        return bytes.value_or(std::numeric_limits<std::int32_t>::max());
    }

private:
    std::map<std::string, std::int64_t> m_symbols;
    std::int64_t m_largest = 1;
};

Status checkExists(const Model& model, const std::string& name)
{
    const ValueId id = model.findValue(name);
    const bool computed = id.valid() && model.value(id).producer.valid();
    if (!computed)
        return Error{ErrorCode::Internal, "no node of the main graph computes this value", name, {}};
    return success();
}

Result<const PortInfo*> floatPort(const Session& session, const std::string& name)
{
    const auto port = std::ranges::find(session.outputs(), name, &PortInfo::name);
    if (port == session.outputs().end())
        return Error{ErrorCode::EngineFailed, "the engine does not give this value", name, {}};
    if (port->type != ElementType::Float32)
        return Error{ErrorCode::Unsupported, "only float32 values can be measured", name,
            "its type is " + std::string(elementTypeName(port->type))};
    return &*port;
}

} // namespace

Result<TappedModel> TappedModel::prepare(const Model& model, const std::vector<std::string>& values,
    std::span<const HostTensor> feeds, const JobContext& job)
{
    for (const std::string& name : values)
        DUO_CHECK(checkExists(model, name));
    TappedModel tapped(model);
    if (values.empty())
        return tapped;
    DUO_TRY(session, openModel(model, values, job));
    const SizeGuess guess(session, feeds);
    for (const std::string& name : values) {
        DUO_TRY(port, floatPort(session, name));
        const std::int64_t bytes = guess.bytes(*port);
        if (tapped.m_groups.empty() || tapped.m_groups.back().bytes + bytes > kBytesInFlight)
            tapped.m_groups.emplace_back();
        tapped.m_groups.back().values.push_back(name);
        tapped.m_groups.back().bytes += bytes;
    }
    if (tapped.m_groups.size() == 1)
        tapped.m_whole = std::make_shared<const Session>(std::move(session));
    return tapped;
}

Result<std::vector<std::string>> TappedModel::floatValues(
    const Model& model, const std::vector<std::string>& values, const JobContext& job)
{
    std::vector<std::string> candidates;
    bool allKnown = true;
    std::vector<std::string> inBodies;
    for (const std::string& name : values) {
        const ValueId id = model.findValue(name);
        if (id.valid() && model.value(id).region.index != 0) {
            if (model.value(id).type.element == ElementType::Float32)
                inBodies.push_back(name);
            continue;
        }
        DUO_CHECK(checkExists(model, name));
        const ElementType type = model.value(id).type.element;
        allKnown = allKnown && type != ElementType::Undefined;
        if (type == ElementType::Float32 || type == ElementType::Undefined)
            candidates.push_back(name);
    }
    if (!allKnown) {
        DUO_TRY(session, openModel(model, candidates, job));
        std::set<std::string_view> floats;
        for (const PortInfo& port : session.outputs()) {
            if (port.type == ElementType::Float32)
                floats.insert(port.name);
        }
        std::erase_if(candidates, [&](const std::string& name) { return !floats.contains(name); });
    }
    candidates.insert(candidates.end(), inBodies.begin(), inBodies.end());
    return candidates;
}

Result<std::shared_ptr<const Session>> TappedModel::open(const TapGroup& group, const JobContext& job) const
{
    if (m_whole)
        return m_whole;
    DUO_TRY(session, openModel(*m_model, group.values, job));
    return std::make_shared<const Session>(std::move(session));
}

int TappedModel::concurrentRuns(const TapGroup& group, int threads)
{
    const std::int64_t affordable = kBytesInFlight / std::max<std::int64_t>(1, group.bytes);
    return static_cast<int>(std::clamp<std::int64_t>(affordable, 1, std::max(1, threads)));
}

} // namespace duo
