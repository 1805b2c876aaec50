// SPDX-License-Identifier: Apache-2.0
// Files of the open model that need no quantization: with its functions, in float, its quantizers for other tools; and
// files beside it that are compared with it.
#include "app/session/session.h"

#include "app/session/edit_recipe_command.h"

#include "core/interchange/dequantize.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/pipeline/compare_with_file.h"
#include "core/pipeline/inline_model.h"
#include "core/pipeline/outline_model.h"
#include "core/pipeline/setup_forms.h"
#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/support/parallel.h"
#include "core/support/phrases.h"
#include "core/support/text_file.h"

#include <utility>

namespace duo::app {
namespace {

Result<OutlinePlan> outlinedFile(const std::filesystem::path& model, const OpenOptions& options,
    const OutlineRequest& request, const std::filesystem::path& target, const JobContext& job)
{
    DUO_TRY(outlined, outlineFile(model, options, request, false, job));
    if (outlined.plan.functions.empty())
        return Error{ErrorCode::Unsupported, "no module became a function, and nothing was written",
            outlined.plan.refusals.empty() ? std::string() : outlined.plan.refusals.front().scope,
            outlined.plan.refusals.empty() ? std::string() : outlined.plan.refusals.front().why};
    DUO_CHECK(writeModel(*outlined.model, {}, target, job));
    return std::move(outlined.plan);
}

Result<std::int64_t> inlinedFile(const std::filesystem::path& model, const ReadOptions& options,
    const std::filesystem::path& target, const JobContext& job)
{
    DUO_TRY(made, inlineFile(model, options, {}, job));
    DUO_CHECK(writeModel(*made.inlined.model, {}, target, job));
    return made.inlined.calls;
}

Result<FloatFile> floatFile(const Model& model, const std::filesystem::path& target, const JobContext& job)
{
    DUO_CHECK(refuseOverInput(model, target));
    DUO_TRY(made, dequantizeEdits(model));
    DUO_CHECK(writeModel(model, made.edits, target, job));
    FloatFile file{target, made.quantizers, made.weights, made.operators, {}};
    for (const auto& [node, why] : made.kept)
        file.kept.push_back(model.node(node).name + ": " + why);
    return file;
}

/// Of a file that is quantized already, else of the compression, else of what the recipe places.
Result<EncodingsText> encodingsFile(const Snapshot& snapshot, const Compression* compression, const std::string& form,
    const std::filesystem::path& target, const JobContext& job)
{
    const Model& model = modelInFile(*snapshot.model);
    DUO_CHECK(refuseOverInput(model, target));
    const auto encodings = encodingFormFromText(form);
    auto made = encodings && holdsCodes(model) ? encodingsText(model, findQuantizers(model), *encodings)
        : compression != nullptr               ? setupText(snapshot, *compression, form, job)
                                               : plannedText(snapshot, form);
    if (made)
        DUO_CHECK(writeTextFile(target, made->text));
    return made;
}

std::shared_ptr<CalibrationResult> resultOf(TakenSetup taken)
{
    const Resumed& from = *taken.from;
    return std::make_shared<CalibrationResult>(CalibrationResult{
        from.snapshot, nullptr, std::make_shared<const Compression>(from.compression), {}, std::move(taken)});
}

} // namespace

void Session::saveWithFunctions(const std::filesystem::path& target)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    OpenOptions options{m_reading, m_snapshot->checkpoint ? m_snapshot->checkpoint->path : std::filesystem::path()};
    const auto work = [model = m_snapshot->model->path, options = std::move(options), request = m_recipe.functions,
                          target](const JobContext& job) { return outlinedFile(model, options, request, target, job); };
    start<OutlinePlan>(Activity::Saving, work, [this, target](OutlinePlan&& plan) {
        Q_EMIT savedWithFunctions(target, std::make_shared<const OutlinePlan>(std::move(plan)));
    });
}

void Session::saveWithoutFunctions(const std::filesystem::path& target)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    const auto work = [model = m_snapshot->model->path, options = m_reading, target](
                          const JobContext& job) { return inlinedFile(model, options, target, job); };
    start<std::int64_t>(
        Activity::Saving, work, [this, target](std::int64_t calls) { Q_EMIT savedWithoutFunctions(target, calls); });
}

void Session::saveInFloat(const std::filesystem::path& target)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    const auto work = [snapshot = m_snapshot, target](
                          const JobContext& job) { return floatFile(modelInFile(*snapshot->model), target, job); };
    start<FloatFile>(Activity::Saving, work, [this](FloatFile&& made) { Q_EMIT savedInFloat(made); });
}

