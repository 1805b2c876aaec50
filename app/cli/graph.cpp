// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/layout/graph_export.h"
#include "core/onnx/writer.h"
#include "core/pipeline/resume.h"

namespace duo::cli {
namespace {

struct GraphOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> state = std::make_shared<std::string>();
    std::shared_ptr<bool> quantizerBoxes = std::make_shared<bool>(false);
    std::shared_ptr<std::vector<std::string>> outputs = std::make_shared<std::vector<std::string>>();
};

struct Source {
    Snapshot snapshot;
    std::shared_ptr<const Placement> placement; // null where the model cannot be quantized
};

/// The quantizers to draw: those of the recipe, or those of a state.
Result<Source> openSource(const GraphOptions& options, const JobContext& job)
{
    DUO_TRY(snapshot, openWithRecipe(*options.common, *options.recipe, job));
    if (options.state->empty())
        return Source{snapshot, snapshot.placement};
    DUO_TRY(resumed, resumeFrom(snapshot, *options.state, false, job));
    if (!resumed.snapshot.placement)
        return *resumed.snapshot.refusal;
    auto placement = std::make_shared<Placement>(*resumed.snapshot.placement);
    placement->setup = resumed.compression.setup;
    return Source{resumed.snapshot, placement};
}

int run(const GraphOptions& options, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    const auto source = openSource(options, job);
    if (!source)
        return console.fail(source.error());
    if (!source->placement)
        console.note("note: " + source->snapshot.refusal->line() + "; drawn without quantizers");
    LayoutClient client;
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    std::string text;
    for (const std::string& output : *options.outputs) {
        if (const Status free = refuseOverInput(*source->snapshot.model, output); !free)
            return console.fail(free.error());
        const auto written = exportGraph({source->snapshot.model.get(), source->snapshot.scopes.get(),
                                             source->placement.get(), std::nullopt, *options.quantizerBoxes},
            client, output, job);
        if (!written)
            return console.fail(written.error());
        files.push_back({{"file", written->file.string()}, {"bytes", written->bytes}, {"nodes", written->nodes},
            {"edges", written->edges}, {"engine", written->engine}});
        text += written->file.string() + ": " + std::to_string(written->nodes) + " boxes, "
            + std::to_string(written->edges) + " edges, " + std::to_string(written->bytes) + " bytes\n";
    }
    console.result({{"files", std::move(files)}}, text);
    return kDone;
}

} // namespace

void addGraph(Commands& commands)
{
    CLI::App* command = addCommand(commands, "graph", "write the compressed graph as .dot, .svg, .png or .pdf");
    GraphOptions options;
    options.common = commands.common;
    addRecipeOption(command, options.recipe);
    addProfileOption(command, options.common);
    addCheckpointOption(command, options.common);
    command->add_option("--state", *options.state, "compression state whose quantizers to draw")
        ->excludes(command->get_option("--recipe"));
    command->add_flag(
        "--quantizer-boxes", *options.quantizerBoxes, "draw quantizers as boxes of their own, not as labels");
    command->add_option("-o,--output", *options.outputs, "files to write; the extension says what")->required();
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
