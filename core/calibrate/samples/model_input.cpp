// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/model_input.h"

#include "core/calibrate/samples/name_words.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

template <typename Range, typename Text> std::string joined(const Range& range, const Text& text)
{
    std::string out;
    for (const auto& item : range)
        out += (out.empty() ? "" : ", ") + text(item);
    return out;
}

bool isBatchName(const Dim& dim)
{
    const NameWords words(dim.symbol);
    return words.has({"batch", "batchsize", "bs"}) || words.isOnly({"n", "b"});
}

/// Gives what it reads on port 0 with its axes where they were; of a product with a constant the last one may differ.
bool keepsAxes(const Model& model, const Node& node)
{
    constexpr std::array<std::string_view, 9> kAlone{
        "Identity", "Cast", "Relu", "Tanh", "Sigmoid", "LayerNormalization", "Clip", "LeakyRelu", "Dropout"};
    constexpr std::array<std::string_view, 5> kWithConstant{"Add", "Sub", "Mul", "Div", "MatMul"};
    if (std::ranges::find(kAlone, node.opType) != kAlone.end())
        return true;
    return std::ranges::find(kWithConstant, node.opType) != kWithConstant.end() && node.inputs.size() == 2
        && node.inputs[1].valid() && model.constant(node.inputs[1]) != nullptr;
}

/// [sequence, batch, features], as these take it unless told otherwise.
bool isReadAsSequence(const Model& model, ValueId input)
{
    std::vector<ValueId> same{input};
    for (std::size_t i = 0; i < same.size(); ++i) {
        for (const Use& use : model.value(same[i]).uses) {
            const Node& reader = model.node(use.node);
            if (use.port != 0 || reader.outputs.empty() || !reader.outputs.front().valid())
                continue;
            if (isRecurrent(reader) && reader.intAttribute("layout", 0) == 0)
                return true;
            if (!isRecurrent(reader) && keepsAxes(model, reader))
                same.push_back(reader.outputs.front());
        }
    }
    return false;
}

std::optional<std::size_t> laterBatchAxis(const Model& model, ValueId input, const std::vector<Dim>& shape)
{
    if (shape.size() < 2 || shape.front().size || NameWords(shape.front().symbol).has("batch"))
        return std::nullopt;
    if (shape.size() == 3 && isReadAsSequence(model, input))
        return 1;
    const auto named = std::ranges::find_if(shape, isBatchName);
    if (named == shape.begin() || named == shape.end())
        return std::nullopt;
    return static_cast<std::size_t>(named - shape.begin());
}

} // namespace

std::vector<ModelInput> modelInputs(const Model& model)
{
    std::vector<ModelInput> inputs;
    for (const ValueId id : model.mainGraph().inputs) {
        const Value& value = model.value(id);
        if (value.initializer.valid())
            continue;
        inputs.push_back({value.name, id, value.type.element, value.type.shape});
        if (value.type.shape)
            inputs.back().batchAxis = laterBatchAxis(model, id, *value.type.shape);
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
