// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open_model.h"

#include "core/engine/swap_domain.h"
#include "core/engine/tap_domain.h"
#include "core/onnx/absent_data.h"
#include "core/onnx/external_files.h"
#include "core/onnx/reader.h"
#include "core/onnx/type_probe.h"
#include "core/onnx/writer.h"
#include "core/transform/node_name_edits.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

/// How many inputs the node has for its body; nothing where this is no loop.
std::optional<std::size_t> inputsGiven(const Node& owner)
{
    constexpr std::size_t kOfEveryLoop = 2; // iteration and condition, which may be omitted
    if (!owner.domain.empty() || owner.isCall)
        return std::nullopt;
    if (owner.opType == "Loop")
        return std::max(kOfEveryLoop, owner.inputs.size());
    return owner.opType == "Scan" ? std::optional(owner.inputs.size()) : std::nullopt;
}

/// Models that are known to crash the engine are refused before it sees them, by name of the defect: where a Loop or
/// Scan gives its body more than the body takes, as inputs of it are initializers too, ONNX Runtime 1.30 reads behind
/// the end of a list (1.31.1 refuses such a model).
/// @return EngineFailed naming the node, or a graph without outputs, of which nothing would be run. O(bodies)
Status checkEngineDefects(const Model& model)
{
    if (model.mainGraph().outputs.empty())
        return Error{ErrorCode::EngineFailed, "the model has no outputs, so that there is nothing to run",
            model.path.string(), "export the model again, with its outputs"};
    for (const Region& region : model.regions) {
        if (!region.owner.valid())
            continue;
        const Node& owner = model.node(region.owner);
        const auto given = inputsGiven(owner);
        if (given && region.inputs.size() < *given)
            return Error{ErrorCode::EngineFailed,
                owner.opType + " gives its body " + std::to_string(*given) + " values and the body takes "
                    + std::to_string(region.inputs.size()) + ", on which ONNX Runtime crashes",
                "node '" + owner.name + "'",
                "export the model again: an input of a body must not be an initializer too"};
    }
    return success();
}

bool hasRepeatedName(const Model& model)
{
    return std::ranges::any_of(
        model.nodes, [](const Node& node) { return !node.origin.hadName && !node.localName.empty(); });
}

std::vector<std::string> valuesThatAreNoOutputs(const Model& model, const std::vector<std::string>& values)
{
    std::vector<std::string> names;
    for (const std::string& name : values) {
        const ValueId id = model.findValue(name);
        if (!id.valid() || !model.value(id).isOutput)
            names.push_back(name);
    }
    return names;
}

struct Tap {
    std::string value;
    std::int64_t index = 0; // kUnseenTap: nobody looks
};

NewNode tapNode(const Model& model, const Tap& tap, std::size_t number)
{
    const std::string name = std::string(kTapDomain) + "." + std::to_string(number);
    NewNode node;
    node.name = name;
    node.opType = kTapOperator;
    node.domain = kTapDomain;
    node.outputs = {name};
    node.attributes = {{kTapAttribute, tap.index}};
    const ValueId value = model.findValue(tap.value);
    node.inputs = {value.valid() ? model.value(value).name : tap.value};
    if (value.valid())
        node.region = model.value(value).region;
    const auto& nodes = model.region(node.region).nodes;
    node.anchor = nodes.empty() ? NodeId() : nodes.back();
    node.after = true;
    return node;
}

/// Where the value is computed, in topological order.
std::vector<std::size_t> placesOf(const Model& model, const std::vector<Tap>& taps)
{
    std::vector<std::size_t> placeOfNode(model.nodes.size());
    for (std::size_t i = 0; i < model.order.size(); ++i)
        placeOfNode[model.order[i].index] = i;
    std::vector<std::size_t> places;
    for (const Tap& tap : taps) {
        const ValueId id = model.findValue(tap.value);
        const NodeId producer = id.valid() ? model.value(id).producer : NodeId();
        places.push_back(producer.valid() ? placeOfNode[producer.index] : 0);
    }
    return places;
}

