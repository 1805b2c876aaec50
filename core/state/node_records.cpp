// SPDX-License-Identifier: Apache-2.0
#include "core/state/node_records.h"

#include "core/state/node_digest.h"

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
    Recorder(const Model& model, const Scopes& scopes)
        : m_model(model)
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
        NodeRecord record{node.name, node.domain.empty() ? node.opType : node.domain + "." + node.opType,
            scope.executionFrom == Provenance::Guess ? std::string() : scope.execution, scope.keys, {}};
        for (const ValueId value : node.inputs)
            record.inputs.push_back(giverOf(value));
        record.form = formOf(node);
        return record;
    }

    [[nodiscard]] std::int32_t giverOf(ValueId value) const
    {
        while (value.valid()) {
            const NodeId giver = m_model.value(value).producer;
            if (!giver.valid()) {
                const auto input = m_inputs.find(value.index);
                return input == m_inputs.end() ? -1 : -2 - input->second;
            }
            const Node& node = m_model.node(giver);
            if (!handsOn(node))
                return node.opType == "Constant" ? -1 : static_cast<std::int32_t>(giver.index);
            value = node.inputs.front();
        }
        return -1;
    }

private:
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
        return digest.text().substr(kDigestStart, kFormDigits);
    }

    static constexpr std::size_t kMostNumbers = 512; // bytes: shapes, axes, where slices begin and end
    static constexpr std::size_t kDigestStart = std::string_view("xxh3-128:").size();
    static constexpr std::size_t kFormDigits = 8; // it tells few alike nodes apart

    const Model& m_model;
    const Scopes& m_scopes;
    std::unordered_map<std::uint32_t, std::int32_t> m_inputs;
};

Result<NodeRecord> recordFromJson(const Json& json, const JsonPlace& place, std::size_t count)
{
    constexpr std::size_t kParts = 6;
    if (!json.is_array() || json.size() < kParts - 1 || json.size() > kParts) // before version 3 without a form
        return place.error("not a name, operator, scope, keys, inputs and form");
    for (std::size_t i = 0; i < 3; ++i) {
        if (!json[i].is_string())
            return place.element(i).error("not a text");
    }
    NodeRecord record{json[0].get<std::string>(), json[1].get<std::string>(), json[2].get<std::string>(), {}, {}};
    DUO_TRY(keys, textsOf(json[3], place.element(3)));
    record.keys = std::move(keys);
    DUO_TRY(inputs, giversFromJson(json[4], place.element(4), count));
    record.inputs = std::move(inputs);
    if (json.size() < kParts)
        return record;
    if (!json[5].is_string())
        return place.element(5).error("not a text");
    record.form = json[5].get<std::string>();
    return record;
}

} // namespace

GraphRecord graphRecord(const Model& model, const Scopes& scopes)
{
    const Recorder recorder(model, scopes);
    GraphRecord graph;
    graph.nodes.reserve(model.nodes.size());
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i)
        graph.nodes.push_back(recorder.of(NodeId(i)));
    for (const ValueId output : model.mainGraph().outputs)
        graph.outputs.push_back(recorder.giverOf(output));
    return graph;
}

Result<std::vector<std::int32_t>> giversFromJson(const Json& json, const JsonPlace& place, std::size_t nodes)
{
    if (!json.is_array())
        return place.error("not a list");
    std::vector<std::int32_t> givers;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(giver,
            integerOf(json[i], place.element(i), std::numeric_limits<std::int32_t>::min(),
                static_cast<std::int64_t>(nodes) - 1));
        givers.push_back(static_cast<std::int32_t>(giver));
    }
    return givers;
}

Json nodeRecordsJson(const std::vector<NodeRecord>& records)
{
    Json json = Json::array();
    for (const NodeRecord& record : records)
        json.push_back(
            Json::array({record.name, record.opType, record.scope, record.keys, record.inputs, record.form}));
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

} // namespace duo
