// SPDX-License-Identifier: Apache-2.0
// ArrayCut: how a stored array falls into feeds of an input (resources/docs/calibration.md, "How arrays are cut").
#pragma once

#include "core/calibrate/samples/model_input.h"
#include "core/engine/session.h"
#include "core/formats/npy.h"

namespace duo {

/// An array of the input's rank is cut along its first axis into pieces of the input's fixed first dimension (symbolic
/// or of unknown rank: 1); an array of rank + 1 holds one feed per entry. Elements stay as they are, but int32 is
/// widened to int64.
struct ArrayCut {
    std::int64_t pieces = 0;
    std::int64_t dropped = 0; // entries of the first axis that fill no whole piece
    bool repeated = false; // an array without axes for an input without axes: every sample gets it
    bool isSplit = false; // into single entries of an axis that may have any size, as batches are
    std::string axis; // the name of that axis, where it tells of no batch: "sequence_length"
    ElementType stored = ElementType::Undefined;
    std::int64_t pieceElements = 0;
    HostTensor empty; // name, type and dims of every piece

    /// Piece `index` of the array's bytes.
    [[nodiscard]] HostTensor piece(std::span<const std::byte> array, std::int64_t index) const;
};

/// @param where file and array for the message
/// @return BadData: element type or shape do not fit, or there is not one whole piece
Result<ArrayCut> cutArray(const ModelInput& input, const NpyHeader& header, const std::string& where);

} // namespace duo
