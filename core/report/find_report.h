// SPDX-License-Identifier: Apache-2.0
// What a search has found, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/search/find_things.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `find` (resources/schemas/find.schema.json).
nlohmann::ordered_json findJson(const SearchPlace& place, const Found& found);

/// A line for each thing, then how many there are; "no match" where there is none.
std::string findText(const SearchPlace& place, const Found& found);

} // namespace duo
