// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/read_setup.h"

#include "core/formats/file_formats.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/scope/scope.h"
#include "core/state/compression_state.h"
#include "core/state/state_file.h"
#include "core/state/state_versions.h"
#include "core/support/file.h"

#include <utility>

namespace duo {
namespace {

Result<ComparableSetup> setupInText(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    if (text.find(kStateFormat) == std::string::npos) {
        DUO_TRY(recipe, parseRecipe(text, path.string()));
        return comparableSetup(recipe);
    }
    DUO_TRY(state, StateText::parse(text, path.string()));
    return comparableSetup(state.recorded());
}

} // namespace

Result<ComparableSetup> readSetup(const std::filesystem::path& path, const ReadOptions& options, const JobContext& job)
{
    if (isRecipeName(path))
        return setupInText(path);
    DUO_TRY(model, readModelFile(path, options, job));
    return comparableSetup(*model, findScopes(*model));
}

Result<SetupDifference> compareSetups(const std::filesystem::path& first, const std::filesystem::path& second,
    const ReadOptions& options, const JobContext& job)
{
    DUO_TRY(a, readSetup(first, options, job));
    DUO_TRY(b, readSetup(second, options, job));
    if ((a.source == SetupSource::Model) != (b.source == SetupSource::Model))
        return Error{ErrorCode::Usage, "a model is not comparable with a recipe or state", second.string(),
            "name two models, or the states that lie beside them"};
    return differenceOf(std::move(a), std::move(b));
}

SetupDifference differenceOf(ComparableSetup first, ComparableSetup second)
{
    if (first.source != second.source) {
        for (ComparableSetup* setup : {&first, &second}) {
            setup->quantizers.clear();
            setup->corrections.clear();
            setup->facts.clear();
        }
    }
    return setupDifference(first, second);
}

} // namespace duo
