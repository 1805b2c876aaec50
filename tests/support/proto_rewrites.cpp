// SPDX-License-Identifier: Apache-2.0
// Everything here takes a list of nodes and what it sees from outside: names in bodies hide those around them.
#include "tests/support/proto_rewrites.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace duo::test {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Names = std::set<std::string>;

void eachBody(onnx::NodeProto& node, const std::function<void(onnx::GraphProto&)>& visit)
{
    for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g())
            visit(*attribute.mutable_g());
    }
}

void eachGraph(onnx::GraphProto& graph, const std::function<void(onnx::GraphProto&)>& visit)
{
    visit(graph);
    for (auto& node : *graph.mutable_node())
        eachBody(node, [&](onnx::GraphProto& body) { eachGraph(body, visit); });
}

void eachNodeList(onnx::ModelProto& model, const std::function<void(Nodes&)>& visit)
{
    const auto inGraph = [&](onnx::GraphProto& graph) { visit(*graph.mutable_node()); };
    eachGraph(*model.mutable_graph(), inGraph);
    for (auto& function : *model.mutable_functions()) {
        visit(*function.mutable_node());
        for (auto& node : *function.mutable_node())
            eachBody(node, [&](onnx::GraphProto& body) { eachGraph(body, inGraph); });
    }
}

/// Names that a body defines itself.
Names ownNames(const onnx::GraphProto& body)
{
    Names own;
    for (const auto& input : body.input())
        own.insert(input.name());
    for (const auto& tensor : body.initializer())
        own.insert(tensor.name());
    for (const auto& node : body.node())
        own.insert(node.output().begin(), node.output().end());
    return own;
}

/// Names that a node reads from the list it stands in or from around it, also in its bodies.
Names readNames(const onnx::NodeProto& node)
{
    Names read(node.input().begin(), node.input().end());
    for (const auto& attribute : node.attribute()) {
        if (!attribute.has_g())
            continue;
        const Names own = ownNames(attribute.g());
        Names inside;
        for (const auto& inner : attribute.g().node())
            inside.merge(readNames(inner));
        for (const auto& output : attribute.g().output())
            inside.insert(output.name());
        std::set_difference(inside.begin(), inside.end(), own.begin(), own.end(), std::inserter(read, read.end()));
    }
    read.erase("");
    return read;
}

void nameIn(Nodes& nodes)
{
    Names taken;
    for (const auto& node : nodes)
        taken.insert(node.name());
    Names seen{""};
    for (auto& node : nodes) {
        if (seen.insert(node.name()).second)
            continue;
        const auto output
            = std::find_if(node.output().begin(), node.output().end(), [](const auto& name) { return !name.empty(); });
        const std::string base = node.op_type() + ":" + (output == node.output().end() ? "" : *output);
        std::string name = base;
        for (int index = 1; !taken.insert(name).second; ++index)
            name = base + ":" + std::to_string(index);
        node.set_name(name);
        seen.insert(name);
    }
}

/// @return for each node, how many others of the list it waits for, and which wait for it
std::pair<std::vector<int>, std::vector<std::vector<int>>> dependencies(const Nodes& nodes)
{
    std::map<std::string, int> maker;
    for (int i = 0; i < nodes.size(); ++i) {
        for (const std::string& name : nodes[i].output())
            maker.emplace(name, i);
    }
    std::vector<int> waiting(static_cast<std::size_t>(nodes.size()));
    std::vector<std::vector<int>> users(waiting.size());
    for (int i = 0; i < nodes.size(); ++i) {
        std::set<int> needed;
        for (const std::string& name : readNames(nodes[i])) {
            if (const auto made = maker.find(name); made != maker.end())
                needed.insert(made->second);
        }
        waiting[static_cast<std::size_t>(i)] = static_cast<int>(needed.size());
        for (const int other : needed)
            users[static_cast<std::size_t>(other)].push_back(i);
    }
    return {std::move(waiting), std::move(users)};
}

void reorderIn(Nodes& nodes, std::mt19937& random)
{
    auto [waiting, users] = dependencies(nodes);
    std::vector<int> ready;
    for (int i = 0; i < nodes.size(); ++i) {
        if (waiting[static_cast<std::size_t>(i)] == 0)
            ready.push_back(i);
    }
    Nodes ordered;
    while (!ready.empty()) {
        std::swap(ready[random() % ready.size()], ready.back());
        const int next = ready.back();
        ready.pop_back();
        *ordered.Add() = nodes[next];
        for (const int user : users[static_cast<std::size_t>(next)]) {
            if (--waiting[static_cast<std::size_t>(user)] == 0)
                ready.push_back(user);
        }
    }
    nodes.Swap(&ordered);
}

/// Renames in one list of nodes and its bodies.
class Renamer
{
public:
    explicit Renamer(std::mt19937& random)
        : m_random(&random)
    {
    }

    /// @param ends outputs that keep their names; @param moving values computed from inputs, around the list and of it
    std::map<std::string, std::string> rename(
        Nodes& nodes, const Names& ends, Names moving, std::map<std::string, std::string> known)
    {
        for (const auto& node : nodes) {
            const Names read = readNames(node);
            const bool isMoving
                = std::any_of(read.begin(), read.end(), [&](const auto& n) { return moving.contains(n); })
                || (read.empty() && node.op_type() != "Constant");
            if (!isMoving)
                continue;
            for (const std::string& name : node.output()) {
                moving.insert(name);
                if (!name.empty() && !ends.contains(name))
                    known[name] = "v" + std::to_string((*m_random)() % 1000000) + "_" + std::to_string(m_count++);
            }
        }
        for (auto& node : nodes) {
            for (auto* names : {node.mutable_input(), node.mutable_output()}) {
                for (std::string& name : *names)
                    replace(name, known);
            }
            eachBody(node, [&](onnx::GraphProto& body) { inBody(body, moving, known); });
        }
        return known;
    }

