// SPDX-License-Identifier: Apache-2.0
// Learned tensors: the one place that parts the parameters of a file from its constants.
#pragma once

#include "core/model/held_tensors.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace duo {

/// What the name of a tensor says about it.
enum class NameSays : std::uint8_t {
    Nothing, // exporters give such names to anything they make
    Perhaps, // it may be a parameter's
    Parameter, // of a form that parameters have; single whole numbers have it too, as attributes of modules
    Recorded, // it is known to be one
};

struct LearnedBy {
    /// What is recorded, else what names mean.
    std::function<NameSays(std::string_view)> names;
    /// A record lists every parameter: what it does not know counts only where it is used as nothing else is.
    bool isComplete = false;
};

/// [Model::tensors] whether it is a parameter: by name, else by what nodes do with it and by its values. A scale of a
/// quantizer never is. What else is held is a constant. O(nodes + uses), and up to 384 elements of some tensors.
std::vector<bool> learnedTensors(const Model& model, std::span<const HeldTensor> held, const LearnedBy& by);

struct ParameterTotals {
    std::int64_t parameters = 0; // elements
    std::int64_t bytes = 0;
};

ParameterTotals totalsOf(const Model& model, const std::vector<bool>& isLearned);

/// What the file holds, as far as it tells itself. O(nodes + uses).
ParameterTotals parameterTotals(const Model& model);

} // namespace duo
