// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/resume.h"
#include "app/cli/command.h"
#include "core/pipeline/export.h"
#include "core/pipeline/export_target.h"

#include <map>

namespace duo::cli {
namespace {

struct ResumeOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> state = std::make_shared<std::string>();
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

int run(const ResumeOptions& options, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    console.mayBeLeft(*options.output);
    const auto opened = openSnapshot(options.common->model, options.common->openOptions(), job);
    if (!opened)
        return console.fail(opened.error());
    const auto resumed = resumeFrom(*opened, *options.state, *options.strict, job);
    if (!resumed)
        return console.fail(resumed.error());
    for (const std::string& note : resumed->notes)
        console.warn(note);
    if (!resumed->identicalSetup) { // a state that does not fit this model is not replaced by what is left of it
        if (const Status free = checkExportTarget(*opened->model, {.state = *options.state}, *options.output); !free)
            return console.fail(free.error());
    }
    auto report = exportModel(
        resumed->snapshot, resumed->compression, nullptr, *options.output, options.common->threadCount(), job);
    console.endProgress();
    if (!report)
        return console.fail(report.error());
    if (!resumed->identicalSetup)
        report = withChecks(*std::move(report), {{"same-setup", false, resumed->notes.front(), {}}});
    auto json = exportJson(*report);
    json["identical_setup"] = resumed->identicalSetup;
    json["notes"] = resumed->notes;
    json["points"] = foundJson(resumed->found);
    console.result(json,
        std::string(resumed->identicalSetup ? "every quantizer of the state is in place\n"
                                            : "the result differs from the one the state was made for\n")
            + foundText(resumed->found) + exportText(*report));
    return report->isGood() ? kDone : kFindings;
}

} // namespace

void addResume(Commands& commands)
{
    CLI::App* command = addCommand(commands, "resume", "export again from a compression state, without data");
    addCustomOpsOption(command, commands.common);
    ResumeOptions options;
    options.common = commands.common;
    command->add_option("--state", *options.state, "compression state (*.state.json)")->required();
    command->add_option("-o,--output", *options.output, "the quantized model to write")->required();
    command->add_flag("--strict", *options.strict, "refuse where anything differs or is left out");
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
