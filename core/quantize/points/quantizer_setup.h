// SPDX-License-Identifier: Apache-2.0
// QuantizerSetup: where quantizers go and with which types; the keys of its JSON form are NNCF's.
#pragma once

#include "core/rules/precision.h"
#include "core/support/flat_map.h"
#include "core/support/id.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct QuantizerConfig {
    int numBits = 8;
    QuantizationMode mode = QuantizationMode::Symmetric;
    std::optional<bool> signednessToForce{}; // nothing: signed iff a negative value was seen
    bool perChannel = false;
    bool narrowRange = false;
    std::int64_t block = 0; // elements of a weight, along what is summed, that share a scale; 0: all
    auto operator<=>(const QuantizerConfig&) const = default;
};

/// One quantizer. Activation: on input `port` of the node, or on its output where `port` is absent, or behind a model
/// input where `input` is valid. Weight: on the constant read at `port`.
struct QuantizationPoint {
    NodeId node{}; // target_node_name; invalid for a model input
    ValueId input{}; // the model input quantized for everybody who reads it (target_node_name nncf_model_input_<i>)
    std::optional<std::uint32_t> port{}; // input_port_id
    bool isWeight = false; // qip_class
    QuantizerConfig config{};
    std::vector<NodeId> directlyQuantized{}; // directly_quantized_operator_node_names
    bool operator==(const QuantizationPoint&) const = default;
};

using PointId = std::uint32_t;
using PointGroups = FlatMap<std::uint32_t, std::vector<PointId>>;

struct QuantizerSetup {
    FlatMap<PointId, QuantizationPoint> points;
    PointGroups unifiedScaleGroups;
    PointGroups sharedInputGroups; // shared_input_operation_set_groups
    bool operator==(const QuantizerSetup&) const = default;
};

} // namespace duo
