// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/generated_model.h"

#include <onnx.pb.h>

#include <unordered_map>
#include <vector>

namespace duo::bench {
namespace {

constexpr int kChannels = 8;

class ChainBuilder
{
public:
    explicit ChainBuilder(int blocksInLayer)
        : m_blocksInLayer(blocksInLayer)
    {
        m_model.set_ir_version(8);
        m_model.set_producer_name("generated");
        m_model.add_opset_import()->set_version(17);
        m_model.mutable_graph()->set_name("main_graph");
        setType(*m_model.mutable_graph()->add_input(), "x");
    }

    std::string build(int nodes)
    {
        std::string value = "x";
        for (int block = 0; m_nodes < nodes; ++block)
            value = addBlock(block, value, nodes);
        setType(*m_model.mutable_graph()->add_output(), value);
        return m_model.SerializeAsString();
    }

private:
    std::string addBlock(int block, const std::string& input, int nodes)
    {
        const std::string layer = "layer" + std::to_string(block / m_blocksInLayer);
        const bool isAlone = m_blocksInLayer == 1;
        const std::string key = isAlone ? layer : layer + "." + std::to_string(block % m_blocksInLayer);
        const std::string scope = isAlone ? "/" + layer : "/" + layer + "/" + key;
        std::string value = input;
        value = add("Conv", scope + "/conv1/Conv", {value, weight(key + ".conv1.weight")}, nodes);
        value = add("Relu", scope + "/relu/Relu", {value}, nodes);
        value = add("Conv", scope + "/conv2/Conv", {value, weight(key + ".conv2.weight")}, nodes);
        value = add("Add", scope + "/Add", {value, input}, nodes);
        return add("Relu", scope + "/relu_1/Relu", {value}, nodes);
    }

    std::string add(const char* type, const std::string& name, const std::vector<std::string>& inputs, int nodes)
    {
        if (m_nodes >= nodes)
            return inputs.front();
        ++m_nodes;
        auto* node = m_model.mutable_graph()->add_node();
        node->set_op_type(type);
        node->set_name(name);
        for (const auto& input : inputs)
            node->add_input(input);
        const std::string output = name + "_output_0";
        node->add_output(output);
        setType(*m_model.mutable_graph()->add_value_info(), output);
        return output;
    }

    std::string weight(const std::string& name)
    {
        auto* tensor = m_model.mutable_graph()->add_initializer();
        tensor->set_name(name);
        tensor->set_data_type(onnx::TensorProto::FLOAT);
        for (const int dim : {kChannels, kChannels, 1, 1})
            tensor->add_dims(dim);
        tensor->set_raw_data(std::string(static_cast<std::size_t>(kChannels) * kChannels * sizeof(float), '\0'));
        return name;
    }

    static void setType(onnx::ValueInfoProto& info, const std::string& name)
    {
        info.set_name(name);
        auto* tensor = info.mutable_type()->mutable_tensor_type();
        tensor->set_elem_type(onnx::TensorProto::FLOAT);
        for (const int dim : {1, kChannels, 16, 16})
            tensor->mutable_shape()->add_dim()->set_dim_value(dim);
    }

    onnx::ModelProto m_model;
    int m_blocksInLayer = 1;
    int m_nodes = 0;
};

void addNode(onnx::GraphProto& graph, const char* type, const std::string& name, const std::vector<std::string>& inputs)
{
    auto* node = graph.add_node();
    node->set_op_type(type);
    node->set_name(name);
    for (const auto& input : inputs)
        node->add_input(input);
    node->add_output("v" + name);
}

} // namespace

std::string namelessChain(int nodes)
{
    onnx::ModelProto model;
    model.ParseFromString(residualChain(nodes));
    auto& graph = *model.mutable_graph();
    std::unordered_map<std::string, std::string> numbers;
    const auto numbered = [&](std::string& name) {
        name = numbers.try_emplace(name, "v" + std::to_string(numbers.size())).first->second;
    };
    for (auto& tensor : *graph.mutable_initializer())
        numbered(*tensor.mutable_name());
    for (auto& node : *graph.mutable_node()) {
        node.clear_name();
        for (auto* names : {node.mutable_input(), node.mutable_output()}) {
            for (std::string& name : *names)
                numbered(name);
        }
    }
    for (auto* infos : {graph.mutable_input(), graph.mutable_output()}) {
        for (auto& info : *infos)
            numbered(*info.mutable_name());
    }
    graph.clear_value_info();
    model.clear_producer_name();
    return model.SerializeAsString();
}

std::string diamondLadder(int steps)
{
    onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    auto& graph = *model.mutable_graph();
    std::string value = "x";
    graph.add_input()->set_name(value);
    for (int i = 0; i < steps; ++i) {
        const std::string n = std::to_string(i);
        addNode(graph, "Relu", "l" + n, {value});
        addNode(graph, "Relu", "r" + n, {value});
        addNode(graph, "Add", "a" + n, {"vl" + n, "vr" + n});
        value = "va" + n;
    }
    graph.add_output()->set_name(value);
    return model.SerializeAsString();
}

std::string residualChain(int nodes)
{
    return ChainBuilder(100).build(nodes);
}

std::string flatChain(int nodes)
{
    return ChainBuilder(1).build(nodes);
}

} // namespace duo::bench
