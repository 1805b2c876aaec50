// SPDX-License-Identifier: Apache-2.0
#include "core/engine/open_model.h"

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

} // namespace

Result<Session> openModel(const Model& model, const std::vector<std::string>& values)
{
    EditList edits;
    edits.extraOutputs = valuesThatAreNoOutputs(model, values);
    SessionOptions options;
    options.externalFiles = externalFiles(model);
    if (edits.extraOutputs.empty() && !hasRepeatedName(model) && !model.path.empty() && options.externalFiles.empty())
        return Session::openFile(model.path, options);
    edits.nodeNames = nodeNameEdits(model);
    DUO_TRY(bytes, modelBytes(model, edits));
    return Session::openBytes(bytes, options);
}

} // namespace duo
