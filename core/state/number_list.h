// SPDX-License-Identifier: Apache-2.0
// Lists of numbers as a state file holds them: small, and exact (resources/docs/state.md, "Numbers").
#pragma once

#include "core/model/element_type.h"
#include "core/support/json_fields.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// Up to eight finite numbers as a list of decimals, the shortest that give the same float; more as a text, "f32:" and
/// base64 of their bytes, little-endian.
nlohmann::ordered_json numbersJson(std::span<const float> numbers);

/// Either form, lists of any length. @return an error at `place` for what is none, or a number that is not finite
Result<std::vector<float>> numbersFromJson(const nlohmann::ordered_json& json, const JsonPlace& place);

/// Codes of a type: one whole number where all are the same (and there is one), else a list; more than 64 of up to
/// 8 bits as a text, "uint4:" and base64 of their bytes, as a tensor of that type holds them.
nlohmann::ordered_json codesJson(std::span<const std::int32_t> codes, ElementType type);

/// @param count of them, where one stands for all. @return an error at `place` for what is no code of the type, or
/// another count
Result<std::vector<std::int32_t>> codesFromJson(
    const nlohmann::ordered_json& json, const JsonPlace& place, std::size_t count, ElementType type);

} // namespace duo
