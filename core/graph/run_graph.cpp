// SPDX-License-Identifier: Apache-2.0
#include "core/graph/run_graph.h"

#include "core/analysis/kernel_origins.h"
#include "core/analysis/optimized_graph.h"
#include "core/engine/find_value_types.h"
#include "core/engine/session.h"
#include "core/graph/containment.h"
#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/model/random_operators.h"
#include "core/model/value_address.h"
#include "core/onnx/external_files.h"
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"
#include "core/support/sorted.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

using NodeLists = std::vector<std::vector<NodeId>>;

constexpr auto kPrecisionTexts = enumTexts<KernelPrecision::Quantizer>({"float", "int8", "quantizer"});

std::vector<NodeId> joined(const NodeLists& lists, const std::vector<NodeId>& of)
{
    std::vector<NodeId> nodes;
    for (const NodeId each : of)
        nodes.insert(nodes.end(), lists[each.index].begin(), lists[each.index].end());
    sortUniqueInPlace(nodes);
    return nodes;
}

/// [nodes of the export] nodes of the model: the one of that name, and what was folded into it.
NodeLists nodesOfExport(const Model& model, const Model& exported)
{
    NodeLists nodes = kernelOrigins(model, exported);
    for (std::size_t e = 0; e < exported.nodes.size(); ++e) {
        const NodeId same = model.findNode(exported.nodes[e].name);
        if (!same.valid()) {
            nodes[e].clear(); // put in by the export
            continue;
        }
        nodes[e].push_back(same);
        sortUniqueInPlace(nodes[e]);
    }
    return nodes;
}

/// [nodes] whether nothing that the model is given goes into it: the engine computes it beforehand.
std::vector<bool> worksOnConstants(const Model& model)
{
    std::vector<bool> works(model.nodes.size(), false);
    const auto isConstant = [&](ValueId id) {
        const Value& value = model.value(id);
        return value.initializer.valid() || (value.producer.valid() && works[value.producer.index]);
    };
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        const bool isChance = isRandomOperator(node.opType) || node.opType == "Dropout";
        bool hasInputs = isConstantNode(node);
        bool isOnConstants = !isChance && !hasBodies(node) && !node.isCall;
        for (const ValueId input : node.inputs) {
            hasInputs = hasInputs || input.valid();
            isOnConstants = isOnConstants && (!input.valid() || isConstant(input));
        }
        works[id.index] = hasInputs && isOnConstants;
    }
    return works;
}

/// Calls are inlined by the engine under names of its own: where a kernel reads such a value, the way back through the
/// call has no end, and only the node that gives the same value is told.
void forgetCallsInPlace(const Model& base, const Model& kernels, NodeLists& origins)
{
    for (std::size_t k = 0; k < origins.size(); ++k) {
        const Node& kernel = kernels.nodes[k];
        const bool isInCalls
            = std::ranges::any_of(origins[k], [&](NodeId node) { return base.isInFunction(base.node(node)); });
        const bool readsUnknown = isInCalls && std::ranges::any_of(kernel.inputs, [&](ValueId input) {
            return input.valid() && kernels.value(input).producer.valid()
                && !base.findValue(addressOf(kernels, input)).valid();
        });
        if (!readsUnknown)
            continue;
        std::vector<NodeId> given;
        for (const ValueId output : kernel.outputs) {
            const ValueId known = output.valid() ? base.findValue(addressOf(kernels, output)) : ValueId();
            if (known.valid() && base.value(known).producer.valid())
                given.push_back(base.value(known).producer);
        }
        std::erase_if(origins[k], [&](NodeId node) {
            return base.isInFunction(base.node(node))
                && (base.node(node).opType != kernel.opType || std::ranges::find(given, node) == given.end());
        });
    }
}

void findOriginsInPlace(RunGraph& run, const Model& model, const Model* exported)
{
    const Model& kernels = *run.kernels;
    NodeLists origins = kernelOrigins(exported ? *exported : model, kernels);
    forgetCallsInPlace(exported ? *exported : model, kernels, origins);
    run.isAdded.assign(origins.size(), false);
    if (exported) {
        const NodeLists nodes = nodesOfExport(model, *exported);
        for (std::size_t k = 0; k < origins.size(); ++k) {
            const bool isKnown = !origins[k].empty();
            origins[k] = joined(nodes, origins[k]);
            run.isAdded[k] = isKnown && origins[k].empty();
        }
    }
    const std::vector<bool> isFolded = worksOnConstants(model);
    run.kernelsOf.resize(model.nodes.size());
    for (std::size_t k = 0; k < origins.size(); ++k) {
        std::erase_if(origins[k], [&](NodeId node) { return !isDrawn(model, node); });
        if (!std::ranges::all_of(origins[k], [&](NodeId node) { return isFolded[node.index]; }))
            std::erase_if(origins[k], [&](NodeId node) { return isFolded[node.index]; });
        for (const NodeId node : origins[k])
            run.kernelsOf[node.index].emplace_back(k);
    }
    run.origins = std::move(origins);
}

