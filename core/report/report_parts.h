// SPDX-License-Identifier: Apache-2.0
// What several reports write alike.
#pragma once

#include "core/model/model.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duo {

/// null where it is not known.
inline nlohmann::ordered_json numberJson(const std::optional<double>& number)
{
    return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

inline nlohmann::ordered_json namesJson(const Model& model, const std::vector<NodeId>& nodes)
{
    auto names = nlohmann::ordered_json::array();
    for (const NodeId node : nodes)
        names.push_back(model.node(node).name);
    return names;
}

/// The text at the right of a column.
inline std::string padded(std::string text, std::size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : std::move(text);
}

} // namespace duo
