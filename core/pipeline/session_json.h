// SPDX-License-Identifier: Apache-2.0
// How a session and its runs stand in JSON, where both say the same (resources/docs/session.md, "The file").
#pragma once

#include "core/pipeline/session_file.h"
#include "core/support/json.h"
#include "core/support/json_keys.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

inline constexpr std::int64_t kKeptVersion = 1;

/// The keys of one object, as JsonKeys reads them, and numbers and lists besides.
class KeptFields
{
public:
    KeptFields(const nlohmann::ordered_json& object, std::string path)
        : m_keys(object, std::move(path))
    {
    }
    /// Of an object that is absent none.
    static Result<KeptFields> of(JsonKeys& above, const char* key);

    JsonKeys& keys() { return m_keys; }
    Status path(const char* key, std::filesystem::path& into); // none is longer than a system takes
    Status words(const char* key, std::string& into); // no more than one may type, 64 KiB
    Status date(const char* key, std::string& into); // "" or digits and what stands between them, no more than 40
    Status integer(const char* key, std::int64_t& into);
    Status number(const char* key, double& into);
    Status numberIfThere(const char* key, std::optional<double>& into);
    Status numbers(const char* key, std::vector<float>& into);
    Error wrong(const char* key, std::string what) { return invalidKey(std::move(what), m_keys.path(key), {}); }

private:
    JsonKeys m_keys;
};

std::optional<ResultKind> resultKindFromText(std::string_view text);

nlohmann::ordered_json stampJson(const FileStamp& stamp);
Status readStamp(JsonKeys& above, const char* key, FileStamp& stamp);

nlohmann::ordered_json originJson(const ResultOrigin& origin);
Status readOrigin(JsonKeys& above, const char* key, ResultOrigin& origin);

/// Each element of a list of objects, as `read` takes it (KeptFields&). An absent list has none. @return InvalidRule
template <typename Read> Status eachOf(JsonKeys& keys, const char* key, Read read)
{
    const nlohmann::ordered_json* list = keys.find(key);
    if (list == nullptr)
        return success();
    if (!list->is_array())
        return invalidKey("a list is expected", keys.path(key), {});
    for (std::size_t i = 0; i < list->size(); ++i) {
        std::string path = keys.path(key) + "[" + std::to_string(i) + "]";
        if (!(*list)[i].is_object())
            return invalidKey("an object is expected", path, {});
        KeptFields each((*list)[i], std::move(path));
        DUO_CHECK(read(each));
    }
    return success();
}

/// Of names and types of all nodes, kept as "nodes".
std::string nodesDigest(const Model& model);
/// Whether what was measured is of this model, from a file of stamp `now`. @param then that was kept @return
/// InvalidRule
Status checkKeptModel(KeptFields& fields, const FileStamp& then, const Model& model, const FileStamp& now);

/// A recipe as text: it may be as deep as a document may be. An empty one is none.
Status readRecipeText(JsonKeys& keys, const char* key, Recipe& recipe);

/// As the reader of a file tells what is wrong in it. @param wrong of JsonKeys; `name` comes before its key
Error keptError(const Error& wrong, const std::string& name);

/// @return BadData: why it is no document of this format in kKeptVersion; `what` says what it should be, "kept session"
Status checkKeptFormat(
    const nlohmann::ordered_json& json, const char* format, const std::string& what, const std::string& name);

/// The value of a kept file of this format, as `read` takes it from its document. @return as checkKeptFormat();
/// BadData: it is no JSON, or what is wrong, `name` with the key
template <typename Read>
auto parseKept(std::string_view text, const char* format, const std::string& what, const std::string& name, Read read)
    -> decltype(read(nlohmann::ordered_json()))
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadData));
    DUO_CHECK(checkKeptFormat(json, format, what, name));
    auto value = read(json);
    if (!value)
        return keptError(value.error(), name);
    return value;
}

} // namespace duo
