// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/report/scopes_report.h"

namespace duo::cli {

void addScopes(Commands& commands)
{
    CLI::App* command = addCommand(commands, "scopes", "show both scope trees and every difference");
    command->callback([&chosen = commands.chosen, common = commands.common] {
        chosen = [common](Console& console, const std::stop_token& stop) -> int {
            const auto model = readModel(common->model, common->readOptions(), console.job(stop));
            if (!model)
                return console.fail(model.error());
            const Scopes scopes = findScopes(**model);
            console.result(scopesJson(**model, scopes), scopesText(**model, scopes));
            return kDone;
        };
    });
}

} // namespace duo::cli