/// Where kernels stand.
class ScopeFinder
{
public:
    ScopeFinder(const RunGraph& run, const Scopes& scopes)
        : m_run(run)
        , m_scopes(scopes)
        , m_depth(scopes.execution.scopes.size(), 0)
        , m_found(run.kernels->nodes.size())
    {
        for (std::size_t s = 1; s < m_depth.size(); ++s)
            m_depth[s] = m_depth[scopes.execution.scopes[s].parent.index] + 1;
    }

    /// [kernels]; what came from no node stands with what reads it, else with what it reads.
    std::vector<ScopeId> find()
    {
        const Model& kernels = *m_run.kernels;
        for (std::size_t k = 0; k < m_found.size(); ++k)
            m_found[k] = scopeOf(m_run.origins[k]);
        for (auto id = kernels.order.rbegin(); id != kernels.order.rend(); ++id) {
            for (const ValueId output : kernels.node(*id).outputs) {
                for (const Use& use : output.valid() ? kernels.value(output).uses : std::vector<Use>())
                    takeFrom(*id, use.node);
            }
        }
        for (const NodeId id : kernels.order) {
            for (const ValueId input : kernels.node(id).inputs) {
                if (input.valid() && kernels.value(input).producer.valid())
                    takeFrom(id, kernels.value(input).producer);
            }
            if (!m_found[id.index].valid())
                m_found[id.index] = ScopeId(0);
        }
        return std::move(m_found);
    }

private:
    void takeFrom(NodeId kernel, NodeId neighbour)
    {
        if (!m_found[kernel.index].valid())
            m_found[kernel.index] = m_found[neighbour.index];
    }

    /// The deepest that holds all of the nodes; invalid for none.
    [[nodiscard]] ScopeId scopeOf(const std::vector<NodeId>& nodes) const
    {
        ScopeId common;
        for (const NodeId node : nodes) {
            ScopeId other = m_scopes.nodes[node.index].executionScope;
            if (!common.valid())
                common = other;
            while (common != other) {
                ScopeId& deeper = m_depth[common.index] >= m_depth[other.index] ? common : other;
                deeper = m_scopes.execution.scope(deeper).parent;
            }
        }
        return common;
    }

    const RunGraph& m_run;
    const Scopes& m_scopes;
    std::vector<std::uint32_t> m_depth; // [scopes]
    std::vector<ScopeId> m_found; // [kernels]
};

/// @param found [kernels] scopes that they stand in
std::shared_ptr<const Scopes> scopesOfKernels(const std::vector<ScopeId>& found, const Scopes& scopes)
{
    auto result = std::make_shared<Scopes>();
    result->execution = scopes.execution;
    for (Scope& scope : result->execution.scopes) {
        scope.nodes.clear();
        scope.totalNodes = 0;
    }
    result->nodes.resize(found.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
        Scope& scope = result->execution.scopes[found[k].index];
        scope.nodes.emplace_back(k);
        ++scope.totalNodes;
        result->nodes[k].executionScope = found[k];
        result->nodes[k].execution = scope.path;
    }
    auto& tree = result->execution.scopes;
    for (std::size_t s = tree.size(); s-- > 1;)
        tree[tree[s].parent.index].totalNodes += tree[s].totalNodes;
    return result;
}

/// Follows codes from where they are made.
class PrecisionFinder
{
public:
    explicit PrecisionFinder(const Model& kernels)
        : m_kernels(kernels)
        , m_isCode(kernels.values.size(), false)
    {
    }

    std::vector<KernelPrecision> find()
    {
        std::vector<KernelPrecision> found(m_kernels.nodes.size(), KernelPrecision::Float);
        for (const NodeId id : m_kernels.order)
            found[id.index] = precisionOf(m_kernels.node(id));
        return found;
    }

private:
    KernelPrecision precisionOf(const Node& node)
    {
        if (isQuantizer(node) || node.opType == "DynamicQuantizeLinear") {
            mark(node, node.opType == "DequantizeLinear" ? 0 : 1);
            return KernelPrecision::Quantizer;
        }
        if (worksOnCodes(node)) {
            mark(node, givesCodes(node) ? node.outputs.size() : 0);
            return KernelPrecision::Int8;
        }
        constexpr std::array<std::string_view, 3> kMakesOthers{"Cast", "Shape", "Size"};
        const bool handsOn = !hasBodies(node) && !node.inputs.empty() && node.inputs[0].valid()
            && m_isCode[node.inputs[0].index] && std::ranges::find(kMakesOthers, node.opType) == kMakesOthers.end();
        if (!handsOn)
            return KernelPrecision::Float;
        mark(node, node.outputs.size());
        return KernelPrecision::Int8;
    }

