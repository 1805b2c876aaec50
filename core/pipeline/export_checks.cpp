// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_checks.h"

#include "core/analysis/fallback.h"
#include "core/analysis/fusion_probe.h"
#include "core/engine/open_model.h"
#include "core/engine/run_limit.h"
#include "core/model/op_facts.h"
#include "core/onnx/reader.h"
#include "core/pipeline/unfused.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/profile_rules.h"
#include "core/report/decision_sentences.h"
#include "core/support/freed_memory.h"
#include "core/support/phrases.h"
#include "core/transform/pass.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

/// @return an engine that crashes twice, which is no verdict on the file
Result<Check> loads(
    const Model& original, const std::filesystem::path& written, std::optional<Session>& opened, const JobContext& job)
{
    auto session = openExport(original, written, {.stop = job.stop});
    if (session) {
        opened = *std::move(session);
        return Check{"loads", true, "ONNX Runtime " + engineVersion() + " loads it", {}};
    }
    if (job.stopped())
        return cancelledError();
    if (hasNoAnswer(session.error().code))
        return session.error();
    std::string why = session.error().line();
    const std::string path = written.string(); // of a file that is not in its place yet
    for (std::size_t at = why.find(path); at != std::string::npos; at = why.find(path))
        why.replace(at, path.size(), written.filename().string());
    return Check{"loads", false, std::move(why), {}};
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

struct Probed {
    std::vector<NodeId> ignored;
    std::vector<NodeId> planned; // to run in int8; what the file quantizes itself is not ours to promise
};

Probed nodesToProbe(const Model& model, const Model& original, const Placement& placement)
{
    Probed probed;
    for (const NodeId id : model.order) {
        const Decision& decision = placement.decisions[id.index];
        if (isIgnored(decision.state) && original.findNode(model.node(id).name).valid())
            probed.ignored.push_back(id);
        else if (decision.state == NodeState::Quantized && decision.kind() != ReasonKind::FileQuantizer)
            probed.planned.push_back(id);
    }
    return probed;
}

Check ignoredFloat(const Model& model, const Probed& probed, const std::map<NodeId, NodeKernel>& kernels)
{
    std::vector<std::string> wrong;
    for (const NodeId id : probed.ignored) {
        if (kernels.at(id).kernel == Kernel::Int8)
            wrong.push_back(model.node(id).name);
    }
    if (probed.ignored.empty())
        return {"ignored-float", true, "no rule keeps nodes in float", {}};
    if (wrong.empty())
        return {"ignored-float", true,
            counted(probed.ignored.size(), "ignored node stays", "ignored nodes stay") + " in float", {}};
    return {"ignored-float", false,
        counted(wrong.size(), "node that is to stay in float runs", "nodes that are to stay in float run") + " in int8",
        std::move(wrong)};
}

NodeRun runOf(
    const Model& written, const KnownRanks& ranks, const Node& node, const Decision& decision, const NodeKernel& kernel)
{
    NodeRun run{node.name, RunsAs::Int8, kernel.opType, {}, {}};
    if (kernel.kernel != Kernel::Int8) {
        run.runs = kernel.kernel == Kernel::Float ? RunsAs::Float : RunsAs::Gone;
        const NodeId id = written.findNode(node.name);
        run.fallback = id.valid() ? fallbackOf(written, ranks, id) : Fallback::Unknown;
        run.reason = fallbackText(*run.fallback, node);
    }
    run.as = plannedAs(node, decision, run.fallback);
    return run;
}

Check int8Kernels(
    const Snapshot& snapshot, const Model& written, const Probed& probed, const std::map<NodeId, NodeKernel>& kernels)
{
    const Model& model = *snapshot.model;
    const KnownRanks ranks(written);
    Check check{"int8-kernels", false, {}, {}};
    std::size_t products = 0;
    std::size_t wide = 0;
    for (const NodeId id : probed.planned) {
        NodeRun run = runOf(written, ranks, model.node(id), snapshot.placement->decisions[id.index], kernels.at(id));
        const bool isPromised = run.as == PlannedAs::Product;
        products += isPromised ? 1 : 0;
        wide += run.fallback == Fallback::WideCodes && hasInt8Product(model.node(id)) ? 1 : 0;
        if (isPromised && run.runs != RunsAs::Int8)
            check.nodes.push_back(run.node);
        check.results.push_back(std::move(run));
    }
    const std::size_t running = products - check.nodes.size();
    check.ok = running * 20 >= products * 19;
    check.message
        = countText(running) + " of " + countText(products) + " quantized Conv, Gemm and MatMul run as int8 kernels";
    if (wide != 0)
        check.message += ", " + countText(wide) + " with 16-bit codes in float";
    if (!check.ok && targetOf(snapshot.recipe.quantization).likeNncf)
        check.message += "; NNCF's placement and types do not suit them: leave nncf_compatible out for speed";
    return check;
}

/// Nothing where no bound is asked for, or known of what the model is for: the target of its transforms, else its
/// profile.
std::optional<Check> opset(const Snapshot& snapshot, const Model& written)
{
    const auto& transforms = snapshot.recipe.transforms;
    if (transforms && transforms->opset > 0)
        return Check{"opset", written.opset() <= transforms->opset,
            "it is written in opset " + std::to_string(written.opset()) + ", and the recipe asks for "
                + std::to_string(transforms->opset) + " at most",
            {}};
    std::string_view name = transforms ? std::string_view(transforms->target) : std::string_view();
    if (name.empty())
        name = profileText(snapshot.recipe.quantization.profile);
    const TransformTarget* target = findTarget(name);
    if (target == nullptr || target->opset == 0)
        return std::nullopt;
    const bool isRead = written.opset() <= target->opset;
    std::string message = readsUpToText(written.opset(), name, target->opset);
    if (!isRead && (!transforms || transforms->target.empty()))
        message += "; transforms.target of the recipe has it written in older operators where they are there";
    return Check{"opset", isRead, std::move(message), {}};
}

/// What the written file holds, and how it runs.
struct FileChecks {
    std::vector<Check> ofFile;
    std::vector<Check> ofRun;
};

/// @param kernels of `probed`; null: they are not known
Result<FileChecks> checkFile(const Snapshot& snapshot, const EditList& edits, const std::filesystem::path& written,
    const Probed& probed, const std::map<NodeId, NodeKernel>* kernels, const JobContext& job)
{
    returnFreedMemory(); // of the graph that the engine made of it
    DUO_TRY(model, readModel(written, {}, job));
    FileChecks checks;
    checks.ofFile.push_back(interface(*snapshot.model, *model));
    checks.ofFile.push_back(untouched(*snapshot.model, *model, edits));
    if (auto bounded = opset(snapshot, *model))
        checks.ofFile.push_back(*std::move(bounded));
    if (kernels != nullptr) {
        checks.ofRun.push_back(ignoredFloat(*snapshot.model, probed, *kernels));
        checks.ofRun.push_back(int8Kernels(snapshot, *model, probed, *kernels));
    }
    return checks;
}

/// @return nothing where what ONNX Runtime's CPU provider makes of it says nothing about the target
Result<std::optional<std::map<NodeId, NodeKernel>>> kernelsOf(const Snapshot& snapshot, const QdqEdits& edits,
    const Probed& probed, const std::filesystem::path& written, const JobContext& job)
{
    if (!targetOf(snapshot.recipe.quantization).runsOnOrtCpu)
        return std::optional<std::map<NodeId, NodeKernel>>();
    std::vector<NodeId> nodes = probed.ignored;
    nodes.insert(nodes.end(), probed.planned.begin(), probed.planned.end());
    DUO_TRY(kernels, probeFusion(*snapshot.model, edits, nodes, written, job));
    return std::optional(std::move(kernels));
}

} // namespace

Result<CheckedExport> checkExport(const Snapshot& snapshot, const Model& original, const QdqEdits& edits,
    const std::filesystem::path& written, const JobContext& job)
{
    // One after the other, as each takes much memory: the engine for its kernels, the file as a model, the engine to
    // stay. What it cannot probe it mostly cannot load, which then is what is said.
    const Probed probed = nodesToProbe(*snapshot.model, original, *snapshot.placement);
    auto kernels = kernelsOf(snapshot, edits, probed, written, job);
    if (!kernels && (job.stopped() || hasNoAnswer(kernels.error().code)))
        return std::move(kernels).error();
    const bool areKnown = kernels && *kernels;
    DUO_TRY(checks, checkFile(snapshot, edits.edits, written, probed, areKnown ? &**kernels : nullptr, job));
    CheckedExport checked;
    DUO_TRY(loaded, loads(*snapshot.model, written, checked.session, job));
    checked.checks.push_back(std::move(loaded));
    std::ranges::move(checks.ofFile, std::back_inserter(checked.checks));
    if (!checked.session)
        return checked;
    if (!kernels)
        return std::move(kernels).error();
    std::ranges::move(checks.ofRun, std::back_inserter(checked.checks));
    return checked;
}

} // namespace duo
