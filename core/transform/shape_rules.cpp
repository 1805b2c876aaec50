// SPDX-License-Identifier: Apache-2.0
#include "core/transform/shape_rules.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

using Kind = Extent::Kind;

bool has(const Node& node, std::size_t port)
{
    return port < node.inputs.size() && node.inputs[port].valid();
}

/// Elements of a Slice of one axis.
std::int64_t slicedSize(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step)
{
    const auto within = [&](std::int64_t at, std::int64_t lowest, std::int64_t highest) {
        return std::clamp<std::int64_t>(at < 0 ? std::max(at, -kMostSize) + size : at, lowest, highest);
    };
    if (size == 0 || step == 0)
        return 0;
    const std::int64_t from = step > 0 ? within(start, 0, size) : within(start, 0, size - 1);
    const std::int64_t to = step > 0 ? within(end, 0, size) : (end < -size ? -1 : within(end, -1, size - 1));
    const std::int64_t span = step > 0 ? to - from : from - to;
    const std::int64_t stride = step > 0 ? step : -step;
    return span <= 0 ? 0 : (span - 1) / stride + 1;
}

} // namespace

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank)
{
    const auto wide = static_cast<std::int64_t>(rank);
    const std::int64_t front = axis < 0 ? axis + wide : axis;
    return front >= 0 && front < wide ? std::optional(static_cast<std::size_t>(front)) : std::nullopt;
}

const Extents* ShapeRules::shapeAt(const Node& node, std::size_t port) const
{
    if (port >= node.inputs.size() || !node.inputs[port].valid() || !m_shapes[node.inputs[port].index])
        return nullptr;
    return &*m_shapes[node.inputs[port].index];
}

const Extents* ShapeRules::contentAt(const Node& node, std::size_t port) const
{
    if (port >= node.inputs.size() || !node.inputs[port].valid() || !m_contents[node.inputs[port].index])
        return nullptr;
    return &*m_contents[node.inputs[port].index];
}

std::optional<ShapeRules::Numbers> ShapeRules::listOf(const Node& node, const char* name, std::size_t port) const
{
    if (const Attribute* attribute = node.attribute(name)) {
        const auto* list = std::get_if<Numbers>(&attribute->value);
        return list != nullptr ? std::optional(*list) : std::nullopt;
    }
    const Extents* content = contentAt(node, port);
    return content != nullptr ? numbersOf(*content) : std::nullopt;
}

bool ShapeRules::isListed(const Node& node, const char* name, std::size_t port)
{
    return node.attribute(name) != nullptr || has(node, port);
}

ShapeRules::Shape ShapeRules::dimsOf(const Node& node) const
{
    const Extents* x = shapeAt(node, 0);
    if (x == nullptr)
        return std::nullopt;
    const auto rank = static_cast<std::int64_t>(x->size());
    const auto within = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? std::max(at, -kMostSize) + rank : at, 0, rank);
    };
    const std::int64_t from = within(node.intAttribute("start", 0));
    const std::int64_t to = std::max(from, within(node.intAttribute("end", rank)));
    return Extents(x->begin() + from, x->begin() + to);
}

