// SPDX-License-Identifier: Apache-2.0
#include "core/transform/plain_operators.h"

#include "core/transform/plain_arithmetic.h"
#include "core/transform/walked_tensors.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace duo {
namespace {

using Inputs = std::span<const Tensor* const>;
using Computed = std::optional<Tensor>;

/// An axis from the front; nothing where there is none.
std::optional<std::size_t> axisAt(std::int64_t axis, std::size_t rank)
{
    const auto wide = static_cast<std::int64_t>(rank);
    if (axis < -wide || axis >= wide)
        return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + wide : axis);
}

bool has(Inputs inputs, std::size_t port)
{
    return port < inputs.size() && inputs[port] != nullptr;
}

/// A list by its attribute, as older opsets say it, or by its input. Nothing where neither is there.
std::optional<TensorDims> listOf(const Node& node, Inputs inputs, const char* name, std::size_t port)
{
    if (const Attribute* attribute = node.attribute(name)) {
        const auto* list = std::get_if<TensorDims>(&attribute->value);
        return list != nullptr ? std::optional(*list) : std::nullopt;
    }
    if (!has(inputs, port))
        return std::nullopt;
    const bool isList = inputs[port]->type == ElementType::Int64 || inputs[port]->type == ElementType::Int32;
    return isList ? std::optional(toInts(*inputs[port])) : std::nullopt;
}

bool isTold(const Node& node, Inputs inputs, const char* name, std::size_t port)
{
    return node.attribute(name) != nullptr || has(inputs, port);
}

// Shapes

Computed handOn(const Model&, const Node&, Inputs in)
{
    return withShape(*in[0], in[0]->dims);
}

Computed reshape(const Model&, const Node& node, Inputs in)
{
    const auto wanted = listOf(node, in, "shape", 1);
    if (!wanted)
        return std::nullopt;
    const bool copies = node.intAttribute("allowzero", 0) == 0;
    TensorDims dims;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        std::int64_t size = (*wanted)[i];
        if (size == 0 && copies)
            size = i < in[0]->dims.size() ? in[0]->dims[i] : -2;
        if (size < -1 || (size == -1 && open))
            return std::nullopt;
        if (size == -1)
            open = i;
        dims.push_back(size == -1 ? 1 : size);
    }
    const std::int64_t all = in[0]->elements();
    const std::int64_t others = elementsOfShape(dims);
    if (open && (others == 0 || all % others != 0))
        return std::nullopt;
    if (open)
        dims[*open] = all / others;
    return elementsOfShape(dims) == all ? Computed(withShape(*in[0], dims)) : std::nullopt;
}

Computed flatten(const Model&, const Node& node, Inputs in)
{
    const TensorDims& dims = in[0]->dims;
    const auto rank = static_cast<std::int64_t>(dims.size());
    const std::int64_t axis = node.intAttribute("axis", 1);
    const std::int64_t cut = axis < 0 ? axis + rank : axis;
    if (cut < 0 || cut > rank)
        return std::nullopt;
    const auto product
        = [](auto from, auto to) { return std::accumulate(from, to, std::int64_t{1}, std::multiplies()); };
    return withShape(*in[0], {product(dims.begin(), dims.begin() + cut), product(dims.begin() + cut, dims.end())});
}

Computed squeeze(const Model&, const Node& node, Inputs in)
{
    const TensorDims& dims = in[0]->dims;
    const auto axes = listOf(node, in, "axes", 1);
    if (!axes && isTold(node, in, "axes", 1))
        return std::nullopt;
    std::vector<bool> goes(dims.size());
    for (const std::int64_t each : axes.value_or(TensorDims())) {
        const auto axis = axisAt(each, dims.size());
        if (!axis || dims[*axis] != 1)
            return std::nullopt;
        goes[*axis] = true;
    }
    TensorDims left;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (axes ? !goes[i] : dims[i] != 1)
            left.push_back(dims[i]);
    }
    return withShape(*in[0], left);
}

Computed unsqueeze(const Model&, const Node& node, Inputs in)
{
    const auto axes = listOf(node, in, "axes", 1);
    if (!axes)
        return std::nullopt;
    std::vector<bool> isNew(in[0]->dims.size() + axes->size());
    for (const std::int64_t each : *axes) {
        const auto axis = axisAt(each, isNew.size());
        if (!axis || isNew[*axis])
            return std::nullopt;
        isNew[*axis] = true;
    }
    TensorDims dims;
    auto next = in[0]->dims.begin();
    for (const bool one : isNew)
        dims.push_back(one ? 1 : *next++);
    return withShape(*in[0], dims);
}

