// SPDX-License-Identifier: Apache-2.0
#include "core/content/match_content.h"

#include "core/content/arrangement.h"
#include "core/content/decide_owners.h"
#include "core/content/float_values.h"
#include "core/content/searches.h"
#include "core/content/strided_compare.h"
#include "core/content/sum_index.h"
#include "core/content/wanted_tensors.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <array>
#include <set>

namespace duo {
namespace {

Derivation derivationOf(const Arrangement& arrangement, std::uint32_t stored, bool tells)
{
    Derivation derivation;
    derivation.kind = arrangement.kind;
    derivation.transform.axes = arrangement.axes;
    derivation.parts = {stored};
    derivation.tells = tells;
    return derivation;
}

/// Sets that the names of a wanted set lead to and that hold its very bytes in its shape.
void findByName(const ContentSearch& search, WantedSet& set)
{
    std::set<std::uint32_t> tried;
    for (const std::uint32_t read : set.reads) {
        for (const std::string_view name : namesOf(search.model, search.wanted.reads[read])) {
            const auto key = search.names.find(name);
            const auto stored = key ? search.stored.setOf(*key) : std::nullopt;
            if (!stored || !tried.insert(*stored).second)
                continue;
            const Tensor& tensor = search.stored.tensor(*stored);
            if (tensor.type == set.tensor->type && tensor.dims == set.tensor->dims
                && equalBytes(tensor.bytes(), set.tensor->bytes(), search.job))
                set.found.push_back(derivationOf({}, *stored, set.tells));
        }
    }
}

/// Until it is trained a weight norm leaves its directions as they are: the values do not say that it went by.
bool areNormed(const ContentSearch& search, std::uint32_t stored)
{
    return std::ranges::all_of(
        search.stored.owners(stored), [&](std::uint32_t key) { return search.names.magnitudes(key).has_value(); });
}

void findBySum(const ContentSearch& search, const SumIndex& index, WantedSet& set)
{
    for (const std::uint32_t stored : index.find(*set.tensor, search.job)) {
        if (std::ranges::any_of(set.found, [&](const Derivation& known) { return known.parts.front() == stored; })
            || areNormed(search, stored))
            continue;
        if (const auto found = findArrangement(search.stored.tensor(stored), *set.tensor, search.job))
            set.found.push_back(derivationOf(*found, stored, set.tells));
    }
}

/// Names first: equal bytes under the same name settle a telling tensor. For the others, the order-free sums of all
/// tensors of their type and size are the index, and findArrangement is the proof. @return Cancelled
Status findEqualInPlace(ContentSearch& search)
{
    auto& sets = search.wanted.sets;
    DUO_CHECK(parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        findByName(search, sets[i]);
        return success();
    }));
    std::set<SizeKey> sizes;
    for (const WantedSet& set : sets) {
        if (!set.isSettled())
            sizes.emplace(set.tensor->type, set.tensor->elements());
    }
    DUO_TRY(index, SumIndex::of(search, sizes));
    return parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        if (!sets[i].isSettled())
            findBySum(search, index, sets[i]);
        return success();
    });
}

void findOne(const ContentSearch& search, const SumIndex& index, WantedSet& set)
{
    const ElementType type = set.tensor->type;
    for (const std::uint32_t stored : index.find(*set.tensor, search.job)) {
        const Tensor& tensor = search.stored.tensor(stored);
        const auto arrangement = findArrangement(convertedTensor(tensor, type), *set.tensor, search.job);
        if (!arrangement)
            continue;
        const bool isWider = elementBits(type) > elementBits(tensor.type);
        Derivation derivation;
        derivation.kind = MatchKind::Converted;
        derivation.transform.axes = arrangement->axes;
        derivation.parts = {stored};
        derivation.tells = set.tells;
        derivation.how = (isWider ? "widened to " : "rounded to ") + std::string(elementTypeName(type)) + " from";
        set.found.push_back(std::move(derivation));
    }
}

/// As findEqualInPlace, with each stored tensor of the right size rounded or widened to the model's type on the fly;
/// only for tensors that nothing was found for. @return Cancelled
Status findConvertedInPlace(ContentSearch& search)
{
    std::set<SizeKey> sizes;
    for (const WantedSet& set : search.wanted.sets) {
        if (set.found.empty() && isConvertible(set.tensor->type))
            sizes.emplace(set.tensor->type, set.tensor->elements());
    }
    DUO_TRY(index, SumIndex::ofConverted(search, sizes));
    auto& sets = search.wanted.sets;
    return parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        if (sets[i].found.empty() && isConvertible(sets[i].tensor->type))
            findOne(search, index, sets[i]);
        return success();
    });
}

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
