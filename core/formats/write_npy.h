// SPDX-License-Identifier: Apache-2.0
// A tensor as a NumPy array file.
#pragma once

#include "core/model/tensor.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <filesystem>

namespace duo {

/// Format version 1.0, C order, elements as they are stored; bfloat16, which NumPy does not know, becomes float32.
/// Bytes are written as they are read: nothing is held in memory as a whole.
/// @return NotWritable, also where the name does not end in .npy, so that no model is written over; Unsupported for
/// elements below a byte, float8 and text; Cancelled
Status writeNpy(const Tensor& tensor, const std::filesystem::path& target, const JobContext& job = {});

} // namespace duo
