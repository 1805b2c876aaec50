// SPDX-License-Identifier: Apache-2.0
// ForeignPlace: a value of another tool's JSON file and where it stands, for readers that name what is wrong.
#pragma once

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace duo {

class ForeignPlace
{
public:
    using Json = nlohmann::ordered_json;

    /// @param json must outlive the result. @param path "" for the document
    ForeignPlace(const Json& json, std::string file, std::string path = {});

    [[nodiscard]] const Json& json() const { return *m_json; }
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] Error error(std::string what) const; // BadData, "what: file path"

    [[nodiscard]] bool has(const char* key) const; // false also where this is no object
    /// @return an error where this is no object or lacks it
    [[nodiscard]] Result<ForeignPlace> member(const char* key) const;
    /// Of an object that has it, found already.
    [[nodiscard]] ForeignPlace member(const std::string& key, const Json& value) const;
    [[nodiscard]] ForeignPlace element(std::size_t index) const; // of a list that has it

    [[nodiscard]] Result<std::string> text() const;
    /// Finite as a float. A list of one number, and numpy's array of one, count as that number.
    [[nodiscard]] Result<float> number() const;
    /// Greater than zero as a float, too.
    [[nodiscard]] Result<float> scale() const;
    [[nodiscard]] Result<std::int64_t> integer(std::int64_t least, std::int64_t most) const;

private:
    [[nodiscard]] const Json& one() const; // what a list of one holds

    const Json* m_json;
    std::string m_file;
    std::string m_path;
};

} // namespace duo
