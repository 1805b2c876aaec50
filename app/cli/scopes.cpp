// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/report/scopes_report.h"

namespace duo::cli {

void addScopes(Commands& commands)
{
    CLI::App* command = addCommand(commands, "scopes", "show both scope trees and every difference");
    addCheckpointOption(command, commands.common);
    command->callback([&chosen = commands.chosen, common = commands.common] {
        chosen = [common](Console& console, const std::stop_token& stop) -> int {
            const auto opened = openScopes(common->model, common->openOptions(), console.job(stop));
            console.endProgress();
            if (!opened)
                return console.fail(opened.error());
            if (opened->checkpoint)
                console.notes(opened->checkpoint->notes);
            console.result([&](const WriteText& write) { writeScopesJson(*opened->model, *opened->scopes, write); },
                [&] { return scopesText(*opened->model, *opened->scopes, opened->sources()); });
            return kDone;
        };
    });
}

} // namespace duo::cli
