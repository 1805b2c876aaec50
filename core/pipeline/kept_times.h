// SPDX-License-Identifier: Apache-2.0
// Kept times: how long the kernels of a model took, as the text of a file, to be shown again another time
// (resources/docs/session.md, "Times"). Nodes are told by their places in the model.
#pragma once

#include "core/analysis/node_times.h"
#include "core/support/file_stamp.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// What is longer is not read.
inline constexpr std::size_t kLongestTimes = std::size_t{64} << 20; // bytes

/// @param times of `model`, which was read from a file of that stamp, and may have been changed since
std::string keptTimesText(const NodeTimes& times, const Model& model, const FileStamp& stamp);

/// Keys that are not known are passed over. @return BadData: what is wrong, `name` with the key, or that it is of
/// another model
Result<NodeTimes> parseKeptTimes(
    std::string_view text, const Model& model, const FileStamp& stamp, const std::string& name);

} // namespace duo
