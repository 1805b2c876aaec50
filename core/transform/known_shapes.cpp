// SPDX-License-Identifier: Apache-2.0
#include "core/transform/known_shapes.h"

#include "core/model/constant_conditions.h"
#include "core/support/one_of.h"
#include "core/transform/body_shapes.h"
#include "core/transform/shape_rules.h"

#include <algorithm>
#include <compare>

namespace duo {
namespace {

using Numbers = std::vector<std::int64_t>;
using Shape = std::optional<Extents>;
using Kind = Extent::Kind;

} // namespace

class ShapeFinder
{
public:
    ShapeFinder(const Model& model, const ValueTypes* sizes, KnownShapes& shapes)
        : m_model(model)
        , m_sizes(sizes)
        , m_shapes(shapes.m_shapes)
        , m_contents(shapes.m_contents)
        , m_rules(m_shapes, m_contents)
        , m_bodies(model, m_rules, m_shapes)
    {
    }

    void run()
    {
        do {
            m_shapes.assign(m_model.values.size(), std::nullopt);
            m_contents.assign(m_model.values.size(), std::nullopt);
            visitAll();
        } while (m_bodies.correct());
    }

private:
    void visitAll()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            if (!m_model.values[v].producer.valid())
                start(ValueId(v));
        }
        for (const NodeId id : m_model.order) {
            m_bodies.enter(id);
            visit(id);
            for (const NodeId owner : m_bodies.endingWith(id)) {
                m_bodies.leave(owner);
                for (const ValueId output : m_model.node(owner).outputs) {
                    if (output.valid())
                        complete(output);
                }
            }
        }
    }

    void start(ValueId id)
    {
        const Value& value = m_model.value(id);
        if (value.initializer.valid() && !isOverridable(m_model, value)) {
            hold(id, m_model.tensor(value.initializer));
            return;
        }
        if (value.region == RegionId(0) && value.isInput)
            m_shapes[id.index] = told(id);
    }

    void hold(ValueId id, const Tensor& tensor)
    {
        const auto isHuge = [](std::int64_t dim) { return dim > kMostSize; };
        if (tensor.dims.size() > kMostEntries || std::ranges::any_of(tensor.dims, isHuge))
            return;
        m_shapes[id.index] = Extents();
        for (const std::int64_t dim : tensor.dims)
            m_shapes[id.index]->push_back(known(dim));
        const bool isList = tensor.dims.size() <= 1 && tensor.elements() <= static_cast<std::int64_t>(kMostEntries);
        if (!isList || (tensor.bytes().empty() && tensor.elements() > 0))
            return;
        const Numbers numbers = toInts(tensor);
        if (static_cast<std::int64_t>(numbers.size()) != tensor.elements() || tensor.type == ElementType::UInt64)
            return;
        m_contents[id.index] = Extents();
        for (const std::int64_t number : numbers)
            m_contents[id.index]->push_back(known(number));
    }

    /// What the sizes given say; unknown ones are told apart.
    [[nodiscard]] Shape told(ValueId id)
    {
        const ValueType& type = m_sizes != nullptr ? m_sizes->of(id) : m_model.value(id).type;
        if (!type.shape || type.shape->size() > kMostEntries)
            return std::nullopt;
        Extents extents;
        for (const Dim& dim : *type.shape) {
            const bool isTold = m_sizes != nullptr && dim.size && *dim.size >= 0 && *dim.size <= kMostSize;
            extents.push_back(isTold ? known(*dim.size) : m_rules.fresh());
        }
        return extents;
    }

    void visit(NodeId id)
    {
        const Node& node = m_model.node(id);
        for (const ValueId output : node.outputs) {
            if (!output.valid() || m_model.value(output).producer != id)
                return;
        }
        if (node.isCall || node.outputs.empty())
            return;
        if (const Tensor* tensor = node.outputs[0].valid() ? m_model.constant(node.outputs[0]) : nullptr) {
            hold(node.outputs[0], *tensor);
            return;
        }
        const bool isQuantizedLstm = node.domain == "com.microsoft" && node.opType == "DynamicQuantizeLSTM";
        if (node.domain.empty() || isQuantizedLstm)
            setOutputs(node);
        for (const ValueId output : node.outputs)
            complete(output);
    }

    void setOutputs(const Node& node)
    {
        if (node.opType == "Split") {
            if (auto shapes = m_rules.shapesOfSplit(node)) {
                for (std::size_t i = 0; i < node.outputs.size(); ++i)
                    m_shapes[node.outputs[i].index] = std::move((*shapes)[i]);
            }
            return;
        }
        if (isOneOf(node.opType, {"DynamicQuantizeLSTM", "GRU", "LSTM", "RNN"})) {
            setOutputsOfRecurrence(node);
            return;
        }
        const ValueId output = node.outputs[0];
        m_shapes[output.index] = m_rules.shapeOf(node);
        auto& shape = m_shapes[output.index];
        if (shape && (shape->size() > kMostEntries || !std::ranges::all_of(*shape, isSize)))
            shape.reset();
        Shape content = contentOf(node);
        if (!content || content->size() > kMostEntries)
            return;
        if (!shape)
            return;
        const bool fits = shape->empty() ? content->size() == 1
                                         : shape->size() == 1 && shape->front().isKnown()
                && shape->front().number == static_cast<std::int64_t>(content->size());
        if (fits)
            m_contents[output.index] = std::move(content);
    }

    /// All states, the last one, and the last cell. X is [steps, batch, inputs], W [directions, …], R […, …, hidden];
    /// of ONNX Runtime's quantized LSTM R is turned: […, hidden, …].
    void setOutputsOfRecurrence(const Node& node)
    {
        const Extents* x = m_rules.shapeAt(node, 0);
        const Extents* w = m_rules.shapeAt(node, 1);
        const Extents* r = m_rules.shapeAt(node, 2);
        constexpr std::size_t kRank = 3;
        if (w == nullptr || w->size() != kRank || r == nullptr || r->size() != kRank)
            return;
        const bool isBatchFirst = node.intAttribute("layout", 0) != 0;
        const bool isTold = x != nullptr && x->size() == kRank;
        const Extent steps = isTold ? (*x)[isBatchFirst ? 1 : 0] : m_rules.fresh();
        const Extent batch = isTold ? (*x)[isBatchFirst ? 0 : 1] : m_rules.fresh();
        const Extent directions = w->front();
        const Extent hidden = node.domain.empty() ? r->back() : (*r)[1];
        m_shapes[node.outputs[0].index]
            = isBatchFirst ? Extents{batch, steps, directions, hidden} : Extents{steps, directions, batch, hidden};
        for (std::size_t i = 1; i < node.outputs.size(); ++i)
            m_shapes[node.outputs[i].index]
                = isBatchFirst ? Extents{batch, directions, hidden} : Extents{directions, batch, hidden};
    }

    /// Of a value of the main graph what nobody but the engine knows.
    void complete(ValueId id)
    {
        if (m_sizes == nullptr || m_model.value(id).region != RegionId(0))
            return;
        Shape all = told(id);
        auto& shape = m_shapes[id.index];
        if (!shape) {
            shape = std::move(all);
            return;
        }
        if (!all || all->size() != shape->size())
            return;
        for (std::size_t i = 0; i < all->size(); ++i) {
            if (!(*shape)[i].isKnown() && (*all)[i].isKnown())
                (*shape)[i] = (*all)[i];
        }
    }

    Shape contentOf(const Node& node)
    {
        const bool isWhole = isOneOf(node.opType, {"Gather", "Slice"}) && m_rules.shapeAt(node, 0) != nullptr
            && m_rules.shapeAt(node, 0)->size() != 1;
        if (isWhole)
            return std::nullopt;
        if (node.opType == "Shape")
            return m_rules.dimsOf(node);
        if (node.opType == "Gather")
            return gathered(node);
        if (node.opType == "Slice")
            return sliced(node);
        if (node.opType == "Concat")
            return joinedContents(node);
        if (isOneOf(node.opType, {"Identity", "Squeeze", "Unsqueeze", "Reshape"}))
            return handedOn(node);
        if (node.opType == "Cast")
            return castTo(node);
        if (isOneOf(node.opType, {"Add", "Sub", "Mul", "Div"}) || isRemainder(node))
            return computed(node);
        if (isOneOf(node.opType, {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"}))
            return compared(node);
        if (isOneOf(node.opType, {"And", "Not", "Or"}))
            return decided(node);
        if (node.opType == "Size")
            return counted(node);
        if (node.opType == "ConstantOfShape")
            return filled(node);
        return node.opType == "Where" ? chosen(node) : std::nullopt;
    }

    Shape handedOn(const Node& node)
    {
        const Extents* content = m_rules.contentAt(node, 0);
        return content != nullptr ? Shape(*content) : std::nullopt;
    }

    /// One whole number, many times.
    Shape filled(const Node& node)
    {
        const auto& shape = m_shapes[node.outputs[0].index];
        const auto dims = shape ? numbersOf(*shape) : std::nullopt;
        const Attribute* value = node.attribute("value");
        const auto* id = value != nullptr ? std::get_if<TensorId>(&value->value) : nullptr;
        if (!dims || dims->size() > 1 || id == nullptr || !id->valid())
            return std::nullopt;
        const Numbers number = toInts(m_model.tensor(*id));
        const std::int64_t count = dims->empty() ? 1 : dims->front();
        if (number.size() != 1 || count < 0 || count > static_cast<std::int64_t>(kMostEntries))
            return std::nullopt;
        return Extents(static_cast<std::size_t>(count), known(number.front()));
    }

    Shape gathered(const Node& node)
    {
        const Extents* from = m_rules.contentAt(node, 0);
        const Extents* at = m_rules.contentAt(node, 1);
        if (from == nullptr || at == nullptr)
            return std::nullopt;
        Extents result;
        for (const Extent& index : *at) {
            const auto place = index.isKnown() ? axisOf(index.number, from->size()) : std::nullopt;
            if (!place)
                return std::nullopt;
            result.push_back((*from)[*place]);
        }
        return result;
    }

    Shape sliced(const Node& node)
    {
        const Extents* from = m_rules.contentAt(node, 0);
        const auto starts = m_rules.listOf(node, "starts", 1);
        const auto ends = m_rules.listOf(node, "ends", 2);
        const auto steps = m_rules.listOf(node, "steps", 4);
        const auto isOne = [](const std::optional<Numbers>& list) { return list && list->size() == 1; };
        if (from == nullptr || !isOne(starts) || !isOne(ends)
            || ((node.inputs.size() > 4 && node.inputs[4].valid()) && !isOne(steps)))
            return std::nullopt;
        const std::int64_t step = steps ? steps->front() : 1;
        if (step < 1)
            return std::nullopt;
        const auto size = static_cast<std::int64_t>(from->size());
        const auto within = [&](std::int64_t at) {
            return std::clamp<std::int64_t>(at < 0 ? std::max(at, -kMostSize) + size : at, 0, size);
        };
        Extents result;
        for (std::int64_t i = within(starts->front()); i < within(ends->front()); i += std::min(step, kMostSize))
            result.push_back((*from)[static_cast<std::size_t>(i)]);
        return result;
    }

    Shape joinedContents(const Node& node)
    {
        Extents result;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const Extents* part = m_rules.contentAt(node, port);
            if (part == nullptr || result.size() + part->size() > kMostEntries)
                return std::nullopt;
            result.insert(result.end(), part->begin(), part->end());
        }
        return result;
    }

    /// Numbers that the type holds. Of a size beyond 32 bits a shape of 32 bits would have been wrong before.
    Shape castTo(const Node& node)
    {
        const std::int64_t to = node.intAttribute("to", 0);
        const Extents* content = m_rules.contentAt(node, 0);
        const bool isWide = to == static_cast<std::int64_t>(ElementType::Int64);
        const bool isNarrow = to == static_cast<std::int64_t>(ElementType::Int32);
        if (content != nullptr && to == static_cast<std::int64_t>(ElementType::Bool))
            return asTruths(*content);
        if (content == nullptr || (!isWide && !isNarrow))
            return std::nullopt;
        const auto fits = [&](const Extent& entry) {
            constexpr std::int64_t kMostNarrow = 0x7FFFFFFF;
            return isWide || !entry.isKnown() || (entry.number >= -kMostNarrow && entry.number <= kMostNarrow);
        };
        return std::ranges::all_of(*content, fits) ? Shape(*content) : std::nullopt;
    }

    static Shape asTruths(const Extents& numbers)
    {
        Extents result;
        for (const Extent& entry : numbers) {
            if (!entry.isKnown())
                return std::nullopt;
            result.push_back(known(entry.number != 0 ? 1 : 0));
        }
        return result;
    }

    /// Of one element each; one operand may be enough.
    Shape decided(const Node& node)
    {
        const auto at = [&](std::size_t port) -> std::optional<bool> {
            const Extents* content = m_rules.contentAt(node, port);
            const bool isTold = content != nullptr && content->size() == 1 && content->front().isKnown();
            return isTold ? std::optional(content->front().number != 0) : std::nullopt;
        };
        const auto a = at(0);
        if (node.opType == "Not")
            return a ? Shape(Extents{known(*a ? 0 : 1)}) : std::nullopt;
        const auto b = at(1);
        const bool decides = node.opType == "Or";
        if (a == decides || b == decides)
            return Extents{known(decides ? 1 : 0)};
        return a && b ? Shape(Extents{known(decides ? 0 : 1)}) : std::nullopt;
    }

    /// How many elements its input has.
    Shape counted(const Node& node)
    {
        const Extents* shape = m_rules.shapeAt(node, 0);
        const auto dims = shape != nullptr ? numbersOf(*shape) : std::nullopt;
        const auto count = dims ? elementCount(*dims) : std::nullopt;
        return count && *count <= kMostSize ? Shape(Extents{known(*count)}) : std::nullopt;
    }

    [[nodiscard]] static bool isRemainder(const Node& node)
    {
        return node.opType == "Mod" && node.intAttribute("fmod", 0) == 0;
    }

    [[nodiscard]] bool isInt64(const Node& node) const
    {
        return m_model.value(node.inputs[0]).type.element == ElementType::Int64;
    }

    Shape computed(const Node& node)
    {
        const Extents* a = m_rules.contentAt(node, 0);
        const Extents* b = m_rules.contentAt(node, 1);
        if (a == nullptr || b == nullptr || !isInt64(node))
            return std::nullopt;
        const std::size_t count = std::max(a->size(), b->size());
        if ((a->size() != count && a->size() != 1) || (b->size() != count && b->size() != 1))
            return std::nullopt;
        Extents result;
        for (std::size_t i = 0; i < count; ++i)
            result.push_back(made(
                isRemainder(node) ? 'R' : node.opType[0], (*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
        return result;
    }

    /// The name of a result; the same for the same operands.
    Extent made(char op, Extent a, Extent b)
    {
        const auto isSmall = [](const Extent& entry) {
            constexpr std::int64_t kMost = std::int64_t{1} << 31;
            return entry.isKnown() && entry.number >= -kMost && entry.number <= kMost;
        };
        if (isSmall(a) && isSmall(b) && ((op != 'D' && op != 'R') || b.number != 0)) {
            const std::int64_t x = a.number;
            const std::int64_t y = b.number;
            if (op == 'R')
                return known((x % y + y) % y); // of the sign of the divisor
            return known(op == 'A' ? x + y : op == 'S' ? x - y : op == 'M' ? x * y : x / y);
        }
        const bool isNeutral = op != 'R' && b == known(op == 'M' || op == 'D' ? 1 : 0);
        if (isNeutral)
            return a;
        if ((op == 'A' && a == known(0)) || (op == 'M' && a == known(1)))
            return b;
        if ((op == 'A' || op == 'M') && b < a)
            std::swap(a, b);
        const auto [found, isNew] = m_made.try_emplace({op, a, b}, Extent());
        if (isNew)
            found->second = m_rules.freshTerm();
        return found->second;
    }

    /// Sizes are not negative; what may be equal is not known.
    Shape compared(const Node& node)
    {
        const Extents* a = m_rules.contentAt(node, 0);
        const Extents* b = m_rules.contentAt(node, 1);
        if (a == nullptr || b == nullptr || a->size() != b->size())
            return std::nullopt;
        Extents result;
        for (std::size_t i = 0; i < a->size(); ++i) {
            const auto order = orderOf((*a)[i], (*b)[i]);
            if (!order)
                return std::nullopt;
            const bool isTrue = node.opType == "Equal" ? std::is_eq(*order)
                : node.opType == "Greater"             ? std::is_gt(*order)
                : node.opType == "GreaterOrEqual"      ? std::is_gteq(*order)
                : node.opType == "Less"                ? std::is_lt(*order)
                                                       : std::is_lteq(*order);
            result.push_back(known(isTrue ? 1 : 0));
        }
        return result;
    }

    static std::optional<std::strong_ordering> orderOf(const Extent& a, const Extent& b)
    {
        const auto isNegative = [](const Extent& entry) { return entry.isKnown() && entry.number < 0; };
        if (a == b)
            return std::strong_ordering::equal;
        if (a.isKnown() && b.isKnown())
            return a.number <=> b.number;
        if (a.kind == Kind::Size && isNegative(b))
            return std::strong_ordering::greater;
        if (b.kind == Kind::Size && isNegative(a))
            return std::strong_ordering::less;
        return std::nullopt;
    }

    Shape chosen(const Node& node)
    {
        const Extents* condition = m_rules.contentAt(node, 0);
        const Extents* yes = m_rules.contentAt(node, 1);
        const Extents* no = m_rules.contentAt(node, 2);
        if (condition == nullptr || yes == nullptr || no == nullptr || condition->size() != yes->size()
            || condition->size() != no->size())
            return std::nullopt;
        Extents result;
        for (std::size_t i = 0; i < condition->size(); ++i) {
            if (!(*condition)[i].isKnown())
                return std::nullopt;
            result.push_back((*condition)[i].number != 0 ? (*yes)[i] : (*no)[i]);
        }
        return result;
    }

    const Model& m_model;
    const ValueTypes* m_sizes;
    std::vector<Shape>& m_shapes;
    std::vector<Shape>& m_contents;
    std::map<std::tuple<char, Extent, Extent>, Extent> m_made;
    ShapeRules m_rules;
    BodyShapes m_bodies;
};

KnownShapes::KnownShapes(const Model& model, const ValueTypes* sizes)
{
    ShapeFinder(model, sizes, *this).run();
}

const Extents* KnownShapes::of(ValueId value) const
{
    return value.valid() && m_shapes[value.index] ? &*m_shapes[value.index] : nullptr;
}

const Extents* KnownShapes::content(ValueId value) const
{
    return value.valid() && m_contents[value.index] ? &*m_contents[value.index] : nullptr;
}

std::optional<std::int64_t> KnownShapes::elements(ValueId value) const
{
    const Extents* shape = of(value);
    const auto dims = shape != nullptr ? numbersOf(*shape) : std::nullopt;
    const auto count = dims ? elementCount(*dims) : std::nullopt;
    return count && *count <= kMostSize ? count : std::nullopt;
}

std::optional<std::vector<std::int64_t>> numbersOf(const Extents& extents)
{
    std::vector<std::int64_t> numbers;
    for (const Extent& extent : extents) {
        if (!extent.isKnown())
            return std::nullopt;
        numbers.push_back(extent.number);
    }
    return numbers;
}

} // namespace duo
