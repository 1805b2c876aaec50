// SPDX-License-Identifier: Apache-2.0
// Models as everything behind the reader sees them: the passes of the opening stage done.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <memory>

namespace duo {

struct Snapshot;

/// The model as its opening passes make it, with their notes: one of an old opset in an opset that quantizes per
/// channel; one that has no conversion as it is, with a note that says why. A model that no pass changes comes back
/// untouched. What is written about the model in a compression state (its hashes) is of its file still.
/// @return Cancelled, or an error of reading the converted model
Result<std::shared_ptr<const Model>> asOpened(std::shared_ptr<const Model> model, const JobContext& job = {});

/// To be run as its file has it, but for opsets below 7, which the engine does not run: these are converted.
/// @return as asOpened()
Result<std::shared_ptr<const Model>> asRunnable(std::shared_ptr<const Model> model, const JobContext& job = {});

/// The opset of ai.onnx in the model's file, whatever it was converted to.
std::int64_t opsetInFile(const Model& model);

/// Bytes of the file that was opened, with its data, whatever was made of the model since.
std::int64_t openedBytes(const Snapshot& snapshot);

} // namespace duo
