// SPDX-License-Identifier: Apache-2.0
#include "core/state/node_records.h"

#include "core/state/node_digest.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

bool handsOn(const Node& node)
{
    return node.domain.empty() && (node.opType == "Identity" || node.opType == "Dropout") && !node.inputs.empty();
}

class Recorder
{
public:
    Recorder(const Model& model, const Scopes& scopes, const Model& weighed)
        : m_model(model)
        , m_weighed(weighed)
        , m_scopes(scopes)
    {
        const auto& inputs = model.mainGraph().inputs;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            m_inputs.emplace(inputs[i].index, static_cast<std::int32_t>(i));
    }

    [[nodiscard]] NodeRecord of(NodeId id) const
    {
        const Node& node = m_model.node(id);
        const NodeScope& scope = m_scopes.nodes[id.index];
        NodeRecord record{node.name, node.domain.empty() ? node.opType : node.domain + "." + node.opType, textOf(scope),
            scope.keys, {}};
        for (const ValueId value : node.inputs) {
            const Source source = sourceOf(value);
            record.inputs.push_back(source.giver);
            record.ports.push_back(source.port);
        }
        if (std::ranges::count(record.ports, 0U) == std::ssize(record.ports))
            record.ports.clear();
        record.form = formOf(node);
        const NodeId before = m_weighed.findNode(node.name);
        if (before.valid())
            record.weights = weightsOf(m_weighed.node(before));
        return record;
    }

    [[nodiscard]] std::int32_t giverOf(ValueId value) const { return sourceOf(value).giver; }

private:
    struct Source {
        std::int32_t giver = -1;
        std::uint32_t port = 0;
    };

    [[nodiscard]] Source sourceOf(ValueId value) const
    {
        while (value.valid()) {
            const NodeId giver = m_model.value(value).producer;
            if (!giver.valid()) {
                const auto input = m_inputs.find(value.index);
                return {input == m_inputs.end() ? -1 : -2 - input->second};
            }
            const Node& node = m_model.node(giver);
            if (!handsOn(node))
                return node.opType == "Constant"
                    ? Source{}
                    : Source{static_cast<std::int32_t>(giver.index), m_model.value(value).producerPort};
            value = node.inputs.front();
        }
        return {};
    }

    static std::string textOf(const NodeScope& scope)
    {
        if (scope.executionFrom == Provenance::Guess)
            return {};
        return scope.execution.empty() ? "/" : scope.execution;
    }

    /// What tells weights from others; not what all ones or zeros are.
    [[nodiscard]] std::string weightsOf(const Node& node) const
    {
        const Tensor* largest = nullptr;
        for (const ValueId input : node.inputs) {
            const Tensor* constant = input.valid() ? m_weighed.constant(input) : nullptr;
            const bool isLarger = constant != nullptr && isFloating(constant->type)
                && constant->elements() >= kFewestWeights
                && (largest == nullptr || constant->bytes().size() > largest->bytes().size());
            largest = isLarger ? constant : largest;
        }
        if (largest == nullptr)
            return {};
        const auto bytes = largest->bytes().first(std::min(largest->bytes().size(), kMostWeights));
        const std::size_t width = largest->bytes().size() / static_cast<std::size_t>(largest->elements());
        if (width == 0 || std::ranges::equal(bytes.first(bytes.size() - width), bytes.subspan(width)))
            return {};
        Digest digest;
        digest.add(bytes);
        return shortText(digest);
    }

    [[nodiscard]] std::string formOf(const Node& node) const
    {
        Digest digest;
        addAttributes(digest, m_model, node);
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const Tensor* constant = node.inputs[port].valid() ? m_model.constant(node.inputs[port]) : nullptr;
            if (constant == nullptr)
                continue;
            digest.add(static_cast<std::int64_t>(port));
            addShape(digest, *constant);
            if (constant->type == ElementType::Int64 && constant->bytes().size() <= kMostNumbers)
                digest.add(constant->bytes());
        }
        return shortText(digest);
    }

    static std::string shortText(const Digest& digest) { return digest.text().substr(kDigestStart, kFormDigits); }

    static constexpr std::size_t kMostNumbers = 512; // bytes: shapes, axes, where slices begin and end
    static constexpr std::size_t kMostWeights = 4096; // bytes: to page in all of large ones takes time
    static constexpr std::int64_t kFewestWeights = 8;
    static constexpr std::size_t kDigestStart = std::string_view("xxh3-128:").size();
    static constexpr std::size_t kFormDigits = 8; // it tells few alike nodes apart

    const Model& m_model;
    const Model& m_weighed;
    const Scopes& m_scopes;
    std::unordered_map<std::uint32_t, std::int32_t> m_inputs;
};

template <typename T>
Result<std::vector<T>> integersFromJson(const Json& json, const JsonPlace& place, std::int64_t least, std::int64_t most)
{
    if (!json.is_array())
        return place.error("not a list");
    std::vector<T> numbers;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(number, integerOf(json[i], place.element(i), least, most));
        numbers.push_back(static_cast<T>(number));
    }
    return numbers;
}

