// SPDX-License-Identifier: Apache-2.0
// Compression state: recipe, quantizer setup, measured parameters and the identity of the model; what reproduces an
// export without data (resources/docs/state.md, "The compression state").
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/quantize/recipe/recipe.h"
#include "core/state/model_hash.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// A pass that simplified the model before anything was placed.
struct PassRun {
    std::string id;
    int version = 1;
    std::int64_t applied = 0; // nodes
    bool operator==(const PassRun&) const = default;
};

struct CompressionState {
    std::string producer; // "duoscope 0.1.0"
    std::string engine; // "onnxruntime 1.30.0", which measured the ranges
    ModelHashes model;
    std::string scopes; // record of the scopes (core/scope), where a checkpoint told them; "" for most
    Recipe recipe;
    std::vector<PassRun> transforms; // those that did something, in their order; empty where the recipe wants none
    QuantizerSetup setup;
    ParametersByPoint parameters;
    KeptFloats keptFloat; // nodes that the engine has no int8 kernel for where they stand
    std::vector<FloatChange> floatChanges; // made on the float model before; setup and parameters are of the result
    BiasShifts biasShifts;
    std::int64_t samples = 0; // measured on
    bool operator==(const CompressionState&) const = default;
};

/// The state as JSON text; `model` with its float changes. Two-space indent, final line break. Every number survives
/// the round trip exactly.
std::string stateText(const Model& model, const CompressionState& state);

/// A state read back onto a model, and what did not fit.
struct ReadState {
    CompressionState state;
    std::vector<std::string> leftOut; // quantizers the model has no place for, a sentence each
};

/// The text of a state, not yet read onto a model.
class StateText
{
public:
    /// @param name of the file, for messages. @return BadState for what is no state of a known version
    static Result<StateText> parse(std::string_view text, const std::string& name);
    static Result<StateText> read(const std::filesystem::path& path);

    /// What the model is simplified by before the rest can be read onto it; nothing for most. @return InvalidRule
    [[nodiscard]] Result<std::optional<TransformOptions>> transforms() const;
    /// Scopes of the model as it was opened, where the state has them.
    [[nodiscard]] std::string scopes() const;
    /// What to change in the model before the rest can be read onto it; nothing for most. @return BadState
    [[nodiscard]] Result<std::vector<FloatChange>> floatChanges() const;
    /// @param model simplified, and with those changes. @return BadState naming file and key
    [[nodiscard]] Result<ReadState> onto(const Model& model) const;

private:
    StateText(std::shared_ptr<const nlohmann::ordered_json> json, std::string name);

    std::shared_ptr<const nlohmann::ordered_json> m_json;
    std::string m_name;
};

} // namespace duo
