// SPDX-License-Identifier: Apache-2.0
// Texts that Python wrote: string literals, lists of them, and the printed signature of an exported program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// `['', 'layer1.0', "it's"]` -> its strings (repr of a list or tuple of str: either quote, all escapes of repr).
/// Nothing if the text is anything else. O(length).
std::optional<std::vector<std::string>> parsePythonStrings(std::string_view text);

/// A parameter or buffer as torch.export's signature lists it.
struct SignatureEntry {
    std::string placeholder; // "p_layer1_0_weight"
    std::string target; // "layer1.0.weight"
    bool isPersistent = true; // false: a buffer that state_dict() leaves out
    bool operator==(const SignatureEntry&) const = default;
};

/// Parameters and buffers of str(ExportGraphSignature), in its order; reads the dataclass form of PyTorch 2.5 and the
/// line form of later versions; what it does not understand is left out. O(length).
std::vector<SignatureEntry> parseGraphSignature(std::string_view text);

inline constexpr std::string_view kFxNode = "pkg.torch.onnx.fx_node"; // of a node's metadata: the printed FX node

/// Names after `%` in the printed FX node, without the node's own: "x", "p_fc_weight". In order, with repeats.
std::vector<std::string_view> fxArguments(std::string_view fxNode);

/// "aten.linear.default" of a printed FX node, or "" if it names no target.
std::string_view fxTarget(std::string_view fxNode);

/// "linear_12" is number 12 of the operations named "linear", which are numbered as the program runs them.
struct FxNumber {
    std::string_view series;
    std::int32_t ordinal = 0;
};
FxNumber fxNumber(std::string_view fxName);

} // namespace duo
