// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/functions_check.h"

#include "core/engine/open_model.h"
#include "core/engine/session.h"
#include "core/model/held_tensors.h"
#include "core/onnx/writer.h"
#include "core/outline/same_attribute.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kShown = 4; // names

/// "; calls that are not alike: Block_2 (1 call: enc/blk#3)": what functions further bodies of one class are, whose
/// calls are not quantized, or not made, as most are. "" for none.
std::string specializedText(const OutlinePlan& plan)
{
    std::vector<std::vector<std::size_t>> calls(plan.functions.size());
    for (std::size_t c = 0; c < plan.edits.calls.size(); ++c)
        calls[plan.edits.calls[c].function].push_back(c);
    std::map<std::string, std::vector<std::size_t>> functions; // by class
    for (std::size_t f = 0; f < plan.functions.size(); ++f) {
        if (!plan.functions[f].className.empty())
            functions[plan.functions[f].className].push_back(f);
    }
    std::vector<std::string> further;
    for (auto& [name, bodies] : functions) {
        const auto most = std::ranges::max_element(bodies, {}, [&](std::size_t f) { return calls[f].size(); });
        bodies.erase(most);
        for (const std::size_t f : bodies) {
            const std::size_t first = calls[f].back(); // they stand in reverse
            const std::string& call = plan.edits.calls[first].name;
            further.push_back(plan.edits.functions[f].name + " (" + counted(calls[f].size(), "call", "calls") + ": "
                + (call.empty() ? plan.scopes[first] : call) + (calls[f].size() > 1 ? " ..." : "") + ")");
        }
    }
    return further.empty() ? std::string() : "; calls that are not alike have others: " + firstOf(further, kShown);
}

/// Scales and zero points of activations.
std::unordered_set<ValueId> activationScales(const Model& model)
{
    std::unordered_set<ValueId> scales;
    for (const Node& node : model.nodes) {
        if (node.opType != "QuantizeLinear")
            continue;
        for (std::size_t port = 1; port < node.inputs.size(); ++port)
            scales.insert(node.inputs[port]);
    }
    return scales;
}

/// "; each call of Block has its own scales; all calls of Dense have the same scales": of activations, in functions
/// with several calls. "" for none.
std::string scalesText(const Model& model, const OutlinePlan& plan)
{
    const auto scales = activationScales(model);
    std::vector<std::vector<const OutlinedCall*>> calls(plan.functions.size());
    for (const OutlinedCall& call : plan.edits.calls)
        calls[call.function].push_back(&call);
    std::vector<std::string> own, shared;
    for (std::size_t f = 0; f < calls.size(); ++f) {
        bool hasAny = false;
        bool isShared = true;
        for (std::size_t i = 0; i < plan.edits.functions[f].inputs.size() && calls[f].size() > 1; ++i) {
            const ValueId first = calls[f].front()->inputs[i];
            if (!scales.contains(first))
                continue;
            hasAny = true;
            isShared = isShared && std::ranges::all_of(calls[f], [&](const OutlinedCall* call) {
                return isSameContent(model, heldTensor(model, first), heldTensor(model, call->inputs[i]));
            });
        }
        if (hasAny)
            (isShared ? shared : own).push_back(plan.edits.functions[f].name);
    }
    std::string text;
    if (!own.empty())
        text += "; each call of " + firstOf(own, kShown) + " has its own scales";
    if (!shared.empty())
        text += "; all calls of " + firstOf(shared, kShown) + " have the same scales";
    return text;
}

/// "; not enc/blk: a path leaves it, and 2 more"; "" where nothing was refused.
std::string refusalText(const OutlinePlan& plan)
{
    if (plan.refusals.empty())
        return {};
    const std::string text = "; not " + plan.refusals.front().scope + ": " + plan.refusals.front().why;
    return plan.refusals.size() == 1 ? text : text + ", and " + std::to_string(plan.refusals.size() - 1) + " more";
}

Check withoutFunctions(const Error& error)
{
    return {"functions", false, "no functions were made: " + error.line(), {}};
}

} // namespace

Check functionsCheck(const OutlinedFile& outlined)
{
    const OutlinePlan& plan = outlined.plan;
    Check check{"functions", !plan.functions.empty(),
        counted(plan.functions.size(), "function", "functions") + " with "
            + counted(plan.scopes.size(), "call", "calls") + specializedText(plan)
            + scalesText(*outlined.original, plan) + refusalText(plan),
        {}};
    for (const OutlineRefusal& refusal : plan.refusals)
        check.nodes.push_back(refusal.scope);
    return check;
}

Check functionsAgainCheck(const OutlinedFile& outlined)
{
    const OutlinePlan& plan = outlined.plan;
    Check check = functionsCheck(outlined);
    check.ok = true;
    if (plan.functions.empty())
        check.message = "the functions of the model are written out" + refusalText(plan);
    else
        check.message = "as the model came with them, " + check.message;
    return check;
}

Result<std::optional<Check>> makeFunctions(
    const Snapshot& snapshot, const std::filesystem::path& file, std::int64_t& bytes, const JobContext& job)
{
    if (!wantsFunctions(snapshot))
        return std::optional<Check>();
    const bool isAgain = wantsFunctionsAgain(snapshot);
    auto outlined = isAgain ? withFunctionsAgain(file, *snapshot.opened, job)
                            : outlineFile(file, {}, snapshot.recipe.functions, false, job);
    if (job.stopped())
        return cancelledError();
    if (!outlined)
        return std::optional(withoutFunctions(outlined.error()));
    const Check check = isAgain ? functionsAgainCheck(*outlined) : functionsCheck(*outlined);
    if (outlined->plan.functions.empty())
        return std::optional(check);
    DUO_TRY(staged, StagedExport::beside(file));
    DUO_TRY(files, writeModel(*outlined->model, {}, staged.model(), job));
    const auto session = openExport(*snapshot.model, staged.model(), {.stop = job.stop});
    if (job.stopped())
        return cancelledError();
    if (!session && hasNoAnswer(session.error().code))
        return session.error();
    if (!session)
        return std::optional(withoutFunctions(session.error()));
    DUO_CHECK(staged.putInPlace());
    bytes = files.bytes;
    return std::optional(check);
}

} // namespace duo