    static void replace(std::string& name, const std::map<std::string, std::string>& known)
    {
        if (const auto found = known.find(name); found != known.end())
            name = found->second;
    }

private:
    void inBody(onnx::GraphProto& body, Names moving, std::map<std::string, std::string> known)
    {
        for (const auto& input : body.input()) {
            moving.insert(input.name());
            known.erase(input.name());
        }
        for (const auto& tensor : body.initializer())
            known.erase(tensor.name());
        known = rename(*body.mutable_node(), {}, std::move(moving), std::move(known));
        for (auto* values : {body.mutable_output(), body.mutable_value_info()}) {
            for (auto& value : *values)
                replace(*value.mutable_name(), known);
        }
    }

    std::mt19937* m_random;
    int m_count = 0;
};

/// An empty optional's stand-in: false where the node holds no tensor or numbers.
bool takeConstant(const onnx::NodeProto& node, onnx::TensorProto& tensor)
{
    if (node.op_type() != "Constant" || node.attribute_size() != 1)
        return false;
    const auto& attribute = node.attribute(0);
    if (attribute.name() == "value") {
        tensor = attribute.t();
    } else if (attribute.name() == "value_int" || attribute.name() == "value_ints") {
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.mutable_int64_data()->CopyFrom(attribute.ints());
        if (attribute.name() == "value_int")
            tensor.add_int64_data(attribute.i());
    } else if (attribute.name() == "value_float" || attribute.name() == "value_floats") {
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        tensor.mutable_float_data()->CopyFrom(attribute.floats());
        if (attribute.name() == "value_float")
            tensor.add_float_data(attribute.f());
    } else {
        return false;
    }
    if (attribute.name().ends_with('s'))
        tensor.add_dims(attribute.ints_size() + attribute.floats_size());
    tensor.set_name(node.output(0));
    return true;
}

Names endsOf(const onnx::GraphProto& graph)
{
    Names ends;
    for (const auto* values : {&graph.input(), &graph.output()}) {
        for (const auto& value : *values)
            ends.insert(value.name());
    }
    return ends;
}

} // namespace

void nameNodes(onnx::ModelProto& model)
{
    eachNodeList(model, nameIn);
}

void reorderNodes(onnx::ModelProto& model, std::mt19937& random)
{
    eachNodeList(model, [&](Nodes& nodes) { reorderIn(nodes, random); });
}

void renameValues(onnx::ModelProto& model, std::mt19937& random)
{
    onnx::GraphProto& graph = *model.mutable_graph();
    Names moving;
    Names ends;
    for (const auto& input : graph.input())
        moving.insert(input.name());
    for (const auto& tensor : graph.initializer())
        moving.erase(tensor.name());
    for (const auto& output : graph.output())
        ends.insert(output.name());
    Renamer renamer(random);
    const auto known = renamer.rename(*graph.mutable_node(), ends, std::move(moving), {});
    for (auto& value : *graph.mutable_value_info())
        Renamer::replace(*value.mutable_name(), known);
    for (auto& annotation : *graph.mutable_quantization_annotation())
        Renamer::replace(*annotation.mutable_tensor_name(), known);
    for (auto& function : *model.mutable_functions()) {
        const auto inside
            = renamer.rename(*function.mutable_node(), {function.output().begin(), function.output().end()},
                {function.input().begin(), function.input().end()}, {});
        for (auto& value : *function.mutable_value_info())
            Renamer::replace(*value.mutable_name(), inside);
    }
}

void initializersToConstants(onnx::ModelProto& model, std::mt19937& random)
{
    eachGraph(*model.mutable_graph(), [&](onnx::GraphProto& graph) {
        const Names ends = endsOf(graph);
        google::protobuf::RepeatedPtrField<onnx::TensorProto> kept;
        for (auto& tensor : *graph.mutable_initializer()) {
            if (ends.contains(tensor.name())) {
                *kept.Add() = std::move(tensor);
                continue;
            }
            onnx::NodeProto& node = *graph.add_node();
            node.set_op_type("Constant");
            node.set_name("made_constant_" + std::to_string(graph.node_size()));
            node.add_output(tensor.name());
            onnx::AttributeProto& attribute = *node.add_attribute();
            attribute.set_name("value");
            attribute.set_type(onnx::AttributeProto::TENSOR);
            *attribute.mutable_t() = std::move(tensor);
        }
        graph.mutable_initializer()->Swap(&kept);
    });
    reorderNodes(model, random);
}

void constantsToInitializers(onnx::ModelProto& model)
{
    eachGraph(*model.mutable_graph(), [&](onnx::GraphProto& graph) {
        const Names ends = endsOf(graph);
        Nodes kept;
        for (auto& node : *graph.mutable_node()) {
            onnx::TensorProto tensor;
            if (node.output_size() == 1 && !ends.contains(node.output(0)) && takeConstant(node, tensor))
                *graph.add_initializer() = std::move(tensor);
            else
                *kept.Add() = std::move(node);
        }
        graph.mutable_node()->Swap(&kept);
    });
}

std::string initializersToFile(onnx::ModelProto& model, const std::string& location, std::size_t atLeast)
{
    std::string data;
    for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
        if (tensor.raw_data().size() < atLeast)
            continue;
        const auto say = [&tensor](const char* key, const std::string& value) {
            auto& entry = *tensor.add_external_data();
            entry.set_key(key);
            entry.set_value(value);
        };
        say("location", location);
        say("offset", std::to_string(data.size()));
        say("length", std::to_string(tensor.raw_data().size()));
        data += tensor.raw_data();
        tensor.clear_raw_data();
        tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    }
    return data;
}

} // namespace duo::test
