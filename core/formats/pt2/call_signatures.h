// SPDX-License-Identifier: Apache-2.0
// Signatures of module calls in a program of torch.export.
#pragma once

#include "core/model/call_signature.h"

#include <vector>

namespace duo {

/// Those that the program was exported to keep (`preserve_module_call_signature`), as recorded; the root's is none.
/// Numbers, texts and None among the arguments are left out, and so is a record that does not fit its own count of
/// arguments. O(text of the records + reads * nesting of modules).
/// @param program as readTorchExport() gives it
std::vector<CallSignature> callSignatures(const Model& program);

/// O(reads).
ProgramNames programNames(const Model& program);

} // namespace duo
