// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/inline_model.h"

#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/scope.h"
#include "core/scope/scope_record.h"

#include <algorithm>
#include <set>
#include <utility>

namespace duo {
namespace {

Result<std::set<FunctionName>> wantedFunctions(
    const InlineRequest& request, const std::vector<LocalFunction>& functions)
{
    std::set<FunctionName> wanted;
    for (const std::string& name : request.functions) {
        const std::size_t before = wanted.size();
        for (const LocalFunction& function : functions) {
            if (function.name == name)
                wanted.emplace(function.domain, name);
        }
        if (wanted.size() == before)
            return Error{ErrorCode::Usage, "the model has no function of this name", name,
                "see duoscope-cli inline MODEL --dry-run"};
    }
    if (!request.functions.empty())
        return wanted;
    const bool isAnyOutlined = std::ranges::any_of(functions, &LocalFunction::isOutlined);
    for (const LocalFunction& function : functions) {
        if (request.all || function.isOutlined || !isAnyOutlined)
            wanted.emplace(function.domain, function.name);
    }
    return wanted;
}

/// Nothing else may tell the scopes that calls of functions of others told: the record of them goes into the model.
/// @return `made`, if the trees of `model` were no guess
Result<std::shared_ptr<const Model>> withScopes(const std::shared_ptr<const Model>& model,
    const std::set<FunctionName>& written, std::shared_ptr<const Model> made, const JobContext& job)
{
    const Scopes scopes = findScopes(*model);
    if (!scopes.facts->namesScopes)
        return made;
    DUO_TRY(named, inlinedModel(model, written, job, NamesBefore::AreKept));
    EditList told;
    told.metadata.emplace_back(kScopeRecordKey, carriedRecordText(*model, scopes, *named.model));
    return convertedModel(made, told, {}, job);
}

} // namespace

Result<InlinedFile> inlineFile(
    const std::filesystem::path& path, const ReadOptions& options, const InlineRequest& request, const JobContext& job)
{
    DUO_TRY(model, readModelFile(path, options, job));
    DUO_CHECK(checkCanRun(*model));
    std::vector<LocalFunction> functions = localFunctions(*model);
    DUO_TRY(wanted, wantedFunctions(request, functions));
    DUO_TRY(inlined, inlinedModel(model, wanted, job));
    const bool hasRecord = !metadataValue(model->metadata, kScopeRecordKey).empty();
    if (inlined.calls > 0 && !hasRecord) {
        DUO_TRY(told, withScopes(model, wanted, inlined.model, job));
        inlined.model = std::move(told);
    }
    return InlinedFile{std::move(functions), std::move(inlined)};
}

} // namespace duo