Computed shapeOf(const Model&, const Node& node, Inputs in)
{
    const auto rank = static_cast<std::int64_t>(in[0]->dims.size());
    const auto within = [rank](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? std::max(at, -rank) + rank : at, 0, rank);
    };
    const std::int64_t from = within(node.intAttribute("start", 0));
    const std::int64_t to = std::max(from, within(node.intAttribute("end", rank)));
    const TensorDims dims(in[0]->dims.begin() + from, in[0]->dims.begin() + to);
    return tensorOf(ElementType::Int64, {to - from}, dims);
}

Computed sizeOf(const Model&, const Node&, Inputs in)
{
    return tensorOf(ElementType::Int64, {}, TensorDims{in[0]->elements()});
}

// Elements that move

Computed transpose(const Model&, const Node& node, Inputs in)
{
    const TensorDims& dims = in[0]->dims;
    TensorDims order(dims.size());
    std::iota(order.rbegin(), order.rend(), 0);
    if (const Attribute* attribute = node.attribute("perm")) {
        const auto* list = std::get_if<TensorDims>(&attribute->value);
        if (list == nullptr || !std::ranges::is_permutation(*list, order))
            return std::nullopt;
        order = *list;
    }
    const TensorDims steps = stepsOf(dims);
    Walk way;
    for (const std::int64_t axis : order) {
        way.dims.push_back(dims[static_cast<std::size_t>(axis)]);
        way.steps.push_back(steps[static_cast<std::size_t>(axis)]);
    }
    return walked(*in[0], way);
}

/// Takes a part of one axis. False where there is no such axis, or the step is none.
bool cutInPlace(
    Walk& way, const TensorDims& steps, std::size_t axis, std::int64_t start, std::int64_t end, std::int64_t by)
{
    const std::int64_t size = way.dims[axis];
    if (by == 0 || by == std::numeric_limits<std::int64_t>::min() || (by < 0 && start < -size))
        return false;
    const auto within = [size](std::int64_t at, std::int64_t least, std::int64_t most) {
        const std::int64_t front = at < 0 ? (at < -size ? std::int64_t{-1} : at + size) : at;
        return std::clamp(front, least, most);
    };
    const std::int64_t from = by > 0 ? within(start, 0, size) : within(start, -1, size - 1);
    const std::int64_t to = by > 0 ? within(end, 0, size) : within(end, -1, size - 1);
    const std::int64_t span = by > 0 ? to - from : from - to;
    const std::int64_t stride = by > 0 ? by : -by;
    way.dims[axis] = span <= 0 ? 0 : (span - 1) / stride + 1;
    way.start += way.dims[axis] > 0 ? from * steps[axis] : 0;
    way.steps[axis] = way.dims[axis] > 1 ? steps[axis] * by : 0;
    return true;
}

Computed slice(const Model&, const Node& node, Inputs in)
{
    const auto starts = listOf(node, in, "starts", 1);
    const auto ends = listOf(node, in, "ends", 2);
    auto axes = listOf(node, in, "axes", 3);
    auto by = listOf(node, in, "steps", 4);
    if (!starts || !ends || (!axes && isTold(node, in, "axes", 3)) || (!by && isTold(node, in, "steps", 4)))
        return std::nullopt;
    if (!axes) {
        axes.emplace(starts->size());
        std::iota(axes->begin(), axes->end(), 0);
    }
    by = by ? by : std::optional(TensorDims(axes->size(), 1));
    if (starts->size() != axes->size() || ends->size() != axes->size() || by->size() != axes->size())
        return std::nullopt;
    const TensorDims steps = stepsOf(in[0]->dims);
    Walk way{in[0]->dims, steps};
    std::vector<bool> isCut(steps.size());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = axisAt((*axes)[i], steps.size());
        if (!axis || isCut[*axis] || !cutInPlace(way, steps, *axis, (*starts)[i], (*ends)[i], (*by)[i]))
            return std::nullopt;
        isCut[*axis] = true;
    }
    return walked(*in[0], way);
}

