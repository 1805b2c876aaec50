// SPDX-License-Identifier: Apache-2.0
// ComparableSetup: what a recipe, a compression state or a quantized model says of a quantization, as texts and numbers
// that two of them can be compared by.
#pragma once

#include "core/quantize/recipe/recipe.h"
#include "core/scope/facts/scopes.h"
#include "core/state/recorded_state.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace duo {

enum class SetupSource { Recipe, State, Model };

/// One quantizer.
struct ComparableQuantizer {
    std::string place; // of a state "input 0 of /conv/Conv", of a model the tensor's name; unique
    std::string node; // that it stands at
    std::string scope; // execution scope of the node; "" at the root or where it is not known
    std::string type; // "int8"
    std::string spread; // "per tensor", "per channel"
    std::vector<float> scale; // [1] or [C]; empty where each run makes it anew
    std::vector<std::int64_t> zeroPoint; // as many
    std::vector<std::string> readers; // nodes that it is for, sorted; empty where that is not told
};

struct ComparableSetup {
    SetupSource source = SetupSource::Recipe;
    std::vector<std::string> rules; // a line each, in order
    std::map<std::string, std::string> settings; // JSON text by its path in the recipe, "/quantization/preset"
    std::map<std::string, std::string> facts; // what it was made from and with, "engine"
    std::map<std::string, std::string> corrections; // of a state: its numbers, by what they are of
    /// Nodes that stay in float although the recipe would quantize them, "yes" each; nothing where that is not told.
    std::optional<std::map<std::string, std::string>> keptFloat = {};
    std::vector<ComparableQuantizer> quantizers;
    /// Nodes of a model on codes whose quantizers are not recovered: a digest of the constants that tell them; "": they
    /// are not there.
    std::map<std::string, std::string> notRecovered;
};

ComparableSetup comparableSetup(const Recipe& recipe);
/// Of a state its recipe, its quantizers and corrections, and what it says of model, data and engine.
ComparableSetup comparableSetup(const RecordedState& state);
/// Of a model that anybody quantized; one that is in float has no quantizers.
ComparableSetup comparableSetup(const Model& model, const Scopes& scopes);

} // namespace duo
