// SPDX-License-Identifier: Apache-2.0
#include "core/support/json.h"

#include <algorithm>

namespace duo {
namespace {

constexpr int kMaxDepth = 64;

struct TooDeep {
};

std::string lineOf(std::string_view text, std::size_t byte)
{
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
    return std::to_string(1 + std::count(text.begin(), end, '\n'));
}

} // namespace

Result<nlohmann::ordered_json> parseJson(std::string_view text, const std::string& name, ErrorCode code)
{
    const auto refuseDepth = [](int depth, nlohmann::ordered_json::parse_event_t, nlohmann::ordered_json&) {
        if (depth > kMaxDepth)
            throw TooDeep{};
        return true;
    };
    try {
        return nlohmann::ordered_json::parse(text, refuseDepth);
    } catch (const nlohmann::json::parse_error& e) {
        return Error{code, "not valid JSON", name + " line " + lineOf(text, e.byte), "correct the text there"};
    } catch (const nlohmann::json::exception&) {
        return Error{code, "not valid JSON", name, "correct the text"};
    } catch (const TooDeep&) {
        return Error{code, "nested too deeply", name, "at most " + std::to_string(kMaxDepth) + " levels are read"};
    }
}

} // namespace duo
