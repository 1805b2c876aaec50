// SPDX-License-Identifier: Apache-2.0
#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/transform/common_passes.h"

#include <cstring>
#include <optional>

namespace duo {
namespace {

template <typename T> NewTensor tensorOf(ElementType type, std::vector<std::int64_t> dims, const std::vector<T>& values)
{
    NewTensor tensor{{}, type, std::move(dims), std::vector<std::byte>(values.size() * sizeof(T))};
    if (!values.empty())
        std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

/// What a Constant node says in an attribute of its own kind; nothing for texts and sparse tensors.
std::optional<NewTensor> saidInNumbers(const Node& node)
{
    for (const Attribute& attribute : node.attributes) {
        const auto count
            = [](const auto& values) { return std::vector<std::int64_t>{static_cast<std::int64_t>(values.size())}; };
        if (const auto* one = std::get_if<float>(&attribute.value); one && attribute.name == "value_float")
            return tensorOf(ElementType::Float32, {}, std::vector{*one});
        if (const auto* one = std::get_if<std::int64_t>(&attribute.value); one && attribute.name == "value_int")
            return tensorOf(ElementType::Int64, {}, std::vector{*one});
        if (const auto* all = std::get_if<std::vector<float>>(&attribute.value);
            all && attribute.name == "value_floats")
            return tensorOf(ElementType::Float32, count(*all), *all);
        if (const auto* all = std::get_if<std::vector<std::int64_t>>(&attribute.value);
            all && attribute.name == "value_ints")
            return tensorOf(ElementType::Int64, count(*all), *all);
    }
    return std::nullopt;
}

std::optional<NewTensor> heldBy(const Model& model, const Node& node)
{
    const Tensor* tensor = model.constant(node.outputs[0]);
    if (tensor == nullptr)
        return saidInNumbers(node);
    if (tensor->bytes().empty())
        return std::nullopt; // texts, or no elements
    return NewTensor{{}, tensor->type, tensor->dims, {tensor->bytes().begin(), tensor->bytes().end()}};
}

/// A parameter that TorchScript's exporter found equal to another one when it wrote the file, under its own name.
std::optional<NewTensor> aliased(const Model& model, const Node& node)
{
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 16; // there twice from now on
    const Tensor* tensor = isIdentityAlias(model, node) ? model.constant(node.inputs[0]) : nullptr;
    const bool isNamed = tensor != nullptr && model.value(node.outputs[0]).name.find("::") == std::string::npos;
    if (!isNamed || tensor->bytes().empty() || static_cast<std::int64_t>(tensor->bytes().size()) > kMostBytes
        || isOverridable(model, model.value(node.inputs[0])))
        return std::nullopt;
    return NewTensor{{}, tensor->type, tensor->dims, {tensor->bytes().begin(), tensor->bytes().end()}};
}

} // namespace

/// Small ones only: large ones would be copied. Those of a body become initializers of the body.
PassResult moveConstants(const PassScene& scene)
{
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
    const Model& model = scene.model;
    if (model.irVersion < kInitializersNeedNoInput)
        return {};
    EditList edits;
    PassResult result;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const NodeId id(n);
        const Node& node = model.node(id);
        const bool isAliasOfMain = node.region == RegionId(0) && isIdentityAlias(model, node);
        if (!(isConstantNode(node) || isAliasOfMain) || node.outputs.size() != 1 || !node.outputs[0].valid()
            || !scene.mayChange(id) || model.isInFunction(node))
            continue;
        const Value& value = model.value(node.outputs[0]);
        if (value.isOutput)
            continue;
        const bool isAlias = !isConstantNode(node);
        const Tensor* tensor = isAlias ? nullptr : model.constant(node.outputs[0]);
        if (tensor != nullptr && static_cast<std::int64_t>(tensor->bytes().size()) > kMostBytes) {
            result.skipped.push_back({id, "it holds more than 1 MB, which would be copied"});
            continue;
        }
        auto held = isAlias ? aliased(model, node) : heldBy(model, node);
        if (!held)
            continue;
        held->name = value.name;
        held->region = node.region;
        edits.newTensors.push_back(*std::move(held));
        edits.removedNodes.push_back(id);
        result.applied.push_back(id);
    }
    if (!result.applied.empty())
        result.edits = std::move(edits);
    return result;
}

} // namespace duo
