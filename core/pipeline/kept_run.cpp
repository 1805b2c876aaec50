// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_run.h"

#include "core/pipeline/session_json.h"
#include "core/report/inspect_report.h"
#include "core/support/json.h"

#include <algorithm>
#include <map>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-run";

Json checksJson(const std::vector<KeptCheck>& checks)
{
    Json json = Json::array();
    for (const KeptCheck& check : checks)
        json.push_back({{"id", check.id}, {"ok", check.ok}, {"message", check.message}});
    return json;
}

Status readChecks(JsonKeys& keys, std::vector<KeptCheck>& checks)
{
    const Json* json = keys.find("checks");
    if (json == nullptr)
        return success();
    if (!json->is_array())
        return invalidKey("a list is expected", keys.path("checks"), {});
    for (std::size_t i = 0; i < json->size(); ++i) {
        const std::string path = "checks[" + std::to_string(i) + "]";
        if (!(*json)[i].is_object())
            return invalidKey("an object is expected", path, {});
        JsonKeys each((*json)[i], path);
        KeptCheck check;
        DUO_CHECK(each.text("id", check.id));
        DUO_CHECK(each.flag("ok", check.ok));
        DUO_CHECK(each.text("message", check.message));
        checks.push_back(std::move(check));
    }
    return success();
}

/// @return InvalidRule: JsonKeys
Result<KeptRun> readRun(const Json& json)
{
    KeptRun run;
    KeptFields fields(json, "");
    JsonKeys& keys = fields.keys();
    std::string kind;
    DUO_CHECK(keys.text("kind", kind));
    const auto known = resultKindFromText(kind);
    if (!known)
        return fields.wrong("kind", "no kind of run that is known");
    run.kind = *known;
    DUO_CHECK(fields.date("date", run.date));
    DUO_CHECK(readOrigin(keys, "of", run.of));
    DUO_CHECK(readRecipeText(keys, "recipe", run.recipe));
    DUO_CHECK(fields.number("seconds", run.seconds));
    DUO_CHECK(fields.integer("quantizers", run.quantizers));
    DUO_CHECK(fields.integer("samples", run.samples));
    DUO_CHECK(keys.text("target", run.target));
    DUO_CHECK(fields.integer("bytes_before", run.bytesBefore));
    DUO_CHECK(fields.integer("bytes_after", run.bytesAfter));
    DUO_CHECK(keys.text("verdict", run.verdict));
    DUO_CHECK(keys.text("why", run.why));
    DUO_CHECK(keys.text("worst", run.worst));
    DUO_CHECK(fields.numberIfThere("float_ms", run.floatMs));
    DUO_CHECK(fields.numberIfThere("quantized_ms", run.quantizedMs));
    DUO_CHECK(readChecks(keys, run.checks));
    return run;
}

void addDifferent(
    const char* name, const std::string& first, const std::string& second, std::vector<TextDifference>& differences)
{
    if (first != second)
        differences.push_back({name, first, second});
}

std::map<std::string, std::string> outcomes(const KeptRun& run)
{
    std::map<std::string, std::string> texts;
    for (const KeptCheck& check : run.checks)
        texts[check.id] = check.ok ? "passed" : check.message;
    return texts;
}

} // namespace

KeptRun runOf(const Compression& compression, const Recipe& recipe, const ResultOrigin& of, double seconds)
{
    KeptRun run;
    run.date = dateNow();
    run.of = of;
    run.recipe = recipe;
    run.seconds = seconds;
    run.quantizers = static_cast<std::int64_t>(compression.setup.points.size());
    run.samples = compression.samples;
    return run;
}

KeptRun runOf(const Compression& compression, const ExportReport& report, const Recipe& recipe, const ResultOrigin& of,
    double seconds)
{
    KeptRun run = runOf(compression, recipe, of, seconds);
    run.kind = ResultKind::Export;
    if (!report.files.empty())
        run.target = report.files.front().filename().string();
    run.bytesBefore = report.bytesBefore;
    run.bytesAfter = report.bytesAfter;
    run.verdict = verdictName(report.verdict.kind);
    run.why = report.verdict.sentence;
    run.worst = worstOutputText(report.verdict);
    if (report.verdict.latency) {
        run.floatMs = report.verdict.latency->a;
        run.quantizedMs = report.verdict.latency->b;
    }
    for (const Check& check : report.checks)
        run.checks.push_back({check.id, check.ok, check.message});
    return run;
}

std::string runText(const KeptRun& run)
{
    Json json{{"format", kFormat}, {"version", kKeptVersion}, {"kind", resultKindText(run.kind)}, {"date", run.date},
        {"of", originJson(run.of)}, {"recipe", recipeText(run.recipe)}, {"seconds", run.seconds},
        {"quantizers", run.quantizers}, {"samples", run.samples}};
    if (run.kind == ResultKind::Export) {
        json["target"] = run.target;
        json["bytes_before"] = run.bytesBefore;
        json["bytes_after"] = run.bytesAfter;
        json["verdict"] = run.verdict;
        json["why"] = run.why;
        json["worst"] = run.worst;
        if (run.floatMs)
            json["float_ms"] = *run.floatMs;
        if (run.quantizedMs)
            json["quantized_ms"] = *run.quantizedMs;
        json["checks"] = checksJson(run.checks);
    }
    return jsonText(json, 2) + "\n";
}

Result<KeptRun> parseRun(std::string_view text, const std::string& name)
{
    return parseKept(text, kFormat, "run", name, readRun);
}

std::string checksText(const KeptRun& run)
{
    if (run.kind != ResultKind::Export)
        return {};
    const auto passed = std::ranges::count_if(run.checks, [](const KeptCheck& check) { return check.ok; });
    return std::to_string(passed) + " of " + std::to_string(run.checks.size());
}

std::string sizeText(const KeptRun& run)
{
    if (run.kind != ResultKind::Export)
        return {};
    return bytesText(run.bytesAfter) + ", " + sizeChangeText(run.bytesBefore, run.bytesAfter);
}

std::string timeText(const KeptRun& run)
{
    if (!run.floatMs || !run.quantizedMs)
        return {};
    return shortText(*run.quantizedMs) + " ms (float " + shortText(*run.floatMs) + ")";
}

std::vector<TextDifference> differencesOf(const KeptRun& first, const KeptRun& second)
{
    std::vector<TextDifference> differences;
    addDifferent("verdict", first.verdict, second.verdict, differences);
    addDifferent("size", sizeText(first), sizeText(second), differences);
    addDifferent("worst output", first.worst, second.worst, differences);
    addDifferent("time of a run", timeText(first), timeText(second), differences);
    const auto before = outcomes(first);
    const auto after = outcomes(second);
    auto ids = before;
    ids.insert(after.begin(), after.end());
    const auto outcomeIn = [](const auto& all, const std::string& id) {
        const auto found = all.find(id);
        return found == all.end() ? std::string() : found->second;
    };
    for (const auto& [id, said] : ids)
        addDifferent(("check " + id).c_str(), outcomeIn(before, id), outcomeIn(after, id), differences);
    return differences;
}

} // namespace duo
