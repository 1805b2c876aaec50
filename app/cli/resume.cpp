// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/continue_setup.h"
#include "core/pipeline/export.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/rule_findings.h"
#include "core/pipeline/snapshot/read_model_file.h"

#include <map>

namespace duo::cli {
namespace {

struct ResumeOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> state = std::make_shared<std::string>();
    std::shared_ptr<std::string> rules = std::make_shared<std::string>();
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
    std::shared_ptr<bool> strict = std::make_shared<bool>(false);
};

nlohmann::ordered_json foundJson(const std::vector<FoundPoint>& found)
{
    auto json = nlohmann::ordered_json::array();
    for (const FoundPoint& point : found)
        json.push_back({{"quantizer", point.id}, {"was", point.was}, {"is", point.is}, {"by", foundByText(point.by)}});
    return json;
}

/// "found by name 20, scope 3", and a line for each that has another name; "" where all are found by their names.
std::string foundText(const std::vector<FoundPoint>& found)
{
    std::map<std::string_view, std::size_t> counts;
    std::string lines;
    for (const FoundPoint& point : found) {
        ++counts[foundByText(point.by)];
        if (point.by != FoundBy::Name)
            lines += "  " + point.was + " -> " + point.is + " (by " + std::string(foundByText(point.by)) + ")\n";
    }
    if (lines.empty())
        return {};
    std::string text = "quantizers found by";
    for (const auto& [by, count] : counts)
        text += " " + std::string(by) + " " + std::to_string(count) + (by == counts.rbegin()->first ? "\n" : ",");
    return text + lines;
}

/// The data that the call gives: to measure with what is made anew, and to judge the result on.
struct Given {
    std::shared_ptr<const Dataset> dataset; // null: none
    CalibrationSource source;
};

Result<Given> givenBy(const ResumeOptions& options, const Snapshot& opened, const JobContext& job)
{
    Given given;
    if (options.data->data.empty())
        return given;
    DUO_TRY(dataset, openData(*options.data, *opened.model, job));
    DUO_TRY(data, dataSource(*options.data));
    given.dataset = std::move(dataset);
    given.source.dataset = given.dataset.get();
    given.source.measuring = measureOptions(opened, data, StatisticsCache::ofUser());
    given.source.data = std::move(data);
    return given;
}

/// What is taken, under its own rules or those given.
struct Taken {
    ContinuedSetup setup;
    bool isState = false; // of this program
    bool isContinued = false;
    [[nodiscard]] bool isAsWanted() const { return setup.resumed.notes.empty(); }
    [[nodiscard]] bool isSame() const { return !isContinued && isAsWanted(); }
};

/// Rules instead of those that the file was made under. @return nothing where they catch nothing and are to
Result<std::optional<Snapshot>> wantedBy(
    const ResumeOptions& options, const Resumed& taken, Console& console, const JobContext& job)
{
    Recipe wanted = taken.snapshot.recipe;
    DUO_TRY(read, readRecipe(*options.rules));
    DUO_CHECK(checkPatterns(read.rules, *options.rules));
    if (read.quantization != QuantizationSettings() && read.quantization != wanted.quantization)
        console.note("settings of " + *options.rules + " do not count: those of the file that is resumed do");
    wanted.rules = std::move(read.rules);
    DUO_TRY(placed, withRecipe(taken.snapshot, std::move(wanted), job));
    warnOfRules(placed, console);
    return mayWorkUnderRules(placed) ? std::optional(std::move(placed)) : std::nullopt;
}

/// @return nothing where rules stop it
Result<std::optional<Taken>> takenBy(
    const ResumeOptions& options, const Snapshot& opened, const Given& given, Console& console, const JobContext& job)
{
    const int threads = options.common->threadCount();
    DUO_TRY(imported, importSetup(opened, *options.state, {nullptr, threads, *options.strict}, job));
    const bool isState = imported.form == "state";
    if (options.rules->empty())
        return std::optional(Taken{{std::move(imported.resumed), {}, {}, {}}, isState, false});
    DUO_TRY(wanted, wantedBy(options, imported.resumed, console, job));
    if (!wanted)
        return std::optional<Taken>();
    DUO_TRY(continued, continueSetup(imported.resumed, *wanted, given.source, threads, job));
    return std::optional(Taken{std::move(continued), isState, true});
}

std::string headline(const Taken& taken)
{
    if (taken.isContinued)
        return continuedText(taken.setup) + "\n";
    return taken.isSame() ? "every quantizer of the state is in place\n"
                          : "the result differs from the one the state was made for\n";
}

int write(const ResumeOptions& options, const Snapshot& opened, const Taken& taken, const Dataset* dataset,
    Console& console, const JobContext& job)
{
    const Resumed& resumed = taken.setup.resumed;
    const FilesRead read{.data = options.data->data,
        .recipe = *options.rules,
        .state = taken.isState && taken.isSame() ? std::string() : *options.state}; // what is left does not replace it
    if (const Status free = checkExportTarget(*opened.model, read, *options.output); !free)
        return console.fail(free.error());
    auto report = exportModel(
        resumed.snapshot, resumed.compression, dataset, *options.output, options.common->threadCount(), job);
    console.endProgress();
    if (!report)
        return console.fail(report.error());
    if (!taken.isAsWanted())
        report = withChecks(*std::move(report), {{"same-setup", false, resumed.notes.front(), {}}});
    auto json = exportJson(*report);
    json["identical_setup"] = taken.isSame();
    json["notes"] = resumed.notes;
    json["remarks"] = resumed.remarks;
    json["points"] = foundJson(resumed.found);
    if (taken.isContinued)
        json["continued"] = {{"kept", taken.setup.kept}, {"made", taken.setup.made}, {"gone", taken.setup.gone}};
    console.result(json, headline(taken) + foundText(resumed.found) + exportText(*report));
    const bool hasFindings = taken.isContinued && !rulesWithoutNodes(resumed.snapshot).empty();
    return report->isGood() && !hasFindings ? kDone : kFindings;
}

int run(const ResumeOptions& options, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    console.writes(*options.output);
    const auto opened = openSnapshot(options.common->model, options.common->openOptions(), job);
    if (!opened)
        return console.fail(opened.error());
    if (const Status canRun = checkCanRun(*opened->model); !canRun)
        return console.fail(canRun.error());
    const auto given = givenBy(options, *opened, job);
    if (!given)
        return console.fail(given.error());
    const auto taken = takenBy(options, *opened, *given, console, job);
    if (!taken)
        return console.fail(taken.error());
    if (!*taken)
        return console.refuse("nothing was written", "correct the rules, or set \"validate\": false");
    const Resumed& resumed = (*taken)->setup.resumed;
    console.notes(resumed.compression.notes);
    for (const std::string& note : resumed.notes)
        console.warn(note);
    for (const std::string& remark : resumed.remarks)
        console.note(remark);
    return write(options, *opened, **taken, given->dataset.get(), console, job);
}

} // namespace

void addResume(Commands& commands)
{
    CLI::App* command = addCommand(commands, "resume",
        "export again from a compression state, or with the quantizers of another tool, without data; or go on from "
        "there under other rules");
    addCustomOpsOption(command, commands.common);
    ResumeOptions options;
    options.common = commands.common;
    command
        ->add_option("--state", *options.state,
            "compression state (*.state.json), or encodings, overrides or a quantized model of another tool")
        ->required();
    command->add_option("--rules", *options.rules,
        "recipe whose rules count instead of those of the state: what they change is made anew, all else stays");
    addDataOptions(command, options.data, false);
    command->add_option("-o,--output", *options.output, "the quantized model to write")->required();
    command->add_flag("--strict", *options.strict, "refuse where anything differs or is left out");
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