Computed expand(const Model&, const Node&, Inputs in)
{
    if (!has(in, 1) || in[1]->type != ElementType::Int64)
        return std::nullopt;
    const TensorDims wanted = toInts(*in[1]);
    const auto dims = std::ranges::all_of(wanted, [](std::int64_t size) { return size >= 0; })
        ? spreadShape(in[0]->dims, wanted)
        : std::nullopt;
    const auto way = dims ? spreadOver(*in[0], *dims) : std::nullopt;
    return way ? walked(*in[0], *way) : std::nullopt;
}

Computed gather(const Model&, const Node& node, Inputs in)
{
    const TensorDims& dims = in[0]->dims;
    const auto axis = axisAt(node.intAttribute("axis", 0), dims.size());
    if (!axis || !has(in, 1) || (in[1]->type != ElementType::Int64 && in[1]->type != ElementType::Int32))
        return std::nullopt;
    const auto cut = dims.begin() + static_cast<std::ptrdiff_t>(*axis);
    TensorDims result(dims.begin(), cut);
    result.insert(result.end(), in[1]->dims.begin(), in[1]->dims.end());
    result.insert(result.end(), cut + 1, dims.end());
    if (elementsOfShape(result) > kMostWalked)
        return std::nullopt;
    const auto size = static_cast<std::int64_t>(dims[*axis]);
    const TensorDims places = toInts(*in[1]);
    if (std::ranges::any_of(places, [size](std::int64_t at) { return at < -size || at >= size; }))
        return std::nullopt;
    const auto blocks
        = static_cast<std::size_t>(std::accumulate(dims.begin(), cut, std::int64_t{1}, std::multiplies()));
    const auto block = bytesPerElement(in[0]->type)
        * static_cast<std::size_t>(std::accumulate(cut + 1, dims.end(), std::int64_t{1}, std::multiplies()));
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < blocks; ++i) {
        for (const std::int64_t at : places) {
            const std::size_t place
                = i * static_cast<std::size_t>(size) + static_cast<std::size_t>(at < 0 ? at + size : at);
            const auto part = in[0]->bytes().subspan(place * block, block);
            bytes.insert(bytes.end(), part.begin(), part.end());
        }
    }
    return tensorOf(in[0]->type, result, std::move(bytes));
}

Computed gatherElements(const Model&, const Node& node, Inputs in)
{
    const TensorDims& dims = in[0]->dims;
    const auto axis = axisAt(node.intAttribute("axis", 0), dims.size());
    if (!axis || !has(in, 1) || (in[1]->type != ElementType::Int64 && in[1]->type != ElementType::Int32)
        || in[1]->dims.size() != dims.size())
        return std::nullopt;
    Walk way{in[1]->dims, stepsOf(dims)};
    const std::int64_t step = way.steps[*axis];
    way.steps[*axis] = 0;
    const TensorDims places = toInts(*in[1]);
    const std::int64_t size = dims[*axis];
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (i != *axis && way.dims[i] > dims[i])
            return std::nullopt;
    }
    if (std::ranges::any_of(places, [size](std::int64_t at) { return at < -size || at >= size; }))
        return std::nullopt;
    const std::size_t width = bytesPerElement(in[0]->type);
    std::vector<std::byte> bytes(places.size() * width);
    std::size_t next = 0;
    walk(way, [&](std::size_t place) {
        const std::int64_t at = places[next] < 0 ? places[next] + size : places[next];
        const auto from = place + static_cast<std::size_t>(at * step);
        std::memcpy(bytes.data() + next++ * width, in[0]->bytes().data() + from * width, width);
    });
    return tensorOf(in[0]->type, in[1]->dims, std::move(bytes));
}

/// A part of a result of a Concat fits it: of one type, and as large but for one axis.
bool fitsBeside(const Tensor& first, const Tensor& other, std::size_t axis)
{
    TensorDims dims = other.dims;
    if (other.type != first.type || dims.size() != first.dims.size())
        return false;
    dims[axis] = first.dims[axis];
    return dims == first.dims;
}

