// SPDX-License-Identifier: Apache-2.0
// Reads a program of torch.export.save (.pt2) into a Model, without running anything of it.
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <filesystem>
#include <memory>

namespace duo {

/// The archive layout of PyTorch 2.8 and later and the flat one before it, schema majors 7 and 8. Nodes are operators
/// ("aten.conv2d.default" of domain "torch.ops") with the metadata recorded for them (`nn_module_stack` tells their
/// module calls); initializers are named by key; Model::modules and Model::keys are complete, in definition order.
/// Tensors stay in the mapped file where they are dense there. Time and memory are proportional to the graph.
/// @param zip opened (isExportArchive); @param path of its file
/// @return FileNotReadable, BadData (a damaged archive), MalformedModel, Unsupported (another schema, compiled code
/// only), Cancelled
Result<std::shared_ptr<const Model>> readTorchExport(
    std::shared_ptr<const StoredZip> zip, const std::filesystem::path& path, const JobContext& job);

/// The program's state_dict with the complete module tree, as a checkpoint beside another model. Keys without data are
/// left out with a note. @return as readTorchExport
Result<std::shared_ptr<const Checkpoint>> readTorchExportCheckpoint(
    std::shared_ptr<const StoredZip> zip, const std::filesystem::path& path, const JobContext& job);

} // namespace duo
