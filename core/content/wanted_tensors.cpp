// SPDX-License-Identifier: Apache-2.0
#include "core/content/wanted_tensors.h"

#include "core/content/equal_sets.h"
#include "core/content/telling.h"
#include "core/model/key_names.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {
namespace {

bool mayBeParameter(const Model& model, const ReadTensor& read, const NamedKeys& names)
{
    const Tensor& tensor = model.tensor(read.tensor);
    if (isFloating(tensor.type) && !tensor.dims.empty())
        return true;
    if (read.dequantizer.valid() || (!isFloating(tensor.type) && tensor.elements() >= kFewestTelling))
        return true;
    const auto all = namesOf(model, read);
    return std::ranges::any_of(all, [&](std::string_view name) { return names.find(name).has_value(); });
}

} // namespace

std::vector<std::string_view> namesOf(const Model& model, const ReadTensor& read)
{
    std::vector<std::string_view> names{nameBeforeTools(model.value(read.value).name)};
    for (const TensorUse& use : read.uses) {
        const std::string& name = model.value(use.named).name;
        if (use.named != read.value && name != names.back())
            names.push_back(name);
    }
    return names;
}

Result<Wanted> wantedTensors(const Model& model, const NamedKeys& names, const JobContext& job, int threads)
{
    Wanted wanted;
    wanted.reads = readTensors(model);
    std::erase_if(wanted.reads, [&](const ReadTensor& read) { return !mayBeParameter(model, read, names); });
    std::vector<const Tensor*> tensors;
    for (const ReadTensor& read : wanted.reads)
        tensors.push_back(&model.tensor(read.tensor));
    DUO_TRY(sets, equalSets(tensors, job, threads));
    wanted.setOf = sets.setOf;
    wanted.sets.resize(sets.members.size());
    DUO_CHECK(parallelFor(wanted.sets.size(), threads, job, [&](std::size_t s) {
        WantedSet& set = wanted.sets[s];
        set.reads = sets.members[s];
        set.tensor = tensors[set.reads.front()];
        set.tells = isTelling(*set.tensor);
        return success();
    }));
    return wanted;
}

} // namespace duo
