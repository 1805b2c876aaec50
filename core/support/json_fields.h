// SPDX-License-Identifier: Apache-2.0
// JsonFields: an object of a file that only we write. All its fields are known: one that is missing, one that is not
// known and one of another kind is an error that names it.
#pragma once

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Where a value stands in a file, for messages.
struct JsonPlace {
    std::string file;
    std::string path = {}; // "parameters.7.scale[2]", "" for the document
    ErrorCode code = ErrorCode::BadState; // of errors there

    [[nodiscard]] JsonPlace member(std::string_view key) const;
    [[nodiscard]] JsonPlace element(std::size_t index) const;
    [[nodiscard]] Error error(std::string what) const; // "what: file path: take the file as Duoscope wrote it"
};

class JsonFields
{
public:
    using Json = nlohmann::ordered_json;

    /// @param json must outlive the result. @return an error at `place` if it is no object, or lacks one of `required`,
    /// or has what is neither required nor optional
    static Result<JsonFields> of(const Json& json, JsonPlace place, std::initializer_list<std::string_view> required,
        std::initializer_list<std::string_view> optional = {});

    [[nodiscard]] JsonPlace place(std::string_view key) const { return m_place.member(key); }
    [[nodiscard]] bool has(std::string_view key) const;
    /// The value of a required field, or of an optional one that is there.
    [[nodiscard]] const Json& at(std::string_view key) const;

    [[nodiscard]] Result<std::string> text(std::string_view key) const;
    [[nodiscard]] Result<bool> flag(std::string_view key) const;
    [[nodiscard]] Result<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most) const;
    [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) const; // a list of texts
    [[nodiscard]] Result<std::vector<std::string>> distinctTexts(std::string_view key) const; // none stands twice

private:
    JsonFields(const Json& json, JsonPlace place);

    const Json* m_json;
    JsonPlace m_place;
};

/// A whole number within bounds. @return an error at `place`
Result<std::int64_t> integerOf(
    const nlohmann::ordered_json& json, const JsonPlace& place, std::int64_t least, std::int64_t most);

/// The texts of a list. @return an error at `place` for anything else
Result<std::vector<std::string>> textsOf(const nlohmann::ordered_json& json, const JsonPlace& place);

} // namespace duo
