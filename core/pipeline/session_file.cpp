// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/session_file.h"

#include "core/pipeline/outcomes_json.h"
#include "core/pipeline/session_json.h"
#include "core/state/model_hash.h"
#include "core/support/enum_text.h"
#include "core/support/json.h"
#include "core/support/utf8.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>
#include <tuple>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-session";
constexpr std::size_t kLongestText = std::size_t{1} << 20; // bytes, of a result
constexpr std::size_t kLongestLine = std::size_t{1} << 12; // bytes, of the same in a few words
constexpr std::size_t kLongestView = std::size_t{8} << 20; // bytes
constexpr std::size_t kLongestNodes = std::size_t{8} << 20; // bytes, of a result

constexpr auto kUnfinishedTexts
    = enumTexts<UnfinishedKind::Sensitivity>({"export", "deployment", "quantization", "statistics", "sensitivity"});

Json dataJson(const DataSource& data)
{
    const DatasetOptions& options = data.options;
    Json json{{"spec", data.spec}, {"arrays", options.arrays}, {"dims", options.dims}, {"mean", options.mean},
        {"std", options.std}, {"layout", options.layout}, {"channels", options.channels}};
    json["feed_back"] = Json::array();
    for (const auto& [output, input] : options.feedBack)
        json["feed_back"].push_back(Json::array({output, input}));
    if (options.size)
        json["size"] = Json::array({options.size->first, options.size->second});
    return json;
}

Json demandsJson(const ExportDemands& demands)
{
    Json json{{"labels", demands.verdict.labels}, {"metric_command", demands.verdict.metricCommand},
        {"max_drop", demands.verdict.maxDrop}};
    if (demands.bounds.minSqnrDb)
        json["min_sqnr_db"] = *demands.bounds.minSqnrDb;
    if (demands.bounds.minAgreement)
        json["min_agreement"] = *demands.bounds.minAgreement;
    return json;
}

bool areNodesShort(const Json& json)
{
    return jsonText(json, 2).size() <= kLongestNodes;
}

bool isViewShort(const Json& json)
{
    return jsonText(json).size() <= kLongestView;
}

/// As much of a text as is kept.
std::string keptText(const std::string& text, std::size_t most)
{
    std::size_t end = std::min(text.size(), most);
    for (int i = 0; i < 3 && end < text.size() && isContinuation(text[end]); ++i)
        --end;
    return text.substr(0, end);
}

/// As much as is kept: what became of the nodes and how they run, or the first alone; null: neither.
Json keptNodesJson(const NodeOutcomes& outcomes)
{
    if (Json whole = nodeOutcomesJson(outcomes); areNodesShort(whole))
        return whole;
    NodeOutcomes less = outcomes;
    less.running.clear();
    Json json = nodeOutcomesJson(less);
    return areNodesShort(json) ? json : Json();
}

Json resultsJson(const std::vector<EarlierResult>& results)
{
    Json json = Json::array();
    for (const EarlierResult& result : results) {
        Json one{{"kind", resultKindText(result.kind)}, {"date", result.date},
            {"text", keptText(result.text, kLongestText)}, {"of", originJson(result.of)}};
        if (!result.statistics.empty())
            one["statistics"] = result.statistics.string();
        if (!result.line.empty())
            one["line"] = keptText(result.line, kLongestLine);
        if (Json nodes = result.nodes ? keptNodesJson(*result.nodes) : Json(); !nodes.is_null())
            one["became"] = std::move(nodes);
        json.push_back(std::move(one));
    }
    return json;
}

Status readDims(KeptFields& fields, std::map<std::string, std::int64_t>& dims)
{
    const Json* json = fields.keys().find("dims");
    if (json == nullptr)
        return success();
    if (!json->is_object())
        return fields.wrong("dims", "an object is expected");
    KeptFields each(*json, fields.keys().path("dims"));
    for (const auto& [name, size] : json->items()) {
        DUO_CHECK(each.integer(name.c_str(), dims[name]));
        if (dims[name] < 1)
            return each.wrong(name.c_str(), "a size of at least 1 is expected");
    }
    return success();
}

