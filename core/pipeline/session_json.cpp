// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/session_json.h"

#include "core/support/enum_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kKindTexts = enumTexts<ResultKind::Quantization>({"export", "sensitivity", "quantization"});

Status readWhy(KeptFields& fields, NodeOutcomes& outcomes)
{
    RecordedKept why;
    DUO_CHECK(fields.keys().text("reason", why.reason));
    DUO_CHECK(fields.keys().text("counterfactual", why.counterfactual));
    outcomes.why.push_back(std::move(why));
    return success();
}

Status readOther(KeptFields& fields, NodeOutcomes& outcomes)
{
    NodeOutcome other;
    std::string state;
    std::int64_t why = -1;
    DUO_CHECK(fields.keys().text("node", other.node));
    DUO_CHECK(fields.keys().text("state", state));
    DUO_CHECK(fields.integer("why", why));
    const auto known = enumFromText(&nodeStateText, NodeState::WeightOnly, state);
    if (!known)
        return fields.wrong("state", "no state of a node");
    if (why < 0 || why >= static_cast<std::int64_t>(outcomes.why.size()))
        return fields.wrong("why", "there is no such reason");
    other.state = *known;
    other.why = static_cast<std::uint32_t>(why);
    outcomes.others.push_back(std::move(other));
    return success();
}

/// Nodes that run alike.
Status readRuns(KeptFields& fields, NodeRuns& runs)
{
    NodeRun run;
    std::string how;
    DUO_CHECK(fields.keys().text("runs", how));
    DUO_CHECK(fields.keys().text("kernel", run.kernel));
    DUO_CHECK(fields.keys().text("reason", run.reason));
    const auto known = enumFromText(&runsAsText, RunsAs::Gone, how);
    if (!known)
        return fields.wrong("runs", "no way to run a node");
    run.runs = *known;
    const Json* nodes = fields.keys().find("nodes");
    const auto isText = [](const Json& node) { return node.is_string(); };
    if (nodes == nullptr || !nodes->is_array() || !std::ranges::all_of(*nodes, isText))
        return fields.wrong("nodes", "a list of names is expected");
    for (const Json& node : *nodes) {
        run.node = node.get<std::string>();
        runs.push_back(run);
    }
    return success();
}

/// Most run alike: each way once, with the names of its nodes.
Json runsJson(const NodeRuns& runs)
{
    std::map<std::tuple<RunsAs, std::string_view, std::string_view>, std::size_t> known;
    Json json = Json::array();
    for (const NodeRun& run : runs) {
        const auto [at, isNew] = known.emplace(std::tuple(run.runs, run.kernel, run.reason), json.size());
        if (isNew)
            json.push_back({{"runs", runsAsText(run.runs)}, {"kernel", run.kernel}, {"reason", run.reason},
                {"nodes", Json::array()}});
        json[at->second]["nodes"].push_back(run.node);
    }
    return json;
}

} // namespace

Result<KeptFields> KeptFields::of(JsonKeys& above, const char* key)
{
    static const Json kNone = Json::object();
    const Json* object = above.find(key);
    if (object == nullptr)
        return KeptFields(kNone, above.path(key));
    if (!object->is_object())
        return invalidKey("an object is expected", above.path(key), {});
    return KeptFields(*object, above.path(key));
}

Status KeptFields::path(const char* key, std::filesystem::path& into)
{
    std::string text;
    DUO_CHECK(m_keys.text(key, text));
    into = text;
    return success();
}

Status KeptFields::integer(const char* key, std::int64_t& into)
{
    const Json* value = m_keys.find(key);
    if (value == nullptr)
        return success();
    const bool isTooLarge = value->is_number_unsigned()
        && value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!value->is_number_integer() || isTooLarge)
        return wrong(key, "a whole number is expected");
    into = value->get<std::int64_t>();
    return success();
}

Status KeptFields::number(const char* key, double& into)
{
    const Json* value = m_keys.find(key);
    if (value == nullptr)
        return success();
    if (!value->is_number())
        return wrong(key, "a number is expected");
    into = value->get<double>();
    return success();
}

Status KeptFields::numberIfThere(const char* key, std::optional<double>& into)
{
    if (m_keys.find(key) == nullptr)
        return success();
    double value = 0;
    DUO_CHECK(number(key, value));
    into = value;
    return success();
}