/// In a body a tap needs no reader: the engine runs every node it does not fold.
bool isInMainGraph(const NewNode& tap)
{
    const RegionId main(0);
    return tap.region == main;
}

/// The engine computes what the last of the nodes that nobody reads needs first, then what the one before it needs. So
/// the taps stand at the end, that of the value computed first last: each value is looked at and freed before the next
/// ones are computed. Outputs have a tap in any case: without one they would come first, with all values before them.
std::vector<Tap> tapsInOrder(const Model& model, const std::vector<std::string>& values)
{
    std::vector<Tap> taps;
    std::unordered_set<std::string_view> tapped;
    for (std::size_t i = 0; i < values.size(); ++i) {
        taps.push_back({values[i], static_cast<std::int64_t>(i)});
        tapped.insert(values[i]);
    }
    for (const ValueId id : model.mainGraph().outputs) {
        const Value& value = model.value(id);
        const bool isComputed = value.producer.valid() && value.type.element == ElementType::Float32;
        if (isComputed && tapped.insert(value.name).second)
            taps.push_back({value.name, kUnseenTap});
    }
    const auto places = placesOf(model, taps);
    std::vector<std::size_t> order(taps.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return places[a] > places[b]; });
    std::vector<Tap> sorted;
    for (const std::size_t i : order)
        sorted.push_back(std::move(taps[i]));
    return sorted;
}

SessionOptions optionsFor(const Model& model, const JobContext& job)
{
    SessionOptions options;
    options.crashPlace = model.path.string();
    options.stop = job.stop;
    for (const auto& [location, file] : externalFiles(model))
        options.externalData.emplace(location, SharedBytes{file, file->bytes()});
    options.customOps = customOpLibraries(model);
    return options;
}

/// Opens the edited model. What was read of its files so far is given back before the engine reads them, and the rest
/// after: it has read all it needs then.
Result<Session> openEdited(const Model& model, const EditList& edits, SessionOptions options)
{
    DUO_CHECK(checkEngineDefects(model));
    DUO_TRY(work, engineModel(model, edits));
    options.externalData.merge(work.weights);
    dropPages(model);
    auto session = Session::openBytes(work.proto, options);
    dropPages(model);
    return session;
}

} // namespace

EditList tapEdits(const Model& model, const std::vector<std::string>& values)
{
    EditList edits;
    for (const Tap& tap : tapsInOrder(model, values)) {
        edits.newNodes.push_back(tapNode(model, tap, edits.newNodes.size()));
        if (isInMainGraph(edits.newNodes.back()))
            edits.extraOutputs.push_back(edits.newNodes.back().outputs.front());
    }
    edits.opsets.emplace_back(kTapDomain, 1);
    edits.nodeNames = nodeNameEdits(model);
    return edits;
}

Result<Session> openTappedModel(const Model& model, const std::vector<std::string>& values, const JobContext& job)
{
    return openMeasuringModel(model, values, {}, job);
}

Result<Session> openMeasuringModel(
    const Model& model, const std::vector<std::string>& values, std::string measures, const JobContext& job)
{
    SessionOptions options = optionsFor(model, job);
    options.taps = true;
    options.tapMeasures = std::move(measures);
    return openEdited(model, tapEdits(model, values), options);
}

NewNode swapNode(
    std::int64_t number, std::string name, std::string input, std::string output, NodeId anchor, bool after)
{
    NewNode node;
    node.name = std::move(name);
    node.opType = kSwapOperator;
    node.domain = kSwapDomain;
    node.inputs = {std::move(input)};
    node.outputs = {std::move(output)};
    node.attributes = {{kSwapAttribute, number}};
    node.anchor = anchor;
    node.after = after;
    return node;
}

