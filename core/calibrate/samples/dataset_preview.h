// SPDX-License-Identifier: Apache-2.0
// DatasetPreview: the first samples of a dataset and what their numbers are like, to be looked at before they are used.
#pragma once

#include "core/calibrate/samples/dataset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

/// Over the samples looked at; of the finite numbers, as stored (pictures after mean and deviation were applied).
struct InputPreview {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims; // of the first sample
    bool isVariable = false; // another sample has other dimensions
    std::int64_t count = 0; // finite numbers
    std::int64_t notFinite = 0;
    double min = 0; // these four: 0 where nothing is finite
    double max = 0;
    double mean = 0;
    double deviation = 0; // population
};

struct DatasetPreview {
    std::int64_t samples = 0; // of the whole dataset
    std::vector<InputPreview> inputs; // in the order of the feeds
    std::vector<std::vector<HostTensor>> first; // [samples looked at] feeds
    std::vector<Note> notes; // of the dataset
};

/// A feed's elements as float32, whatever their type.
std::vector<float> numbersIn(const HostTensor& feed);

/// Looks at the first `most` samples, or fewer where they hold more than 64 MB.
/// @return BadData naming file, array and sample; Cancelled
Result<DatasetPreview> previewDataset(const Dataset& dataset, const JobContext& job = {}, std::int64_t most = 8);

} // namespace duo
