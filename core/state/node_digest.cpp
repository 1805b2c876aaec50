// SPDX-License-Identifier: Apache-2.0
#include "core/state/node_digest.h"

#include <algorithm>
#include <bit>

namespace duo {
namespace {

struct ValueAdder {
    Digest& digest;
    const Model& model;

    void operator()(std::monostate) const { }
    void operator()(std::int64_t value) const { digest.add(value); }
    void operator()(float value) const { digest.add(static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value))); }
    void operator()(const std::string& value) const { digest.add(value); }
    template <typename T> void operator()(const std::vector<T>& values) const
    {
        digest.add(static_cast<std::int64_t>(values.size()));
        for (const T& value : values)
            (*this)(value);
    }
    void operator()(TensorId id) const
    {
        if (!id.valid())
            return;
        addShape(digest, model.tensor(id));
        digest.add(model.tensor(id).bytes());
    }
};

} // namespace

void addShape(Digest& digest, const Tensor& tensor)
{
    digest.add(static_cast<std::int64_t>(tensor.type));
    digest.add(static_cast<std::int64_t>(tensor.dims.size()));
    for (const std::int64_t dim : tensor.dims)
        digest.add(dim);
}

void addAttributes(Digest& digest, const Model& model, const Node& node)
{
    std::vector<const Attribute*> sorted;
    for (const Attribute& attribute : node.attributes)
        sorted.push_back(&attribute);
    std::ranges::sort(sorted, {}, &Attribute::name);
    digest.add(static_cast<std::int64_t>(sorted.size()));
    for (const Attribute* attribute : sorted) {
        digest.add(attribute->name);
        digest.add(static_cast<std::int64_t>(attribute->value.index()));
        std::visit(ValueAdder{digest, model}, attribute->value);
    }
}

} // namespace duo
