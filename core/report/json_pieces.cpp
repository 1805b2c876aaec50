// SPDX-License-Identifier: Apache-2.0
#include "core/report/json_pieces.h"

namespace duo {

std::string indented(const nlohmann::ordered_json& json, std::size_t indent)
{
    const std::string text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    std::string deeper;
    for (const char c : text) {
        deeper += c;
        if (c == '\n') // strings have none
            deeper.append(indent, ' ');
    }
    return deeper;
}

} // namespace duo
