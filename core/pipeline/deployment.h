// SPDX-License-Identifier: Apache-2.0
// A deployment folder: an exported model with all that whoever runs it, judges it or makes it again needs.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/export_report.h"

#include <filesystem>
#include <vector>

namespace duo {

struct Deployment {
    const Snapshot& snapshot; // whose recipe was exported
    const Compression& compression; // that the file holds
    const ExportReport& report; // of the export, which lies in the folder already
    const Dataset* dataset = nullptr; // whose first sample goes along; null: none does
    std::filesystem::path picture; // an SVG in the folder; empty: none
};

/// Where the model of a deployment folder goes: the name of the float model.
std::filesystem::path deployedModel(const Model& model, const std::filesystem::path& folder);

/// Whether an export may go into the folder, asked before any work is done; a new one is not left behind.
/// @return as checkExportTarget() for what would be written over; NotWritable, also where another model was deployed
Status checkDeployment(const Model& model, const FilesRead& read, const std::filesystem::path& folder);

/// Makes it, and says in a file there that what it holds is not finished, which writeDeployment() takes away as the
/// last thing it does: whoever finds it after a kill knows what it is. @return NotWritable with the system's reason
Status makeDeploymentFolder(const std::filesystem::path& folder);

/// Writes beside the model: the recipe, `checks.json` (the document of `quantize`), `report.html`, overlays for
/// Netron and Model Explorer, encodings of other tools, and, where a sample is there and can be fed, that sample with
/// `run.py` and `run.cpp`. Other files of the folder stay. @return all files of the folder, those of the export
/// first; NotWritable, BadData, Cancelled
Result<std::vector<std::filesystem::path>> writeDeployment(
    const Deployment& deployment, const std::filesystem::path& folder, const JobContext& job);

} // namespace duo
