// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/type_probe.h"

#include "core/onnx/payloads.h"
#include "core/onnx/source.h"
#include "core/onnx/walk_proto.h"
#include "core/support/file.h"
#include "core/transform/main_nodes.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kSmall = 4096; // bytes; shapes are not told by larger tensors

class Probe
{
public:
    explicit Probe(const Model& model)
        : m_model(model)
        , m_proto(google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&m_arena))
        , m_payloads(model.source->payloads)
    {
    }

    Result<std::vector<std::byte>> ofAll()
    {
        m_model.source->structure->parse(*m_proto);
        clearNames();
        takeWeightsOut();
        addOutputs();
        return bytes();
    }

    Result<std::vector<std::byte>> ofPart(
        const MainNodes& mainNodes, std::span<const NodeId> nodes, std::span<const ValueType> types)
    {
        const Structure& structure = *m_model.source->structure;
        const onnx::ModelProto& whole = structure.besidesNodes();
        m_proto->set_ir_version(whole.ir_version());
        *m_proto->mutable_opset_import() = whole.opset_import();
        m_proto->mutable_graph()->set_name("part");
        if (std::ranges::any_of(nodes, [&](NodeId id) { return m_model.node(id).isCall; }))
            *m_proto->mutable_functions() = whole.functions();
        for (const NodeId id : nodes)
            structure.parseNode(m_model.node(id).origin.index, *m_proto->mutable_graph()->add_node());
        clearNames();
        addReads(mainNodes, nodes, types);
        addOutputs();
        return bytes();
    }

private:
    Result<std::vector<std::byte>> bytes()
    {
        const std::string proto = m_proto->SerializeAsString();
        DUO_TRY(joined, JoinedModel::of(proto, m_payloads));
        if (joined.size() > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
            return Error{ErrorCode::Unsupported, "the model has more than 2 GB besides its large initializers",
                m_model.path.string(), {}};
        return joined.bytes(m_model.path.string());
    }

    /// The engine refuses nodes that share a name, and types do not depend on it.
    void clearNames()
    {
        forEachNode(*m_proto->mutable_graph()->mutable_node(), [](onnx::NodeProto& node) { node.clear_name(); });
    }

    void takeWeightsOut()
    {
        auto& graph = *m_proto->mutable_graph();
        const auto inputs = inputNames();
        google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
        for (auto& tensor : *graph.mutable_initializer()) {
            if (staysInline(tensor))
                *kept.Add() = std::move(tensor);
            else if (!inputs.contains(tensor.name()))
                addInput(tensor);
        }
        graph.mutable_initializer()->Swap(&kept);
    }

    [[nodiscard]] std::unordered_set<std::string_view> inputNames() const
    {
        std::unordered_set<std::string_view> names;
        for (const auto& input : m_model.source->structure->besidesNodes().graph().input())
            names.insert(input.name());
        return names;
    }

    /// Brings the data of small external tensors into the model.
    [[nodiscard]] bool staysInline(onnx::TensorProto& tensor)
    {
        const ValueId value = m_model.findValue(tensor.name());
        const TensorId id = value.valid() ? m_model.value(value).initializer : TensorId{};
        if (!id.valid())
            return true; // the engine says what is wrong with it
        const Tensor& read = m_model.tensor(id);
        if (read.type == ElementType::String)
            return true;
        if (!isSmall(read))
            return false;
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
            tensor.clear_external_data();
            tensor.clear_data_location();
            setData(tensor, read);
        }
        return true;
    }

    static bool isSmall(const Tensor& tensor)
    {
        return tensor.bytes().size() <= kSmall && (!tensor.bytes().empty() || tensor.elements() == 0);
    }

    void setData(onnx::TensorProto& proto, const Tensor& tensor)
    {
        proto.set_raw_data(payloadToken(static_cast<std::uint32_t>(m_payloads.size())));
        m_payloads.push_back(tensor.data);
    }

    void addReads(const MainNodes& mainNodes, std::span<const NodeId> nodes, std::span<const ValueType> types)
    {
        const std::unordered_set<NodeId> own(nodes.begin(), nodes.end());
        const auto inputs = inputNames();
        std::unordered_set<ValueId> added;
        for (const NodeId node : nodes) {
            for (const ValueId id : mainNodes.reads(node)) {
                const Value& value = m_model.value(id);
                if (value.producer.valid() && own.contains(mainNodes.around(value.producer)))
                    continue;
                if (!added.insert(id).second)
                    continue;
                if (value.initializer.valid())
                    addInitializer(value, inputs.contains(value.name));
                else
                    addInput(value.name, types[id.index]);
            }
        }
    }

    /// @param isInput whoever runs the model may give another one
    void addInitializer(const Value& value, bool isInput)
    {
        const Tensor& tensor = m_model.tensor(value.initializer);
        onnx::TensorProto proto;
        proto.set_name(value.name);
        proto.set_data_type(static_cast<std::int32_t>(tensor.type));
        proto.mutable_dims()->Assign(tensor.dims.begin(), tensor.dims.end());
        const bool stays = tensor.type != ElementType::String && isSmall(tensor);
        if (isInput || !stays)
            addInput(proto);
        if (!stays)
            return;
        setData(proto, tensor);
        *m_proto->mutable_graph()->add_initializer() = std::move(proto);
    }

    void addInput(const std::string& name, const ValueType& known)
    {
        auto& info = *m_proto->mutable_graph()->add_input();
        info.set_name(name);
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(static_cast<std::int32_t>(known.element));
        if (!known.shape)
            return;
        auto& shape = *type.mutable_shape();
        for (const Dim& dim : *known.shape) {
            auto& added = *shape.add_dim();
            if (dim.size)
                added.set_dim_value(*dim.size);
            else if (!dim.symbol.empty())
                added.set_dim_param(dim.symbol);
        }
    }

    void addInput(const onnx::TensorProto& tensor)
    {
        auto& info = *m_proto->mutable_graph()->add_input();
        info.set_name(tensor.name());
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(tensor.data_type());
        auto& shape = *type.mutable_shape();
        for (const std::int64_t dim : tensor.dims())
            shape.add_dim()->set_dim_value(dim);
    }

    void addOutputs()
    {
        auto& graph = *m_proto->mutable_graph();
        std::unordered_set<std::string_view> known;
        for (const auto& output : graph.output())
            known.insert(output.name());
        for (const auto& node : graph.node()) {
            for (const std::string& name : node.output()) {
                if (!name.empty() && known.insert(name).second)
                    graph.add_output()->set_name(name);
            }
        }
    }

    const Model& m_model;
    google::protobuf::Arena m_arena; // before `m_proto`, which lives in it
    onnx::ModelProto* m_proto;
    std::vector<SharedBytes> m_payloads;
};

template <typename Make> Result<std::vector<std::byte>> probed(const Model& model, const Make& make)
{
    if (!model.source)
        return Error{ErrorCode::Internal, "the model was not read from a file", model.graphName, {}};
    try {
        Probe probe(model);
        return make(probe);
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "the model could not be written", model.path.string(), e.what()};
    }
}

} // namespace

Result<std::vector<std::byte>> typeProbe(const Model& model)
{
    return probed(model, [](Probe& probe) { return probe.ofAll(); });
}

Result<std::vector<std::byte>> typeProbe(
    const Model& model, const MainNodes& mainNodes, std::span<const NodeId> nodes, std::span<const ValueType> types)
{
    return probed(model, [&](Probe& probe) { return probe.ofPart(mainNodes, nodes, types); });
}

} // namespace duo
