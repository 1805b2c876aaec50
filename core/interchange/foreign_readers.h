// SPDX-License-Identifier: Apache-2.0
// A reader for each form of foreign encodings, with errors as parseForeignEncodings() has them.
#pragma once

#include "core/interchange/foreign_encodings.h"
#include "core/interchange/foreign_place.h"

namespace duo {

Result<ForeignEncodings> readAimet(const ForeignPlace& document); // all versions; Qualcomm's quantization_overrides too
Result<ForeignEncodings> readOrtOverrides(const ForeignPlace& document);
Result<ForeignEncodings> readOrtCalibration(const ForeignPlace& document); // of save_tensors_data
Result<ForeignEncodings> readOrtRanges(const ForeignPlace& tensors); // its `data`, and all of write_calibration_table

bool isTensorRtCache(std::string_view text);
Result<ForeignEncodings> readTensorRtCache(std::string_view text, const std::string& name);

} // namespace duo
