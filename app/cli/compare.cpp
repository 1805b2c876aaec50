// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/compare_report.h"

namespace duo::cli {
namespace {

struct CompareCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<std::string> other = std::make_shared<std::string>();
    std::shared_ptr<std::string> labels = std::make_shared<std::string>();
    std::shared_ptr<std::optional<double>> minSqnrDb = std::make_shared<std::optional<double>>();
};

Result<Comparison> compare(const CompareCall& call, const JobContext& job)
{
    const ReadOptions reading = call.common->readOptions();
    DUO_TRY(first, readModelFile(call.common->model, reading, job));
    DUO_CHECK(checkCanRun(*first));
    DUO_TRY(a, asRunnable(std::move(first), job));
    DUO_TRY(second, readModelFile(*call.other, reading, job));
    DUO_CHECK(checkCanRun(*second));
    DUO_TRY(b, asRunnable(std::move(second), job));
    std::vector<std::string> arrays;
    CompareOptions options{{}, *call.minSqnrDb, call.common->threadCount()};
    if (call.labels->empty())
        options.found = findLabels(call.data->data, *a);
    else if (*call.labels != kNoLabels)
        arrays.push_back(options.labels = *call.labels);
    DUO_TRY(dataset, openData(*call.data, *a, job, arrays));
    return compareModels(*a, *b, *dataset, options, job);
}

int run(const CompareCall& call, Console& console, const std::stop_token& stop)
{
    console.mayBeLeft({});
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
    command->add_option("OTHER", *call.other, "ONNX model to compare with MODEL")->required();
    addDataOptions(command, call.data, true);
    command->add_option("--labels", *call.labels,
        "array of the data with the right classes, for top-1 accuracy; left out: those that lie with the data, none: "
        "without");
    command->add_option("--min-sqnr", *call.minSqnrDb, "decibels every output must reach");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(call, console, stop); };
    });
}

} // namespace duo::cli
