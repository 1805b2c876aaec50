// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/call_record.h"

#include "core/onnx/walk_proto.h"
#include "core/support/digits.h"
#include "core/support/json.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <unordered_set>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

CallRecord::Entries entriesOf(const onnx::NodeProto& node)
{
    CallRecord::Entries entries;
    for (const auto& entry : node.metadata_props())
        entries.emplace_back(entry.key(), entry.value());
    return entries;
}

/// Fields of a node that are there and empty, as CallRecord::empty says it.
std::string emptyFields(const onnx::NodeProto& node)
{
    std::string fields;
    if (node.has_name() && node.name().empty())
        fields += 'n';
    if (node.has_domain() && node.domain().empty())
        fields += 'd';
    if (node.has_doc_string() && node.doc_string().empty())
        fields += 't';
    return fields;
}

void setEmptyFields(onnx::NodeProto& node, std::string_view fields)
{
    const auto isThere = [&](char field) { return fields.find(field) != std::string_view::npos; };
    if (node.name().empty())
        isThere('n') ? node.set_name("") : node.clear_name();
    if (node.domain().empty())
        isThere('d') ? node.set_domain("") : node.clear_domain();
    if (node.doc_string().empty())
        isThere('t') ? node.set_doc_string("") : node.clear_doc_string();
}

/// Members of an object by node number; false for anything else.
template <typename Take> bool eachByNode(const Json& record, const char* key, std::size_t nodes, const Take& take)
{
    const auto found = record.find(key);
    if (found == record.end())
        return true;
    if (!found->is_object())
        return false;
    for (const auto& [index, value] : found->items()) {
        const auto node = wholeNumber<std::size_t>(index);
        if (!node || *node >= nodes || !take(*node, value))
            return false;
    }
    return true;
}

bool readTexts(const Json& record, const char* key, std::size_t nodes, std::map<std::size_t, std::string>& texts)
{
    return eachByNode(record, key, nodes, [&](std::size_t node, const Json& value) {
        if (!value.is_string())
            return false;
        texts[node] = value.get<std::string>();
        return true;
    });
}

bool readValues(const Json& record, std::size_t nodes, CallRecord& into)
{
    return eachByNode(record, "values", nodes, [&](std::size_t node, const Json& ports) {
        if (!ports.is_object())
            return false;
        for (const auto& [index, value] : ports.items()) {
            const auto port = wholeNumber<std::size_t>(index);
            if (!port || *port > std::numeric_limits<int>::max() || !value.is_string() || value.empty())
                return false;
            into.values[{node, static_cast<int>(*port)}] = value.get<std::string>();
        }
        return true;
    });
}

bool readMetadata(const Json& record, std::size_t nodes, CallRecord& into)
{
    return eachByNode(record, "metadata", nodes, [&](std::size_t node, const Json& entries) {
        if (!entries.is_array())
            return false;
        auto& list = into.metadata[node];
        for (const Json& entry : entries) {
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_string())
                return false;
            list.emplace_back(entry[0].get<std::string>(), entry[1].get<std::string>());
        }
        return true;
    });
}

bool readPositions(const Json& record, std::size_t nodes, CallRecord& into)
{
    const auto found = record.find("positions");
    if (found == record.end() || !found->is_array() || found->size() != nodes)
        return false;
    for (const Json& position : *found) {
        if (!position.is_number_unsigned() || position.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return false;
        into.positions.push_back(position.get<std::uint32_t>());
    }
    return true;
}

} // namespace

