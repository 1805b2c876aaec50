// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/written_out_calls.h"

#include "core/onnx/absent_data.h"
#include "core/onnx/outlined_model.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <set>
#include <utility>

namespace duo {

namespace {

std::shared_ptr<const Model> withRaisedNote(const Inlined& written)
{
    auto told = std::make_shared<Model>(*written.model);
    told->notes.push_back({kOpsetsJoined, raisedText(written.raised), {}});
    return told;
}

} // namespace

bool hasCallsToWriteOut(const Model& model)
{
    return model.source && std::ranges::any_of(model.nodes, &Node::isCall)
        && std::ranges::find(model.notes, kCallsStay, &Note::kind) == model.notes.end();
}

Result<std::shared_ptr<const Model>> withCallsWrittenOut(
    const std::shared_ptr<const Model>& model, const JobContext& job)
{
    if (!hasCallsToWriteOut(*model) || !checkHasData(*model))
        return model;
    std::set<FunctionName> all;
    for (const LocalFunction& function : localFunctions(*model))
        all.emplace(function.domain, function.name);
    auto written = inlinedModel(model, all, job, NamesBefore::AreKept);
    if (written)
        return written->raised.empty() ? std::move(written->model) : withRaisedNote(*written);
    if (written.error().code == ErrorCode::Cancelled)
        return written.error();
    auto kept = std::make_shared<Model>(*model);
    const Error& error = written.error();
    kept->notes.insert(
        kept->notes.begin(), {kCallsStay, "what is inside functions stays as it is: " + error.what, error.where});
    return std::shared_ptr<const Model>(std::move(kept));
}

std::string callsText(const Model& model)
{
    std::set<std::pair<std::string_view, std::string_view>> functions;
    std::size_t calls = 0;
    for (const Node& node : model.nodes) {
        if (!node.isCall)
            continue;
        ++calls;
        functions.emplace(node.domain, node.opType);
    }
    return counted(calls, "call", "calls") + " of " + counted(functions.size(), "function", "functions");
}

} // namespace duo