ShapeRules::Rule ShapeRules::ruleOf(const Node& node)
{
    static const std::unordered_map<std::string_view, Rule> kRules = [] {
        std::unordered_map<std::string_view, Rule> rules{{"MatMul", &ShapeRules::matMul}, {"Gemm", &ShapeRules::gemm},
            {"Transpose", &ShapeRules::transpose}, {"Conv", &ShapeRules::conv}, {"Concat", &ShapeRules::concat},
            {"Reshape", &ShapeRules::reshape}, {"Flatten", &ShapeRules::flatten}, {"Squeeze", &ShapeRules::squeeze},
            {"Unsqueeze", &ShapeRules::unsqueeze}, {"Gather", &ShapeRules::gather}, {"Slice", &ShapeRules::slice},
            {"Expand", &ShapeRules::expand}, {"Shape", &ShapeRules::shape}, {"Size", &ShapeRules::scalar},
            {"ConstantOfShape", &ShapeRules::ofShape}, {"Range", &ShapeRules::range}, {"Pad", &ShapeRules::pad},
            {"Tile", &ShapeRules::tile}, {"GatherND", &ShapeRules::gatherNd},
            {"GatherElements", &ShapeRules::likeSecond}};
        for (const char* type : {"Abs", "Acos", "Asin", "Atan", "BatchNormalization", "BitwiseNot", "Cast", "Ceil",
                 "Celu", "Clip", "Cos", "Cosh", "CumSum", "DequantizeLinear", "Dropout", "Elu", "Erf", "Exp", "Floor",
                 "Gelu", "GroupNormalization", "HardSigmoid", "HardSwish", "Hardmax", "Identity",
                 "InstanceNormalization", "IsInf", "IsNaN", "LRN", "LayerNormalization", "LeakyRelu", "Log",
                 "LogSoftmax", "LpNormalization", "MeanVarianceNormalization", "Mish", "Neg", "Not", "PRelu",
                 "QuantizeLinear", "RMSNormalization", "Reciprocal", "Relu", "ReverseSequence", "Round",
                 "ScatterElements", "ScatterND", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax",
                 "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "ThresholdedRelu", "Trilu"})
            rules.emplace(type, &ShapeRules::same);
        for (const char* type : {"Add", "And", "BitwiseAnd", "BitwiseOr", "Div", "Equal", "Greater", "GreaterOrEqual",
                 "Less", "LessOrEqual", "Max", "Mean", "Min", "Mod", "Mul", "Or", "Pow", "Sub", "Sum", "Where", "Xor"})
            rules.emplace(type, &ShapeRules::broadcast);
        for (const char* type : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean",
                 "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"})
            rules.emplace(type, &ShapeRules::reduce);
        for (const char* type :
            {"ConvTranspose", "AveragePool", "MaxPool", "LpPool", "GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"})
            rules.emplace(type, &ShapeRules::window);
        return rules;
    }();
    const auto found = kRules.find(node.opType);
    return found == kRules.end() ? nullptr : found->second;
}

ShapeRules::Shape ShapeRules::shapeOf(const Node& node)
{
    const Rule rule = ruleOf(node);
    return rule != nullptr ? (this->*rule)(node) : std::nullopt;
}

ShapeRules::Shape ShapeRules::same(const Node& node)
{
    const Extents* shape = shapeAt(node, 0);
    return shape != nullptr ? Shape(*shape) : std::nullopt;
}

ShapeRules::Shape ShapeRules::likeSecond(const Node& node)
{
    const Extents* shape = shapeAt(node, 1);
    return shape != nullptr ? Shape(*shape) : std::nullopt;
}

Extent ShapeRules::joined(const Extent& a, const Extent& b)
{
    if (a == b || b == known(1))
        return a;
    if (a == known(1))
        return b;
    if (a.isKnown())
        return a; // it is not 1, so the other is it or 1
    return b.isKnown() ? b : fresh();
}

Extents ShapeRules::joined(Extents a, Extents b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), known(1));
    b.insert(b.begin(), rank - b.size(), known(1));
    for (std::size_t i = 0; i < rank; ++i)
        a[i] = joined(a[i], b[i]);
    return a;
}

ShapeRules::Shape ShapeRules::broadcast(const Node& node)
{
    Extents all;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const Extents* shape = shapeAt(node, port);
        if (shape == nullptr)
            return std::nullopt;
        all = joined(std::move(all), *shape);
    }
    return all;
}

ShapeRules::Shape ShapeRules::matMul(const Node& node)
{
    const Extents* a = shapeAt(node, 0);
    const Extents* b = shapeAt(node, 1);
    if (a == nullptr || b == nullptr || a->size() < 2 || b->size() < 2)
        return std::nullopt;
    Extents result = joined(Extents(a->begin(), a->end() - 2), Extents(b->begin(), b->end() - 2));
    result.push_back((*a)[a->size() - 2]);
    result.push_back(b->back());
    return result;
}

ShapeRules::Shape ShapeRules::gemm(const Node& node)
{
    const Extents* a = shapeAt(node, 0);
    const Extents* b = shapeAt(node, 1);
    if (a == nullptr || b == nullptr || a->size() != 2 || b->size() != 2)
        return std::nullopt;
    return Extents{
        (*a)[node.intAttribute("transA", 0) != 0 ? 1 : 0], (*b)[node.intAttribute("transB", 0) != 0 ? 0 : 1]};
}

