// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/dequantize.h"
#include "app/cli/command.h"
#include "core/interchange/found_quantizers.h"
#include "core/onnx/writer.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/dequantize_report.h"

#include <algorithm>
#include <set>

namespace duo::cli {
namespace {

struct DequantizeCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<bool> dryRun = std::make_shared<bool>(false);
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

/// Whether a node on codes that nobody knows is in the model afterwards.
bool staysInCodes(const FoundQuantizers& found, const EditList& edits)
{
    const std::set<NodeId> removed(edits.removedNodes.begin(), edits.removedNodes.end());
    return std::ranges::any_of(
        found.notRecovered, [&](const NotRecovered& each) { return !removed.contains(each.node); });
}

Result<int> dequantizeTo(const DequantizeCall& call, Console& console, const JobContext& job)
{
    console.writes(*call.output);
    if (call.output->empty() && !*call.dryRun)
        return Error{ErrorCode::Usage, "nothing says where to write", "-o", "name a file, or ask for --dry-run"};
    DUO_TRY(model, readModelFile(call.common->model, call.common->readOptions(), job));
    DUO_CHECK(checkCanRun(*model));
    if (!*call.dryRun)
        DUO_CHECK(refuseOverInput(*model, *call.output));
    const FoundQuantizers found = findQuantizers(*model);
    DUO_TRY(made, dequantizeEdits(*model));
    WrittenFiles written;
    if (!*call.dryRun) {
        DUO_TRY(files, writeModel(*model, made.edits, *call.output, job));
        written = std::move(files);
    }
    console.endProgress();
    console.result(dequantizeJson(*model, found, made, written), dequantizeText(*model, found, made));
    return found.quantizers.empty() || !made.kept.empty() || staysInCodes(found, made.edits) ? kFindings : kDone;
}

} // namespace

void addDequantize(Commands& commands)
{
    CLI::App* command
        = addCommand(commands, "dequantize", "say which quantizers a model has, and write it without them, in float");
    addCustomOpsOption(command, commands.common);
    DequantizeCall call{commands.common};
    command->add_flag("--dry-run", *call.dryRun, "say what is found and would become float, and write nothing");
    command->add_option("-o,--output", *call.output, "the model to write");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) {
            const auto code = dequantizeTo(call, console, console.job(stop));
            return code ? *code : console.fail(code.error());
        };
    });
}

} // namespace duo::cli
