// SPDX-License-Identifier: Apache-2.0
// Pieces of a JSON document that is written while it is made: the whole of a large one takes many times the memory that
// it is made from.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// Text of a value as it stands `indent` deep in a document that is indented by two.
std::string indented(const nlohmann::ordered_json& json, std::size_t indent);

} // namespace duo