Status readPairs(KeptFields& fields, std::vector<std::pair<std::string, std::string>>& pairs)
{
    const Json* json = fields.keys().find("feed_back");
    if (json == nullptr)
        return success();
    const auto isPair = [](const Json& item) {
        return item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string();
    };
    if (!json->is_array() || !std::ranges::all_of(*json, isPair))
        return fields.wrong("feed_back", "a list of pairs is expected");
    for (const Json& item : *json)
        pairs.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
    return success();
}

Status readSize(KeptFields& fields, std::optional<std::pair<int, int>>& size)
{
    const Json* json = fields.keys().find("size");
    if (json == nullptr)
        return success();
    constexpr std::uint64_t kMost = 1U << 20U;
    const auto isSide
        = [](const Json& item) { return item.is_number_unsigned() && item.get<std::uint64_t>() <= kMost; };
    if (!json->is_array() || json->size() != 2 || !std::ranges::all_of(*json, isSide))
        return fields.wrong("size", "height and width are expected");
    size = {(*json)[0].get<int>(), (*json)[1].get<int>()};
    return success();
}

Status readData(JsonKeys& above, DataSource& data)
{
    DUO_TRY(fields, KeptFields::of(above, "data"));
    DUO_CHECK(fields.words("spec", data.spec));
    DUO_CHECK(fields.keys().texts("arrays", data.options.arrays));
    DUO_CHECK(fields.numbers("mean", data.options.mean));
    DUO_CHECK(fields.numbers("std", data.options.std));
    DUO_CHECK(fields.words("layout", data.options.layout));
    DUO_CHECK(fields.words("channels", data.options.channels));
    DUO_CHECK(readDims(fields, data.options.dims));
    DUO_CHECK(readPairs(fields, data.options.feedBack));
    return readSize(fields, data.options.size);
}

Status readDemands(JsonKeys& above, ExportDemands& demands)
{
    DUO_TRY(fields, KeptFields::of(above, "demands"));
    DUO_CHECK(fields.words("labels", demands.verdict.labels));
    DUO_CHECK(fields.words("metric_command", demands.verdict.metricCommand));
    DUO_CHECK(fields.number("max_drop", demands.verdict.maxDrop));
    DUO_CHECK(fields.numberIfThere("min_sqnr_db", demands.bounds.minSqnrDb));
    return fields.numberIfThere("min_agreement", demands.bounds.minAgreement);
}

/// Nothing for one of a kind that is not known. What is longer than it is written is cut, or left out.
Result<std::optional<EarlierResult>> readResult(KeptFields& fields)
{
    JsonKeys& keys = fields.keys();
    EarlierResult result;
    std::string name;
    DUO_CHECK(keys.text("kind", name));
    const auto kind = resultKindFromText(name);
    DUO_CHECK(fields.date("date", result.date));
    DUO_CHECK(keys.text("text", result.text));
    DUO_CHECK(readOrigin(keys, "of", result.of));
    DUO_CHECK(fields.path("statistics", result.statistics));
    DUO_CHECK(keys.text("line", result.line));
    const Json* nodes = keys.find("became");
    if (nodes != nullptr && areNodesShort(*nodes))
        DUO_CHECK(readNodeOutcomes(keys, "became", result.nodes));
    result.text = keptText(result.text, kLongestText);
    result.line = keptText(result.line, kLongestLine);
    result.kind = kind.value_or(result.kind);
    return kind ? std::optional(std::move(result)) : std::nullopt;
}

Status readResults(JsonKeys& keys, std::vector<EarlierResult>& results)
{
    return eachOf(keys, "results", [&](KeptFields& fields) -> Status {
        DUO_TRY(result, readResult(fields));
        if (result) {
            std::erase_if(results, [&](const EarlierResult& other) { return other.kind == result->kind; });
            results.push_back(*std::move(result));
        }
        return success();
    });
}

/// One of a kind that is not known is passed over.
Status readUnfinished(JsonKeys& above, std::optional<UnfinishedRun>& unfinished)
{
    if (above.find("unfinished") == nullptr)
        return success();
    DUO_TRY(fields, KeptFields::of(above, "unfinished"));
    std::string kind;
    UnfinishedRun run;
    DUO_CHECK(fields.keys().text("kind", kind));
    DUO_CHECK(fields.date("begun", run.begun));
    DUO_CHECK(fields.path("target", run.target));
    if (const auto known = enumFromText<UnfinishedKind>(kUnfinishedTexts, kind)) {
        run.kind = *known;
        unfinished = std::move(run);
    }
    return success();
}

