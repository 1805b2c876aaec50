// SPDX-License-Identifier: Apache-2.0
// The check "functions" of an export: what is called in it, and how its calls differ.
#pragma once

#include "core/pipeline/outline_model.h"
#include "core/report/export_report.h"

namespace duo {

/// How many were made, which are further ones of a class because their calls are not alike, whose calls have scales of
/// their own, and what was refused; `nodes` are the calls that were refused. Fails where none were made.
Check functionsCheck(const OutlinedFile& outlined);

/// The same of functions that the model came with, as far as they are there again: that not all are is no fault of the
/// export.
Check functionsAgainCheck(const OutlinedFile& outlined);

} // namespace duo