void Session::saveInHalf(const std::filesystem::path& target)
{
    if (m_activity != Activity::Idle || !isReady())
        return;
    using Saved = std::shared_ptr<const TransformReport>;
    const auto work = [snapshot = m_snapshot, data = m_data, target](const JobContext& job) -> Result<Saved> {
        DUO_CHECK(refuseOverInput(*snapshot->model, target));
        DUO_TRY(made, runHalving(*snapshot, data, job));
        DUO_TRY(told, withScopesTold(*snapshot->model, *snapshot->scopes, made.model, job));
        DUO_CHECK(writeModel(*told, {}, target, job));
        return std::make_shared<const TransformReport>(std::move(made.report));
    };
    start<Saved>(Activity::Saving, work, [this, target, of = m_snapshot](Saved&& report) {
        keepHalves({std::make_shared<const PassReport>(report->passes.back()), of});
        Q_EMIT savedInHalf(target, report);
        Q_EMIT halvesMeasured();
    });
}

void Session::saveEncodings(const std::string& form, const std::filesystem::path& target)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    const auto result = isResultCurrent() ? m_result : nullptr;
    const auto work = [snapshot = m_snapshot, result, form, target](const JobContext& job) {
        return encodingsFile(
            result ? result->snapshot : *snapshot, result ? result->compression.get() : nullptr, form, target, job);
    };
    start<EncodingsText>(
        Activity::Saving, work, [this, target](EncodingsText&& made) { Q_EMIT savedEncodings(target, made); });
}

void Session::compareSetup(const std::filesystem::path& file)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    const auto result = isResultCurrent() ? m_result : nullptr;
    const auto work
        = [snapshot = m_snapshot, recipe = m_recipe, result, file](const JobContext& job) -> Result<SetupDifference> {
        DUO_TRY(wanted, withWanted(result ? result->snapshot : *snapshot, recipe, job));
        return compareWithFile(wanted, result ? result->compression.get() : nullptr, file, defaultThreads(), job);
    };
    start<SetupDifference>(Activity::ComparingSetup, work, [this, file](SetupDifference&& difference) {
        Q_EMIT setupCompared(file, std::make_shared<const SetupDifference>(std::move(difference)));
    });
}

void Session::importSetup(const std::filesystem::path& file)
{
    if (!m_snapshot) {
        Q_EMIT failed(Error{ErrorCode::Usage, "quantizers need the model that they are for", file.string(),
            "open the model first, then the file"});
        return;
    }
    if (m_activity != Activity::Idle)
        return;
    using Imported = std::shared_ptr<const ImportedSetup>;
    const auto work = [snapshot = m_snapshot, recipe = m_recipe, file, statistics = m_statistics.file](
                          const JobContext& job) -> Result<Imported> {
        DUO_TRY(wanted, withWanted(*snapshot, recipe, job));
        DUO_TRY(imported, duo::importSetup(wanted, file, {statistics, defaultThreads()}, job));
        return std::make_shared<const ImportedSetup>(std::move(imported));
    };
    start<Imported>(
        Activity::ImportingSetup, work, [this, file](Imported&& imported) { Q_EMIT setupImported(file, imported); });
}

/// Quantizers that rules changed since they were taken are again as they were under the rules of then.
void Session::takeUpAgain()
{
    if (mayContinueTaken() && m_result->taken->from->snapshot.recipe == m_recipe)
        m_result = resultOf(*m_result->taken);
}

void Session::continueTaken()
{
    if (!m_snapshot || m_activity != Activity::Idle || !mayContinueTaken())
        return;
    const auto work
        = [taken = m_result, inputs = inputs()](const JobContext& job) { return runContinuing(*taken, inputs, job); };
    start<ContinuedResult>(Activity::Calibrating, work, [this](ContinuedResult&& continued) {
        m_result = std::move(continued.calibration);
        showOutcome();
        const QString text = QString::fromStdString(continued.text);
        keepResult({ResultKind::Quantization, {}, text.toStdString(), {}}, m_result->snapshot.recipe);
        Q_EMIT setupUsed();
        Q_EMIT setupContinued(text);
    });
}

bool Session::useSetup(const ImportedSetup& imported, const QString& text)
{
    const Snapshot& made = imported.resumed.snapshot;
    const bool isOfModel = m_snapshot && beforeTransforms(*m_snapshot).model == beforeTransforms(made).model;
    if (!isOfModel || m_activity != Activity::Idle)
        return false;
    if (m_snapshot->model != made.model) { // simplified once more
        setSnapshot(std::make_shared<const Snapshot>(made));
        forgetModelBefore();
    }
    const bool isState = imported.form == "state";
    m_result = resultOf({imported.form, isState ? imported.resumed.notes : std::vector<std::string>(),
        std::make_shared<const Resumed>(imported.resumed)});
    if (made.recipe != m_recipe) {
        m_undo.push(
            new EditRecipeCommand(m_recipe, made.recipe, text, {}, [this](const Recipe& to) { applyRecipe(to); }));
    }
    m_shown = withOutcome();
    Q_EMIT snapshotChanged();
    const std::size_t quantizers = imported.resumed.compression.setup.points.size();
    keepResult({ResultKind::Quantization, {},
                   counted(quantizers, "quantizer", "quantizers") + " taken from a file (" + imported.form + ")", {}},
        made.recipe);
    Q_EMIT setupUsed();
    return true;
}

} // namespace duo::app
