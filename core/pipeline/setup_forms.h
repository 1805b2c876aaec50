// SPDX-License-Identifier: Apache-2.0
// SetupForms: the forms in which the quantizers of a compression are written (resources/docs/interchange.md).
#pragma once

#include "core/interchange/encodings.h"
#include "core/pipeline/snapshot/compression.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Those of encodings, in the order of EncodingForm, then "state", then those of places: "nncf-setup", "olive", ...
std::vector<std::string> setupForms();

/// Of whole setups, on a float model: a quantized model alone is none.
bool isOfSetups(std::string_view form);
/// Only where quantizers stand, and no scales: it takes no data.
bool isOfPlaces(std::string_view form);

/// The quantizers of a compression in one of the forms. Tensors whose numbers a correction rescaled are left out of
/// encodings, which are of the float model as it is, and told. `tensors` counts quantizers where the form is of setups.
/// @param snapshot that the compression was made from. @return Unsupported for another form; Cancelled
Result<EncodingsText> setupText(
    const Snapshot& snapshot, const Compression& compression, std::string_view form, const JobContext& job);

/// Why a form is not written of a model that is quantized: what it has would be lost.
Error ofFloatModels(std::string_view form, const Model& quantized);

/// The setup that the recipe of a snapshot places, in a form of places. @return why nothing can be placed
Result<EncodingsText> plannedText(const Snapshot& snapshot, std::string_view form);

} // namespace duo
