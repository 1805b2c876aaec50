// SPDX-License-Identifier: Apache-2.0
// Children whose own names hold slashes: "/by/3/3/Conv" is the convolution of `by.3/3`.
#pragma once

#include "core/scope/facts/module_paths.h"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace duo {

class SlashedNames
{
public:
    /// What the exporter prints for those of the paths known so far that hold a slash.
    explicit SlashedNames(const ModulePaths& paths);

    /// The pieces between slashes put together again where together they are one name, perhaps with a call's number;
    /// longest names first. Views into `name`, which the pieces are views into.
    [[nodiscard]] std::vector<std::string_view> merged(std::vector<std::string_view> pieces) const;

private:
    [[nodiscard]] bool isName(std::string_view text) const;

    std::unordered_set<std::string> m_names;
};

} // namespace duo
