// SPDX-License-Identifier: Apache-2.0
#include "core/model/value_address.h"

namespace duo {
namespace {

/// The n-th choice where others have taken the first ones.
std::string choice(const std::string& address, int number)
{
    return number == 0 ? address : address + ":" + std::to_string(number);
}

} // namespace

std::string addressPrefix(const Model& model, RegionId id)
{
    const Region& region = model.region(id);
    if (!region.owner.valid() || region.attribute.empty())
        return {};
    return model.node(region.owner).name + "::" + region.attribute + "::";
}

std::string addressOf(const Model& model, ValueId id)
{
    const Value& value = model.value(id);
    const std::string address = addressPrefix(model, value.region) + value.name;
    if (value.region == RegionId(0))
        return address;
    for (int number = 0;; ++number) {
        std::string chosen = choice(address, number);
        const ValueId found = model.findValue(chosen);
        if (found == id || !found.valid())
            return chosen;
    }
}

void addAddressesOfBodiesInPlace(Model& model)
{
    if (model.regions.size() == 1)
        return;
    std::vector<std::string> prefixes(model.regions.size()); // empty for the main graph, for calls and inside them
    for (std::size_t r = 1; r < model.regions.size(); ++r) { // a region comes behind the one around it
        const RegionId around = model.node(model.regions[r].owner).region;
        const bool isInCall = around != RegionId(0) && prefixes[around.index].empty();
        if (!isInCall)
            prefixes[r] = addressPrefix(model, RegionId(r));
    }
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        const std::string& prefix = prefixes[model.values[v].region.index];
        for (int number = 0; !prefix.empty(); ++number) {
            if (model.valueIndex.emplace(choice(prefix + model.values[v].name, number), ValueId(v)).second)
                break;
        }
    }
}

} // namespace duo
