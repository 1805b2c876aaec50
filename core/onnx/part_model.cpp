// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/part_model.h"

#include "core/onnx/payloads.h"
#include "core/onnx/source.h"
#include "core/support/file.h"

#include <exception>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

class PartModel
{
public:
    explicit PartModel(const Model& model)
        : m_model(model)
        , m_proto(google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&m_arena))
        , m_payloads(model.source->payloads)
    {
        const onnx::ModelProto& whole = model.source->structure->besidesNodes();
        m_proto->set_ir_version(whole.ir_version());
        *m_proto->mutable_opset_import() = whole.opset_import();
        m_proto->mutable_graph()->set_name("constants");
    }

    Result<std::vector<std::byte>> bytes(std::span<const NodeId> nodes, std::span<const ValueId> outputs)
    {
        addNodes(nodes);
        addInitializers();
        for (const ValueId output : outputs)
            m_proto->mutable_graph()->add_output()->set_name(m_model.value(output).name);
        const std::string proto = m_proto->SerializeAsString();
        DUO_TRY(joined, JoinedModel::of(proto, m_payloads));
        if (joined.size() > kMostBytes)
            return Error{ErrorCode::Unsupported, "its constants take more than 1 GB", m_model.path.string(), {}};
        return joined.bytes(m_model.path.string());
    }

private:
    /// Without names, which several nodes of a file may share.
    void addNodes(std::span<const NodeId> nodes)
    {
        const Structure& whole = *m_model.source->structure;
        for (const NodeId id : nodes) {
            const std::size_t index = m_model.node(id).origin.index;
            if (index >= whole.nodeCount())
                continue;
            auto& node = *m_proto->mutable_graph()->add_node();
            whole.parseNode(index, node);
            node.clear_name();
            for (const ValueId input : m_model.node(id).inputs) {
                if (input.valid() && m_model.value(input).initializer.valid())
                    m_read.insert(m_model.value(input).name);
            }
        }
    }

    void addInitializers()
    {
        for (const auto& tensor : m_model.source->structure->besidesNodes().graph().initializer()) {
            if (!m_read.contains(tensor.name()))
                continue;
            auto& copy = *m_proto->mutable_graph()->add_initializer();
            copy.CopyFrom(tensor);
            const ValueId value = m_model.findValue(tensor.name());
            if (tensor.data_location() != onnx::TensorProto::EXTERNAL || !value.valid()
                || !m_model.value(value).initializer.valid())
                continue;
            copy.clear_external_data();
            copy.clear_data_location();
            copy.set_raw_data(payloadToken(static_cast<std::uint32_t>(m_payloads.size())));
            m_payloads.push_back(m_model.tensor(m_model.value(value).initializer).data);
        }
    }

    const Model& m_model;
    google::protobuf::Arena m_arena; // before `m_proto`, which lives in it
    onnx::ModelProto* m_proto;
    std::vector<SharedBytes> m_payloads;
    std::unordered_set<std::string_view> m_read; // initializers
};

} // namespace

Result<std::vector<std::byte>> partModel(
    const Model& model, std::span<const NodeId> nodes, std::span<const ValueId> outputs)
{
    if (!model.source)
        return Error{ErrorCode::Internal, "the model was not read from a file", model.graphName, {}};
    try {
        return PartModel(model).bytes(nodes, outputs);
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "a part of the model could not be written", model.path.string(), e.what()};
    }
}

} // namespace duo
