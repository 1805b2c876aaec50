// SPDX-License-Identifier: Apache-2.0
// What the banner says of what the session has done.
#pragma once

#include "app/layout/graph_export.h"
#include "app/session/session.h"
#include "views/shell/banner.h"

#include <QString>

namespace duo::app {

/// What one click on the message does.
enum class Offer { None, HalfRange, QuantizeAgain, ExportAgain, SenseAgain, KeepTheRest };

struct Message {
    ui::Banner::Tone tone = ui::Banner::Tone::Good;
    QString text = {}; // "": nothing to say
    Offer offer = Offer::None;
    bool operator==(const Message&) const = default;
};

Message openedMessage(const Snapshot& snapshot);
Message absentDataMessage(const Snapshot& snapshot); // its model is shown as structure
/// @param isCurrent the recipe is still the one it was made with
Message quantizedMessage(const CalibrationResult& result, bool isCurrent);
Message exportedMessage(const ExportReport& report, bool isCurrent);
Message measuredMessage(const KnownStatistics& statistics);
Message sensitivityMessage(const SensitivityReport& report, bool isCurrent);
Message graphWrittenMessage(const ExportedGraph& graph);
Message timesMessage(const NodeTimes& times);
Message checkpointMessage(const Snapshot& snapshot, CheckpointOrigin origin); // it is in use
Message unusableMessage(const std::filesystem::path& checkpoint, const Error& error); // found beside the model
Message recipeMessage(const OpenedRecipe& opened, const Recipe& recipe);
Message stateMessage(const StateSummary& state); // the open model was exported with it
Message stoppedMessage(bool isCheckpoint);
/// The file or folder of the data is not there; random data need none.
bool isDataAbsent(const Session& session);
/// Says besides what was taken up of an earlier use of the model.
Message withTakenUp(Message message, const Session& session);
/// As the window is left: where all that was done is kept, and what is not finished; "" where nothing is kept.
QString leavingText(const Session& session);
Message notKeptMessage(const Error& error); // of the session
Message notTakenUpMessage(const std::filesystem::path& path, const Error& error); // a file that it names
Message changedMessage(const Snapshot& snapshot, const FileStamp& stamp); // the model's file, since it was read
Message reloadedMessage(const Snapshot& snapshot);

/// "1 rule", "3 rules".
QString rulesCount(std::size_t rules);
/// "Measuring": beside the progress bar; "" for Idle.
QString activityText(Activity activity);

} // namespace duo::app
