// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_times.h"

#include "core/pipeline/session_json.h"
#include "core/support/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-times";

Json kernelJson(const KernelTime& kernel)
{
    Json nodes = Json::array();
    for (const NodeId node : kernel.nodes)
        nodes.push_back(node.index);
    return {{"name", kernel.name}, {"op_type", kernel.opType}, {"microseconds", kernel.microseconds},
        {"nodes", std::move(nodes)}};
}

/// @return InvalidRule
Status readMicroseconds(KeptFields& fields, const char* key, double& into)
{
    DUO_CHECK(fields.number(key, into));
    return into >= 0 && std::isfinite(into) ? success() : Status(fields.wrong(key, "a time is expected"));
}

Status readCount(KeptFields& fields, const char* key, int& into)
{
    std::int64_t count = into;
    DUO_CHECK(fields.integer(key, count));
    if (count < 1 || count > std::numeric_limits<int>::max())
        return fields.wrong(key, "a number of at least 1 is expected");
    into = static_cast<int>(count);
    return success();
}

Status readNodes(KeptFields& fields, std::size_t known, std::vector<NodeId>& nodes)
{
    const Json* json = fields.keys().find("nodes");
    if (json == nullptr)
        return success();
    const auto isNode
        = [&](const Json& item) { return item.is_number_unsigned() && item.get<std::uint64_t>() < known; };
    if (!json->is_array() || !std::ranges::all_of(*json, isNode))
        return fields.wrong("nodes", "places of nodes are expected");
    for (const Json& item : *json)
        nodes.emplace_back(item.get<std::size_t>());
    return std::ranges::is_sorted(nodes) ? success() : Status(fields.wrong("nodes", "places are expected in order"));
}

Status readKernel(KeptFields& fields, std::size_t nodes, std::vector<KernelTime>& kernels)
{
    KernelTime& kernel = kernels.emplace_back();
    DUO_CHECK(fields.keys().text("name", kernel.name));
    DUO_CHECK(fields.keys().text("op_type", kernel.opType));
    DUO_CHECK(readMicroseconds(fields, "microseconds", kernel.microseconds));
    return readNodes(fields, nodes, kernel.nodes);
}

/// @return InvalidRule: JsonKeys
Result<NodeTimes> readTimes(const Json& json, const Model& model, const FileStamp& stamp)
{
    NodeTimes times;
    KeptFields fields(json, "");
    FileStamp of;
    DUO_CHECK(readStamp(fields.keys(), "model", of));
    DUO_CHECK(checkKeptModel(fields, of, model, stamp));
    DUO_CHECK(fields.date("date", times.date));
    times.runs = 1;
    DUO_CHECK(readCount(fields, "runs", times.runs));
    DUO_CHECK(readCount(fields, "threads", times.threads));
    DUO_CHECK(readMicroseconds(fields, "run_microseconds", times.runMicroseconds));
    DUO_CHECK(eachOf(fields.keys(), "kernels",
        [&](KeptFields& each) { return readKernel(each, model.nodes.size(), times.kernels); }));
    return times;
}

} // namespace

std::string keptTimesText(const NodeTimes& times, const Model& model, const FileStamp& stamp)
{
    Json kernels = Json::array();
    for (const KernelTime& kernel : times.kernels)
        kernels.push_back(kernelJson(kernel));
    const Json json{{"format", kFormat}, {"version", kKeptVersion}, {"model", stampJson(stamp)},
        {"nodes", nodesDigest(model)}, {"date", times.date}, {"runs", times.runs}, {"threads", times.threads},
        {"run_microseconds", times.runMicroseconds}, {"kernels", std::move(kernels)}};
    return jsonText(json) + "\n";
}

Result<NodeTimes> parseKeptTimes(
    std::string_view text, const Model& model, const FileStamp& stamp, const std::string& name)
{
    DUO_TRY(times,
        parseKept(text, kFormat, "kept times", name, [&](const Json& json) { return readTimes(json, model, stamp); }));
    spreadOverNodes(model, times);
    return times;
}

} // namespace duo
