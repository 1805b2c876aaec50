// SPDX-License-Identifier: Apache-2.0
// What the formal inputs and outputs of a function are called.
#pragma once

#include "core/outline/call_body.h"
#include "core/outline/plan_outline.h"
#include "core/support/fresh_names.h"
#include "core/transform/outline_edits.h"

#include <span>
#include <string>
#include <vector>

namespace duo {

/// A call of the function that is named, as it stands in the model.
struct NamedCall {
    const CallBody* body = nullptr; // alike, input by input, in all calls of a function
    const std::string* path = nullptr; // that the names of its nodes have in front: "/layer1/layer1.0/", or ""
    std::vector<std::string> recorded = {}; // [inputs] what the record of the call names them; "", or none: nothing
};

/// Names what has a name: data as its order does, else `x`; parameters by their key below the module, those of others
/// as the record does, or in full, or by the end of it that is the same in all calls; outputs, else `y`. Inputs that
/// are left are "". Counts data and parameters in `planned`.
void nameFormals(OutlinedFunction& function, PlannedFunction& planned, std::span<const NamedCall> calls,
    const CallOrder& order, FreshNames& names);

/// Names what nameFormals() left, by who reads it first in the body: scales and zero points after what they quantize,
/// `x_scale`; what an inner call takes by its name there, `fc.x_scale`; else as the values are called in all calls,
/// below their path; else `parameter` or `constant`.
/// @param pattern the first call, of whose body the parts and values have names
void nameLeftFormals(const Model& model, const OutlineEdits& edits, OutlinedFunction& function,
    const OutlinedCall& pattern, std::span<const NamedCall> calls, FreshNames& names);

} // namespace duo
