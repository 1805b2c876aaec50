// SPDX-License-Identifier: Apache-2.0
// JsonPieces: one large JSON document, handed out in small values, so that hundreds of megabytes never stand in memory.
#pragma once

#include "core/support/job.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// One value. Lookups in its objects are linear: it should be small.
struct JsonPiece {
    std::string_view container; // where it lies: "" for the document, "graph_module/graph/nodes"
    std::string key; // its name in an object; "" in an array
    nlohmann::ordered_json value;
};

struct JsonPieceOptions {
    /// Containers whose members are handed out one by one, each with those above it; "" (the document) is implied.
    std::vector<std::string_view> opened;
    /// Names of texts for people, kept until they fill `longTextBytes`, then left out.
    std::vector<std::string_view> longTexts;
    std::size_t longTextBytes = std::size_t{32} << 20;
    ErrorCode code = ErrorCode::MalformedModel;
};

/// What was read besides the pieces.
struct JsonPiecesRead {
    std::size_t leftOutTexts = 0;
};

/// Calls `take` for each value in file order. Numbers that JSON does not know but Python writes (`NaN`, `Infinity`)
/// come as the strings "NaN", "Infinity", "-Infinity". A document nested deeper than 256, or with a piece of more than
/// eight million values, is refused.
/// @param where names the document in errors
/// @return an error with `options.code`, one of `take`, Cancelled
Result<JsonPiecesRead> readJsonPieces(std::span<const std::byte> text, const std::string& where,
    const JsonPieceOptions& options, const std::function<Status(JsonPiece&&)>& take, const JobContext& job);

} // namespace duo
