// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/read_model_file.h"
#include "core/report/data_report.h"
#include "core/report/inspect_report.h"

namespace duo::cli {
namespace {

Result<DatasetPreview> preview(const DataOptions& options, const Model& model, const JobContext& job)
{
    DUO_TRY(dataset, openData(options, model));
    return previewDataset(*dataset, job);
}

int run(const CommonOptions& common, const DataOptions& data, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    const auto model = readModelFile(common.model, common.readOptions(), job);
    if (!model)
        return console.fail(model.error());
    auto json = inspectJson(**model);
    std::string text = inspectText(**model);
    if (!data.data.empty()) {
        const auto samples = preview(data, **model, job);
        if (!samples)
            return console.fail(samples.error());
        json["data"] = dataJson(*samples);
        text += dataText(*samples);
    }
    console.result(json, text);
    return kDone;
}

} // namespace

void addInspect(Commands& commands)
{
    CLI::App* command = addCommand(commands, "inspect", "say what the file is, and with --data what the samples are");
    const auto data = std::make_shared<DataOptions>();
    addDataOptions(command, data, false);
    command->callback([&chosen = commands.chosen, common = commands.common, data] {
        chosen = [common, data](
                     Console& console, const std::stop_token& stop) { return run(*common, *data, console, stop); };
    });
}

} // namespace duo::cli
