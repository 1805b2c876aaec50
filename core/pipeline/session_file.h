// SPDX-License-Identifier: Apache-2.0
// KeptSession: what somebody has done with a model, to go on with it another time: as a value and as the text of a file
// (resources/docs/session.md, "The file"). It holds names of files, and nothing of what stands in them.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/node_outcomes.h"
#include "core/quantize/recipe/recipe.h"
#include "core/support/file_stamp.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// What a result was made from; two of them tell whether it still holds.
struct ResultOrigin {
    std::string recipe; // digest
    std::string data; // digest of its name and options
    FileStamp model; // inode 0
    bool operator==(const ResultOrigin&) const = default;
};

ResultOrigin resultOrigin(const Recipe& recipe, const DataSource& data, const FileStamp& model);

/// What is another one now: "the rules or settings", "the data", "the model's file".
std::vector<std::string> changesSince(const ResultOrigin& then, const ResultOrigin& now);

enum class ResultKind { Export, Sensitivity, Quantization };

std::string_view resultKindText(ResultKind kind); // "export"

/// What a run came to, in the words it was told with.
struct EarlierResult {
    ResultKind kind = ResultKind::Export;
    std::string date; // "2026-11-22T14:05:00.250Z"
    std::string text; // lines
    ResultOrigin of;
    std::string line = {}; // the same in a few words (measuredLine); "" for what is no export
    std::shared_ptr<const NodeOutcomes> nodes = {}; // null: not known
    std::filesystem::path statistics = {}; // read from; "": of the data
    bool operator==(const EarlierResult& other) const;
};

enum class UnfinishedKind { Export, Deployment, Quantization, Statistics, Sensitivity };

/// What ran as the session was kept last: where it is still there the next time, it was not finished.
struct UnfinishedRun {
    UnfinishedKind kind = UnfinishedKind::Export;
    std::string begun; // date
    std::filesystem::path target; // of an export its file, of a deployment its folder; else ""
    bool operator==(const UnfinishedRun&) const = default;
};

struct KeptSession {
    std::filesystem::path model; // absolute
    FileStamp stamp; // of the model's file; inode 0
    std::string written; // "2026-11-22T14:05:00.250Z"
    Recipe recipe; // as it is edited
    Recipe saved; // as it stands in `savedAs`; without one that of a model just opened
    std::filesystem::path savedAs; // read from or saved as last; "": none
    DataSource data;
    std::filesystem::path checkpoint; // asked for; "": none, or the one that lies beside the model
    std::filesystem::path located; // file or folder with the external data that the model did not find; "": none
    std::filesystem::path statistics; // read from; "": none
    bool isMeasured = false; // statistics of `data` were in use
    ExportDemands demands;
    std::vector<EarlierResult> results; // at most one of a kind
    std::optional<UnfinishedRun> unfinished; // nothing: nothing ran
    nlohmann::ordered_json view = nlohmann::ordered_json::object(); // how it stood in the window, which alone reads it
    bool operator==(const KeptSession&) const = default;
};

/// What is longer is not read. A text of a result beyond 1 MiB is cut when it is written, and a view or what became of
/// the nodes beyond 8 MiB is left out.
inline constexpr std::size_t kLongestSession = std::size_t{64} << 20; // bytes

/// Two-space indent, final line break; text that is no UTF-8 is replaced.
std::string sessionText(const KeptSession& session);
/// Keys that are not known are passed over. @return BadData: what is wrong, `name` with the key, and of what a newer
/// Duoscope wrote that it did
Result<KeptSession> parseSession(std::string_view text, const std::string& name);

/// Now, as dates are written here: UTC, to the millisecond: their order is that of time.
std::string dateNow();
/// @param nanoseconds since 1970, as FileStamp has them
std::string dateOf(std::int64_t nanoseconds);

} // namespace duo
