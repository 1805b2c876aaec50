// SPDX-License-Identifier: Apache-2.0
#include "core/transform/node_key.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <variant>
#include <vector>

namespace duo {
namespace {

/// Appends what one value of an attribute is; false for what the model does not hold.
struct AttributeKey {
    std::string& key;

    bool operator()(std::monostate) const { return false; }
    bool operator()(TensorId) const { return false; }
    bool operator()(std::int64_t value) const { return add('i', std::to_string(value)); }
    bool operator()(float value) const { return add('f', std::to_string(std::bit_cast<std::uint32_t>(value))); }
    bool operator()(const std::string& value) const { return add('s', value); }
    template <typename T> bool operator()(const std::vector<T>& values) const
    {
        add('[', std::to_string(values.size()));
        return std::ranges::all_of(values, [&](const T& value) { return (*this)(value); });
    }
    bool add(char kind, const std::string& text) const
    {
        key += kind + std::to_string(text.size()) + ':' + text;
        return true;
    }
};

} // namespace

bool addAttributes(std::string& key, const Node& node)
{
    std::vector<const Attribute*> attributes;
    for (const Attribute& attribute : node.attributes)
        attributes.push_back(&attribute);
    std::ranges::sort(attributes, {}, &Attribute::name);
    return std::ranges::all_of(attributes, [&](const Attribute* attribute) {
        AttributeKey{key}.add('=', attribute->name);
        return std::visit(AttributeKey{key}, attribute->value);
    });
}

} // namespace duo
