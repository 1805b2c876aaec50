// SPDX-License-Identifier: Apache-2.0
// What all commands of duoscope-cli share: common options, and how a command registers itself.
#pragma once

#include "app/cli/console.h"
#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/state/statistics_cache.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo::cli {

struct CommonOptions {
    std::string model;
    bool json = false;
    bool quiet = false;
    int threads = 0; // 0: all cores
    std::string allowExternal;
    std::vector<std::string> customOps; // libraries
    std::string checkpoint; // "": none
    bool findsCheckpoint = false; // where none is named, the one that lies beside the model
    std::string profile; // "": the recipe's
    std::string modelType; // "": the recipe's, else what the model tells
    bool stopWhenConverged = false; // as well where the recipe says so
    std::string half; // floats of 16 bits in exports; "": as the recipe says
    std::optional<bool> transform; // simplify before anything is placed; nothing: as the recipe says

    [[nodiscard]] int threadCount() const;
    [[nodiscard]] OpenOptions openOptions() const;
    [[nodiscard]] ReadOptions readOptions() const;
};

struct DataOptions {
    std::string data;
    std::vector<std::string> dims; // NAME=K
    std::vector<std::string> feeds; // OUT=IN
    std::vector<float> mean;
    std::vector<float> std;
    std::vector<int> size;
    std::string layout = "auto";
    std::string channels = "rgb";
};

/// A command ready to run: set by the subcommand that was parsed.
using Action = std::function<int(Console&, const std::stop_token&)>;

struct Commands {
    CLI::App& app;
    std::shared_ptr<CommonOptions> common;
    Action& chosen;
};

/// What CLI11 checks a word against: the texts of an enumeration of `count`.
template <typename E> std::vector<std::string> textsOf(std::size_t count, std::string_view (*textOf)(E))
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i)
        texts.emplace_back(textOf(static_cast<E>(i)));
    return texts;
}

/// A subcommand with MODEL and the common options.
CLI::App* addCommand(Commands& commands, const std::string& name, const std::string& description);
/// --data and what goes with it.
void addDataOptions(CLI::App* command, const std::shared_ptr<DataOptions>& options, bool required);
/// --custom-ops, for commands that run the model.
void addCustomOpsOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common);
/// --checkpoint, and --no-checkpoint to use none.
void addCheckpointOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common);
/// Names the checkpoint that lies beside the model, as the window uses it, where none is named.
/// @return what is to be said of it, also of a file there that cannot be used; "": there is none
std::string findCheckpointInPlace(CommonOptions& common, const JobContext& job);
/// --recipe.
void addRecipeOption(CLI::App* command, const std::shared_ptr<std::string>& path);

/// --profile, --model-type, --half and --transform, which win over the recipe's.
void addProfileOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common);

/// --stop-when-converged.
void addConvergenceOption(CLI::App* command, const std::shared_ptr<CommonOptions>& common);

/// `arrays`: wanted besides the inputs of the model.
Result<std::shared_ptr<const Dataset>> openData(
    const DataOptions& options, const Model& model, const JobContext& job, std::vector<std::string> arrays = {});
/// The data named, as openDataset takes them. @return Usage
Result<DataSource> dataSource(const DataOptions& options);
/// Says what a statistics file holds. @return kFindings where values are not finite
int reportStatistics(const StatisticsFile& file, const std::string& path, const Console& console);
/// The model opened under a recipe ("" for the empty one).
Result<Snapshot> openWithRecipe(const CommonOptions& common, const std::string& recipe, const JobContext& job);
/// Warns of enabled rules that match nothing or cannot be evaluated. @return whether there are any
bool warnOfRules(const Snapshot& snapshot, const Console& console);

/// Opens an ONNX model under a recipe, says what is wrong with its rules and does the work, unless a rule that catches
/// nothing is to stop everything. @param nothing for that case: "nothing was written"
/// @return what the work gives; kFindings for kDone where rules have findings
int runUnderRecipe(const CommonOptions& common, const std::string& recipe, const std::string& nothing, Console& console,
    const JobContext& job, const std::function<int(const Snapshot&)>& work);

void addInspect(Commands& commands);
void addScopes(Commands& commands);
void addConvertRules(Commands& commands);
void addExplain(Commands& commands);
void addMatch(Commands& commands);
void addPlan(Commands& commands);
void addFind(Commands& commands);
void addGraph(Commands& commands);
void addQuantize(Commands& commands);
void addResume(Commands& commands);
void addCompare(Commands& commands);
void addSensitivity(Commands& commands);
void addStatistics(Commands& commands);
void addMergeStatistics(Commands& commands);
void addTimes(Commands& commands);
void addTransform(Commands& commands);
void addDequantize(Commands& commands);
void addConvertState(Commands& commands);
void addOutline(Commands& commands);
void addInline(Commands& commands);
void addAnnotate(Commands& commands);

} // namespace duo::cli
