// SPDX-License-Identifier: Apache-2.0
// A compression written and probed: as it is planned, or fitted, without what the engine would run in float between
// quantizers.
#pragma once

#include "core/engine/session.h"
#include "core/pipeline/snapshot/compression.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace duo {

/// A compression as it was written to the staged file.
struct WrittenPlan {
    Compression compression;
    std::vector<Check> checks;
    std::int64_t bytes = 0; // of model and data
    std::int64_t int8Elements = 0; // parameters stored in 8 bits
    std::optional<Session> session; // of the file, as openExport() opens it; nothing: it is to be opened
};

/// Writes a compression's model to `file`, its state not, and checks it.
/// @param stateDigest textHash of that state; @param begins told of each step before it: "write", "check"
/// @return the errors of exportedEdits, writeModel and checkExport
Result<WrittenPlan> writePlan(const Snapshot& opened, Compression compression, std::string stateDigest,
    const std::filesystem::path& file, const std::function<void(const std::string& step)>& begins,
    const JobContext& job);

/// The plan's session, which is given away; or another one of `file`, where it has none. @return as openExport()
Result<Session> takeSession(
    WrittenPlan& plan, const Model& original, const std::filesystem::path& file, const JobContext& job);

/// Writes a compression where the last one was written, and checks it.
using PlanWriter = std::function<Result<WrittenPlan>(Compression)>;

/// Writes the compression; as long as the engine runs planned nodes in float that is found better without them, they
/// are taken out (reasons in `keptFloat`), parameters are computed again from the same statistics, or kept where they
/// were taken from a state, and the result is written in its place: four plans at most. What is kept between quantizers
/// is told why in the check's results. One plan only for resumed compressions under their own rules, other tools'
/// quantizers, other runtimes' profiles and NNCF's placement.
/// @return the errors of writing, and of withNodesInFloat
Result<WrittenPlan> writeFittedPlan(const Snapshot& snapshot, Compression compression, const PlanWriter& write,
    const Dataset* dataset, int threads, const JobContext& job);

} // namespace duo
