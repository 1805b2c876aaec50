// SPDX-License-Identifier: Apache-2.0
// Chosen settings: what a recipe leaves open and the model itself tells.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/settings.h"

#include <optional>

namespace duo {

struct ChosenSettings {
    QuantizationSettings settings; // with nothing left open that was chosen
    std::optional<Note> note; // what was chosen, in one line; nothing where nothing was
};

/// A transformer is taken for one: model type transformer, and SmoothQuant unless its alpha is set. Not where the
/// recipe says a model type or asks for what NNCF does. O(nodes).
ChosenSettings chosenSettings(const Model& model, QuantizationSettings settings);

} // namespace duo