Status KeptFields::numbers(const char* key, std::vector<float>& into)
{
    const Json* list = m_keys.find(key);
    for (const Json& item : list != nullptr ? *list : Json::array()) {
        const bool isNumber = list->is_array() && item.is_number()
            && std::abs(item.get<double>()) <= std::numeric_limits<float>::max(); // else it is no float
        if (!isNumber)
            return wrong(key, "a list of numbers is expected");
        into.push_back(static_cast<float>(item.get<double>()));
    }
    return success();
}

std::string_view resultKindText(ResultKind kind)
{
    return enumText(kKindTexts, kind);
}

std::optional<ResultKind> resultKindFromText(std::string_view text)
{
    return enumFromText<ResultKind>(kKindTexts, text);
}

Json stampJson(const FileStamp& stamp)
{
    return {{"bytes", stamp.bytes}, {"modified_ns", stamp.modified}};
}

Status readStamp(JsonKeys& above, const char* key, FileStamp& stamp)
{
    DUO_TRY(fields, KeptFields::of(above, key));
    DUO_CHECK(fields.integer("bytes", stamp.bytes));
    return fields.integer("modified_ns", stamp.modified);
}

Json originJson(const ResultOrigin& origin)
{
    return {{"recipe", origin.recipe}, {"data", origin.data}, {"model", stampJson(origin.model)}};
}

Status readOrigin(JsonKeys& above, const char* key, ResultOrigin& origin)
{
    DUO_TRY(of, KeptFields::of(above, key));
    DUO_CHECK(of.keys().text("recipe", origin.recipe));
    DUO_CHECK(of.keys().text("data", origin.data));
    return readStamp(of.keys(), "model", origin.model);
}

Json nodeOutcomesJson(const NodeOutcomes& outcomes)
{
    Json json{{"plan", outcomes.plan}, {"why", Json::array()}, {"others", Json::array()}};
    for (const RecordedKept& why : outcomes.why)
        json["why"].push_back({{"reason", why.reason}, {"counterfactual", why.counterfactual}});
    for (const NodeOutcome& other : outcomes.others)
        json["others"].push_back({{"node", other.node}, {"state", nodeStateText(other.state)}, {"why", other.why}});
    if (!outcomes.runs.empty())
        json["runs"] = runsJson(outcomes.runs);
    return json;
}

Status readNodeOutcomes(JsonKeys& above, const char* key, std::shared_ptr<const NodeOutcomes>& outcomes)
{
    if (above.find(key) == nullptr)
        return success();
    DUO_TRY(fields, KeptFields::of(above, key));
    auto read = std::make_shared<NodeOutcomes>();
    JsonKeys& keys = fields.keys();
    DUO_CHECK(keys.text("plan", read->plan));
    DUO_CHECK(eachOf(keys, "why", [&](KeptFields& each) { return readWhy(each, *read); }));
    DUO_CHECK(eachOf(keys, "others", [&](KeptFields& each) { return readOther(each, *read); }));
    DUO_CHECK(eachOf(keys, "runs", [&](KeptFields& each) { return readRuns(each, read->runs); }));
    outcomes = std::move(read);
    return success();
}

Status readRecipeText(JsonKeys& keys, const char* key, Recipe& recipe)
{
    std::string text;
    DUO_CHECK(keys.text(key, text));
    if (text.empty())
        return success();
    DUO_TRY(read, parseRecipe(text, key));
    recipe = std::move(read);
    return success();
}

Status checkKeptFormat(const Json& json, const char* format, const std::string& what, const std::string& name)
{
    const auto member
        = [&json](const char* key) { return json.is_object() && json.contains(key) ? json[key] : Json(); };
    if (member("format") != format)
        return Error{ErrorCode::BadData, "not a kept " + what, name, {}};
    const Json version = member("version");
    if (version == kKeptVersion)
        return success();
    if (version.is_number_unsigned() && version > kKeptVersion)
        return Error{ErrorCode::BadData, "kept by a newer Duoscope", name, "open it with that one"};
    return Error{ErrorCode::BadData, "a kept " + what + " of no known version", name, {}};
}

} // namespace duo
