// SPDX-License-Identifier: Apache-2.0
// A deployment folder: an exported model with all that whoever runs it, judges it or makes it again needs.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/export_report.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace duo {

struct Deployment {
    const Snapshot& snapshot; // whose recipe was exported
    const Compression& compression; // that the file holds
    const ExportReport& report; // of the export, to StagedDeployment::model()
    const Dataset* dataset = nullptr; // whose first sample goes along; null: none does
    std::filesystem::path picture; // an SVG in StagedDeployment::folder(); empty: none
};

/// Where the model of a deployment folder goes: the name of the float model.
std::filesystem::path deployedModel(const Model& model, const std::filesystem::path& folder);

/// Whether an export may go into the folder, asked before any work is done; a new one is not left behind.
/// @return as checkExportTarget() for what would be written over; NotWritable, also where another model was deployed
Status checkDeployment(const Model& model, const FilesRead& read, const std::filesystem::path& folder);

/// A deployment in the making, out of sight in its folder: until writeDeployment() has put it in place the folder holds
/// what it held before, or is gone again with this where it was made.
class StagedDeployment
{
public:
    /// @return NotWritable with the system's reason
    static Result<StagedDeployment> in(const std::filesystem::path& folder, const Model& model);
    ~StagedDeployment();
    StagedDeployment(StagedDeployment&&) noexcept = default;
    StagedDeployment& operator=(StagedDeployment&&) = delete;
    StagedDeployment(const StagedDeployment&) = delete;

    /// Where its files are written.
    [[nodiscard]] const std::filesystem::path& folder() const { return m_files->folder(); }
    [[nodiscard]] std::filesystem::path model() const { return folder() / m_target.filename(); }
    /// @param files as written, the model and what it reads among them
    /// @return where they are now; NotWritable: then all is as it was before
    Result<std::vector<std::filesystem::path>> putInPlace(const std::vector<std::filesystem::path>& files);

private:
    StagedDeployment(StagedFiles files, std::filesystem::path target, std::vector<std::filesystem::path> made);

    std::optional<StagedFiles> m_files;
    std::filesystem::path m_target; // the model
    std::vector<std::filesystem::path> m_made; // folders that were not there, the deepest first
};

/// Writes beside the model: the recipe, `checks.json` (the document of `quantize`), `report.html`, overlays for
/// Netron and Model Explorer, encodings of other tools, and, where a sample is there and can be fed, that sample with
/// `run.py` and `run.cpp`; then puts all in place, all or none. Other files of the folder stay. @return all files in
/// their places, those of the export first; NotWritable, BadData, Cancelled
Result<std::vector<std::filesystem::path>> writeDeployment(
    const Deployment& deployment, StagedDeployment& staged, const JobContext& job);

} // namespace duo
