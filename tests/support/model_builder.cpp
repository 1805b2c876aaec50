// SPDX-License-Identifier: Apache-2.0
#include "tests/support/model_builder.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace duo::test {
namespace {

template <typename T> SharedBytes bytesOf(const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return SharedBytes::own(std::move(bytes));
}

void addInitializer(ValueId value, Tensor tensor, Model& draft)
{
    const TensorId id(draft.tensors.size());
    draft.tensors.push_back(std::move(tensor));
    draft.initializers.push_back(id);
    draft.values[value.index].initializer = id;
}

} // namespace

ModelBuilder::ModelBuilder(std::int64_t opset)
{
    m_draft.irVersion = 8;
    m_draft.opsets[""] = opset;
    m_draft.regions.emplace_back();
}

ValueId ModelBuilder::valueId(const std::string& name)
{
    if (name.empty())
        return {};
    const auto [entry, isNew] = m_values.try_emplace(name, ValueId(m_draft.values.size()));
    if (isNew) {
        Value value;
        value.name = name;
        value.region = RegionId(0);
        m_draft.values.push_back(std::move(value));
    }
    return entry->second;
}

ModelBuilder& ModelBuilder::input(const std::string& name, std::vector<std::int64_t> dims, ElementType type)
{
    const ValueId id = valueId(name);
    Value& value = m_draft.values[id.index];
    value.isInput = true;
    value.type.element = type;
    if (!dims.empty()) {
        value.type.shape.emplace();
        for (const std::int64_t dim : dims)
            value.type.shape->push_back(dim < 0 ? Dim{std::nullopt, "N"} : Dim{dim, {}});
    }
    m_draft.regions[0].inputs.push_back(id);
    return *this;
}

ModelBuilder& ModelBuilder::output(const std::string& name)
{
    const ValueId id = valueId(name);
    m_draft.values[id.index].isOutput = true;
    m_draft.regions[0].outputs.push_back(id);
    return *this;
}

ModelBuilder& ModelBuilder::weight(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values)
{
    Tensor tensor;
    tensor.name = name;
    tensor.type = ElementType::Float32;
    tensor.dims = std::move(dims);
    std::vector<float> filled(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < filled.size(); ++i)
        filled[i] = values[i % values.size()];
    tensor.data = bytesOf(filled);
    addInitializer(valueId(name), std::move(tensor), m_draft);
    return *this;
}

ModelBuilder& ModelBuilder::ints(const std::string& name, std::vector<std::int64_t> values)
{
    Tensor tensor;
    tensor.name = name;
    tensor.type = ElementType::Int64;
    tensor.dims = {static_cast<std::int64_t>(values.size())};
    tensor.data = bytesOf(values);
    addInitializer(valueId(name), std::move(tensor), m_draft);
    return *this;
}

ModelBuilder& ModelBuilder::node(const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, std::vector<Attribute> attributes)
{
    Node node;
    node.opType = opType;
    node.localName = name;
    node.region = RegionId(0);
    node.attributes = std::move(attributes);
    node.origin.index = static_cast<std::uint32_t>(m_draft.nodes.size());
    for (const auto& input : inputs)
        node.inputs.push_back(valueId(input));
    for (const auto& output : outputs)
        node.outputs.push_back(valueId(output));
    m_draft.regions[0].nodes.push_back(NodeId(m_draft.nodes.size()));
    m_draft.nodes.push_back(std::move(node));
    return *this;
}

ModelBuilder& ModelBuilder::metadata(const std::string& key, const std::string& value)
{
    m_draft.nodes.back().metadata.emplace_back(key, value);
    return *this;
}

ModelBuilder& ModelBuilder::producer(const std::string& name)
{
    m_draft.producerName = name;
    return *this;
}

Result<std::shared_ptr<const Model>> ModelBuilder::tryBuild() const
{
    return sealModel(m_draft);
}

std::shared_ptr<const Model> ModelBuilder::build() const
{
    auto model = tryBuild();
    if (model)
        return *model;
    std::fprintf(stderr, "test model: %s\n", model.error().line().c_str());
    std::abort();
}

} // namespace duo::test