ShapeRules::Shape ShapeRules::transpose(const Node& node)
{
    const Extents* shape = shapeAt(node, 0);
    if (shape == nullptr)
        return std::nullopt;
    const Attribute* attribute = node.attribute("perm");
    if (attribute == nullptr)
        return Extents(shape->rbegin(), shape->rend());
    const auto* order = std::get_if<Numbers>(&attribute->value);
    if (order == nullptr || order->size() != shape->size())
        return std::nullopt;
    Extents result;
    for (const std::int64_t axis : *order) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape->size()))
            return std::nullopt;
        result.push_back((*shape)[static_cast<std::size_t>(axis)]);
    }
    return result;
}

ShapeRules::Shape ShapeRules::conv(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const Extents* w = shapeAt(node, 1);
    if (x == nullptr || w == nullptr || x->size() < 3 || w->size() != x->size())
        return std::nullopt;
    Extents result{x->front(), w->front()};
    for (std::size_t i = 2; i < x->size(); ++i)
        result.push_back((*w)[i].isKnown() ? windows(node, (*x)[i], (*w)[i].number, i - 2) : fresh());
    return result;
}

/// How many windows there are along an axis.
/// @param at which of the axes that windows go along
Extent ShapeRules::windows(const Node& node, const Extent& size, std::int64_t window, std::size_t at)
{
    const auto numberOf = [&](const char* name, std::size_t place, std::int64_t usual) {
        const Attribute* attribute = node.attribute(name);
        const auto* list = attribute != nullptr ? std::get_if<Numbers>(&attribute->value) : nullptr;
        if (attribute == nullptr)
            return usual;
        const bool isThere = list != nullptr && place < list->size() && (*list)[place] <= kMostSize;
        return isThere ? (*list)[place] : std::int64_t{-1};
    };
    const Attribute* mode = node.attribute("auto_pad");
    const auto* padding = mode != nullptr ? std::get_if<std::string>(&mode->value) : nullptr;
    const bool isSame = padding != nullptr && padding->starts_with("SAME");
    const bool isTold = padding == nullptr || *padding == "NOTSET";
    const std::int64_t stride = numberOf("strides", at, 1);
    const std::int64_t gap = numberOf("dilations", at, 1);
    const Attribute* pads = isTold ? node.attribute("pads") : nullptr;
    const auto* borders = pads != nullptr ? std::get_if<Numbers>(&pads->value) : nullptr;
    const std::size_t axes = borders != nullptr ? borders->size() / 2 : 0;
    const std::int64_t border = pads == nullptr ? 0
        : at < axes                             ? numberOf("pads", at, 0) + numberOf("pads", at + axes, 0)
                                                : std::int64_t{-1};
    if (!size.isKnown() || stride < 1 || gap < 1 || window < 1 || window > kMostSize / gap || border < 0
        || node.intAttribute("ceil_mode", 0) != 0 || (mode != nullptr && padding == nullptr))
        return fresh();
    if (isSame)
        return known((size.number + stride - 1) / stride);
    const std::int64_t span = size.number + border - (gap * (window - 1) + 1);
    return span < 0 ? fresh() : known(span / stride + 1);
}

ShapeRules::Shape ShapeRules::window(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    if (x == nullptr || x->size() < 3)
        return std::nullopt;
    const bool isGlobal = node.opType.starts_with("Global");
    const bool isPool = !isGlobal && node.opType != "ConvTranspose";
    const Attribute* attribute = isPool ? node.attribute("kernel_shape") : nullptr;
    const auto* kernel = attribute != nullptr ? std::get_if<Numbers>(&attribute->value) : nullptr;
    Extents result{x->front(), node.opType == "ConvTranspose" ? fresh() : (*x)[1]};
    for (std::size_t i = 2; i < x->size(); ++i) {
        const bool isTold = kernel != nullptr && kernel->size() + 2 == x->size();
        result.push_back(isGlobal ? known(1) : isTold ? windows(node, (*x)[i], (*kernel)[i - 2], i - 2) : fresh());
    }
    return result;
}

