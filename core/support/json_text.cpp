// SPDX-License-Identifier: Apache-2.0
#include "core/support/json_text.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kMaxDepth = 64;

struct TooDeep {
};

/// "unexpected '}'" of "[json.exception...] parse error at ...: syntax error while parsing value - unexpected '}';
/// ...".
std::string reasonOf(std::string_view message)
{
    const std::size_t dash = message.find(" - ");
    if (dash == std::string_view::npos)
        return {};
    const std::string_view reason = message.substr(dash + 3);
    return ", " + std::string(reason.substr(0, reason.find(';')));
}

} // namespace

std::variant<Json, TextProblem> parseJsonText(std::string_view text)
{
    const auto refuseDepth = [](int depth, Json::parse_event_t, Json&) {
        if (depth > kMaxDepth)
            throw TooDeep{};
        return true;
    };
    try {
        return Json::parse(text, refuseDepth);
    } catch (const Json::parse_error& e) {
        return TextProblem{"not valid JSON" + reasonOf(e.what()), {}, "correct the text there",
            placeAt(text, e.byte > 0 ? e.byte - 1 : 0)};
    } catch (const Json::exception&) {
        return TextProblem{"not valid JSON", {}, "correct the text", {}};
    } catch (const TooDeep&) {
        return TextProblem{"nested too deeply", {}, "at most " + std::to_string(kMaxDepth) + " levels are read", {}};
    }
}

} // namespace duo
