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
#include "core/state/place_state.h"
#include "core/state/recorded_state.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// On a model: that with its float changes, if any.
struct CompressionState : StateFacts {
    QuantizerSetup setup = {};
    ParametersByPoint parameters = {};
    /// All nodes that stay in float although the recipe would quantize them; nothing: it is not known which.
    std::optional<KeptFloats> keptFloat = {};
    BiasShifts biasShifts = {};
    InputMeans inputMeans = {}; // that they come from, as floats
    std::optional<HalvedNodes> halved = {};
    bool operator==(const CompressionState&) const = default;
};

/// The state as JSON text; `model` with its float changes. A line per quantizer, final line break. Every number
/// survives the round trip exactly.
std::string stateText(const Model& model, const CompressionState& state);

/// A state read back onto a model, and what did not fit.
struct ReadState {
    CompressionState state;
    std::vector<FoundPoint> found; // of every quantizer that is in place
    std::vector<std::string> leftOut; // quantizers the model has no place for, a sentence each
};

/// The text of a state, checked in itself, and not yet read onto a model.
class StateText
{
public:
    /// @param name of the file, for messages. @return BadState naming the entry that cannot be
    static Result<StateText> parse(std::string_view text, const std::string& name);
    static Result<StateText> read(const std::filesystem::path& path);

    /// What is no longer as it was written, a sentence each; nothing for most.
    [[nodiscard]] const std::vector<std::string>& unlike() const { return m_unlike; }
    /// Among it what to simplify the model by, and what to change in it, before the rest can be read onto it.
    [[nodiscard]] const RecordedState& recorded() const { return *m_recorded; }
    /// @param model simplified, and with those changes but for `unmade`; @param there its nodes
    [[nodiscard]] ReadState onto(
        const Model& model, const NodesThere& there, const std::vector<FloatChange>& unmade = {}) const;

private:
    StateText(std::shared_ptr<const RecordedState> recorded, std::vector<std::string> unlike);

    std::shared_ptr<const RecordedState> m_recorded;
    std::vector<std::string> m_unlike;
};

} // namespace duo