ShapeRules::Shape ShapeRules::concat(const Node& node)
{
    const Extents* first = shapeAt(node, 0);
    const auto axis = first != nullptr ? axisOf(node.intAttribute("axis", 0), first->size()) : std::nullopt;
    if (!axis)
        return std::nullopt;
    Extents result = *first;
    Extent sum = known(0);
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const Extents* shape = shapeAt(node, port);
        if (shape == nullptr || shape->size() != result.size())
            return std::nullopt;
        const Extent& part = (*shape)[*axis];
        sum = sum.isKnown() && part.isKnown() && sum.number <= kMostSize ? known(sum.number + part.number) : fresh();
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (!result[i].isKnown())
                result[i] = (*shape)[i];
        }
    }
    result[*axis] = node.inputs.size() == 1 ? (*first)[*axis] : sum;
    return result;
}

ShapeRules::Shape ShapeRules::reshape(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const Extents* wanted = contentAt(node, 1);
    if (wanted == nullptr) {
        const Extents* length = shapeAt(node, 1);
        const bool isRankKnown = length != nullptr && length->size() == 1 && length->front().isKnown()
            && length->front().number <= static_cast<std::int64_t>(kMostEntries);
        return isRankKnown ? Shape(freshOnes(static_cast<std::size_t>(length->front().number))) : std::nullopt;
    }
    const bool copiesZero = node.intAttribute("allowzero", 0) == 0;
    Extents result;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < wanted->size(); ++i) {
        Extent entry = (*wanted)[i];
        if (entry == known(0) && copiesZero)
            entry = x != nullptr && i < x->size() ? (*x)[i] : fresh();
        else if (entry.kind == Kind::Term || (entry.isKnown() && entry.number < -1))
            entry = fresh();
        else if (entry == known(-1))
            open = i;
        result.push_back(entry);
    }
    if (open)
        result[*open] = x != nullptr ? restOf(*x, result, *open) : fresh();
    return result;
}

Extents ShapeRules::freshOnes(std::size_t count)
{
    Extents all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(fresh());
    return all;
}

Extent ShapeRules::restOf(const Extents& all, const Extents& result, std::size_t open)
{
    std::int64_t elements = 1;
    std::int64_t taken = 1;
    Extents names;
    for (const Extent& extent : all) {
        if (!extent.isKnown())
            names.push_back(extent);
        else if (!multiplyInPlace(elements, extent.number))
            return fresh();
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        if (i == open)
            continue;
        if (result[i].isKnown()) {
            if (!multiplyInPlace(taken, result[i].number))
                return fresh();
            continue;
        }
        const auto same = std::ranges::find(names, result[i]);
        if (same == names.end())
            return fresh();
        names.erase(same);
    }
    if (taken <= 0 || elements % taken != 0 || elements == 0)
        return fresh();
    if (names.empty())
        return known(elements / taken);
    return names.size() == 1 && elements == taken ? names.front() : fresh();
}

bool ShapeRules::multiplyInPlace(std::int64_t& product, std::int64_t factor)
{
    if (factor < 0 || factor > kMostSize || (factor > 0 && product > kMostSize / factor))
        return false;
    product *= factor;
    return true;
}

ShapeRules::Shape ShapeRules::flatten(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const std::int64_t axis = node.intAttribute("axis", 1);
    const auto rank = static_cast<std::int64_t>(x != nullptr ? x->size() : 0);
    const std::int64_t cut = axis < 0 ? axis + rank : axis;
    if (x == nullptr || cut < 0 || cut > rank)
        return Extents{fresh(), fresh()};
    const auto productOf = [&](auto from, auto to) {
        std::int64_t product = 1;
        if (to - from == 1)
            return *from;
        for (; from != to; ++from) {
            if (!from->isKnown() || !multiplyInPlace(product, from->number))
                return fresh();
        }
        return known(product);
    };
    return Extents{productOf(x->begin(), x->begin() + cut), productOf(x->begin() + cut, x->end())};
}

ShapeRules::Shape ShapeRules::squeeze(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto axes = listOf(node, "axes", 1);
    if (x == nullptr || (!axes && isListed(node, "axes", 1)))
        return std::nullopt;
    std::vector<bool> goes(x->size());
    for (const std::int64_t each : axes.value_or(Numbers())) {
        const auto axis = axisOf(each, x->size());
        if (!axis)
            return std::nullopt;
        goes[*axis] = true;
    }
    Extents result;
    for (std::size_t i = 0; i < x->size(); ++i) {
        if (!axes && !(*x)[i].isKnown())
            return std::nullopt; // it goes if it is 1
        if (axes ? !goes[i] : (*x)[i] != known(1))
            result.push_back((*x)[i]);
    }
    return result;
}

