// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open_model.h"

#include "core/engine/tap_domain.h"
#include "core/onnx/external_files.h"
#include "core/onnx/writer.h"
#include "core/transform/node_name_edits.h"

#include <algorithm>

namespace duo {
namespace {

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

/// The node of the main graph a node belongs to: itself, or the call or control-flow node around it.
NodeId mainNodeOf(const Model& model, NodeId node)
{
    while (node.valid() && model.region(model.node(node).region).owner.valid())
        node = model.region(model.node(node).region).owner;
    return node;
}

NewNode tapNode(const Model& model, const std::string& value, std::size_t index)
{
    const std::string name = std::string(kTapDomain) + "." + std::to_string(index);
    NewNode node;
    node.name = name;
    node.opType = kTapOperator;
    node.domain = kTapDomain;
    node.inputs = {value};
    node.outputs = {name};
    node.attributes = {{kTapAttribute, static_cast<std::int64_t>(index)}};
    const ValueId id = model.findValue(value);
    node.anchor = id.valid() ? mainNodeOf(model, model.value(id).producer) : NodeId();
    node.after = true;
    return node;
}

SessionOptions optionsFor(const Model& model)
{
    SessionOptions options;
    for (const auto& [location, file] : externalFiles(model))
        options.externalData.emplace(location, SharedBytes{file, file->bytes()});
    options.customOps = customOpLibraries(model);
    return options;
}

/// Opens the edited model. The engine has read all it needs of the files then.
Result<Session> openEdited(const Model& model, const EditList& edits, SessionOptions options)
{
    DUO_TRY(work, engineModel(model, edits));
    options.externalData.merge(work.weights);
    auto session = Session::openBytes(work.proto, options);
    dropPages(model);
    return session;
}

} // namespace

Result<Session> openTappedModel(const Model& model, const std::vector<std::string>& values)
{
    EditList edits;
    for (std::size_t i = 0; i < values.size(); ++i) {
        edits.newNodes.push_back(tapNode(model, values[i], i));
        edits.extraOutputs.push_back(edits.newNodes.back().outputs.front());
    }
    edits.opsets.emplace_back(kTapDomain, 1);
    edits.nodeNames = nodeNameEdits(model);
    SessionOptions options = optionsFor(model);
    options.taps = true;
    return openEdited(model, edits, options);
}

Result<Session> openModel(const Model& model, const std::vector<std::string>& values)
{
    EditList edits;
    edits.extraOutputs = valuesThatAreNoOutputs(model, values);
    const SessionOptions options = optionsFor(model);
    if (edits.extraOutputs.empty() && !hasRepeatedName(model) && !model.path.empty() && options.externalData.empty())
        return Session::openFile(model.path, options);
    edits.nodeNames = nodeNameEdits(model);
    return openEdited(model, edits, options);
}

Result<Session> openExport(const Model& original, const std::filesystem::path& written, SessionOptions options)
{
    options.customOps = customOpLibraries(original);
    return Session::openFile(written, options);
}

} // namespace duo