    void mark(const Node& node, std::size_t outputs)
    {
        for (std::size_t port = 0; port < std::min(outputs, node.outputs.size()); ++port) {
            if (node.outputs[port].valid())
                m_isCode[node.outputs[port].index] = true;
        }
    }

    const Model& m_kernels;
    std::vector<bool> m_isCode; // [values]
};

Placement placementOf(const std::vector<KernelPrecision>& precision)
{
    Placement placement;
    placement.decisions = Decisions(precision.size());
    for (std::size_t k = 0; k < precision.size(); ++k) {
        if (precision[k] != KernelPrecision::Float)
            placement.decisions[k].state = NodeState::Quantized;
    }
    return placement;
}

/// Ids of passes by the names of nodes that they took out or changed.
std::unordered_map<std::string_view, std::string> passesByNode(const TransformReport& report)
{
    std::unordered_map<std::string_view, std::string> passes;
    for (const PassReport& pass : report.passes) {
        for (const TransformedNode& node : pass.applied) {
            std::string& text = passes[node.name];
            text += (text.empty() ? "" : ", ") + pass.id;
        }
    }
    return passes;
}

/// [nodes of `opened`] nodes of `model` that they are now, or a part of.
NodeLists nodesNow(const Model& model, const Model& opened)
{
    NodeLists now(opened.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (const NodeId same = nodeBefore(opened, model.nodes[n]); same.valid())
            now[same.index].emplace_back(n);
    }
    const NodeLists stayed = now;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        for (const std::string_view name : fusedNames(model.nodes[n])) {
            const NodeId part = opened.findNode(name);
            if (part.valid() && stayed[part.index].empty())
                now[part.index].emplace_back(n);
        }
    }
    return now;
}

/// The scope of a path, or the nearest one around it that there is.
ScopeId scopeAround(const ScopeTree& tree, std::string path)
{
    ScopeId found = tree.find(path);
    while (!found.valid() && !path.empty()) {
        const std::string::size_type slash = path.rfind('/');
        path.resize(slash == std::string::npos ? 0 : slash);
        found = tree.find(path);
    }
    return found.valid() ? found : ScopeId(0);
}

bool hasCalls(const Model& model)
{
    return std::ranges::any_of(model.nodes, &Node::isCall);
}

/// An export of a model whose calls were written out has its functions again: written out likewise its nodes have the
/// names of the model's, and the engine runs the same. Null where there are none, or they stay.
std::shared_ptr<const Model> withoutCalls(const std::shared_ptr<const Model>& exported, const JobContext& job)
{
    std::set<FunctionName> functions;
    for (const LocalFunction& function : localFunctions(*exported))
        functions.emplace(function.domain, function.name);
    if (functions.empty())
        return nullptr;
    const auto written = inlinedModel(exported, functions, job);
    return written ? written->model : nullptr;
}

/// An export has the nodes of its model, but for those that were folded into others.
Status checkIsExport(const Model& model, const Model& exported)
{
    std::size_t wanted = 0;
    std::size_t there = 0;
    for (const Node& node : model.nodes) {
        wanted += isConstantNode(node) ? 0 : 1;
        there += !isConstantNode(node) && exported.findNode(node.name).valid() ? 1 : 0;
    }
    if (2 * there >= wanted)
        return success();
    return Error{ErrorCode::BadData, "no export of this model: it lacks most of its nodes", exported.path.string(),
        "name a file that was exported from " + model.path.filename().string()};
}

} // namespace

std::string_view kernelPrecisionText(KernelPrecision precision)
{
    return enumText(kPrecisionTexts, precision);
}

std::int64_t RunGraph::count() const
{
    std::int64_t drawn = 0;
    for (std::size_t k = 0; k < precision.size(); ++k)
        drawn += isDrawn(*kernels, NodeId(k)) ? 1 : 0;
    return drawn;
}

std::int64_t RunGraph::count(KernelPrecision wanted) const
{
    return std::ranges::count(precision, wanted);
}

std::vector<NodeId> RunGraph::kernelsFrom(const std::vector<NodeId>& nodes) const
{
    return joined(kernelsOf, nodes);
}

std::vector<NodeId> RunGraph::nodesOf(const std::vector<NodeId>& from) const
{
    return joined(origins, from);
}

