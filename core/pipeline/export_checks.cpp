// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_checks.h"

#include "core/analysis/fusion_probe.h"
#include "core/engine/session.h"
#include "core/onnx/reader.h"
#include "core/quantize/profiles/profile_rules.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many)
{
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

Check loads(const std::filesystem::path& written)
{
    auto session = Session::openFile(written, {});
    if (session)
        return {"loads", true, "ONNX Runtime " + engineVersion() + " loads it", {}};
    return {"loads", false, session.error().line(), {}};
}

bool sameType(const ValueType& a, const ValueType& b)
{
    return a.element == b.element && a.shape == b.shape;
}

std::vector<std::string> differences(
    const Model& a, const Model& b, const std::vector<ValueId>& in, const std::vector<ValueId>& out)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::max(in.size(), out.size()); ++i) {
        if (i >= in.size() || i >= out.size())
            names.push_back(i < in.size() ? a.value(in[i]).name : b.value(out[i]).name);
        else if (a.value(in[i]).name != b.value(out[i]).name || !sameType(a.value(in[i]).type, b.value(out[i]).type))
            names.push_back(a.value(in[i]).name);
    }
    return names;
}

Check interface(const Model& original, const Model& written)
{
    auto names = differences(original, written, original.mainGraph().inputs, written.mainGraph().inputs);
    const auto outputs = differences(original, written, original.mainGraph().outputs, written.mainGraph().outputs);
    names.insert(names.end(), outputs.begin(), outputs.end());
    if (names.empty())
        return {"interface", true, "inputs and outputs are as they were", {}};
    return {"interface", false, "inputs or outputs changed: " + names.front(), {}};
}

Check untouched(const Model& original, const Model& written, const EditList& edits)
{
    const std::set<std::string> removed(edits.removedTensors.begin(), edits.removedTensors.end());
    std::size_t same = 0;
    std::vector<std::string> changed;
    for (const TensorId id : original.initializers) {
        const Tensor& tensor = original.tensor(id);
        if (removed.contains(tensor.name))
            continue;
        const ValueId value = written.findValue(tensor.name);
        const Tensor* now = value.valid() ? written.constant(value) : nullptr;
        const bool equal = now != nullptr && now->type == tensor.type && now->dims == tensor.dims
            && std::ranges::equal(now->bytes(), tensor.bytes());
        if (equal)
            ++same;
        else
            changed.push_back(tensor.name);
    }
    if (changed.empty())
        return {"untouched", true, counted(same, "parameter tensor", "parameter tensors") + " kept byte for byte", {}};
    return {"untouched", false, "parameter '" + changed.front() + "' changed though it was not quantized", {}};
}

bool isProduct(const Node& node)
{
    return node.domain.empty() && (node.opType == "Conv" || node.opType == "Gemm" || node.opType == "MatMul");
}

struct Probed {
    std::vector<NodeId> ignored;
    std::vector<NodeId> planned; // Conv, Gemm, MatMul to run in int8
};

Probed nodesToProbe(const Model& model, const Placement& placement)
{
    Probed probed;
    for (const NodeId id : model.mainGraph().nodes) {
        const NodeState state = placement.decisions[id.index].state;
        if (state == NodeState::Ignored || state == NodeState::IgnoredInherited)
            probed.ignored.push_back(id);
        else if (state == NodeState::Quantized && isProduct(model.node(id)))
            probed.planned.push_back(id);
    }
    return probed;
}

std::vector<std::string> namesWhere(
    const Model& model, const std::vector<NodeId>& nodes, const std::map<NodeId, NodeKernel>& kernels, bool int8)
{
    std::vector<std::string> names;
    for (const NodeId id : nodes) {
        if ((kernels.at(id).kernel == Kernel::Int8) == int8)
            names.push_back(model.node(id).name);
    }
    return names;
}

Check ignoredFloat(const Model& model, const Probed& probed, const std::map<NodeId, NodeKernel>& kernels)
{
    auto wrong = namesWhere(model, probed.ignored, kernels, true);
    if (wrong.empty())
        return {"ignored-float", true,
            counted(probed.ignored.size(), "ignored node runs", "ignored nodes run") + " in float", {}};
    return {"ignored-float", false, counted(wrong.size(), "ignored node runs", "ignored nodes run") + " in int8",
        std::move(wrong)};
}

Check int8Kernels(const Model& model, const Probed& probed, const std::map<NodeId, NodeKernel>& kernels)
{
    auto fallen = namesWhere(model, probed.planned, kernels, false);
    const std::size_t running = probed.planned.size() - fallen.size();
    const bool ok = running * 10 >= probed.planned.size() * 9;
    return {"int8-kernels", ok,
        std::to_string(running) + " of " + std::to_string(probed.planned.size())
            + " quantized Conv, Gemm and MatMul run as int8 kernels",
        std::move(fallen)};
}

} // namespace

Result<std::vector<Check>> checkExport(const Snapshot& snapshot, const QdqEdits& edits, const Placement& placement,
    const std::filesystem::path& written, const JobContext& job)
{
    std::vector<Check> checks{loads(written)};
    DUO_TRY(model, readModel(written, {}, job));
    checks.push_back(interface(*snapshot.model, *model));
    checks.push_back(untouched(*snapshot.model, *model, edits.edits));
    if (!checks.front().ok)
        return checks;
    if (job.stopped())
        return cancelledError();
    if (!profileRules(snapshot.recipe.quantization.profile).usesOrtCpuKernels)
        return checks; // what ONNX Runtime's CPU provider makes of it says nothing about the target
    const Probed probed = nodesToProbe(*snapshot.model, placement);
    std::vector<NodeId> nodes = probed.ignored;
    nodes.insert(nodes.end(), probed.planned.begin(), probed.planned.end());
    DUO_TRY(kernels, probeFusion(*snapshot.model, edits, nodes, written, job));
    checks.push_back(ignoredFloat(*snapshot.model, probed, kernels));
    checks.push_back(int8Kernels(*snapshot.model, probed, kernels));
    return checks;
}

} // namespace duo
