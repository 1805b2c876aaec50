// SPDX-License-Identifier: Apache-2.0
#include "app/gui/messages.h"

#include "core/onnx/absent_data.h"
#include "core/report/note_groups.h"
#include "views/results/export_text.h"
#include "views/results/sensitivity_model.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <QStringList>

#include <algorithm>
#include <iterator>

namespace duo::app {
namespace {

using Tone = ui::Banner::Tone;

constexpr std::size_t kMostNamed = 6; // rules in a message
constexpr std::string_view kSaturation = "pair-saturation";

using ui::tr;

QString nameOf(const std::filesystem::path& path)
{
    return ui::pathText(path.filename());
}

bool isRemark(const Note& note)
{
    return note.severity == Severity::Remark;
}

/// Why nothing at all is quantized; null where something is.
const Note* nothingQuantized(const Snapshot& snapshot)
{
    return snapshot.placement ? noteOf(snapshot.placement->notes, "nothing-quantized") : nullptr;
}

/// What was chosen for the model, and what of it stays in float for its constants.
std::vector<Note> choices(const Snapshot& snapshot)
{
    std::vector<Note> found;
    if (snapshot.placement)
        std::ranges::copy_if(snapshot.placement->notes, std::back_inserter(found), isRemark);
    return found;
}

QString linesOf(const std::vector<Note>& notes)
{
    QString text;
    for (const NoteGroup& group : groupNotes(notes))
        text += (text.isEmpty() ? QString() : QStringLiteral("\n")) + ui::noteText(group);
    return text;
}

/// On lines of their own below what was said.
QString linesBelow(const std::vector<Note>& notes)
{
    return notes.empty() ? QString() : QLatin1Char('\n') + linesOf(notes);
}

/// "118 of 122 keys found in the model (20 by name, 98 by content)".
QString coverageText(const Scopes& scopes)
{
    std::int64_t found = 0;
    QStringList parts;
    for (const auto& [how, count] : scopes.matchedBy) {
        found += count;
        if (count > 0)
            parts += QStringLiteral("%1 by %2").arg(ui::countText(count), ui::toQt(how));
    }
    const QString text = tr("%1 of %2 keys found in the model").arg(ui::countText(found), ui::countText(scopes.keys));
    return parts.isEmpty() ? text : QStringLiteral("%1 (%2)").arg(text, parts.join(QStringLiteral(", ")));
}

/// "rule 1 (ignore name /a/Conv), rule 3 (…)".
QString namedRules(const Recipe& recipe, const std::vector<std::size_t>& rules)
{
    QStringList texts;
    for (std::size_t i = 0; i < rules.size() && i < kMostNamed; ++i)
        texts += tr("rule %1 (%2)").arg(rules[i] + 1).arg(ui::toQt(ruleText(recipe.rules.rules[rules[i]])));
    if (rules.size() > kMostNamed)
        texts += tr("%1 more").arg(rules.size() - kMostNamed);
    return texts.join(QStringLiteral(", "));
}

QString earlier()
{
    return tr("This is of earlier rules or settings: they have been changed since.");
}

/// "The last recipe of this model is in use again: 1 rule and settings. Undo starts without it."; "" where nothing is.
QString takenUpLine(const Session& session)
{
    const TakenUp& taken = session.takenUp();
    QStringList parts;
    if (taken.data && !isDataAbsent(session))
        parts += tr("data %1").arg(nameOf(session.data().spec));
    if (taken.demands)
        parts += tr("bounds");
    if (!session.isRecipeTakenUp())
        return parts.isEmpty() ? QString() : tr("In use again from the last time: %1.").arg(parts.join(tr(", ")));
    const Recipe& recipe = session.recipe();
    if (recipe.quantization != QuantizationSettings())
        parts.prepend(tr("settings"));
    if (!recipe.rules.rules.empty())
        parts.prepend(rulesCount(recipe.rules.rules.size()));
    const QString start = tr("The last recipe of this model is in use again");
    return (parts.isEmpty() ? start : QStringLiteral("%1: %2").arg(start, parts.join(tr(", "))))
        + tr(". Undo starts without it.");
}

Offer offerFor(const std::vector<Note>& notes)
{
    return noteOf(notes, kSaturation) ? Offer::HalfRange : Offer::None;
}

/// "The export to m.int8.onnx".
QString nameOf(const UnfinishedRun& run)
{
    switch (run.kind) {
    case UnfinishedKind::Export:
        return tr("The export to %1").arg(nameOf(run.target));
    case UnfinishedKind::Deployment:
        return tr("The export of the deployment folder %1").arg(nameOf(run.target));
    case UnfinishedKind::Quantization:
        return tr("The quantization");
    case UnfinishedKind::Statistics:
        return tr("The measurement of statistics");
    case UnfinishedKind::Sensitivity:
        return tr("The measurement of the sensitivity");
    }
    return {};
}

} // namespace

Message openedMessage(const Snapshot& snapshot)
{
    if (const Note* none = nothingQuantized(snapshot))
        return {Tone::Warning, ui::toQt(none->text)};
    return {Tone::Good, linesOf(choices(snapshot))};
}

Message absentDataMessage(const Snapshot& snapshot)
{
    const auto absent = absentFiles(*snapshot.model);
    QStringList names;
    for (std::size_t i = 0; i < absent.size() && i < kMostNamed; ++i)
        names += ui::toQt(absent[i].location);
    if (absent.size() > kMostNamed)
        names += tr("%1 more").arg(absent.size() - kMostNamed);
    return {Tone::Warning,
        tr("%1 with the weights of the model cannot be found: the model is shown as structure. Quantizing, measuring "
           "and comparing with a checkpoint need its weights.")
            .arg(names.join(QStringLiteral(", ")))};
}

Message quantizedMessage(const CalibrationResult& result, bool isCurrent)
{
    if (!isCurrent)
        return {Tone::Warning,
            ui::quantizedSummary(*result.compression) + QStringLiteral(". ") + earlier()
                + tr(" Quantize again (Ctrl+R) for those there are now."),
            Offer::QuantizeAgain};
    std::vector<Note> notes = result.compression->notes;
    if (const Note* none = nothingQuantized(result.snapshot))
        notes.insert(notes.begin(), *none);
    const std::vector<Note> chosen = choices(result.snapshot);
    notes.insert(notes.begin(), chosen.begin(), chosen.end());
    return {std::ranges::all_of(notes, isRemark) ? Tone::Good : Tone::Warning,
        ui::quantizedSummary(*result.compression)
            + (result.compression->setup.points.empty() ? tr(".") : tr(". Export (Ctrl+E) writes the model."))
            + linesBelow(notes),
        offerFor(notes)};
}

Message exportedMessage(const ExportReport& report, bool isCurrent)
{
    const Note* saturates = noteOf(report.notes, kSaturation);
    const VerdictKind verdict = report.verdict.kind;
    const bool isUndecided = verdict == VerdictKind::NoBenefit || verdict == VerdictKind::NotComparable;
    const std::vector<Note>& doubts = report.verdict.notes;
    const bool isWarning = (isUndecided && report.allChecksPassed())
        || (report.isGood() && (saturates || !doubts.empty() || !isCurrent));
    Message message{isWarning ? Tone::Warning : report.isGood() ? Tone::Good : Tone::Bad, ui::exportSummary(report)};
    if (!isCurrent) {
        message.text += QStringLiteral(". ") + earlier() + tr(" Export again (Ctrl+E) for those there are now.");
        message.offer = Offer::ExportAgain;
        return message;
    }
    message.text += linesBelow(doubts);
    if (saturates) {
        message.text += linesBelow({*saturates});
        message.offer = offerFor(report.notes);
    }
    return message;
}

Message measuredMessage(const KnownStatistics& known)
{
    const auto& statistics = known.file->statistics;
    const auto odd
        = std::ranges::count_if(statistics.values, [](const auto& value) { return value.second.nonFinite() > 0; });
    QString text = tr("Measured %1 values over %2 samples.")
                       .arg(ui::countText(static_cast<std::int64_t>(statistics.values.size())),
                           ui::countText(statistics.samples()));
    if (known.fromCache)
        text += QLatin1Char(' ') + tr("They were measured before: no sample was run.");
    if (odd > 0)
        text += QLatin1Char(' ') + tr("%1 of them hold NaN or infinite elements, which were left out.").arg(odd);
    const bool isFine = odd == 0 && std::ranges::all_of(known.notes, isRemark);
    return {isFine ? Tone::Good : Tone::Warning, text + linesBelow(known.notes)};
}

/// "Everything quantized: 32.3 dB over 4 samples. With model.1, model.0 in float: 38.4 dB, 1.2 MB."
Message sensitivityMessage(const SensitivityReport& report, bool isCurrent)
{
    if (!isCurrent)
        return {Tone::Warning, tr("Sensitivity is measured.") + QLatin1Char(' ') + earlier(), Offer::SenseAgain};
    const auto recommended
        = std::ranges::find_if(report.suggestions, [](const FloatSuggestion& made) { return made.isRecommended; });
    const QString all
        = tr("Everything quantized: %1%2.").arg(ui::errorText(report.all), ui::overSamples(report.samples))
        + QLatin1Char(' ');
    if (recommended == report.suggestions.end())
        return {Tone::Good, all + tr("Keeping single scopes in float would not be worth it.")};
    QStringList names;
    for (const std::string& name : recommended->groups)
        names += ui::toQt(name);
    return {Tone::Good,
        all
            + tr("With %1 in float: %2, %3.")
                  .arg(names.join(QStringLiteral(", ")), ui::errorText(recommended->error),
                      ui::bytesText(recommended->bytes))};
}

Message graphWrittenMessage(const ExportedGraph& graph)
{
    const QString file = ui::pathText(graph.file);
    if (graph.pages.empty())
        return {ui::Banner::Tone::Good, tr("The graph is written as %1.").arg(file)};
    return {ui::Banner::Tone::Good,
        tr("The graph is written in %1 pages, %2 to %3: as one it would be larger than programs open.")
            .arg(graph.pages.size())
            .arg(file, ui::pathText(graph.pages.back().filename()))};
}

Message timesMessage(const NodeTimes& times)
{
    const auto milliseconds = [](double microseconds) { return QString::number(microseconds / 1000, 'f', 2); };
    return {ui::Banner::Tone::Good,
        tr("One run takes %1 ms, %2 ms of it in %3 kernels: the median of %4 runs.")
            .arg(milliseconds(times.runMicroseconds), milliseconds(times.kernelMicroseconds))
            .arg(times.kernels.size())
            .arg(times.runs)};
}

Message checkpointMessage(const Snapshot& snapshot, CheckpointOrigin origin)
{
    const QString start = origin == CheckpointOrigin::FoundBeside
        ? tr("Checkpoint %1, found beside the model, is in use: %2.")
        : tr("Checkpoint %1 is in use: %2.");
    return {Tone::Good,
        start.arg(nameOf(snapshot.checkpoint->path), coverageText(*snapshot.scopes))
            + linesBelow(snapshot.checkpoint->notes)};
}

Message unusableMessage(const std::filesystem::path& checkpoint, const Error& error)
{
    return {Tone::Warning,
        tr("%1, found beside the model, is not used as its checkpoint: %2.")
            .arg(nameOf(checkpoint), ui::toQt(error.what))};
}

Message recipeMessage(const OpenedRecipe& opened, const Recipe& recipe)
{
    const QString name = ui::pathText(opened.name);
    const QString notes = linesBelow(opened.notes);
    const auto& unmatched = opened.unmatched.rules;
    if (unmatched.empty()) {
        const QString rules = opened.rules == 0 ? tr("no rules")
            : opened.rules == 1                 ? tr("1 rule, which matches")
                                                : tr("%1, all of them match").arg(rulesCount(opened.rules));
        return {notes.isEmpty() ? Tone::Good : Tone::Warning, tr("%1 is in use: %2.").arg(name, rules) + notes};
    }
    QString text = tr("%1: %2 of %3 match nothing in this model: %4. Was it made for another export of it?")
                       .arg(name)
                       .arg(unmatched.size())
                       .arg(rulesCount(opened.rules), namedRules(recipe, unmatched));
    if (opened.unmatched.known > 0)
        text += QLatin1Char(' ')
            + tr("For %1 the scope tells what is meant here.").arg(rulesCount(opened.unmatched.known));
    return {Tone::Warning, text + notes};
}

Message stateMessage(const StateSummary& state)
{
    const std::size_t rules = state.recipe.rules.rules.size();
    QStringList parts{rules == 0 ? tr("no rules") : rulesCount(rules),
        tr("profile %1").arg(ui::toQt(profileText(state.recipe.quantization.profile)))};
    parts += state.quantizers == 1 ? tr("1 quantizer") : tr("%1 quantizers").arg(ui::countText(state.quantizers));
    const QString samples = state.samples == 1 ? tr("1 sample") : tr("%1 samples").arg(ui::countText(state.samples));
    return {Tone::Good,
        tr("This model was exported by Duoscope. %1 beside it holds its setup: %2, measured on %3.")
            .arg(nameOf(state.path), parts.join(QStringLiteral(", ")), samples)};
}

bool isDataAbsent(const Session& session)
{
    const std::string& spec = session.data().spec;
    std::error_code unknown;
    return !spec.empty() && !spec.starts_with("random:") && !std::filesystem::exists(spec, unknown);
}

Message stoppedMessage(bool isCheckpoint)
{
    return {Tone::Warning,
        isCheckpoint ? tr("Stopped. The checkpoint is not in use.") : tr("Stopped. The last result is unchanged.")};
}

Message withTakenUp(Message message, const Session& session)
{
    const auto add = [&message](const QString& line) {
        message.text += (message.text.isEmpty() ? QString() : QStringLiteral("\n")) + line;
    };
    const auto warn = [&](const QString& line) {
        message.tone = Tone::Warning;
        add(line);
    };
    const TakenUp& taken = session.takenUp();
    if (const QString line = takenUpLine(session); !line.isEmpty())
        add(line);
    if (taken.hasChanged && (session.isRecipeTakenUp() || !session.earlierResults().empty()))
        warn(tr("The model's file has changed since."));
    const QString gone = tr("%1, which was in use, is not there any more.");
    for (const auto& path : taken.gone)
        warn(gone.arg(ui::pathText(path)));
    if (isDataAbsent(session))
        warn((taken.data ? gone : tr("The data %1 cannot be found.")).arg(ui::toQt(session.data().spec)));
    if (taken.unfinished)
        warn(tr("%1, begun on %2, was not finished.")
                 .arg(nameOf(*taken.unfinished), ui::dateText(taken.unfinished->begun)));
    if (taken.isShared)
        warn(tr("Another window has this model open: this one keeps a session of its own (%1).").arg(taken.window));
    if (!taken.other.empty())
        add(tr("Another window's session of it is kept as well, of %1: File > Go on with the other session.")
                .arg(ui::dateText(taken.other)));
    if (taken.refused)
        warn(tr("What was kept of this model cannot be taken up: %1. It lies in %2.")
                 .arg(ui::toQt(taken.refused->what),
                     ui::pathText(std::filesystem::path(taken.refused->where).parent_path())));
    return message;
}

QString leavingText(const Session& session)
{
    const auto file = session.keptFile();
    if (file.empty())
        return {};
    const auto& model = session.snapshot()->model->path;
    QString text = tr("%1 stands as you leave it when it is opened again; it is kept in %2.")
                       .arg(nameOf(model), ui::pathText(file));
    if (session.unfinished())
        text += QLatin1Char(' ')
            + tr("%1 is not finished; it can be started again then.").arg(nameOf(*session.unfinished()));
    return text;
}

Message notKeptMessage(const Error& error)
{
    return {Tone::Warning,
        tr("What you do cannot be kept for the next time: %1. Save the recipe before you close.")
            .arg(ui::toQt(error.line()))};
}

Message notTakenUpMessage(const std::filesystem::path& path, const Error& error)
{
    return {
        Tone::Warning, tr("%1, which was in use, is not used any more: %2.").arg(nameOf(path), ui::toQt(error.line()))};
}

Message changedMessage(const Snapshot& snapshot, const FileStamp& stamp)
{
    const QString name = nameOf(snapshot.model->path);
    if (!stamp.exists())
        return {Tone::Warning, tr("%1 is not there any more. What is shown stays as it was read.").arg(name)};
    return {Tone::Warning,
        tr("%1 has changed on disk. What is shown is of the file as it was read; rules and settings stay.").arg(name)};
}

Message reloadedMessage(const Snapshot& snapshot)
{
    return {Tone::Good, tr("%1 is shown as it is on disk now.").arg(nameOf(snapshot.model->path))};
}

QString rulesCount(std::size_t rules)
{
    return rules == 1 ? tr("1 rule") : tr("%1 rules").arg(rules);
}

QString activityText(Activity activity)
{
    switch (activity) {
    case Activity::Idle:
        return {};
    case Activity::Opening:
        return tr("Opening");
    case Activity::Comparing:
        return tr("Comparing with the checkpoint");
    case Activity::ComparingSetup:
        return tr("Comparing setups");
    case Activity::ImportingSetup:
        return tr("Reading quantizers");
    case Activity::Measuring:
        return tr("Measuring");
    case Activity::ReadingStatistics:
        return tr("Reading statistics");
    case Activity::Calibrating:
        return tr("Quantizing");
    case Activity::Sensing:
        return tr("Measuring sensitivity");
    case Activity::Halving:
        return tr("Finding out what fits into 16 bits…");
    case Activity::Timing:
        return tr("Measuring the time of each node");
    case Activity::Optimizing:
        return tr("Asking the engine what it runs");
    case Activity::Saving:
        return tr("Saving");
    case Activity::Exporting:
        return tr("Exporting");
    }
    return {};
}

} // namespace duo::app
