// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/onnx/absent_data.h"
#include "core/report/scopes_report.h"
#include "core/scope/producers/producers.h"

namespace duo::cli {

void addScopes(Commands& commands)
{
    CLI::App* command = addCommand(commands, "scopes", "show both scope trees and every difference");
    addCheckpointOption(command, commands.common);
    const auto withConstants = std::make_shared<bool>(false);
    command->add_flag(
        "--constants", *withConstants, "list the tensors that are no parameters too: shapes, axes, limits, masks");
    command->callback([&chosen = commands.chosen, common = commands.common, withConstants] {
        chosen = [common, withConstants](Console& console, const std::stop_token& stop) -> int {
            const auto opened = openScopes(common->model, common->openOptions(), console.job(stop));
            console.endProgress();
            if (!opened)
                return console.fail(opened.error());
            if (opened->checkpoint)
                console.notes(opened->checkpoint->notes);
            if (const Status hasData = checkHasData(*opened->model); !hasData)
                console.note("note: " + hasData.error().line());
            if (const auto note = producerNote(*opened->model))
                console.notes({*note});
            const auto more = *withConstants
                ? nlohmann::ordered_json{{"constants", constantsJson(*opened->model, *opened->scopes)}}
                : nlohmann::ordered_json::object();
            console.result(
                [&](const WriteText& write) { writeScopesJson(*opened->model, *opened->scopes, write, more); },
                [&](const WriteText& write) {
                    write(scopesText(*opened->model, *opened->scopes, opened->sources()));
                    if (*withConstants)
                        write(constantsText(*opened->model, *opened->scopes));
                });
            return kDone;
        };
    });
}

} // namespace duo::cli
