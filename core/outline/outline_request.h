// SPDX-License-Identifier: Apache-2.0
// OutlineRequest: which module calls are to become functions, as somebody wants it and a recipe keeps it.
#pragma once

#include "core/support/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace duo {

/// In which order a function takes its data and gives its results, as the user wants it.
struct FunctionOrder {
    std::string scope; // of a call of it, as in OutlineRequest::scopes
    std::vector<std::string> inputs = {}; // all data inputs, by the names of the signature; empty: as found
    std::vector<std::string> outputs = {}; // likewise
    bool operator==(const FunctionOrder&) const = default;
};

struct OutlineRequest {
    std::vector<std::string> scopes = {}; // "blk/lin": every call of that module; "blk#1/lin": this call
    std::vector<std::string> classes = {}; // "Linear" or "torch.nn.modules.linear.Linear"
    std::vector<int> depths = {}; // 1: what the model itself calls
    bool all = false;
    bool split = false; // calls that dataflow leaves and comes back to become several functions
    bool flat = false; // functions that the model came with are not made again
    std::vector<FunctionOrder> orders = {};
    std::string unknownKeys = {}; // JSON object text of keys we do not know, kept on saving; "" if none

    /// Nothing is to become a function.
    [[nodiscard]] bool isEmpty() const { return scopes.empty() && classes.empty() && depths.empty() && !all; }
    bool operator==(const OutlineRequest&) const = default;
};

inline constexpr int kMostDepth = 1000;
inline constexpr std::size_t kMostOrders = 1000; // more are refused: each is looked for among all calls

/// As in recipes; what is not set is left out.
nlohmann::ordered_json outlineRequestJson(const OutlineRequest& request);

/// @param path of the object, for messages. @return InvalidRule: what is wrong, which key, what to write
Result<OutlineRequest> outlineRequestFromJson(const nlohmann::ordered_json& json, const std::string& path);

} // namespace duo
