// SPDX-License-Identifier: Apache-2.0
// TextProblem: what is wrong with a text and where, so that an editor can mark it and a command can say it.
#pragma once

#include "core/support/result.h"
#include "core/support/text_place.h"

#include <string>

namespace duo {

struct TextProblem {
    std::string what;
    std::string key; // path of the key at fault, "rules[2].value"; "" if it is none
    std::string whatToDo;
    TextPlace place;

    /// The same as an error about the text called `name`: "r.json line 2 column 5 rules[2].value".
    [[nodiscard]] Error error(ErrorCode code, const std::string& name) const
    {
        const std::string where
            = name + " line " + std::to_string(place.line) + " column " + std::to_string(place.column);
        return {code, what, key.empty() ? where : where + " " + key, whatToDo};
    }
    bool operator==(const TextProblem&) const = default;
};

} // namespace duo
