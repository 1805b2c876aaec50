// SPDX-License-Identifier: Apache-2.0
// ModelInput: what a dataset has to feed, and how a shape is said in messages.
#pragma once

#include "core/engine/session.h"
#include "core/model/model.h"

#include <span>
#include <string>
#include <vector>

namespace duo {

struct ModelInput {
    std::string name;
    ValueId value;
    ElementType type = ElementType::Undefined;
    std::optional<std::vector<Dim>> shape; // nothing: rank unknown
    /// Where another axis than the first is the batch, so that the first counts something else (a sequence): the axis
    /// of its readers' batch (LSTM and its like with layout 0), or the one that is named so.
    std::optional<std::size_t> batchAxis = {};
};

/// Inputs of the main graph, in file order.
std::vector<ModelInput> modelInputs(const Model& model);

/// "[N, 3, 28, 28]"; "?" for a dimension without name, "any shape" where the rank is unknown.
std::string shapeText(const std::optional<std::vector<Dim>>& shape);
std::string shapeText(std::span<const std::int64_t> dims);

/// What is fed, as "'x' [1, 3, 28, 28], 'h' [2, 1, 64]"; after the fifth "and N more".
std::string feedsText(std::span<const HostTensor> feeds);

/// "'a', 'b', 'c'"; after the fifth name "and N more".
std::string listText(const std::vector<std::string>& names);

/// True if every fixed dimension equals the corresponding one of `dims`; ranks must be equal.
bool fits(const std::vector<Dim>& shape, std::span<const std::int64_t> dims);

} // namespace duo