std::string CallRecord::text() const
{
    Json record;
    record["positions"] = positions;
    const auto addTexts = [&](const char* key, const std::map<std::size_t, std::string>& texts) {
        Json object = Json::object();
        for (const auto& [node, text] : texts)
            addMember(object, std::to_string(node), text);
        if (!texts.empty())
            record[key] = std::move(object);
    };
    addTexts("names", names);
    Json byNode = Json::object();
    for (auto value = values.begin(); value != values.end();) {
        const std::size_t node = value->first.first;
        Json ports = Json::object();
        for (; value != values.end() && value->first.first == node; ++value)
            addMember(ports, std::to_string(value->first.second), value->second);
        addMember(byNode, std::to_string(node), std::move(ports));
    }
    if (!values.empty())
        record["values"] = std::move(byNode);
    Json byMetadata = Json::object();
    for (const auto& [node, entries] : metadata) {
        Json list = Json::array();
        for (const auto& [key, value] : entries)
            list.push_back(Json::array({key, value}));
        addMember(byMetadata, std::to_string(node), std::move(list));
    }
    if (!metadata.empty())
        record["metadata"] = std::move(byMetadata);
    addTexts("docs", docs);
    addTexts("empty", empty);
    return record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<CallRecord> CallRecord::of(std::string_view text, std::size_t nodes)
{
    const auto json = parseJson(text, std::string(kCallRecordKey), ErrorCode::MalformedModel);
    CallRecord record;
    const bool isOne = json && json->is_object() && readPositions(*json, nodes, record)
        && readTexts(*json, "names", nodes, record.names) && readValues(*json, nodes, record)
        && readMetadata(*json, nodes, record) && readTexts(*json, "docs", nodes, record.docs)
        && readTexts(*json, "empty", nodes, record.empty);
    return isOne ? std::optional(std::move(record)) : std::nullopt;
}

CallRecord recordOf(const ExpandedCall& expanded, std::span<const onnx::NodeProto* const> originals,
    std::vector<std::uint32_t> positions)
{
    CallRecord record;
    record.positions = std::move(positions);
    for (std::size_t n = 0; n < expanded.nodes.size(); ++n) {
        const onnx::NodeProto& node = expanded.nodes[n];
        const onnx::NodeProto& original = *originals[n];
        if (node.name() != original.name())
            record.names[n] = original.name();
        if (node.doc_string() != original.doc_string())
            record.docs[n] = original.doc_string();
        const bool isRewritten = record.names.contains(n) || record.docs.contains(n);
        if (const std::string fields = emptyFields(original);
            fields != (isRewritten ? std::string() : emptyFields(node)))
            record.empty[n] = fields;
        if (auto entries = entriesOf(original); entries != entriesOf(node))
            record.metadata[n] = std::move(entries);
        for (int o = 0; o < std::min(node.output_size(), original.output_size()); ++o) {
            const std::string* wish = expanded.wishOf(node.output(o));
            if (wish != nullptr && *wish != original.output(o))
                record.values[{n, o}] = original.output(o);
        }
    }
    return record;
}

std::string nameBefore(const CallRecord& record, std::size_t node, int port, const std::string& wish)
{
    const auto value = record.values.find({node, port});
    return value == record.values.end() ? wish : value->second;
}

void restore(std::vector<onnx::NodeProto>& expanded, const CallRecord& record)
{
    for (std::size_t n = 0; n < expanded.size(); ++n) {
        onnx::NodeProto& node = expanded[n];
        if (const auto name = record.names.find(n); name != record.names.end())
            node.set_name(name->second);
        if (const auto doc = record.docs.find(n); doc != record.docs.end())
            node.set_doc_string(doc->second);
        const auto empty = record.empty.find(n);
        if (empty != record.empty.end() || record.names.contains(n) || record.docs.contains(n))
            setEmptyFields(node, empty == record.empty.end() ? std::string_view() : empty->second);
        const auto metadata = record.metadata.find(n);
        if (metadata == record.metadata.end())
            continue;
        node.clear_metadata_props();
        for (const auto& [key, value] : metadata->second) {
            auto& entry = *node.add_metadata_props();
            entry.set_key(key);
            entry.set_value(value);
        }
    }
}

std::size_t dropPassed(ExpandedCall& expanded)
{
    const auto isPassed = [](const onnx::NodeProto& node) { return metadataText(node, kPassedKey) != nullptr; };
    const auto added = std::stable_partition(expanded.nodes.begin(), expanded.nodes.end(), std::not_fn(isPassed));
    const auto count = static_cast<std::size_t>(added - expanded.nodes.begin());
    if (added == expanded.nodes.end())
        return count;
    std::unordered_set<std::string> read;
    const auto readBy = [&](const onnx::NodeProto& node) { read.insert(node.input().begin(), node.input().end()); };
    forEachNode(std::as_const(expanded.nodes), readBy);
    const auto isUnread = [&](const onnx::NodeProto& node) {
        return expanded.wishOf(node.output(0)) != nullptr && !read.contains(node.output(0));
    };
    expanded.nodes.erase(std::remove_if(added, expanded.nodes.end(), isUnread), expanded.nodes.end());
    return count;
}

const std::string* metadataText(const onnx::NodeProto& node, std::string_view key)
{
    const auto& entries = node.metadata_props();
    const auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.key() == key; });
    return found == entries.end() ? nullptr : &found->value();
}

} // namespace duo
