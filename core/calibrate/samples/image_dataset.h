// SPDX-License-Identifier: Apache-2.0
// Image files as samples of a model with one image input.
#pragma once

#include "core/calibrate/samples/dataset.h"

namespace duo {

/// One feed per image, or per as many images as the input's first dimension fixes. float32 inputs get
/// (pixel / 255 - mean) / std, uint8 inputs the pixels themselves. Gray is 0.299 R + 0.587 G + 0.114 B.
/// @return Usage for options that do not fit together; BadData for a model that takes no images or too few images
Result<std::shared_ptr<const Dataset>> imageDataset(
    std::vector<std::filesystem::path> images, const Model& model, const DatasetOptions& options);

} // namespace duo
