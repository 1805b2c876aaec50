// SPDX-License-Identifier: Apache-2.0
// Fragments of configuration that have ONNX Runtime's quantizer quantize the nodes that a placement quantizes:
// of Olive (a pass OnnxStaticQuantization) and of winml-cli (`quant` of its build configuration)
// (resources/docs/interchange.md, "Configurations of other tools").
#pragma once

#include "core/model/model.h"
#include "core/quantize/placement.h"

#include <string>
#include <vector>

namespace duo {

enum class ConfiguredTool { Olive, WinMl };

struct ToolConfigText {
    std::string text; // JSON with a final line break
    std::vector<std::string> losses; // what the form cannot say, sentences without a period
};

/// Operator types of which a node is quantized, and by name those of these types that are not: of the file. Types,
/// granularity and symmetry are those that most quantizers have. O(nodes + quantizers).
/// @param file as it was opened @param model that transforms made of it, or the same
ToolConfigText toolConfigText(const Model& file, const Model& model, const Placement& placement,
    const QuantizationSettings& settings, ConfiguredTool tool);

} // namespace duo
