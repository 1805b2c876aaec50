// SPDX-License-Identifier: Apache-2.0
#include "tests/core/scope/producers/producer_file.h"

#include "core/onnx/reader.h"
#include "tests/support/seeded_fill.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <unordered_map>

namespace duo::test {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why)
{
    std::fprintf(stderr, "test model %s: %s\n", name.c_str(), why.c_str());
    std::abort();
}

void addReads(const onnx::GraphProto& graph, std::vector<std::string>& reads);

void addReads(const onnx::NodeProto& node, std::vector<std::string>& reads)
{
    reads.insert(reads.end(), node.input().begin(), node.input().end());
    for (const onnx::AttributeProto& attribute : node.attribute())
        addReads(attribute.g(), reads);
}

/// Names read in a body, its own among them: these are made by no node outside.
void addReads(const onnx::GraphProto& graph, std::vector<std::string>& reads)
{
    for (const onnx::NodeProto& node : graph.node())
        addReads(node, reads);
    for (const onnx::ValueInfoProto& output : graph.output())
        reads.push_back(output.name());
}

/// A topological order drawn at random.
void shuffleNodes(onnx::GraphProto& graph, unsigned seed)
{
    std::unordered_map<std::string, int> producer;
    for (int n = 0; n < graph.node_size(); ++n) {
        for (const std::string& output : graph.node(n).output())
            producer.emplace(output, n);
    }
    std::vector<std::vector<int>> readers(static_cast<std::size_t>(graph.node_size()));
    std::vector<int> waiting(readers.size(), 0);
    for (int n = 0; n < graph.node_size(); ++n) {
        std::vector<std::string> reads;
        addReads(graph.node(n), reads);
        for (const std::string& read : reads) {
            if (const auto found = producer.find(read); found != producer.end() && found->second != n) {
                readers[static_cast<std::size_t>(found->second)].push_back(n);
                ++waiting[static_cast<std::size_t>(n)];
            }
        }
    }
    std::vector<int> open;
    for (int n = 0; n < graph.node_size(); ++n) {
        if (waiting[static_cast<std::size_t>(n)] == 0)
            open.push_back(n);
    }
    std::mt19937 random(seed);
    onnx::GraphProto shuffled;
    while (!open.empty()) {
        std::swap(open[random() % open.size()], open.back());
        const int n = open.back();
        open.pop_back();
        *shuffled.add_node() = graph.node(n);
        for (const int reader : readers[static_cast<std::size_t>(n)]) {
            if (--waiting[static_cast<std::size_t>(reader)] == 0)
                open.push_back(reader);
        }
    }
    graph.mutable_node()->Swap(shuffled.mutable_node());
}

} // namespace

FoundScopes producerFile(const std::string& name, std::optional<unsigned> seed)
{
    onnx::ModelProto proto;
    std::ifstream in(std::string(DUO_TEST_DATA) + "/producers/" + name + ".structure.onnx", std::ios::binary);
    if (!in || !proto.ParseFromIstream(&in))
        fail(name, "cannot be read");
    if (const auto filled = fillModel(proto); !filled)
        fail(name, filled.error().line());
    if (seed)
        shuffleNodes(*proto.mutable_graph(), *seed);
    const TemporaryFolder folder;
    auto model = readModel(folder.write(name + ".onnx", proto.SerializeAsString()).string());
    if (!model)
        fail(name, model.error().line());
    return FoundScopes(*model);
}

std::map<std::string, std::string> factsByNode(const FoundScopes& found)
{
    std::map<std::string, std::string> facts;
    for (std::size_t n = 0; n < found.model->nodes.size(); ++n) {
        const std::string& name = found.model->nodes[n].name;
        const NodeScope& scope = found.scopes.nodes[n];
        std::string text = scope.execution + " | " + scope.longForm + " |";
        for (const std::string& storage : scope.storage)
            text += " " + storage;
        text += " |";
        for (const std::string& key : scope.keys)
            text += " " + key;
        text += scope.differs ? " | differs" : " | same";
        for (const Reason reason : scope.reasons)
            text += " " + std::string(reasonText(reason));
        facts.emplace(name, text + " | " + found.provenance(name));
    }
    return facts;
}

double percentKnown(const FoundScopes& found)
{
    double known = 0;
    for (const NodeScope& node : found.scopes.nodes)
        known += node.executionFrom != Provenance::Guess ? 1 : 0;
    return 100 * known / static_cast<double>(found.scopes.nodes.size());
}

std::vector<std::string> rows(const ScopeTree& tree)
{
    std::vector<std::string> found;
    std::vector<ScopeId> open{ScopeId(0)};
    while (!open.empty()) {
        const Scope& scope = tree.scope(open.back());
        open.pop_back();
        if (scope.parent.valid())
            found.push_back(scope.path + " " + std::to_string(scope.totalNodes));
        open.insert(open.end(), scope.children.rbegin(), scope.children.rend());
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace duo::test
