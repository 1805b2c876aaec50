// SPDX-License-Identifier: Apache-2.0
// RecordedSetup: a quantizer setup as a state file holds it, its nodes by the names they had; not yet on a model.
#pragma once

#include "core/quantize/points/quantizer_setup.h"
#include "core/support/json_fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct RecordedPoint {
    PointId id = 0;
    std::string target; // name of the node, or "nncf_model_input_<i>"
    std::optional<std::uint32_t> port; // nothing: the output
    bool isWeight = false;
    QuantizerConfig config;
    std::vector<std::string> operators; // whose inputs it quantizes
};

struct RecordedSetup {
    std::vector<RecordedPoint> points; // by id
    PointGroups unifiedScaleGroups;
    PointGroups sharedInputGroups;
};

/// Whose file a setup is of: NNCF's own tell of a weight no port, and may tell the type of codes.
enum class SetupForm { Own, Nncf };

/// Reads NNCF's keys (resources/docs/state.md, "Quantizer setup"). Members of groups are points, once in a group, and
/// in one group of equal scales at most. Of a weight of NNCF's form `port` is nothing where the file tells none.
/// @return an error naming the field that is missing, not known, of the wrong kind or no point
Result<RecordedSetup> recordedSetupFromJson(
    const nlohmann::ordered_json& json, const JsonPlace& place, SetupForm form = SetupForm::Own);

/// The id that a key of points, groups or parameters is. @return an error at `place` for anything but its digits
Result<std::uint32_t> idOfKey(const std::string& key, const JsonPlace& place);

/// The index of a model input that a target's name stands for; nothing for the name of a node.
std::optional<std::uint32_t> modelInputOf(const std::string& target);

} // namespace duo
