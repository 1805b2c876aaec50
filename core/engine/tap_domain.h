// SPDX-License-Identifier: Apache-2.0
// The operator that lets a value be seen while the engine runs: name, domain and attribute of its nodes.
#pragma once

#include "core/engine/session.h"
#include "core/model/model.h"
#include "core/transform/edit_list.h"

#include <string>
#include <vector>

namespace duo {

inline constexpr const char* kTapDomain = "duoscope.taps"; // private: such nodes are never written to a user's file
inline constexpr const char* kTapOperator = "Tap";
inline constexpr const char* kTapAttribute = "tap"; // int: which of the values
inline constexpr std::int64_t kUnseenTap = -1; // stands for none of them

/// The taps that let these values be watched, and all that a model needs to hold them.
EditList tapEdits(const Model& model, const std::vector<std::string>& values);

/// The model in a session with one thread in which every value of `values` (addresses of what nodes compute, or of
/// inputs of the main graph or of bodies) can be watched by Session::runTapped, by its index: in a body as often as the
/// body runs. Other nodes are optimized as ever.
/// @return EngineFailed, also where a value is not float32; Unsupported (too large to edit)
Result<Session> openTappedModel(const Model& model, const std::vector<std::string>& values, const JobContext& job = {});

/// The same where the engine's process measures what is not small by itself. @param measures
/// SessionOptions::tapMeasures
Result<Session> openMeasuringModel(
    const Model& model, const std::vector<std::string>& values, std::string measures, const JobContext& job = {});

} // namespace duo
