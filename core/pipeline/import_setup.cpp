// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/import_setup.h"

#include "core/formats/file_formats.h"
#include "core/model/code_range.h"
#include "core/model/value_address.h"
#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/corrected_biases.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/pipeline/taken_codes.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/state/nncf_setup.h"
#include "core/state/place_state.h"
#include "core/state/state_file.h"
#include "core/state/state_versions.h"
#include "core/support/file.h"
#include "core/support/phrases.h"
#include "core/transform/pass.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace duo {
namespace {

void addTo(std::vector<std::string>& notes, const std::vector<std::string>& more)
{
    notes.insert(notes.end(), more.begin(), more.end());
}

Result<ImportedSetup> ofState(const Snapshot& snapshot, const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(resumed, resumeFrom(beforeTransforms(snapshot), path, false, job));
    ImportedSetup imported{std::move(resumed), "state", 0, 0, {}, {}, {}, {}, {}};
    imported.used = imported.resumed.found.size();
    imported.entries = imported.resumed.recorded;
    return imported;
}

/// Where the quantizers of a compression stand, by the names of their tensors.
std::vector<FoundPoint> foundByTensor(const Model& model, const Compression& compression)
{
    std::vector<FoundPoint> found;
    for (const auto& [id, point] : compression.setup.points) {
        const ValueId value = pointValue(model, point);
        const std::string tensor = value.valid() ? model.value(value).name : std::string();
        found.push_back({id, tensor, point.node.valid() ? model.node(point.node).name : tensor, FoundBy::Name});
    }
    return found;
}

/// That a model is raised to an opset, and nothing else.
TransformOptions onlyRaised()
{
    TransformOptions options;
    for (const Pass& pass : passes()) {
        if (pass.stage == PassStage::Common)
            options.disabled.emplace(pass.id);
    }
    return options;
}

/// In an opset whose DequantizeLinear takes the codes of the file.
Result<Snapshot> inOpsetOf(const Snapshot& snapshot, const ForeignEncodings& encodings, const JobContext& job)
{
    std::int64_t least = 0;
    for (const ForeignEncoding& entry : encodings.entries) {
        const bool isOpen = entry.codes == ElementType::Undefined; // whether they are signed
        const ElementType codes = isOpen ? codeType(entry.bits, false).value_or(entry.codes) : entry.codes;
        least = std::max(least, leastOpsetOf(codes, entry.block));
    }
    if (snapshot.model->opset() >= least)
        return snapshot;
    Recipe recipe = snapshot.recipe;
    if (!recipe.transforms)
        recipe.transforms = onlyRaised();
    recipe.transforms->leastOpset = least;
    return withRecipe(snapshot, std::move(recipe), job);
}

Result<ImportedSetup> ofEncodings(
    const Snapshot& given, const ForeignEncodings& encodings, int threads, const JobContext& job)
{
    DUO_TRY(snapshot, inOpsetOf(given, encodings, job));
    DUO_TRY(adopted, adoptEncodings(snapshot, encodings, threads, job));
    ImportedSetup imported;
    imported.form = foreignFormText(encodings.form);
    imported.entries = encodings.entries.size() + encodings.notExpressed.size();
    imported.used = adopted.used;
    imported.without = std::move(adopted.without);
    imported.made = std::move(adopted.made);
    imported.biases = std::move(adopted.biases);
    imported.unused = std::move(adopted.unused);
    for (const ForeignEncoding& entry : encodings.entries) {
        if (entry.range && snapshot.model->findValue(entry.tensor).valid())
            imported.ranges.push_back({entry.tensor, entry.range->lowest, entry.range->highest});
    }
    Resumed& resumed = imported.resumed;
    resumed.snapshot = snapshot;
    resumed.compression = std::move(adopted.compression);
    DUO_TRY(changed, asLeftOut(snapshot, resumed.compression.setup));
    resumed.compression.changed = std::move(changed);
    resumed.found = foundByTensor(*snapshot.model, resumed.compression);
    resumed.notes = std::move(adopted.notExpressed);
    resumed.leftOut = resumed.notes;
    return imported;
}

/// The port at which a node reads its weight: that of the recipe's own quantizer, else its only constant.
std::optional<std::uint32_t> weightPort(const Model& model, NodeId id, const std::map<NodeId, std::uint32_t>& placed)
{
    if (const auto known = placed.find(id); known != placed.end())
        return known->second;
    const auto bias = biasOf(model, id);
    std::optional<std::uint32_t> found;
    for (std::uint32_t port = 0; port < model.node(id).inputs.size(); ++port) {
        if ((bias && bias->node == id && bias->port == port) || !weightSource(model, id, port).valid())
            continue;
        if (found)
            return std::nullopt;
        found = port;
    }
    return found;
}

/// Weights of the file get the ports that NNCF does not tell; those without one are told in `notes`.
RecordedState withPorts(const Snapshot& snapshot, RecordedSetup setup, std::vector<std::string>& notes)
{
    const Model& model = *snapshot.model;
    std::map<NodeId, std::uint32_t> placed;
    for (const auto& [id, point] : snapshot.placement->setup.points) {
        if (point.isWeight)
            placed.emplace(point.node, point.port.value_or(0));
    }
    RecordedState state;
    state.setup = std::move(setup);
    std::erase_if(state.setup.points, [&](RecordedPoint& point) {
        const NodeId node = model.findNode(point.target);
        if (point.isWeight && !point.port && node.valid())
            point.port = weightPort(model, node, placed);
        const bool isLost = point.isWeight && !point.port && node.valid();
        if (isLost)
            notes.push_back("quantizer " + std::to_string(point.id) + " was left out: node " + inQuotes(point.target)
                + " reads no constant, or several");
        return isLost;
    });
    for (const RecordedPoint& point : state.setup.points) // not told; only where they stand counts
        state.parameters.emplace(point.id, QuantizationParameters{ElementType::UInt8, {1}, {0}, std::nullopt});
    return state;
}

Result<ImportedSetup> ofNncf(const Snapshot& snapshot, std::string_view text, const std::string& name,
    const ImportOptions& options, const JobContext& job)
{
    DUO_TRY(nncf, parseNncfSetup(text, name));
    if (!options.statistics)
        return Error{ErrorCode::Usage, "a quantizer setup has no scales", name,
            "measure the values of the model first (statistics MODEL --data D -o F); convert-state takes them with "
            "--statistics"};
    ImportedSetup imported;
    imported.form = kNncfSetupForm;
    imported.entries = nncf.setup.points.size();
    std::vector<std::string> notes = std::move(nncf.notExpressed);
    const RecordedState state = withPorts(snapshot, std::move(nncf.setup), notes);
    const NodesThere nodes(*snapshot.model, *snapshot.scopes, state.graph);
    PlacedState placed = placedOnto(*snapshot.model, state, nodes);
    addTo(notes, placed.leftOut);
    auto placement = *snapshot.placement;
    placement.setup = std::move(placed.setup);
    Resumed& resumed = imported.resumed;
    resumed.snapshot = snapshot;
    Snapshot under = snapshot;
    under.placement = std::make_shared<const Placement>(std::move(placement));
    DUO_TRY(compression, compressionFrom(under, options.statistics, options.threads, job));
    if (compression.changed)
        return Error{ErrorCode::BadData, "some values of the setup have no range that codes hold", name,
            "take their quantizers out of the setup"};
    DUO_TRY(changed, asLeftOut(snapshot, compression.setup));
    compression.changed = std::move(changed);
    compression.engine = std::string(kNncfSetupForm) + "; " + compression.engine;
    resumed.compression = std::move(compression);
    resumed.found = std::move(placed.found);
    resumed.notes = std::move(notes);
    resumed.leftOut = resumed.notes;
    imported.used = resumed.found.size();
    return imported;
}

/// Tensors by the names that they have in the float model: those of a body by their address where they are in the same
/// body there, and codes whose name tells none of before as `dequantize` calls them, "w_1" of "w".
void nameAsIn(const Model& model, const Model& file, FoundQuantizers& found)
{
    const auto isThere = [&](const std::string& name) { return model.findValue(name).valid(); };
    for (FoundQuantizer& quantizer : found.quantizers) {
        if (isThere(quantizer.tensor))
            continue;
        const std::string address = addressPrefix(file, file.value(quantizer.value).region) + quantizer.tensor;
        if (isThere(address))
            quantizer.tensor = address;
        else if (isThere(quantizer.tensor + "_1"))
            quantizer.tensor += "_1";
    }
}

Result<ImportedSetup> readOnto(
    const Snapshot& snapshot, const std::filesystem::path& path, const ImportOptions& options, const JobContext& job)
{
    if (isModelName(path)) {
        DUO_TRY(model, readModelFile(path, {}, job));
        FoundQuantizers found = findQuantizers(*model);
        if (found.quantizers.empty() && found.notRecovered.empty())
            return Error{ErrorCode::Unsupported, "the model has no quantizers", path.string(),
                "name the quantized file, and the float model as MODEL"};
        DUO_CHECK(snapshot.checkPlaced());
        nameAsIn(*snapshot.model, *model, found);
        DUO_TRY(imported, ofEncodings(snapshot, encodingsOf(*model, found), options.threads, job));
        Compression& compression = imported.resumed.compression;
        const Model& placed = *imported.resumed.snapshot.model;
        DUO_TRY(others, otherCodesInPlace(*model, found, placed, compression, options.threads, job));
        addTo(imported.resumed.notes, others);
        compression.biasShifts = correctedBiases(*model, placed, compression.setup);
        compression.corrections = correctionsMade(placed, {}, compression.biasShifts);
        return imported;
    }
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    if (text.find(kStateFormat) != std::string::npos)
        return ofState(snapshot, path, job);
    DUO_CHECK(snapshot.checkPlaced());
    if (looksLikeNncfSetup(text))
        return ofNncf(snapshot, text, path.string(), options, job);
    if (text.size() > kMaxForeignBytes)
        return Error{ErrorCode::BadData, "more than 256 MiB", path.string(), "give encodings of one model"};
    DUO_TRY(encodings, parseForeignEncodings(text, path.string()));
    return ofEncodings(snapshot, encodings, options.threads, job);
}

} // namespace

