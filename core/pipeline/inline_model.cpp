// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/inline_model.h"

#include "core/pipeline/snapshot/read_model_file.h"

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

} // namespace

Result<InlinedFile> inlineFile(
    const std::filesystem::path& path, const ReadOptions& options, const InlineRequest& request, const JobContext& job)
{
    DUO_TRY(model, readModelFile(path, options, job));
    DUO_CHECK(checkCanRun(*model));
    std::vector<LocalFunction> functions = localFunctions(*model);
    DUO_TRY(wanted, wantedFunctions(request, functions));
    DUO_TRY(inlined, inlinedModel(model, wanted, job));
    return InlinedFile{std::move(functions), std::move(inlined)};
}

} // namespace duo
