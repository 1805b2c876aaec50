// SPDX-License-Identifier: Apache-2.0
// RecordedState: a compression state as its file holds it, checked in itself, its nodes by the names they had; not yet
// on a model.
#pragma once

#include "core/quantize/edits/float_changes.h"
#include "core/quantize/points/halved_nodes.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/recipe/recipe.h"
#include "core/state/model_hash.h"
#include "core/state/node_records.h"
#include "core/state/recorded_setup.h"
#include "core/support/json_fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duo {

/// What was done to a model, and in which form of it: a pass or a correction.
struct AppliedStep {
    std::string id; // of a pass (core/transform/pass.h), or what floatChangeText says, or "bias-correction"
    int version = 1;
    bool operator==(const AppliedStep&) const = default;
};

/// A pass that simplified the model before anything was placed.
struct PassRun {
    std::string id;
    int version = 1;
    std::int64_t applied = 0; // nodes
    bool operator==(const PassRun&) const = default;
};

/// What a state says of no node of the model it is on; names are those that nodes had.
struct StateFacts {
    std::string producer; // "duoscope 0.1.0"
    std::string engine; // "onnxruntime 1.30.0", which measured the ranges
    std::string data; // digest of the data it measured, and
    std::string statistics; // of what it measured there; "" where they are not known
    ModelHashes model;
    std::string scopes; // record of the scopes (core/scope), where a checkpoint told them; "" for most
    GraphRecord graph; // with float changes, for finding nodes under other names
    Recipe recipe;
    std::vector<PassRun> transforms; // those that did something, in their order; empty where the recipe wants none
    std::vector<AppliedStep> steps; // passes and corrections
    std::vector<FloatChange> floatChanges; // made on the float model before; setup and parameters are of the result
    std::int64_t samples = 0; // measured on
    bool operator==(const StateFacts&) const = default;
};

struct RecordedState : StateFacts {
    RecordedSetup setup;
    ParametersByPoint parameters; // of every point, and of nothing else
    std::vector<std::pair<std::string, std::vector<float>>> biasShifts; // by name of the node
    std::vector<std::pair<std::string, std::vector<float>>> inputMeans; // by name of the node
    std::vector<std::pair<std::string, KeptFloat>> keptFloat; // by name of the node
    std::optional<std::vector<std::string>> halved; // nodes in floats of 16 bits; nothing: all floats have 32
    int version = 0; // that it was written in
    bool tellsKeptFloat = false; // `keptFloat` is of all such nodes: no other lacks quantizers that the recipe makes
};

inline constexpr int kSinceFloatNodes = 5; // the version whose `float_nodes` are all of them
inline constexpr int kStateVersion = 7; // that is written; older ones are read (state_versions.h)

/// Reads the document of a state raised to the newest version, `version` being its own; its digests are not looked at.
/// @return BadState naming the entry that is missing, not known, of the wrong kind, out of its range, or at odds with
/// another one: parameters and points are of the same ids, and of as many bits; points of one scale have the same
Result<RecordedState> recordedStateFromJson(const nlohmann::ordered_json& json, const std::string& file);

/// The nodes that a state lists as left in float, by their names, with its sentences on each. @return BadState naming
/// the entry
Result<std::vector<std::pair<std::string, KeptFloat>>> keptFloatsFromJson(
    const nlohmann::ordered_json& list, const JsonPlace& place);

/// The parts that a state file has beside the recipe and the setup, for writing.
nlohmann::ordered_json passRunsJson(const std::vector<PassRun>& runs); // [{"id", "version", "applied"}]
nlohmann::ordered_json stepsJson(const std::vector<AppliedStep>& steps);
nlohmann::ordered_json parametersJson(const ParametersByPoint& parameters);
nlohmann::ordered_json floatChangesJson(const std::vector<FloatChange>& changes);

/// "smooth-quant", "cross-layer-equalization".
std::string_view floatChangeText(FloatChangeKind kind);

} // namespace duo
