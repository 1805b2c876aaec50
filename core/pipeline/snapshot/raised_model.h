// SPDX-License-Identifier: Apache-2.0
// Models of old opsets as everything behind the reader sees them: in an opset that quantizes per channel.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <memory>

namespace duo {

/// The model converted to the opset that quantizes per channel, with a note; one that has no conversion as it is, with
/// a note that says why. Models of newer opsets come back untouched. What is written about the model in a compression
/// state (its hashes) is of its file still.
/// @return Cancelled, or an error of reading the converted model
Result<std::shared_ptr<const Model>> withRaisedOpset(std::shared_ptr<const Model> model, const JobContext& job = {});

/// To be run as its file has it, but for opsets below 7, which the engine does not run: these are converted.
/// @return as withRaisedOpset()
Result<std::shared_ptr<const Model>> asRunnable(std::shared_ptr<const Model> model, const JobContext& job = {});

/// The opset of ai.onnx in the model's file, whatever it was converted to.
std::int64_t opsetInFile(const Model& model);

} // namespace duo
