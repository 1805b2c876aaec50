// SPDX-License-Identifier: Apache-2.0
// Mutants of a JSON document: every field changed, removed, put in twice, and a field that nobody knows in every
// object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace duo::test {

struct JsonMutant {
    std::string what; // "ctrl_state.quantization.samples: removed"
    std::string text;
};

/// In the order of the document.
std::vector<JsonMutant> jsonMutants(std::string_view document);

} // namespace duo::test
