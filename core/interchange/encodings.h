// SPDX-License-Identifier: Apache-2.0
// Encodings: the quantizers of a model in the forms in which other tools read them (resources/docs/interchange.md).
#pragma once

#include "core/interchange/found_quantizers.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class EncodingForm {
    Aimet061, // AIMET and QAIRT, lists by tensor; zero points as offsets of unsigned codes
    Aimet100, // the same as flat lists
    Aimet200, // ONNX's scales and zero points
    OrtOverrides, // TensorQuantOverrides of ONNX Runtime's quantizer
    OrtCalibration, // ranges of values, as its calibration keeps them
    OrtTable, // the largest magnitude of each, as its provider for TensorRT reads it (ort_table.h), as text
    OrtFlatbuffers, // and as bytes
    Netron, // an attachment that Netron shows beside the float model
};
inline constexpr std::size_t kEncodingForms = static_cast<std::size_t>(EncodingForm::Netron) + 1;

std::string_view encodingFormText(EncodingForm form); // "aimet-1.0.0"
std::optional<EncodingForm> encodingFormFromText(std::string_view text);

struct EncodingsText {
    std::string text; // JSON or lines, with a final line break; of OrtFlatbuffers bytes
    std::size_t tensors = 0; // that it has an entry for
    std::vector<std::string> losses; // what the form cannot say, sentences without a period
    std::vector<std::string> without; // tensors of the float model that a converter would have to invent one for
};

/// Tensors stand under the names they have in the float model. @param model the quantized one
EncodingsText encodingsText(const Model& model, const FoundQuantizers& found, EncodingForm form);

/// The lowest and highest number of a value.
struct TensorRange {
    std::string tensor;
    float lowest = 0;
    float highest = 0;
};

/// Only values that are computed have an entry in it.
bool isOfRanges(EncodingForm form);
/// In a form of ranges. `ort-calibration` is as ONNX Runtime's quantizer keeps it (calibration_cache_path), of the
/// method MinMax.
std::string rangesText(const std::vector<TensorRange>& ranges, EncodingForm form);
/// The same, with what the form cannot say of them.
EncodingsText encodingsOfRanges(const std::vector<TensorRange>& ranges, EncodingForm form);

} // namespace duo
