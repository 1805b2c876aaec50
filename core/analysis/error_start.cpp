// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/error_start.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace duo {
namespace {

constexpr double kJumpDb = 6; // noise four times as strong
constexpr std::size_t kMost = 3;
constexpr double kExact = std::numeric_limits<double>::infinity();

double decibelsOf(const ValueDifference& value)
{
    return value.identical ? kExact : value.sqnrDb.value_or(-kExact);
}

double finite(double decibels)
{
    return std::max(decibels, -300.0);
}

struct Found {
    std::size_t depth = 0;
    ErrorStart start;
};

/// Independent ones by name: their order in the file means nothing.
std::vector<ErrorStart> firstOf(std::vector<Found> all, std::size_t most)
{
    std::ranges::sort(all, [](const Found& a, const Found& b) {
        return std::tie(a.depth, a.start.value) < std::tie(b.depth, b.start.value);
    });
    std::vector<ErrorStart> starts;
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
        starts.push_back(std::move(all[i].start));
    return starts;
}

} // namespace

std::vector<ErrorStart> errorStarts(const Model& model, const std::vector<ValueDifference>& values)
{
    std::unordered_map<std::string_view, double> measured;
    for (const ValueDifference& value : values)
        measured.emplace(value.name, decibelsOf(value));
    std::vector<double> known(model.values.size(), kExact); // [values]
    std::vector<std::size_t> depth(model.values.size(), 0); // [values] nodes on the longest way to it
    std::vector<Found> jumps;
    std::vector<Found> low;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        double input = kExact;
        std::size_t above = 0;
        for (const ValueId value : node.inputs) {
            input = value.valid() ? std::min(input, known[value.index]) : input;
            above = value.valid() ? std::max(above, depth[value.index]) : above;
        }
        for (const ValueId value : node.outputs) {
            if (!value.valid())
                continue;
            const std::string& name = model.value(value).name;
            const auto found = measured.find(name);
            const double own = found == measured.end() ? input : found->second;
            known[value.index] = own;
            depth[value.index] = above + 1;
            if (found == measured.end() || !(own < verdictBounds().goodDb))
                continue;
            low.push_back(
                {above, {name, node.name, finite(own), input == kExact ? std::nullopt : std::optional(finite(input))}});
            if (own <= input - kJumpDb)
                jumps.push_back(low.back());
        }
    }
    return jumps.empty() ? firstOf(std::move(low), 1) : firstOf(std::move(jumps), kMost);
}

} // namespace duo
