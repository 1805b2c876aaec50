// SPDX-License-Identifier: Apache-2.0
// OlderForm: one node on its way to an older opset: what only newer ones have is taken off, or it is written as several
// older operators, the last of which has its name.
#pragma once

#include "core/transform/edit_list.h"
#include "core/transform/edit_names.h"
#include "core/transform/known_ranks.h"
#include "core/transform/known_shapes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// What all nodes of one model share.
struct OlderForms {
    /// @param sizes null: those of inputs are not known
    explicit OlderForms(const Model& whole, const ValueTypes* fixed = nullptr)
        : model(whole)
        , sizes(fixed)
        , names(whole)
        , ranks(whole)
    {
    }
    const Model& model;
    const ValueTypes* sizes;
    EditNames names;
    KnownRanks ranks;
    std::optional<KnownShapes> shapes = {}; // found when they are asked for first
    EditList edits;
};

class OlderForm
{
public:
    /// @param opset that it is to be written in
    OlderForm(OlderForms& forms, NodeId node, std::int64_t opset)
        : m_forms(forms)
        , m_id(node)
        , m_opset(opset)
    {
    }

    [[nodiscard]] const Node& node() const { return m_forms.model.node(m_id); }
    [[nodiscard]] const Model& model() const { return m_forms.model; }
    [[nodiscard]] std::int64_t opset() const { return m_opset; }
    [[nodiscard]] std::string input(std::size_t port) const; // its name; "" if omitted
    [[nodiscard]] bool hasOutput(std::size_t port) const;
    [[nodiscard]] std::optional<std::int64_t> rank() const; // of input 0
    /// A size of an input of this rank; nothing where that is not its rank, or nobody knows.
    [[nodiscard]] std::optional<Extent> size(std::size_t port, std::size_t axis, std::size_t rank) const;
    [[nodiscard]] bool isSet(std::string_view attribute) const { return node().attribute(attribute) != nullptr; }

    void drop(std::string_view attribute);
    /// An operator before it, in its scope; the name of what it gives.
    std::string add(std::string_view opType, std::vector<std::string> inputs, std::vector<Attribute> attributes = {});
    /// An operator beside it that gives one of its other outputs.
    void give(std::size_t port, std::string_view opType, std::vector<std::string> inputs,
        std::vector<Attribute> attributes = {});
    /// The operator that stands in its place, under its name. Nothing may be said after it.
    void end(std::string_view opType, std::vector<std::string> inputs, std::vector<Attribute> attributes = {});
    /// A constant of one element, of the type of input 0. Refused where that is unknown or no float.
    std::string scalar(std::string_view what, double value);
    std::string ints(std::string_view what, const std::vector<std::int64_t>& values);

    void refuse(std::string why); // the first reason counts
    [[nodiscard]] const std::optional<std::string>& refusal() const { return m_refusal; }
    [[nodiscard]] bool isChanged() const { return m_isChanged; }

private:
    [[nodiscard]] std::string nameFor(std::string_view what);

    OlderForms& m_forms;
    NodeId m_id;
    std::int64_t m_opset;
    bool m_isChanged = false;
    std::optional<std::string> m_refusal;
};

/// Whether an opset behind 13 brought this operator, or made it mean more.
bool isNewerOperator(std::string_view opType);

/// Writes a Gemm, or an operator that an opset brought for several others, as these, in the model's own opset.
/// @return why it cannot be, and nothing was written
std::optional<std::string> writeAsSeveral(OlderForms& forms, NodeId node);

/// Why a node has no form in `opset`; it is written in it where it has one, which is the one it has already of most.
/// What changes in a type only, as bfloat16 came to many operators, is not looked at. @param isChanged told
std::optional<std::string> writeOlder(OlderForms& forms, NodeId node, std::int64_t opset, bool& isChanged);

} // namespace duo
