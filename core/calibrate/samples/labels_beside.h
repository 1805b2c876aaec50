// SPDX-License-Identifier: Apache-2.0
// Labels that nobody named: class numbers among the arrays of the data, or in a file beside them
// (resources/docs/calibration.md, "Labels").
#pragma once

#include "core/calibrate/samples/dataset.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Where class numbers lie: whole numbers, as many for every sample.
struct LabelsBeside {
    std::string array; // of the data; "": in a file of its own
    std::filesystem::path file; // that holds them, or the folder whose files do
    [[nodiscard]] std::string text() const; // "array 'labels' of test.npz", "file test.labels.npy"
    bool operator==(const LabelsBeside&) const = default;
};

struct FoundLabels {
    std::optional<LabelsBeside> labels; // nothing: there are none, or it is not known which are meant
    std::vector<std::string> several; // where it is not known: all that may be
    bool operator==(const FoundLabels&) const = default;
};

/// "labels", "y_true" and the like, in any case.
bool isNameOfLabels(std::string_view array);

/// @param spec as openDataset takes it. Reads names and headers only; what cannot be read holds none.
FoundLabels findLabels(const std::string& spec, const Model& model);

/// @param dataset of the data they were found with
/// @return BadData, FileNotReadable
Result<HostTensor> readLabels(const LabelsBeside& labels, const Dataset& dataset);

} // namespace duo
