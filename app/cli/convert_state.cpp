// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/interchange/encodings.h"
#include "core/onnx/writer.h"
#include "core/pipeline/calibration/ort_calibration.h"
#include "core/pipeline/calibration/usable_statistics.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/setup_forms.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/dequantize_report.h"
#include "core/support/phrases.h"
#include "core/support/text_file.h"

#include <algorithm>

namespace duo::cli {
namespace {

struct ConvertCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> to = std::make_shared<std::string>();
    std::shared_ptr<std::string> from = std::make_shared<std::string>();
    std::shared_ptr<std::string> statistics = std::make_shared<std::string>();
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

/// The quantizers of a model that is quantized already.
Result<EncodingsText> ofQuantizedModel(const ConvertCall& call, const Model& model)
{
    if (isOfSetups(*call.to))
        return ofFloatModels(*call.to, model);
    const FoundQuantizers found = findQuantizers(model);
    if (found.quantizers.empty() && found.notRecovered.empty())
        return Error{ErrorCode::Unsupported, "the model has no quantizers", call.common->model,
            "quantize it first, name the quantized file, or give --from FILE"};
    return encodingsText(model, found, *encodingFormFromText(*call.to));
}

/// What was measured of a float model.
Result<EncodingsText> ofStatistics(const ConvertCall& call, const JobContext& job)
{
    const auto form = encodingFormFromText(*call.to);
    if (!form || !isOfRanges(*form))
        return Error{ErrorCode::Usage, "statistics alone are ranges, and no quantizers", "--to " + *call.to,
            "ask for --to ort-calibration, or give --from FILE too"};
    DUO_TRY(snapshot, openWithRecipe(*call.common, *call.recipe, job));
    DUO_TRY(file, readStatisticsOf(*snapshot.model, *call.statistics, job));
    return ortCalibrationOf(*snapshot.model, file.statistics, *form);
}

/// Files of others name the values of the model as its file has them: it is simplified only where that is asked for.
Result<Snapshot> openFor(const ConvertCall& call, const JobContext& job)
{
    CommonOptions common = *call.common;
    if (call.recipe->empty() && call.statistics->empty() && !common.transform)
        common.transform = false;
    return openWithRecipe(common, *call.recipe, job);
}

/// Ranges are passed on as they are, those that no quantizer takes, too; of others the setup is written.
Result<EncodingsText> ofImported(const ConvertCall& call, const ImportedSetup& imported, const JobContext& job)
{
    if (const auto form = encodingFormFromText(*call.to); form && isOfRanges(*form) && !imported.ranges.empty())
        return encodingsOfRanges(imported.ranges, *form);
    DUO_TRY(made, setupText(imported.resumed.snapshot, imported.resumed.compression, *call.to, job));
    if (isOfSetups(*call.to))
        made.without = imported.without;
    return made;
}

Status writtenTo(const ConvertCall& call, const Model& model, const EncodingsText& made)
{
    if (call.output->empty())
        return success();
    DUO_CHECK(refuseOverInput(model, *call.output));
    return writeTextFile(*call.output, made.text);
}

std::string summaryOf(const ConvertCall& call, const EncodingsText& made)
{
    return isOfSetups(*call.to) ? *call.to + ": " + counted(made.tensors, "quantizer", "quantizers") + "\n"
                                : encodingsSummary(*call.to, made);
}

nlohmann::ordered_json importedJson(const ImportedSetup& imported)
{
    auto points = nlohmann::ordered_json::array();
    for (const FoundPoint& point : imported.resumed.found)
        points.push_back(
            {{"quantizer", point.id}, {"was", point.was}, {"is", point.is}, {"by", foundByText(point.by)}});
    return {{"form", imported.form}, {"entries", imported.entries}, {"used", imported.used},
        {"not_expressed", imported.resumed.notes}, {"without", imported.without}, {"made", imported.made},
        {"biases", imported.biases}, {"unused", imported.unused}, {"points", std::move(points)}};
}

/// "read as aimet-1.0.0: 40 of 42 entries became 51 quantizers; ..."
std::string importedText(const ImportedSetup& imported)
{
    std::string text = "read as " + imported.form + ": " + std::to_string(imported.used) + " of "
        + counted(imported.entries, "entry", "entries") + " in "
        + counted(imported.resumed.compression.setup.points.size(), "quantizer", "quantizers");
    if (!imported.biases.empty())
        text += ", " + counted(imported.biases.size(), "bias", "biases") + " from data and weight";
    text += "\n";
    const auto list = [&](const std::vector<std::string>& names, const std::string& what) {
        if (!names.empty())
            text += "  " + what + ": " + std::to_string(names.size()) + " (" + inQuotes(names.front())
                + (names.size() > 1 ? " is the first)" : ")") + "\n";
    };
    list(imported.made, "weights without an entry, scales made of the weights");
    list(imported.without, "values without an entry, left in float");
    list(imported.unused, "ranges of values that nothing quantizes");
    return text;
}

Result<int> import(const ConvertCall& call, Console& console, const JobContext& job)
{
    DUO_TRY(snapshot, openFor(call, job));
    ImportOptions options{nullptr, call.common->threadCount()};
    if (!call.statistics->empty()) {
        DUO_TRY(file, readStatisticsOf(*snapshot.model, *call.statistics, job));
        options.statistics = std::make_shared<const StatisticsFile>(std::move(file));
    }
    DUO_TRY(imported, importSetup(snapshot, *call.from, options, job));
    DUO_TRY(made, ofImported(call, imported, job));
    DUO_CHECK(writtenTo(call, *snapshot.model, made));
    console.endProgress();
    auto json = encodingsJson(*call.to, made, *call.output);
    json["from"] = importedJson(imported);
    console.result(json, call.output->empty() ? made.text : importedText(imported) + summaryOf(call, made));
    for (const std::string& note : imported.resumed.notes)
        console.warn(note);
    for (const std::string& loss : made.losses)
        console.warn(*call.to + " does not say: " + loss);
    return imported.resumed.notes.empty() ? kDone : kFindings;
}

/// Of the model alone: of what it is quantized with, what was measured of it, or what the recipe places.
Result<EncodingsText> withoutImport(const ConvertCall& call, const JobContext& job)
{
    if (isOfPlaces(*call.to)) {
        DUO_TRY(snapshot, openWithRecipe(*call.common, *call.recipe, job));
        DUO_TRY(planned, plannedText(snapshot, *call.to));
        DUO_CHECK(writtenTo(call, *snapshot.model, planned));
        return planned;
    }
    DUO_TRY(model, readModelFile(call.common->model, call.common->readOptions(), job));
    DUO_TRY(made, call.statistics->empty() ? ofQuantizedModel(call, *model) : ofStatistics(call, job));
    DUO_CHECK(writtenTo(call, *model, made));
    return made;
}

Result<int> convert(const ConvertCall& call, Console& console, const JobContext& job)
{
    if (call.output->empty() && *call.to == encodingFormText(EncodingForm::OrtFlatbuffers))
        return Error{ErrorCode::Usage, "the form is no text", "--to " + *call.to, "name a file with -o"};
    console.writes(*call.output);
    if (!call.from->empty())
        return import(call, console, job);
    DUO_TRY(converted, withoutImport(call, job));
    console.endProgress();
    console.result(encodingsJson(*call.to, converted, *call.output),
        call.output->empty() ? converted.text : summaryOf(call, converted));
    for (const std::string& loss : converted.losses)
        console.warn(*call.to + " does not say: " + loss);
    return kDone;
}

} // namespace

void addConvertState(Commands& commands)
{
    CLI::App* command = addCommand(commands, "convert-state",
        "write the quantizers of a quantized model, or of a file that another tool wrote, in the form of any tool");
    ConvertCall call{commands.common};
    command->add_option("--to", *call.to, "form to write")->required()->check(CLI::IsMember(setupForms()));
    command->add_option("--from", *call.from,
        "quantizers for MODEL, which then is the float model: a compression state, encodings of AIMET or Qualcomm, "
        "overrides or calibration of ONNX Runtime's quantizer, a calibration cache of TensorRT, a setup of NNCF, or "
        "a quantized model");
    command->add_option("--statistics", *call.statistics,
        "statistics of MODEL: for --to ort-calibration, or for a setup of NNCF, which has no scales");
    addRecipeOption(command, call.recipe);
    addProfileOption(command, commands.common);
    command->add_option("-o,--output", *call.output, "the file to write (default: the text goes to stdout)");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) {
            const auto code = convert(call, console, console.job(stop));
            return code ? *code : console.fail(code.error());
        };
    });
}

} // namespace duo::cli
