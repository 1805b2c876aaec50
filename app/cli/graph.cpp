// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/graph_overlay.h"
#include "app/layout/graph_export.h"
#include "core/graph/alike.h"
#include "core/graph/containment.h"
#include "core/graph/graph_form.h"
#include "core/onnx/writer.h"
#include "core/pipeline/resume.h"

#include <algorithm>

namespace duo::cli {
namespace {

struct GraphOptions {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> recipe = std::make_shared<std::string>();
    std::shared_ptr<std::string> state = std::make_shared<std::string>();
    std::shared_ptr<std::string> form = std::make_shared<std::string>(graphFormText(GraphForm::Compressed));
    std::shared_ptr<std::string> exported = std::make_shared<std::string>();
    std::shared_ptr<std::string> overlay = std::make_shared<std::string>();
    std::shared_ptr<std::string> statistics = std::make_shared<std::string>();
    std::shared_ptr<DataOptions> data = std::make_shared<DataOptions>();
    std::shared_ptr<bool> quantizerBoxes = std::make_shared<bool>(false);
    std::shared_ptr<double> aspect = std::make_shared<double>(0); // 0: left out
    std::shared_ptr<bool> all = std::make_shared<bool>(false);
    std::shared_ptr<bool> fold = std::make_shared<bool>(false);
    std::shared_ptr<std::vector<std::string>> open = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::vector<std::string>> outputs = std::make_shared<std::vector<std::string>>();
};

struct Source {
    Snapshot snapshot;
    GraphForm form = GraphForm::Compressed;
    std::shared_ptr<const Placement> placement = {}; // null where the model cannot be quantized
    std::shared_ptr<const RunGraph> run = {}; // of what is run, or of the file where it was simplified; else null

