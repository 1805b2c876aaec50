// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/comparable_ports.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/pipeline/snapshot/read_setup.h"
#include "core/report/compare_report.h"
#include "core/state/setup_report.h"

namespace duo::cli {
namespace {

struct CompareCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> other = std::make_shared<std::string>();
    std::shared_ptr<std::string> labels = std::make_shared<std::string>();
    std::shared_ptr<std::optional<double>> minSqnrDb = std::make_shared<std::optional<double>>();
    std::shared_ptr<bool> setup = std::make_shared<bool>(false);
};

Result<Comparison> compare(const CompareCall& call, const JobContext& job)
{
    const ReadOptions reading = call.common->readOptions();
    DUO_TRY(first, readModelFile(call.common->model, reading, job));
    DUO_CHECK(checkCanRun(*first));
    DUO_TRY(runnable, asRunnable(std::move(first), job));
    DUO_TRY(second, readModelFile(*call.other, reading, job));
    DUO_CHECK(checkCanRun(*second));
    DUO_TRY(other, asRunnable(std::move(second), job));
    DUO_TRY(ports, inCommonFloats(runnable, other, job));
    std::vector<std::string> arrays;
    CompareOptions options{{}, *call.minSqnrDb, call.common->threadCount()};
    if (call.labels->empty())
        options.found = findLabels(call.data->data, *ports.a);
    else if (*call.labels != kNoLabels)
        arrays.push_back(options.labels = *call.labels);
    DUO_TRY(dataset, openData(*call.data, *ports.a, job, arrays));
    DUO_TRY(comparison, compareModels(*ports.a, *ports.b, *dataset, options, job));
    comparison.notes.insert(comparison.notes.begin(), ports.notes.begin(), ports.notes.end());
    return std::move(comparison);
}

/// Exit codes as those of diff.
Result<int> compareSetups(const CompareCall& call, Console& console, const JobContext& job)
{
    const std::string& first = call.common->model;
    DUO_TRY(difference, duo::compareSetups(first, *call.other, call.common->readOptions(), job));
    console.endProgress();
    console.result(setupDifferenceJson(difference), setupDifferenceText(difference, first, *call.other));
    return difference.isSame() ? kDone : kFindings;
}

int run(const CompareCall& call, Console& console, const std::stop_token& stop)
{
    if (*call.setup) {
        const auto code = compareSetups(call, console, console.job(stop));
        return code ? *code : console.fail(code.error());
    }
    if (call.data->data.empty())
        return console.fail(Error{ErrorCode::Usage, "nothing says what to run the models on", "--data",
            "name samples or random:N, or ask for --setup"});
    const auto comparison = compare(call, console.job(stop));
    console.endProgress();
    if (!comparison)
        return console.fail(comparison.error());
    console.notes(comparison->notes);
    console.result(compareJson(*comparison), compareText(*comparison));
    return comparison->findings.empty() ? kDone : kFindings;
}

} // namespace

void addCompare(Commands& commands)
{
    CLI::App* command = addCommand(commands, "compare", "say how far two models are apart");
    addCustomOpsOption(command, commands.common);
    CompareCall call;
    call.common = commands.common;
    command
        ->add_option(
            "OTHER", *call.other, "ONNX model to compare with MODEL; with --setup also a compression state or a recipe")
        ->required();
    addDataOptions(command, call.data, false);
    command->add_flag("--setup", *call.setup,
        "compare what two states, recipes or quantized models say of quantization, and run nothing");
    command->add_option("--labels", *call.labels,
        "array of the data with the right classes, for top-1 accuracy; left out: those that lie with the data, none: "
        "without");
    command->add_option("--min-sqnr", *call.minSqnrDb, "decibels every output must reach");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