bool looksLikeForeignSetup(const std::filesystem::path& path)
{
    constexpr std::size_t kBeginning = 1U << 16U;
    std::ifstream file(path, std::ios::binary);
    std::string text(kBeginning, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (text.starts_with("TRT-"))
        return true;
    const auto holds = [&](const char* key) { return text.find('"' + std::string(key) + '"') != std::string::npos; };
    const bool isJson = text.find_first_not_of(" \t\r\n") != std::string::npos
        && text[text.find_first_not_of(" \t\r\n")] == '{' && !holds("format");
    const auto keys = {"activation_encodings", "param_encodings", "output_dtype", "quant_type", "calibration_method",
        "lowest", "quantization_points"};
    return isJson && std::ranges::any_of(keys, holds);
}

Result<ImportedSetup> importSetup(
    const Snapshot& snapshot, const std::filesystem::path& path, const ImportOptions& options, const JobContext& job)
{
    DUO_TRY(imported, readOnto(snapshot, path, options, job));
    const auto& notes = imported.resumed.notes;
    if (options.isStrict && !notes.empty())
        return Error{imported.form == "state" ? ErrorCode::BadState : ErrorCode::BadData, notes.front(), path.string(),
            "use the model the file was made for, or leave --strict out"};
    return imported;
}

} // namespace duo