ShapeRules::Shape ShapeRules::unsqueeze(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto axes = listOf(node, "axes", 1);
    if (x == nullptr || !axes || x->size() + axes->size() > kMostEntries)
        return std::nullopt;
    std::vector<bool> isNew(x->size() + axes->size());
    for (const std::int64_t each : *axes) {
        const auto axis = axisOf(each, isNew.size());
        if (!axis || isNew[*axis])
            return std::nullopt;
        isNew[*axis] = true;
    }
    Extents result;
    auto next = x->begin();
    for (const bool one : isNew)
        result.push_back(one ? known(1) : *next++);
    return result;
}

ShapeRules::Shape ShapeRules::gather(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const Extents* indices = shapeAt(node, 1);
    const auto axis = x != nullptr ? axisOf(node.intAttribute("axis", 0), x->size()) : std::nullopt;
    if (!axis || indices == nullptr)
        return std::nullopt;
    Extents result(x->begin(), x->begin() + static_cast<std::ptrdiff_t>(*axis));
    result.insert(result.end(), indices->begin(), indices->end());
    result.insert(result.end(), x->begin() + static_cast<std::ptrdiff_t>(*axis) + 1, x->end());
    return result;
}

ShapeRules::Shape ShapeRules::gatherNd(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const Extents* indices = shapeAt(node, 1);
    if (x == nullptr || indices == nullptr || indices->empty() || !indices->back().isKnown()
        || node.intAttribute("batch_dims", 0) != 0 || indices->back().number > static_cast<std::int64_t>(x->size()))
        return std::nullopt;
    Extents result(indices->begin(), indices->end() - 1);
    result.insert(result.end(), x->begin() + indices->back().number, x->end());
    return result;
}

ShapeRules::Shape ShapeRules::slice(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto starts = listOf(node, "starts", 1);
    const auto ends = listOf(node, "ends", 2);
    auto axes = listOf(node, "axes", 3);
    auto steps = listOf(node, "steps", 4);
    if (x == nullptr)
        return std::nullopt;
    if (!axes && isListed(node, "axes", 3))
        return freshOnes(x->size());
    if (!axes) {
        const Extents* length = shapeAt(node, 1);
        const std::size_t count = starts ? starts->size() : x->size();
        if (!starts && length == nullptr)
            return freshOnes(x->size());
        axes = Numbers();
        for (std::size_t i = 0; i < std::min(count, x->size()); ++i)
            axes->push_back(static_cast<std::int64_t>(i));
    }
    if (!steps && !has(node, 4))
        steps = Numbers(axes->size(), 1);
    const bool isTold = starts && ends && steps && starts->size() == axes->size() && ends->size() == axes->size()
        && steps->size() == axes->size();
    Extents result = *x;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = axisOf((*axes)[i], x->size());
        if (!axis)
            return std::nullopt;
        Extent& size = result[*axis];
        const bool isWhole = isTold && (*starts)[i] == 0 && (*steps)[i] == 1 && (*ends)[i] >= kMostSize;
        if (isWhole)
            continue;
        const bool isComputed = isTold && size.isKnown() && (*steps)[i] != 0 && (*steps)[i] >= -kMostSize;
        size = isComputed ? known(slicedSize(size.number, (*starts)[i], (*ends)[i], (*steps)[i])) : fresh();
    }
    return result;
}

ShapeRules::Shape ShapeRules::expand(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const Extents* wanted = contentAt(node, 1);
    if (x == nullptr || wanted == nullptr || !std::ranges::all_of(*wanted, isSize))
        return std::nullopt;
    return joined(*x, *wanted);
}

ShapeRules::Shape ShapeRules::shape(const Node& node)
{
    const Shape entries = dimsOf(node);
    return entries ? Shape({known(static_cast<std::int64_t>(entries->size()))}) : Extents{fresh()};
}

ShapeRules::Shape ShapeRules::scalar(const Node&)
{
    return Extents();
}

ShapeRules::Shape ShapeRules::ofShape(const Node& node)
{
    const Extents* wanted = contentAt(node, 0);
    return wanted != nullptr ? Shape(*wanted) : std::nullopt;
}

