// SPDX-License-Identifier: Apache-2.0
#include "tests/core/analysis/small_network.h"

#include "core/onnx/reader.h"

#include <cstdio>
#include <cstdlib>

#include <onnx.pb.h>

namespace duo::test {
namespace {

void setRowsOfTwo(onnx::ValueInfoProto& info, const std::string& name)
{
    info.set_name(name);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    type.mutable_shape()->add_dim()->set_dim_param("N");
    type.mutable_shape()->add_dim()->set_dim_value(2);
}

} // namespace

SmallNetwork::SmallNetwork()
    : m_proto(std::make_unique<onnx::ModelProto>())
{
    m_proto->set_ir_version(8);
    m_proto->add_opset_import()->set_version(17);
    m_proto->mutable_graph()->set_name("g");
}

SmallNetwork::~SmallNetwork() = default;

SmallNetwork& SmallNetwork::input(const std::string& name)
{
    setRowsOfTwo(*m_proto->mutable_graph()->add_input(), name);
    return *this;
}

SmallNetwork& SmallNetwork::output(const std::string& name)
{
    setRowsOfTwo(*m_proto->mutable_graph()->add_output(), name);
    return *this;
}

SmallNetwork& SmallNetwork::weight(const std::string& name, float first, float second)
{
    auto& tensor = *m_proto->mutable_graph()->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_dims(2);
    tensor.add_float_data(first);
    tensor.add_float_data(second);
    return *this;
}

SmallNetwork& SmallNetwork::node(
    const std::string& opType, const std::vector<std::string>& inputs, const std::string& output)
{
    auto& node = *m_proto->mutable_graph()->add_node();
    node.set_op_type(opType);
    node.set_name("make_" + output);
    for (const std::string& name : inputs)
        node.add_input(name);
    node.add_output(output);
    return *this;
}

std::shared_ptr<const Model> SmallNetwork::write(const TemporaryFolder& folder, const std::string& name) const
{
    auto model = readModel(folder.write(name, m_proto->SerializeAsString()));
    if (model)
        return *model;
    std::fprintf(stderr, "test model: %s\n", model.error().line().c_str());
    std::abort();
}

} // namespace duo::test
