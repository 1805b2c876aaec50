// SPDX-License-Identifier: Apache-2.0
// Conditions that are the same whatever the inputs, and the bodies that therefore never run.
#pragma once

#include "core/model/model.h"

#include <string_view>
#include <vector>

namespace duo {

/// Key of Value::metadata that readers give to an initializer that its graph lists as an input too; before IR version
/// 4, where the main graph must list all, to those of one element only.
inline constexpr std::string_view kOverridable = "duoscope.overridable";

/// An initializer for which a caller may give another value: listed as an input, but not before IR version 4 in the
/// main graph, where runtimes take such for constants.
bool isOverridable(const Model& model, const Value& value);

/// What an input always holds; null for one that is computed, overridable or left out.
const Tensor* fixedInput(const Model& model, const Node& node, std::size_t port);

/// [Model::regions] whether a body never runs: the branch of an If that its constant condition does not take, the body
/// of a Loop that starts with a false condition or no trip, and every body inside of such. Conditions are folded
/// through comparisons and logic of constants with one element; initializers that a caller may override are no
/// constants. Inside a branch of an If the condition of that If is what takes the branch. O(nodes + regions).
std::vector<bool> bodiesNeverRun(const Model& model);

/// One note of kind "branch-never-runs" per outermost such body.
std::vector<Note> constantConditionNotes(const Model& model);

} // namespace duo
