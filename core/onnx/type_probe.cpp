// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/type_probe.h"

#include "core/onnx/payloads.h"
#include "core/onnx/source.h"
#include "core/onnx/walk_proto.h"
#include "core/support/file.h"

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
        m_proto->CopyFrom(*model.source->proto);
    }

    Result<std::vector<std::byte>> bytes()
    {
        clearNames();
        takeWeightsOut();
        addOutputs();
        const std::string proto = m_proto->SerializeAsString();
        DUO_TRY(joined, JoinedModel::of(proto, m_payloads));
        if (joined.size() > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
            return Error{ErrorCode::Unsupported, "the model has more than 2 GB besides its large initializers",
                m_model.path.string(), {}};
        return joined.bytes(m_model.path.string());
    }

private:
    /// The engine refuses nodes that share a name, and types do not depend on it.
    void clearNames()
    {
        forEachNode(*m_proto->mutable_graph()->mutable_node(), [](onnx::NodeProto& node) { node.clear_name(); });
    }

    void takeWeightsOut()
    {
        auto& graph = *m_proto->mutable_graph();
        std::unordered_set<std::string_view> inputs;
        for (const auto& input : m_model.source->proto->graph().input())
            inputs.insert(input.name());
        google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
        for (auto& tensor : *graph.mutable_initializer()) {
            if (staysInline(tensor))
                *kept.Add() = std::move(tensor);
            else if (!inputs.contains(tensor.name()))
                addInput(graph, tensor);
        }
        graph.mutable_initializer()->Swap(&kept);
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
        if (read.bytes().size() > kSmall || (read.bytes().empty() && read.elements() > 0))
            return false;
        if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
            tensor.clear_external_data();
            tensor.clear_data_location();
            tensor.set_raw_data(payloadToken(static_cast<std::uint32_t>(m_payloads.size())));
            m_payloads.push_back(read.data);
        }
        return true;
    }

    static void addInput(onnx::GraphProto& graph, const onnx::TensorProto& tensor)
    {
        auto& info = *graph.add_input();
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
        for (const auto& output : m_model.source->proto->graph().output())
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

} // namespace

Result<std::vector<std::byte>> typeProbe(const Model& model)
{
    if (!model.source)
        return Error{ErrorCode::Internal, "the model was not read from a file", model.graphName, {}};
    try {
        return Probe(model).bytes();
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "the model could not be written", model.path.string(), e.what()};
    }
}

} // namespace duo
