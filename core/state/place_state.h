// SPDX-License-Identifier: Apache-2.0
// A recorded state brought onto a model: names become nodes, and what has no place is told.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/points/halved_nodes.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/state/nodes_there.h"
#include "core/state/recorded_state.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Where a quantizer stood, and where it stands.
struct FoundPoint {
    PointId id = 0;
    std::string was; // name of the node, or "nncf_model_input_<i>"
    std::string is;
    FoundBy by = FoundBy::Name;
    bool operator==(const FoundPoint&) const = default;
};

struct PlacedState {
    QuantizerSetup setup;
    ParametersByPoint parameters; // of the points that are there
    BiasShifts biasShifts;
    InputMeans inputMeans;
    KeptFloats keptFloat;
    std::optional<HalvedNodes> halved;
    std::vector<FoundPoint> found; // [setup.points]
    std::vector<std::string> leftOut; // a sentence each: what the model has no place for
};

/// Left out are points whose node or input is not there, or whose scales are not as many as
/// its channels, and what is of nodes that are not there; groups lose such points. O(state).
PlacedState placedOnto(const Model& model, const RecordedState& state, const NodesThere& there);

} // namespace duo