/// @return InvalidRule: JsonKeys
Result<KeptSession> readSession(const Json& json)
{
    KeptSession session;
    KeptFields fields(json, "");
    JsonKeys& keys = fields.keys();
    DUO_TRY(model, KeptFields::of(keys, "model"));
    DUO_CHECK(model.path("path", session.model));
    DUO_CHECK(readStamp(keys, "model", session.stamp));
    DUO_CHECK(fields.date("written", session.written));
    DUO_CHECK(readRecipeText(keys, "recipe", session.recipe));
    DUO_CHECK(readRecipeText(keys, "saved", session.saved));
    DUO_CHECK(fields.path("saved_as", session.savedAs));
    DUO_CHECK(readData(keys, session.data));
    DUO_CHECK(fields.path("checkpoint", session.checkpoint));
    DUO_CHECK(fields.path("located", session.located));
    DUO_CHECK(fields.path("statistics", session.statistics));
    DUO_CHECK(keys.flag("is_measured", session.isMeasured));
    DUO_CHECK(readDemands(keys, session.demands));
    DUO_CHECK(readResults(keys, session.results));
    DUO_CHECK(readUnfinished(keys, session.unfinished));
    if (const Json* view = keys.find("view")) {
        if (!view->is_object())
            return invalidKey("an object is expected", "view", {});
        if (isViewShort(*view))
            session.view = *view;
    }
    return session;
}

} // namespace

bool EarlierResult::operator==(const EarlierResult& other) const
{
    const auto rest = [](const EarlierResult& result) {
        return std::tie(result.kind, result.date, result.text, result.of, result.line, result.statistics);
    };
    const bool areNodesSame = nodes && other.nodes ? *nodes == *other.nodes : nodes == other.nodes;
    return rest(*this) == rest(other) && areNodesSame;
}

ResultOrigin resultOrigin(const Recipe& recipe, const DataSource& data, const FileStamp& model)
{
    return {textHash(recipeText(recipe)), textHash(jsonText(dataJson(data))), {model.bytes, model.modified, 0}};
}

std::vector<std::string> changesSince(const ResultOrigin& then, const ResultOrigin& now)
{
    std::vector<std::string> changes;
    if (then.recipe != now.recipe)
        changes.emplace_back("the rules or settings");
    if (then.data != now.data)
        changes.emplace_back("the data");
    if (!then.model.isSameContent(now.model))
        changes.emplace_back("the model's file");
    return changes;
}

std::string sessionText(const KeptSession& session)
{
    Json json{{"format", kFormat}, {"version", kKeptVersion}};
    json["model"] = stampJson(session.stamp);
    json["model"]["path"] = session.model.string();
    json["written"] = session.written;
    json["recipe"] = recipeText(session.recipe); // as text: it may be as deep as a document may be
    json["saved"] = recipeText(session.saved);
    json["saved_as"] = session.savedAs.string();
    json["data"] = dataJson(session.data);
    json["checkpoint"] = session.checkpoint.string();
    json["located"] = session.located.string();
    json["statistics"] = session.statistics.string();
    json["is_measured"] = session.isMeasured;
    json["demands"] = demandsJson(session.demands);
    json["results"] = resultsJson(session.results);
    if (session.unfinished)
        json["unfinished"] = {{"kind", enumText(kUnfinishedTexts, session.unfinished->kind)},
            {"begun", session.unfinished->begun}, {"target", session.unfinished->target.string()}};
    json["view"] = isViewShort(session.view) ? session.view : Json::object();
    return jsonText(json, 2) + "\n";
}

Result<KeptSession> parseSession(std::string_view text, const std::string& name)
{
    return parseKept(text, kFormat, "session", name, readSession);
}

std::string dateNow()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return dateOf(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

std::string dateOf(std::int64_t nanoseconds)
{
    using std::chrono::milliseconds;
    const auto now = std::chrono::floor<milliseconds>(std::chrono::nanoseconds(nanoseconds));
    const auto seconds = static_cast<std::time_t>(now.count() / milliseconds::period::den);
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    std::array<char, 32> text{};
    const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &utc);
    const std::string thousandths = std::to_string(1000 + now.count() % milliseconds::period::den);
    return std::string(text.data(), length) + "." + thousandths.substr(1) + "Z";
}

} // namespace duo