Result<NodeRecord> recordFromJson(const Json& json, const JsonPlace& place, std::size_t count)
{
    constexpr std::size_t kFewest = 5; // before version 3 without a form
    constexpr std::size_t kMost = 8;
    if (!json.is_array() || json.size() < kFewest || json.size() > kMost)
        return place.error("not a name, operator, scope, keys, inputs, form, weights and ports");
    for (std::size_t i = 0; i < 3; ++i) {
        if (!json[i].is_string())
            return place.element(i).error("not a text");
    }
    NodeRecord record{json[0].get<std::string>(), json[1].get<std::string>(), json[2].get<std::string>(), {}, {}};
    DUO_TRY(keys, textsOf(json[3], place.element(3)));
    record.keys = std::move(keys);
    DUO_TRY(inputs, giversFromJson(json[4], place.element(4), count));
    record.inputs = std::move(inputs);
    for (const auto& [part, into] : {std::pair(5UL, &record.form), std::pair(6UL, &record.weights)}) {
        if (json.size() <= part)
            return record;
        if (!json[part].is_string())
            return place.element(part).error("not a text");
        *into = json[part].get<std::string>();
    }
    if (json.size() < kMost)
        return record;
    constexpr std::int64_t kMostPorts = std::numeric_limits<std::int32_t>::max();
    DUO_TRY(ports, integersFromJson<std::uint32_t>(json[7], place.element(7), 0, kMostPorts));
    if (ports.size() != record.inputs.size())
        return place.element(7).error("not a port for each input");
    record.ports = std::move(ports);
    return record;
}

Json recordJson(const NodeRecord& record)
{
    Json json = Json::array({record.name, record.opType, record.scope, record.keys, record.inputs, record.form});
    if (!record.weights.empty() || !record.ports.empty())
        json.push_back(record.weights);
    if (!record.ports.empty())
        json.push_back(record.ports);
    return json;
}

bool hasSameNames(const GraphRecord& then, const GraphRecord& now)
{
    return std::ranges::equal(then.nodes, now.nodes, {}, &NodeRecord::name, &NodeRecord::name);
}

bool isSameWork(const NodeRecord& then, const NodeRecord& now)
{
    return then.opType == now.opType && then.inputs == now.inputs && then.form == now.form && then.ports == now.ports;
}

} // namespace

GraphRecord graphRecord(const Model& model, const Scopes& scopes, const Model& weighed)
{
    const Recorder recorder(model, scopes, weighed);
    GraphRecord graph;
    graph.nodes.reserve(model.nodes.size());
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i)
        graph.nodes.push_back(recorder.of(NodeId(i)));
    for (const ValueId output : model.mainGraph().outputs)
        graph.outputs.push_back(recorder.giverOf(output));
    graph.inputNames.emplace();
    for (const ValueId input : model.mainGraph().inputs)
        graph.inputNames->push_back(model.value(input).name);
    for (const ValueId output : model.mainGraph().outputs)
        graph.outputNames.push_back(model.value(output).name);
    return graph;
}

Result<std::vector<std::int32_t>> giversFromJson(const Json& json, const JsonPlace& place, std::size_t nodes)
{
    return integersFromJson<std::int32_t>(
        json, place, std::numeric_limits<std::int32_t>::min(), static_cast<std::int64_t>(nodes) - 1);
}

Json nodeRecordsJson(const std::vector<NodeRecord>& records)
{
    Json json = Json::array();
    for (const NodeRecord& record : records)
        json.push_back(recordJson(record));
    return json;
}

Result<std::vector<NodeRecord>> nodeRecordsFromJson(const Json& json, const JsonPlace& place)
{
    if (!json.is_array())
        return place.error("not a list");
    std::vector<NodeRecord> records;
    records.reserve(json.size());
    for (const Json& item : json) {
        DUO_TRY(record, recordFromJson(item, place.element(records.size()), json.size()));
        records.push_back(std::move(record));
    }
    return records;
}

std::string differenceOf(const GraphRecord& then, const GraphRecord& now, bool areWeightsSame)
{
    if (then.inputNames != now.inputNames)
        return "its inputs";
    if (then.outputNames != now.outputNames || then.outputs != now.outputs)
        return "its outputs";
    if (then.nodes.size() != now.nodes.size())
        return std::to_string(then.nodes.size()) + " nodes, and it has " + std::to_string(now.nodes.size());
    const bool doWeightsCount = areWeightsSame && hasSameNames(then, now);
    for (std::size_t i = 0; i < now.nodes.size(); ++i) {
        const bool isOfOthers = doWeightsCount && then.nodes[i].weights != now.nodes[i].weights;
        if (isOfOthers || !isSameWork(then.nodes[i], now.nodes[i]))
            return "node " + inQuotes(now.nodes[i].name);
    }
    return {};
}

} // namespace duo
