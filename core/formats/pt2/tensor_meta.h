// SPDX-License-Identifier: Apache-2.0
// What torch.export says of a tensor: element type, sizes, strides, and where it begins in its storage.
#pragma once

#include "core/model/model.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace duo {

struct ExportTensorMeta {
    ElementType element = ElementType::Undefined;
    std::vector<Dim> sizes;
    std::optional<std::vector<std::int64_t>> strides; // elements; nothing: symbolic, or not said
    std::optional<std::int64_t> storageOffset; // elements; negative: it is no number
    bool isStrided = true; // dense in memory; false for sparse layouts
};

/// Nothing if it is no TensorMeta.
std::optional<ExportTensorMeta> readTensorMeta(const nlohmann::ordered_json& json);

/// A SymInt: a size, or its expression as a symbol ("s6", "2*s0", shortened to what a user reads).
Dim readSymbolicSize(const nlohmann::ordered_json& json);

/// Element type of a number of torch.export's ScalarType; Undefined for those ONNX has no counterpart of.
ElementType elementTypeOfScalar(std::int64_t scalarType);

} // namespace duo