    [[nodiscard]] DrawnGraph drawn() const
    {
        return drawnGraph(form, *snapshot.model, *snapshot.scopes, placement.get(), run.get());
    }
};

/// With what becomes of its nodes where the model is simplified.
Result<Source> openOriginal(const GraphOptions& options, const JobContext& job)
{
    DUO_TRY(snapshot, openWithRecipe(*options.common, {}, job));
    Source source{std::move(snapshot), GraphForm::Original};
    const Snapshot& now = source.snapshot;
    if (now.opened)
        source.run = std::make_shared<const RunGraph>(
            openedGraph(*now.model, *now.scopes, now.opened->model, *now.opened->scopes, *now.transforms));
    source.snapshot.placement.reset(); // nothing is quantized in it
    return source;
}

/// The quantizers to draw: those of the recipe, or those of a state.
Result<Source> openSource(const GraphOptions& options, const JobContext& job)
{
    const GraphForm form = *graphFormFrom(*options.form);
    if (form != GraphForm::AsRun && !options.exported->empty())
        return Error{ErrorCode::Usage, "--exported names what is run", *options.exported, "give --as run with it"};
    if (form != GraphForm::Compressed && !(options.recipe->empty() && options.state->empty()))
        return Error{ErrorCode::Usage, "only the compressed graph has quantizers that a recipe or a state puts in", "",
            "leave it out, or give --as compressed"};
    if (form == GraphForm::Original)
        return openOriginal(options, job);
    if (form == GraphForm::AsRun) { // what the rules come to is not drawn
        DUO_TRY(opened, openScopes(options.common->model, options.common->openOptions(), job));
        DUO_TRY(run, findRunGraph(*opened.model, *opened.scopes, *options.exported, job));
        return Source{std::move(opened), form, nullptr, std::move(run)};
    }
    DUO_TRY(snapshot, openWithRecipe(*options.common, *options.recipe, job));
    if (options.state->empty())
        return Source{snapshot, form, snapshot.placement};
    DUO_TRY(resumed, resumeFrom(snapshot, *options.state, false, job));
    if (!resumed.snapshot.placement)
        return *resumed.snapshot.refusal;
    const Snapshot& placed = placedBy(resumed.compression, resumed.snapshot); // with its changes of the float model
    auto placement = std::make_shared<Placement>(*placed.placement);
    placement->setup = resumed.compression.setup;
    return Source{placed, form, placement};
}

/// What to colour by; nothing: states.
Result<std::optional<Overlay>> wantedOverlay(const GraphOptions& options, const Source& source, const JobContext& job)
{
    if (options.overlay->empty())
        return std::optional<Overlay>();
    const OverlayKind kind = *overlayKindFrom(*options.overlay);
    if (source.run && !source.run->isOpened() && kind != OverlayKind::Decision && kind != OverlayKind::Precision
        && !isOfWhatIsRun(kind, *source.run))
        return Error{ErrorCode::Usage, "these values are not of what is run", std::string(overlayKindText(kind)),
            source.run->isOfExport ? "leave --exported out" : "leave --as out"};
    DUO_TRY(overlay,
        measuredOverlay(
            kind, source.snapshot, source.placement.get(), {*options.common, *options.data, *options.statistics}, job));
    return std::optional(std::move(overlay));
}

/// What to draw open, with the marks of what is folded; nothing: as much as is readable.
Result<std::optional<std::set<std::string>>> openKeys(const GraphOptions& options, const DrawnGraph& drawn)
{
    if (options.open->empty() && !*options.all && !*options.fold)
        return std::optional<std::set<std::string>>();
    std::set<std::string> keys;
    Containment containment = findContainment(drawn.model, drawn.scopes);
    if (*options.fold) {
        for (const AlikeRun& run : allAlike(drawn.model, containment))
            keys.insert(run.mark);
        containment = withFolds(std::move(containment), drawn.scopes, keys);
    }
    if (*options.all) {
        for (const Container& container : containment.containers) {
            if (!isRestOfFold(container.key))
                keys.insert(container.key);
        }
    } else if (options.open->empty()) {
        keys.merge(openWithin(containment, kMostDrawnBoxes));
    }
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

nlohmann::ordered_json runJson(const RunGraph& run)
{
    return {{"of", run.of}, {"kernels", run.count()}, {"int8", run.count(KernelPrecision::Int8)},
        {"quantizers", run.count(KernelPrecision::Quantizer)}};
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
    console.endProgress();
    if (source->form == GraphForm::Compressed && !source->placement)
        console.note("note: " + source->snapshot.refusal->line() + "; drawn without quantizers");
    const auto open = openKeys(options, source->drawn());
    if (!open)
        return console.fail(open.error());
    const auto overlay = wantedOverlay(options, *source, job);
    console.endProgress();
    if (!overlay)
        return console.fail(overlay.error());
    LayoutClient client;
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    const bool isRun = source->form == GraphForm::AsRun;
    std::string text = isRun ? runText(*source->run) + "\n" : "";
    for (const std::string& output : *options.outputs) {
        if (const Status free = refuseOverInput(*source->snapshot.model, output); !free)
            return console.fail(free.error());
        console.writes(output);
        const auto written = exportGraph({source->snapshot.model.get(), source->snapshot.scopes.get(),
                                             source->placement.get(), *open, *options.quantizerBoxes, source->form,
                                             source->run.get(), *overlay ? &**overlay : nullptr, *options.aspect},
            client, output, job);
        if (!written)
            return console.fail(written.error());
        files.push_back(fileJson(*written));
        text += fileText(*written);
    }
    nlohmann::ordered_json json{{"as", graphFormText(source->form)}};
    if (isRun)
        json["run"] = runJson(*source->run);
    json["files"] = std::move(files);
    console.result(json, text);
    return kDone;
}

} // namespace

void addGraph(Commands& commands)
{
    CLI::App* command
        = addCommand(commands, "graph", "write the graph as .dot, .svg, .png or .pdf, in pages where that is large");
    GraphOptions options;
    options.common = commands.common;
    addRecipeOption(command, options.recipe);
    addProfileOption(command, options.common);
    addCheckpointOption(command, options.common);
    command->add_option("--state", *options.state, "compression state whose quantizers to draw")
        ->excludes(command->get_option("--recipe"));
    addCustomOpsOption(command, options.common);
    command
        ->add_option("--as", *options.form,
            "the model as it was opened (original), with quantizers (compressed), or the kernels that ONNX Runtime "
            "makes of it (run)")
        ->check(CLI::IsMember({"original", "compressed", "run"}))
        ->capture_default_str();
    command->add_option("--exported", *options.exported, "with --as run: an export of MODEL, which is run instead");
    auto* overlay = command
                        ->add_option("--overlay", *options.overlay,
                            "pictures: what boxes are coloured by; range and error take --statistics or --data, "
                            "sensitivity, time and half "
                            "--data")
                        ->check(CLI::IsMember(overlaysOfOne()));
    command->add_option("--statistics", *options.statistics, "a file of `statistics`, which the overlay takes")
        ->needs(overlay);
    addDataOptions(command, options.data, false);
    command->add_flag(
        "--quantizer-boxes", *options.quantizerBoxes, "draw quantizers as boxes of their own, not as labels");
    auto* all = command->add_flag("--all", *options.all, "pictures: open every scope, down to the nodes");
    command->add_flag("--fold", *options.fold,
        "pictures: fold neighbouring scopes that are equal into one box, of which the first one is opened");
    command->add_option("--open", *options.open, "pictures: execution scopes to open; else as many as are readable")
        ->excludes(all);
    command
        ->add_option("--aspect", *options.aspect,
            "pictures: width to height of the pane that they are to fill; left out: a page on its side")
        ->check(CLI::Range(0.1, 10.0));
    command->add_option("-o,--output", *options.outputs, "files to write; the extension says what")->required();
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token& stop) { return run(options, console, stop); };
    });
}

} // namespace duo::cli
