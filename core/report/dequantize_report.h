// SPDX-License-Identifier: Apache-2.0
// What a quantized model says of its quantizers, and what became of them, as JSON and as text.
#pragma once

#include "core/interchange/dequantize.h"
#include "core/interchange/encodings.h"
#include "core/onnx/writer.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `dequantize` (resources/schemas/dequantize.schema.json). @param written without files where nothing
/// was to be written
nlohmann::ordered_json dequantizeJson(
    const Model& model, const FoundQuantizers& found, const Dequantized& made, const WrittenFiles& written);

/// How many quantizers of which kind, what became float, and what stays with its reason.
std::string dequantizeText(const Model& model, const FoundQuantizers& found, const Dequantized& made);

/// The document of `convert-state` (resources/schemas/convert-state.schema.json). @param file that it was written to;
/// "": none
nlohmann::ordered_json encodingsJson(std::string_view form, const EncodingsText& converted, const std::string& file);

/// How many tensors have an entry, and how many of the float model have none.
std::string encodingsSummary(std::string_view form, const EncodingsText& converted);

} // namespace duo
