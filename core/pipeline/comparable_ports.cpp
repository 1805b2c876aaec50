// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/comparable_ports.h"

#include "core/onnx/reader.h"
#include "core/support/phrases.h"
#include "core/transform/half_ports.h"

#include <map>
#include <string_view>

namespace duo {
namespace {

using Ports = std::vector<ValueId> Region::*;

/// What a model's ports are to be for those of another one.
class WiderPorts
{
public:
    WiderPorts(const Model& model, const Model& other)
        : m_model(model)
        , m_other(other)
        , m_wanted(model.values.size(), ElementType::Undefined)
    {
        look(&Region::inputs);
        look(&Region::outputs);
    }

    [[nodiscard]] const std::vector<ElementType>& wanted() const { return m_wanted; }
    [[nodiscard]] const std::vector<ValueId>& ports() const { return m_ports; }

private:
    void look(Ports list)
    {
        std::map<std::string_view, ElementType> others;
        for (const ValueId id : m_other.mainGraph().*list)
            others.emplace(m_other.value(id).name, m_other.value(id).type.element);
        for (const ValueId id : m_model.mainGraph().*list) {
            const ElementType own = m_model.value(id).type.element;
            const auto namesake = others.find(m_model.value(id).name);
            if (namesake == others.end() || !isFloating(own) || !isFloating(namesake->second)
                || elementBits(own) >= elementBits(namesake->second))
                continue;
            m_wanted[id.index] = namesake->second;
            m_ports.push_back(id);
        }
    }

    const Model& m_model;
    const Model& m_other;
    std::vector<ElementType> m_wanted; // [values]
    std::vector<ValueId> m_ports; // that are to be wider
};

Result<std::shared_ptr<const Model>> widened(const std::shared_ptr<const Model>& model, const Model& other, char letter,
    std::vector<Note>& notes, const JobContext& job)
{
    const WiderPorts wider(*model, other);
    if (wider.ports().empty())
        return model;
    const HalvedPorts ports = retypePorts(*model, wider.wanted(), {});
    const std::size_t count = wider.ports().size() - ports.floats.size();
    if (count == 0)
        return model;
    const Value& first = model->value(wider.ports().front());
    notes.push_back({"ports-converted",
        std::string(elementTypeName(first.type.element)) + " inputs and outputs of " + letter
            + " are converted from and to " + std::string(elementTypeName(wider.wanted()[wider.ports().front().index]))
            + ", which its latency includes",
        first.name});
    return convertedModel(model, ports.edits, {}, job);
}

} // namespace

Result<ComparablePorts> inCommonFloats(
    const std::shared_ptr<const Model>& a, const std::shared_ptr<const Model>& b, const JobContext& job)
{
    ComparablePorts made;
    DUO_TRY(first, widened(a, *b, 'A', made.notes, job));
    DUO_TRY(second, widened(b, *a, 'B', made.notes, job));
    made.a = std::move(first);
    made.b = std::move(second);
    return made;
}

} // namespace duo
