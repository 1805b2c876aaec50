// SPDX-License-Identifier: Apache-2.0
// ForeignEncodings: scales and ranges of tensors in the files of other tools (resources/docs/interchange.md, "Forms
// that are read"); not yet on a model.
#pragma once

#include "core/interchange/found_quantizers.h"
#include "core/model/element_type.h"
#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class ForeignForm { Aimet061, Aimet100, Aimet200, OrtOverrides, OrtCalibration, OrtTable, TensorRtCache, Model };

std::string_view foreignFormText(ForeignForm form); // "aimet-1.0.0", "quantized-model"
std::optional<ForeignForm> foreignFormFromText(std::string_view text);

inline constexpr std::size_t kMaxForeignBytes = std::size_t{1} << 28U;

/// What codes are to hold; lowest <= highest, finite.
struct ForeignRange {
    float lowest = 0;
    float highest = 0;
    bool operator==(const ForeignRange&) const = default;
};

/// One tensor: of scale, range and isFloat exactly one says something.
struct ForeignEncoding {
    std::string tensor;
    bool isFloat = false; // no quantizer: it stays what it is
    /// Undefined: the form leaves open whether codes are signed, and zero points are those of unsigned ones.
    ElementType codes = ElementType::Undefined;
    int bits = 8; // 8 or 16, of weights also 2 and 4; 32 of a bias, whose scale follows from data and weight
    std::vector<float> scale = {}; // [1], [C] or one for each block, > 0 and finite
    std::vector<std::int32_t> zeroPoint = {}; // as many; within the codes
    std::optional<std::int64_t> axis = {}; // of [C] or blocks, as the file says it; nothing where it does not
    std::int64_t block = 0; // elements along the axis that share a scale; 0: all
    std::vector<std::int64_t> blockDims = {}; // of blocks, what their scales lie in; empty where that is not told
    std::vector<std::string> readers = {}; // nodes that it is for; empty where that is not told
    std::optional<ForeignRange> range = {};
    bool operator==(const ForeignEncoding&) const = default;
};

struct ForeignEncodings {
    ForeignForm form = ForeignForm::Aimet100;
    std::vector<ForeignEncoding> entries; // in the order of the file, each tensor once
    std::vector<std::string> notExpressed; // entries that are understood and have no counterpart, a sentence each
};

/// The form is told by the content. Trusts nothing: sizes are bounded, numbers checked.
/// @return BadData naming the entry of `name` that is missing, twice there, of another kind, or out of its range;
/// Unsupported for a version or form that is not read
Result<ForeignEncodings> parseForeignEncodings(std::string_view text, const std::string& name);

/// Of a model that is quantized already, for its float model.
ForeignEncodings encodingsOf(const Model& model, const FoundQuantizers& found);

} // namespace duo
