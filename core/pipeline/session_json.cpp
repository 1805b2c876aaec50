// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/session_json.h"

#include "core/state/model_hash.h"
#include "core/support/enum_text.h"

#include <climits>
#include <cmath>
#include <limits>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kKindTexts = enumTexts<ResultKind::Quantization>({"export", "sensitivity", "quantization"});

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
    if (text.size() >= PATH_MAX)
        return wrong(key, "no path is as long");
    into = text;
    return success();
}

Status KeptFields::words(const char* key, std::string& into)
{
    constexpr std::size_t kLongest = std::size_t{1} << 16;
    DUO_CHECK(m_keys.text(key, into));
    return into.size() <= kLongest ? success() : Status(wrong(key, "too long for what one may type"));
}

Status KeptFields::date(const char* key, std::string& into)
{
    constexpr std::size_t kLongest = 40;
    DUO_CHECK(m_keys.text(key, into));
    if (into.size() > kLongest || into.find_first_not_of("0123456789-:.TZ") != into.npos)
        return wrong(key, "a date is expected");
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

std::string nodesDigest(const Model& model)
{
    return nodesHash(model, [&](std::uint32_t node) { return std::string_view(model.nodes[node].opType); });
}

Status checkKeptModel(KeptFields& fields, const FileStamp& then, const Model& model, const FileStamp& now)
{
    std::string nodes;
    DUO_CHECK(fields.keys().text("nodes", nodes));
    const bool isSame = then.isSameContent(now) && nodes == nodesDigest(model);
    return isSame ? success() : Status(fields.wrong("nodes", "this was measured of another model"));
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

Error keptError(const Error& wrong, const std::string& name)
{
    return {ErrorCode::BadData, wrong.what, wrong.where.empty() ? name : name + " " + wrong.where, {}};
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
