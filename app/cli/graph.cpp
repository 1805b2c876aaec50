// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/layout/graph_export.h"
#include "core/graph/containment.h"
#include "core/onnx/writer.h"
#include "core/pipeline/resume.h"

#include <algorithm>

namespace duo::cli {
namespace {

struct GraphOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> state = std::make_shared<std::string>();
    std::shared_ptr<bool> quantizerBoxes = std::make_shared<bool>(false);
    std::shared_ptr<bool> all = std::make_shared<bool>(false);
    std::shared_ptr<std::vector<std::string>> open = std::make_shared<std::vector<std::string>>();
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

/// What to draw open; nothing: as much as is readable.
Result<std::optional<std::set<std::string>>> openKeys(const GraphOptions& options, const Snapshot& snapshot)
{
    if (*options.all)
        return std::optional(allOpen(*snapshot.model, *snapshot.scopes));
    if (options.open->empty())
        return std::optional<std::set<std::string>>();
    std::set<std::string> keys;
    const Containment containment = findContainment(*snapshot.model, *snapshot.scopes);
    for (const std::string& scope : *options.open) {
        const auto found = std::ranges::find(containment.containers, scope, &Container::key);
        if (found == containment.containers.end())
            return Error{ErrorCode::Usage, "no execution scope with several nodes has this path", scope,
                "see duoscope-cli scopes"};
        const auto around = containment.keysTo(static_cast<std::uint32_t>(found - containment.containers.begin()));
        keys.insert(around.begin(), around.end());
    }
    return std::optional(std::move(keys));
}

nlohmann::ordered_json fileJson(const ExportedGraph& written)
{
    nlohmann::ordered_json json{{"file", written.file.string()}, {"bytes", written.bytes}, {"nodes", written.nodes},
        {"edges", written.edges}, {"engine", written.engine}};
    if (!written.pages.empty()) {
        json["pages"] = nlohmann::ordered_json::array();
        for (const auto& page : written.pages)
            json["pages"].push_back(page.string());
    }
    return json;
}

std::string fileText(const ExportedGraph& written)
{
    return written.file.string()
        + (written.pages.empty() ? ""
                                 : " to " + written.pages.back().filename().string() + ", "
                    + std::to_string(written.pages.size()) + " pages, for one would be larger than programs open")
        + ": " + std::to_string(written.nodes) + " boxes, " + std::to_string(written.edges) + " edges, "
        + std::to_string(written.bytes) + " bytes\n";
}

int run(const GraphOptions& options, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    const auto source = openSource(options, job);
    if (!source)
        return console.fail(source.error());
    if (!source->placement)
        console.note("note: " + source->snapshot.refusal->line() + "; drawn without quantizers");
    const auto open = openKeys(options, source->snapshot);
    if (!open)
        return console.fail(open.error());
    LayoutClient client;
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    std::string text;
    for (const std::string& output : *options.outputs) {
        if (const Status free = refuseOverInput(*source->snapshot.model, output); !free)
            return console.fail(free.error());
        const auto written = exportGraph({source->snapshot.model.get(), source->snapshot.scopes.get(),
                                             source->placement.get(), *open, *options.quantizerBoxes},
            client, output, job);
        if (!written)
            return console.fail(written.error());
        files.push_back(fileJson(*written));
        text += fileText(*written);
    }
    console.result({{"files", std::move(files)}}, text);
    return kDone;
}

} // namespace

void addGraph(Commands& commands)
{
    CLI::App* command = addCommand(
        commands, "graph", "write the compressed graph as .dot, .svg, .png or .pdf, in pages where that is large");
    GraphOptions options;
    options.common = commands.common;
    addRecipeOption(command, options.recipe);
    addProfileOption(command, options.common);
    addCheckpointOption(command, options.common);
    command->add_option("--state", *options.state, "compression state whose quantizers to draw")
        ->excludes(command->get_option("--recipe"));
    command->add_flag(
        "--quantizer-boxes", *options.quantizerBoxes, "draw quantizers as boxes of their own, not as labels");
    auto* all = command->add_flag("--all", *options.all, "pictures: open every scope, down to the nodes");
    command->add_option("--open", *options.open, "pictures: execution scopes to open; else as many as are readable")
        ->excludes(all);
    command->add_option("-o,--output", *options.outputs, "files to write; the extension says what")->required();
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
