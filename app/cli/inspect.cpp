// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/pipeline/read_model_file.h"
#include "core/report/inspect_report.h"

namespace duo::cli {

void addInspect(Commands& commands)
{
    CLI::App* command = addCommand(commands, "inspect", "say what the file is");
    command->callback([&chosen = commands.chosen, common = commands.common] {
        chosen = [common](Console& console, const std::stop_token& stop) -> int {
            const auto model = readModelFile(common->model, common->readOptions(), console.job(stop));
            if (!model)
                return console.fail(model.error());
            console.result(inspectJson(**model), inspectText(**model));
            return kDone;
        };
    });
}

} // namespace duo::cli
