// SPDX-License-Identifier: Apache-2.0
// TextMap: a hash map by texts that is asked with views, without making a string for the question.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace duo {

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

template <typename T> using TextMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

} // namespace duo
