// SPDX-License-Identifier: Apache-2.0
// JsonKeys: reads the keys of one JSON object, checks their types and remembers which were asked for.
#pragma once

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Absent keys leave their target alone. Every failure is an InvalidRule whose `where` is the path of the key
/// ("rules[2].value"): whoever knows the file puts its name before it.
class JsonKeys
{
public:
    using Json = nlohmann::ordered_json;

    /// @param object must outlive the reader; @param path of the object, "" for the document
    JsonKeys(const Json& object, std::string path);

    Status text(const char* key, std::string& into);
    Status flag(const char* key, bool& into);
    Status texts(const char* key, std::vector<std::string>& into); // a list of texts
    Status textOrTexts(const char* key, std::vector<std::string>& into);
    /// One of `choices`, as its index; null counts as absent.
    Status choice(const char* key, std::span<const std::string_view> choices, std::optional<std::size_t>& into);
    Status count(const char* key, std::int64_t most, std::optional<int>& into); // 1 to most; null counts as absent

    const Json* find(const char* key); // null if absent
    [[nodiscard]] std::string path(std::string_view key) const; // of a key of this object
    /// The keys nobody asked for; an empty object if there are none.
    [[nodiscard]] Json unknown() const;

private:
    Status elements(const Json& list, const char* key, std::vector<std::string>& into) const;
    const Json& m_object;
    std::string m_path;
    std::set<std::string> m_known;
};

/// JSON text of an object, "" of an empty one; text that is no UTF-8 is replaced.
std::string keysText(const nlohmann::ordered_json& object);

/// Puts the keys of an object's JSON text into `object`, except those already there.
void appendKeys(nlohmann::ordered_json& object, const std::string& keys);

Error invalidKey(std::string what, std::string path, std::string whatToDo);

} // namespace duo
