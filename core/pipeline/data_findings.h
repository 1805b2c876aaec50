// SPDX-License-Identifier: Apache-2.0
// Data findings: samples of which neither ranges nor errors can say anything.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/report/export_report.h"

#include <span>

namespace duo {

struct DataFindings {
    std::vector<Check> checks; // "varying-data", where it fails
    std::vector<Note> notes; // "same-samples"
};

/// Of the samples that a verdict is about: whether all their numbers are one and the same (of inputs of whole numbers
/// only where there are no others), or all samples are. @return errors of Dataset::sample
Result<DataFindings> dataFindings(const Dataset& dataset, std::span<const std::int64_t> samples);

/// Whether samples differ less than 8 bits tell apart: every input's elements about their means over the samples, by
/// the root of the mean square, against a 255th of the range of all numbers. Not where nothing differs at all. Reads
/// all samples, and holds one. O(elements)
Result<bool> hardlyDiffer(const Dataset& dataset, std::span<const std::int64_t> samples);

} // namespace duo
