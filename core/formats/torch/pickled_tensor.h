// SPDX-License-Identifier: Apache-2.0
// Tensors in pickles: the calls torch.save writes, recognised by name and never made.
#pragma once

#include "core/formats/torch/pickle.h"
#include "core/formats/torch/storage_tensors.h"

#include <optional>
#include <string>
#include <string_view>

namespace duo {

/// A tensor found in a pickle: where its elements lie, or why they are not read.
struct PickledTensor {
    StorageView view;
    std::string unread; // "it is sparse"; "" if `view` holds
};

/// Whether a value is a call that makes a tensor or a parameter.
bool isPickledTensor(const Pickle& pickle, PickleId id);

/// `where` names the key in errors. @return MalformedModel if a call has not the arguments PyTorch writes
Result<PickledTensor> describeTensor(const Pickle& pickle, PickleId id, const std::string& where);

/// The element type of "FloatStorage", or of a dtype such as "float32" or "float8_e4m3fn"; nothing for others.
std::optional<ElementType> storageClassType(std::string_view name);
std::optional<ElementType> dtypeByName(std::string_view name);

} // namespace duo