ShapeRules::Shape ShapeRules::range(const Node& node)
{
    const Extents* from = contentAt(node, 0);
    const Extents* to = contentAt(node, 1);
    const Extents* step = contentAt(node, 2);
    if (from == nullptr || to == nullptr || step == nullptr || from->size() != 1 || to->size() != 1
        || step->size() != 1)
        return Extents{fresh()};
    if (from->front() == known(0) && step->front() == known(1) && to->front().kind == Kind::Size)
        return Extents{to->front()};
    const bool areKnown = from->front().isKnown() && to->front().isKnown() && step->front().isKnown();
    const auto isSmall = [](std::int64_t number) { return number >= -kMostSize && number <= kMostSize; };
    if (!areKnown || step->front().number == 0 || !isSmall(from->front().number) || !isSmall(to->front().number)
        || !isSmall(step->front().number))
        return Extents{fresh()};
    const std::int64_t by = step->front().number;
    const std::int64_t span
        = by > 0 ? to->front().number - from->front().number : from->front().number - to->front().number;
    return Extents{known(span <= 0 ? 0 : (span - 1) / (by > 0 ? by : -by) + 1)};
}

ShapeRules::Shape ShapeRules::pad(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto pads = listOf(node, "pads", 1);
    if (x == nullptr)
        return std::nullopt;
    if (!pads || has(node, 3) || pads->size() != 2 * x->size())
        return freshOnes(x->size());
    Extents result = *x;
    for (std::size_t i = 0; i < x->size(); ++i) {
        const std::int64_t before = (*pads)[i];
        const std::int64_t after = (*pads)[i + x->size()];
        if (before == 0 && after == 0)
            continue;
        const auto isSmall = [](std::int64_t number) { return number >= -kMostSize && number <= kMostSize; };
        result[i] = result[i].isKnown() && isSmall(before) && isSmall(after) ? known(result[i].number + before + after)
                                                                             : fresh();
    }
    return result;
}

ShapeRules::Shape ShapeRules::tile(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto repeats = listOf(node, "", 1);
    if (x == nullptr)
        return std::nullopt;
    if (!repeats || repeats->size() != x->size())
        return freshOnes(x->size());
    Extents result = *x;
    for (std::size_t i = 0; i < x->size(); ++i) {
        std::int64_t size = result[i].number;
        if ((*repeats)[i] == 1)
            continue;
        const bool isComputed = result[i].isKnown() && multiplyInPlace(size, (*repeats)[i]);
        result[i] = isComputed ? known(size) : fresh();
    }
    return result;
}

ShapeRules::Shape ShapeRules::reduce(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto axes = listOf(node, "axes", 1);
    if (x == nullptr || (!axes && isListed(node, "axes", 1)))
        return std::nullopt;
    const bool areAll = !axes || axes->empty();
    if (areAll && node.intAttribute("noop_with_empty_axes", 0) != 0)
        return *x;
    std::vector<bool> goes(x->size(), areAll);
    for (const std::int64_t each : axes.value_or(Numbers())) {
        const auto axis = axisOf(each, x->size());
        if (!axis)
            return std::nullopt;
        goes[*axis] = true;
    }
    const bool keeps = node.intAttribute("keepdims", 1) != 0;
    Extents result;
    for (std::size_t i = 0; i < x->size(); ++i) {
        if (!goes[i])
            result.push_back((*x)[i]);
        else if (keeps)
            result.push_back(known(1));
    }
    return result;
}

std::optional<std::vector<Extents>> ShapeRules::shapesOfSplit(const Node& node)
{
    const Extents* x = shapeAt(node, 0);
    const auto axis = x != nullptr ? axisOf(node.intAttribute("axis", 0), x->size()) : std::nullopt;
    if (!axis)
        return std::nullopt;
    const auto sizes = listOf(node, "split", 1);
    const bool areEqual = !isListed(node, "split", 1) && node.attribute("num_outputs") == nullptr;
    const auto count = static_cast<std::int64_t>(node.outputs.size());
    std::vector<Extents> results(node.outputs.size(), *x);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const Extent whole = (*x)[*axis];
        results[i][*axis] = fresh();
        if (sizes && i < sizes->size() && (*sizes)[i] >= 0)
            results[i][*axis] = known((*sizes)[i]);
        else if (areEqual && whole.isKnown() && whole.number % count == 0)
            results[i][*axis] = known(whole.number / count);
    }
    return results;
}

} // namespace duo
