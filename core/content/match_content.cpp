// SPDX-License-Identifier: Apache-2.0
#include "core/content/match_content.h"

#include "core/content/decide_owners.h"
#include "core/content/search/find_converted.h"
#include "core/content/search/find_equal.h"
#include "core/content/search/find_gates.h"
#include "core/content/search/find_gathered.h"
#include "core/content/search/find_pieces.h"
#include "core/content/search/find_scaled.h"
#include "core/content/search/wanted_tensors.h"

#include <algorithm>
#include <array>
#include <set>

namespace duo {
namespace {

/// Every name that the model's file or the caller has for tensors, modules and keys.
std::vector<NameInModel> namesInModel(const Model& model, const ContentPriors& priors)
{
    std::vector<NameInModel> names;
    for (const TensorId id : model.initializers)
        names.push_back({model.tensor(id).name, &model.tensor(id)});
    for (const Node& node : model.nodes) {
        if (node.opType == "Identity" && node.outputs.size() == 1 && node.outputs[0].valid())
            names.push_back({model.value(node.outputs[0]).name, nullptr});
    }
    std::set<std::string_view> known;
    for (const auto& module : priors.modules) {
        if (module && known.insert(*module).second)
            names.push_back({*module, nullptr});
    }
    for (const auto& keys : priors.keys) {
        for (const std::string& key : keys) {
            if (known.insert(key).second)
                names.push_back({key, nullptr});
        }
    }
    return names;
}

struct SearchStep {
    const char* stage;
    Status (*run)(ContentSearch&);
};

constexpr std::array<SearchStep, 6> kSteps{{
    {"compare values", findEqualInPlace},
    {"compare converted values", findConvertedInPlace},
    {"compare gates", findGatesInPlace},
    {"compare scaled values", findScaledInPlace},
    {"compare pieces", findPiecesInPlace},
    {"compare rows", findGatheredInPlace},
}};

} // namespace

Result<ContentMatches> matchContent(
    const Model& model, const Checkpoint& checkpoint, const JobContext& job, int threads, const ContentPriors& priors)
{
    constexpr std::int64_t kStages = 2 + static_cast<std::int64_t>(kSteps.size());
    job.tell({"read the checkpoint's values", 0, kStages});
    const NamedKeys names(checkpoint, namesInModel(model, priors));
    DUO_TRY(stored, StoredTensors::of(checkpoint, job, threads));
    job.tell({"read the model's values", 1, kStages});
    DUO_TRY(wanted, wantedTensors(model, names, job, threads));
    ContentSearch search{model, checkpoint, names, stored, job, threads, wanted};
    for (std::size_t s = 0; s < kSteps.size(); ++s) {
        job.tell({kSteps[s].stage, static_cast<std::int64_t>(s) + 2, kStages});
        DUO_CHECK(kSteps[s].run(search));
    }
    if (job.stopped())
        return cancelledError();
    return decideOwners(search, priors);
}

} // namespace duo
