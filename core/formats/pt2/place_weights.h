// SPDX-License-Identifier: Apache-2.0
// Parameters, buffers and constants of an exported program as initializers of a Model.
#pragma once

#include "core/formats/pt2/export_weights.h"
#include "core/formats/pt2/exported_program.h"
#include "core/formats/pt2/graph_builder.h"

namespace duo {

/// Fills tensors, initializers and keys of the draft, and a value per key that the graph reads, named by the key
/// (or, where the graph calls something else so, by its placeholder). Ties are one tensor with several keys. Keys are
/// in definition order: by module as registered, within one as the signature has them, then as the archive has them. A
/// key of the signature without data gets a tensor without elements, with a note.
/// @return the values, by the names that the graph reads them under
NamedValues placeWeights(const ExportedProgram& program, const ExportWeights& weights, Model& draft);

} // namespace duo