Computed concat(const Model&, const Node& node, Inputs in)
{
    const auto axis = axisAt(node.intAttribute("axis", 0), in[0]->dims.size());
    if (!axis || node.attribute("axis") == nullptr)
        return std::nullopt;
    TensorDims dims = in[0]->dims;
    dims[*axis] = 0;
    for (const Tensor* part : in) {
        if (part == nullptr || !fitsBeside(*in[0], *part, *axis))
            return std::nullopt;
        dims[*axis] += part->dims[*axis];
    }
    if (elementsOfShape(dims) > kMostWalked)
        return std::nullopt;
    const auto cut = dims.begin() + static_cast<std::ptrdiff_t>(*axis);
    const auto blocks
        = static_cast<std::size_t>(std::accumulate(dims.begin(), cut, std::int64_t{1}, std::multiplies()));
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < blocks; ++i) {
        for (const Tensor* part : in) {
            const std::size_t block = part->bytes().size() / blocks; // there are some: i is one of them
            const auto piece = part->bytes().subspan(i * block, block);
            bytes.insert(bytes.end(), piece.begin(), piece.end());
        }
    }
    return tensorOf(in[0]->type, dims, std::move(bytes));
}

Computed ofShape(const Model& model, const Node& node, Inputs in)
{
    const TensorDims dims = toInts(*in[0]);
    if (in[0]->type != ElementType::Int64 || std::ranges::any_of(dims, [](std::int64_t size) { return size < 0; })
        || elementsOfShape(dims) > kMostWalked)
        return std::nullopt;
    const Attribute* attribute = node.attribute("value");
    if (attribute == nullptr)
        return tensorOf(
            ElementType::Float32, dims, std::vector<std::byte>(static_cast<std::size_t>(elementsOfShape(dims)) * 4));
    const auto* id = std::get_if<TensorId>(&attribute->value);
    if (id == nullptr || !id->valid() || !isWalkable(model.tensor(*id)) || model.tensor(*id).elements() != 1)
        return std::nullopt;
    return walked(model.tensor(*id), {dims, TensorDims(dims.size(), 0)});
}

Computed choose(const Model&, const Node&, Inputs in)
{
    if (!has(in, 1) || !has(in, 2) || in[0]->type != ElementType::Bool || in[1]->type != in[2]->type)
        return std::nullopt;
    auto dims = spreadShape(in[1]->dims, in[2]->dims);
    dims = dims ? spreadShape(in[0]->dims, *dims) : std::nullopt;
    if (!dims)
        return std::nullopt;
    const auto takesFirst = elementsOver<std::uint8_t>(*in[0], *dims);
    const auto first = walked(*in[1], *spreadOver(*in[1], *dims));
    const auto second = walked(*in[2], *spreadOver(*in[2], *dims));
    if (!first || !second)
        return std::nullopt;
    const std::size_t width = bytesPerElement(in[1]->type);
    std::vector<std::byte> bytes(takesFirst.size() * width);
    for (std::size_t i = 0; i < takesFirst.size(); ++i)
        std::memcpy(
            bytes.data() + i * width, (takesFirst[i] != 0 ? *first : *second).bytes().data() + i * width, width);
    return tensorOf(in[1]->type, *dims, std::move(bytes));
}

PlainRule ruleOf(std::string_view opType)
{
    static const std::unordered_map<std::string_view, PlainRule> kRules{{"Identity", handOn}, {"Reshape", reshape},
        {"Flatten", flatten}, {"Squeeze", squeeze}, {"Unsqueeze", unsqueeze}, {"Shape", shapeOf}, {"Size", sizeOf},
        {"Transpose", transpose}, {"Slice", slice}, {"Expand", expand}, {"Gather", gather},
        {"GatherElements", gatherElements}, {"Concat", concat}, {"ConstantOfShape", ofShape}, {"Where", choose}};
    const auto found = kRules.find(opType);
    return found == kRules.end() ? plainArithmetic(opType) : found->second;
}

} // namespace

bool isPlain(const Node& node)
{
    return node.domain.empty() && node.outputs.size() == 1 && ruleOf(node.opType) != nullptr;
}

std::optional<Tensor> computedPlainly(const Model& model, const Node& node, std::span<const Tensor* const> inputs)
{
    const PlainRule rule = isPlain(node) ? ruleOf(node.opType) : nullptr;
    const auto isReadable = [](const Tensor* input) { return input == nullptr || isWalkable(*input); };
    if (rule == nullptr || inputs.empty() || inputs[0] == nullptr || !std::ranges::all_of(inputs, isReadable))
        return std::nullopt;
    return rule(model, node, inputs);
}

} // namespace duo
