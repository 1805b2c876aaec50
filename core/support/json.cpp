// SPDX-License-Identifier: Apache-2.0
#include "core/support/json.h"

namespace duo {

Result<nlohmann::ordered_json> parseJson(
    std::string_view text, const std::string& name, ErrorCode code, EqualKeys equalKeys)
{
    auto parsed = parseJsonText(text, equalKeys);
    const auto* problem = std::get_if<TextProblem>(&parsed);
    if (problem == nullptr)
        return std::get<nlohmann::ordered_json>(std::move(parsed));
    if (!problem->key.empty())
        return Error{code, problem->what, name + " " + problem->key, problem->whatToDo};
    const std::string where
        = problem->what.starts_with("nested") ? name : name + " line " + std::to_string(problem->place.line);
    return Error{code, problem->what, where, problem->whatToDo};
}

void addMember(nlohmann::ordered_json& object, std::string key, nlohmann::ordered_json value)
{
    object.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(std::move(key), std::move(value));
}

std::string jsonText(const nlohmann::ordered_json& json, int indent)
{
    return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace duo
