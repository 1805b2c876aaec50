// SPDX-License-Identifier: Apache-2.0
// Two models whose inputs and outputs are floats of different widths, made to take and give the same.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <memory>
#include <vector>

namespace duo {

struct ComparablePorts {
    std::shared_ptr<const Model> a, b; // as given where nothing had to be done
    std::vector<Note> notes; // what is converted
};

/// Of inputs, and of outputs, of one name the narrower floats are cast from and to the wider in the model that has
/// them. What cannot be stays, for the comparison to say so. @return errors of convertedModel(). O(structure)
Result<ComparablePorts> inCommonFloats(
    const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b, const JobContext& job = {});

} // namespace duo
