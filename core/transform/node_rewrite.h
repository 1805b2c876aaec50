// SPDX-License-Identifier: Apache-2.0
// NodeRewrite: one node on its way to a newer opset: its old attributes are taken, its new form is written as edits.
#pragma once

#include "core/support/fresh_names.h"
#include "core/transform/edit_list.h"
#include "core/transform/known_ranks.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace duo {

/// What all rewrites of one model share.
class OpsetEdits
{
public:
    explicit OpsetEdits(const Model& model);

    [[nodiscard]] const Model& model() const { return m_model; }
    [[nodiscard]] std::optional<std::int64_t> rankOf(ValueId value);
    /// `wish`, or with a number behind it if a value has that name.
    std::string freshName(const std::string& wish);

    EditList list;
    std::set<NodeId> renamed; // the name they are shown by would change: it has to be written down

private:
    const Model& m_model;
    std::optional<KnownRanks> m_ranks; // few rewrites ask for them
    FreshNames m_taken;
};

class NodeRewrite
{
public:
    NodeRewrite(OpsetEdits& edits, NodeId node, std::int64_t opset)
        : m_edits(edits)
        , m_id(node)
        , m_opset(opset)
    {
    }

    [[nodiscard]] const Node& node() const { return m_edits.model().node(m_id); }
    [[nodiscard]] const Model& model() const { return m_edits.model(); }
    [[nodiscard]] std::int64_t opset() const { return m_opset; } // the model's own

    /// The value of an attribute, which is removed; nothing if it is not there. One of another type is refused.
    template <typename T> std::optional<T> take(std::string_view name)
    {
        const std::optional<T> value = read<T>(name);
        drop(name);
        return value;
    }
    /// The same, but it stays.
    template <typename T> std::optional<T> read(std::string_view name)
    {
        const Attribute* attribute = node().attribute(name);
        if (attribute == nullptr)
            return std::nullopt;
        if (const T* value = std::get_if<T>(&attribute->value))
            return *value;
        refuse("attribute '" + std::string(name) + "' is of another type than its operator says");
        return std::nullopt;
    }
    void drop(std::string_view name);
    void set(std::string_view name, decltype(Attribute::value) value);
    void become(const std::string& opType);

    [[nodiscard]] bool hasInput(std::size_t port) const;
    [[nodiscard]] std::optional<std::int64_t> rankOfInput(std::size_t port) const;
    [[nodiscard]] std::string inputName(std::size_t port) const; // "" if omitted
    void giveInput(std::size_t port, const std::string& value); // ports up to it are there already, or are omitted
    void giveInts(std::size_t port, const char* what, std::span<const std::int64_t> values); // [n]
    void giveFloats(std::size_t port, const char* what, std::span<const float> values); // [n]
    /// A scalar of the element type of the first input, rounded to it. Refused where that is unknown or no float.
    void giveScalar(std::size_t port, const char* what, float value);

    /// True if another node, a body or the outside reads an output.
    [[nodiscard]] bool isRead(std::size_t port) const;
    void omitOutput(std::size_t port);

    /// A node of one output before or after this one, in its scope and named after it; the name of what it makes.
    enum class Side { Before, After };
    std::string addHelper(
        Side side, const char* opType, std::vector<std::string> inputs, std::vector<Attribute> attributes = {});
    /// The helper that comes last makes what output 0 was; this node makes another value from now on: its name.
    std::string takeOverOutput(const char* opType, const std::string& second);
    std::string addInts(const char* what, std::span<const std::int64_t> values); // an initializer, its name

    void refuse(const std::string& why); // the first reason counts
    [[nodiscard]] const std::optional<std::string>& refusal() const { return m_refusal; }
    [[nodiscard]] bool isChanged() const { return m_isChanged; }

private:
    std::string nameFor(const std::string& what);
    std::string addVector(const char* what, ElementType type, std::size_t length, std::span<const std::byte> bytes);
    std::string addTensor(const char* what, NewTensor tensor);
    NewNode helper(Side side, const char* opType, std::vector<std::string> inputs);

    OpsetEdits& m_edits;
    NodeId m_id;
    std::int64_t m_opset;
    std::size_t m_inputs = 0; // ports given so far, where more than the node has
    bool m_isChanged = false;
    std::optional<std::string> m_refusal;
};

} // namespace duo
