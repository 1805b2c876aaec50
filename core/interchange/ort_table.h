// SPDX-License-Identifier: Apache-2.0
// The table of ranges that ONNX Runtime's TensorRT provider reads, as its write_calibration_table writes it: for each
// tensor the largest number, in decimal digits; as lines of text and as flatbuffers.
#pragma once

#include "core/interchange/encodings.h"
#include "core/interchange/foreign_encodings.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// "calibration.cache": a line for each tensor, its name and the largest magnitude; in the order of names.
std::string ortTableText(std::vector<TensorRange> ranges);
/// "calibration.flatbuffers": the same as a vector of pairs of texts.
std::string ortTableFlatbuffers(std::vector<TensorRange> ranges);

bool isOrtTable(std::string_view text);
bool isOrtFlatbuffers(std::string_view bytes);
/// Ranges around zero. @return BadData: the line that has no number
Result<ForeignEncodings> readOrtTable(std::string_view text, const std::string& name);
/// The same. Every offset is checked. @return BadData
Result<ForeignEncodings> readOrtFlatbuffers(std::string_view bytes, const std::string& name);

} // namespace duo
