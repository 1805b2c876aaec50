// SPDX-License-Identifier: Apache-2.0
#include "core/state/node_records.h"

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
        return record;
    }

private:
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

    const Model& m_model;
    const Scopes& m_scopes;
    std::unordered_map<std::uint32_t, std::int32_t> m_inputs;
};

Result<NodeRecord> recordFromJson(const Json& json, const JsonPlace& place, std::size_t count)
{
    constexpr std::size_t kParts = 5;
    if (!json.is_array() || json.size() != kParts)
        return place.error("not a name, operator, scope, keys and inputs");
    for (std::size_t i = 0; i < 3; ++i) {
        if (!json[i].is_string())
            return place.element(i).error("not a text");
    }
    NodeRecord record{json[0].get<std::string>(), json[1].get<std::string>(), json[2].get<std::string>(), {}, {}};
    DUO_TRY(keys, textsOf(json[3], place.element(3)));
    record.keys = std::move(keys);
    if (!json[4].is_array())
        return place.element(4).error("not a list");
    for (std::size_t i = 0; i < json[4].size(); ++i) {
        DUO_TRY(input,
            integerOf(json[4][i], place.element(4).element(i), std::numeric_limits<std::int32_t>::min(),
                static_cast<std::int64_t>(count) - 1));
        record.inputs.push_back(static_cast<std::int32_t>(input));
    }
    return record;
}

} // namespace

std::vector<NodeRecord> nodeRecords(const Model& model, const Scopes& scopes)
{
    const Recorder recorder(model, scopes);
    std::vector<NodeRecord> records;
    records.reserve(model.nodes.size());
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i)
        records.push_back(recorder.of(NodeId(i)));
    return records;
}

Json nodeRecordsJson(const std::vector<NodeRecord>& records)
{
    Json json = Json::array();
    for (const NodeRecord& record : records)
        json.push_back(Json::array({record.name, record.opType, record.scope, record.keys, record.inputs}));
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
