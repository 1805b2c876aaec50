// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/model_input.h"

#include <algorithm>

namespace duo {
namespace {

template <typename Range, typename Text> std::string joined(const Range& range, const Text& text)
{
    std::string out;
    for (const auto& item : range)
        out += (out.empty() ? "" : ", ") + text(item);
    return out;
}

} // namespace

std::vector<ModelInput> modelInputs(const Model& model)
{
    std::vector<ModelInput> inputs;
    for (const ValueId id : model.mainGraph().inputs) {
        const Value& value = model.value(id);
        if (!value.initializer.valid())
            inputs.push_back({value.name, id, value.type.element, value.type.shape});
    }
    return inputs;
}

std::string shapeText(const std::optional<std::vector<Dim>>& shape)
{
    if (!shape)
        return "any shape";
    const auto text = [](const Dim& dim) {
        if (dim.size)
            return std::to_string(*dim.size);
        return dim.symbol.empty() ? std::string("?") : dim.symbol;
    };
    return "[" + joined(*shape, text) + "]";
}

std::string shapeText(std::span<const std::int64_t> dims)
{
    return "[" + joined(dims, [](std::int64_t dim) { return std::to_string(dim); }) + "]";
}

std::string feedsText(std::span<const HostTensor> feeds)
{
    constexpr std::size_t kShown = 5;
    std::string text = joined(feeds.first(std::min(kShown, feeds.size())),
        [](const HostTensor& feed) { return "'" + feed.name + "' " + shapeText(feed.dims); });
    if (feeds.size() > kShown)
        text += " and " + std::to_string(feeds.size() - kShown) + " more";
    return text;
}

std::string listText(const std::vector<std::string>& names)
{
    constexpr std::size_t kShown = 5;
    const std::span<const std::string> shown(names.data(), std::min(kShown, names.size()));
    std::string text = joined(shown, [](const std::string& name) { return "'" + name + "'"; });
    if (names.size() > kShown)
        text += " and " + std::to_string(names.size() - kShown) + " more";
    return text;
}

bool fits(const std::vector<Dim>& shape, std::span<const std::int64_t> dims)
{
    return std::ranges::equal(
        shape, dims, [](const Dim& dim, std::int64_t size) { return !dim.size || *dim.size == size; });
}

} // namespace duo