Result<Session> openSwappingModel(const Model& model, EditList edits, const JobContext& job)
{
    edits.opsets.emplace_back(kSwapDomain, 1);
    SessionOptions options = optionsFor(model, job);
    options.swaps = true;
    return openEdited(model, edits, std::move(options));
}

Result<Session> openModel(const Model& model, const std::vector<std::string>& values, const JobContext& job)
{
    EditList edits;
    edits.extraOutputs = valuesThatAreNoOutputs(model, values);
    const SessionOptions options = optionsFor(model, job);
    const bool isInFile = !model.path.empty() && &modelInFile(model) == &model && !bytesOfFile(model).empty();
    if (edits.extraOutputs.empty() && !hasRepeatedName(model) && isInFile && options.externalData.empty()) {
        DUO_CHECK(checkEngineDefects(model));
        dropPages(model); // the engine reads them by itself
        return Session::openBytes(bytesOfFile(model), options); // by its path it could be another file by now
    }
    edits.nodeNames = nodeNameEdits(model);
    return openEdited(model, edits, options);
}

Result<Session> openWithEdits(const Model& model, EditList edits, const JobContext& job)
{
    edits.nodeNames = nodeNameEdits(model);
    return openEdited(model, edits, optionsFor(model, job));
}

Result<Session> openProfiled(
    const Model& model, const std::filesystem::path& folder, int threads, const JobContext& job)
{
    EditList edits;
    edits.nodeNames = nodeNameEdits(model);
    SessionOptions options = optionsFor(model, job);
    options.threads = threads;
    options.optimization = Optimization::Extended; // what lays tensors out anew cannot be read back
    options.optimizedModel = folder / "optimized.onnx";
    options.profile = folder / "profile";
    return openEdited(model, edits, std::move(options));
}

Status writeOptimized(const Model& model, const std::filesystem::path& target, const JobContext& job)
{
    EditList edits;
    edits.nodeNames = nodeNameEdits(model);
    SessionOptions options = optionsFor(model, job);
    options.optimization = Optimization::Extended; // what lays tensors out anew cannot be read back
    options.optimizedModel = target;
    DUO_TRY(session, openEdited(model, edits, std::move(options)));
    return success();
}

Result<Session> openForTypes(const Model& model, const JobContext& job)
{
    DUO_CHECK(checkEngineDefects(model));
    DUO_TRY(probe, typeProbe(model));
    SessionOptions options = optionsFor(model, job);
    options.optimization = Optimization::None;
    auto session = Session::openBytes(probe, options);
    if (session || !checkHasData(model))
        return session;
    EditList edits;
    for (const Value& value : model.values) {
        const bool isComputed = value.producer.valid() && value.region == RegionId(0);
        if (isComputed && !value.isOutput)
            edits.extraOutputs.push_back(value.name);
    }
    edits.nodeNames = nodeNameEdits(model);
    return openEdited(model, edits, std::move(options));
}

Result<Session> openForTypes(const Model& model, const MainNodes& mainNodes, std::span<const NodeId> nodes,
    std::span<const ValueType> types, const JobContext& job)
{
    DUO_CHECK(checkEngineDefects(model));
    DUO_TRY(probe, typeProbe(model, mainNodes, nodes, types));
    SessionOptions options = optionsFor(model, job);
    options.externalData.clear(); // nothing of them is in it
    options.optimization = Optimization::None;
    return Session::openBytes(probe, options);
}

Result<Session> openExport(const Model& original, const std::filesystem::path& written, SessionOptions options)
{
    DUO_CHECK(checkEngineDefects(original));
    options.customOps = customOpLibraries(original);
    options.crashPlace = written.filename().string(); // it is not in its place yet
    options.crashWork = "it checked what was written";
    dropPages(original);
    auto session = Session::openFile(written, options);
    if (session || session.error().code != ErrorCode::EngineEnded || options.stop.stop_requested())
        return session;
    return Session::openFile(written, options); // what else ended that process ends no second one
}

} // namespace duo