RunGraph openedGraph(const Model& model, const Scopes& scopes, std::shared_ptr<const Model> opened,
    const Scopes& openedScopes, const TransformReport& report)
{
    RunGraph graph;
    graph.kernels = std::move(opened);
    graph.origins = nodesNow(model, *graph.kernels);
    graph.kernelsOf.resize(model.nodes.size());
    const auto passes = passesByNode(report);
    std::vector<ScopeId> found;
    for (std::size_t n = 0; n < graph.origins.size(); ++n) {
        const std::string& name = graph.kernels->nodes[n].name;
        const bool stays = !graph.origins[n].empty()
            && nodeBefore(*graph.kernels, model.node(graph.origins[n].front())) == NodeId(n);
        for (const NodeId node : graph.origins[n])
            graph.kernelsOf[node.index].emplace_back(n);
        found.push_back(stays ? scopes.nodes[graph.origins[n].front().index].executionScope
                              : scopeAround(scopes.execution, openedScopes.nodes[n].execution));
        const auto by = passes.find(name);
        std::string fate = graph.kernels->nodes[n].isCall ? "is written out"
            : stays                                       ? by == passes.end() ? "stays" : "changes"
            : graph.origins[n].empty()                    ? "goes"
                                                          : "joins";
        graph.fates.push_back(by == passes.end() ? fate : fate + ": " + by->second);
    }
    graph.scopes = scopesOfKernels(found, scopes);
    graph.isAdded.assign(graph.origins.size(), false);
    graph.precision.assign(graph.origins.size(), KernelPrecision::Float);
    graph.placement = placementOf(graph.precision);
    graph.of = graph.kernels->path.filename().string();
    return graph;
}

RunGraph runGraph(const Model& model, const Scopes& scopes, const Model* exported, std::shared_ptr<const Model> kernels)
{
    RunGraph run;
    run.kernels = std::move(kernels);
    findOriginsInPlace(run, model, exported);
    run.scopes = scopesOfKernels(ScopeFinder(run, scopes).find(), scopes);
    run.precision = PrecisionFinder(*run.kernels).find();
    run.placement = placementOf(run.precision);
    run.of = (exported ? *exported : model).path.filename().string();
    run.isOfExport = exported != nullptr;
    return run;
}

namespace {

/// Of the values of kernels: with the shapes that those of the same names have in the model they were made of, as the
/// engine writes down none.
Result<std::vector<ValueType>> typesOfKernels(const Model& kernels, const Model& written, const JobContext& job)
{
    DUO_TRY(known, findValueTypes(written, job));
    std::vector<ValueType> types;
    for (const Value& value : kernels.values) {
        types.push_back(value.type);
        const ValueId same = written.findValue(value.name);
        if (!value.type.shape && same.valid())
            types.back().shape = known.of(same).shape;
    }
    return types;
}

} // namespace

Result<std::shared_ptr<const RunGraph>> findRunGraph(
    const Model& model, const Scopes& scopes, const std::filesystem::path& exported, const JobContext& job)
{
    if (!model.format->canRun())
        return Error{ErrorCode::Unsupported, "only ONNX models are run", model.path.string(), {}};
    job.tell({"optimize", 0, 0});
    if (exported.empty()) {
        DUO_TRY(kernels, optimizedModel(model, job));
        return std::make_shared<const RunGraph>(runGraph(model, scopes, nullptr, std::move(kernels)));
    }
    DUO_TRY(written, readModel(exported, ReadOptions{{}, customOpLibraries(model)}, job));
    const auto flat = hasCalls(model) ? nullptr : withoutCalls(written, job);
    if (job.stopped())
        return cancelledError();
    if (flat)
        written = flat;
    DUO_CHECK(checkIsExport(model, *written));
    DUO_TRY(kernels, flat ? optimizedModel(*flat, job) : optimizedExport(model, exported, job));
    RunGraph run = runGraph(model, scopes, written.get(), std::move(kernels));
    DUO_TRY(types, typesOfKernels(*run.kernels, *written, job));
    run.types = std::move(types);
    return std::make_shared<const RunGraph>(std::move(run));
}

std::string originText(const RunGraph& run, NodeId kernel)
{
    const std::size_t count = run.origins[kernel.index].size();
    if (count > 1)
        return "fused from " + nodesText(count);
    if (count == 1)
        return "one of the model's nodes";
    return run.isAdded[kernel.index] ? "put in by the export" : "what it came from is not known";
}

std::string runText(const RunGraph& run)
{
    const auto known = std::ranges::count_if(run.kernelsOf, [](const auto& kernels) { return !kernels.empty(); });
    const std::int64_t int8 = run.count(KernelPrecision::Int8);
    const std::int64_t quantizers = run.count(KernelPrecision::Quantizer);
    std::string text = run.of + " in ONNX Runtime " + engineVersion() + ": "
        + counted(static_cast<std::size_t>(run.count()), "kernel", "kernels") + " for "
        + nodesText(static_cast<std::size_t>(known));
    if (int8 + quantizers > 0)
        text += ", " + countText(int8) + " in int8, "
            + counted(static_cast<std::size_t>(quantizers), "quantizer", "quantizers");
    return text;
}

} // namespace duo
