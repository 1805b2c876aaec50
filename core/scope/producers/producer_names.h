// SPDX-License-Identifier: Apache-2.0
// ProducerNames: what the names of a file tell of scopes and owners, by the grammar of whoever wrote it.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scopes.h"
#include "core/scope/producers/inlined_names.h"
#include "core/scope/producers/node_clusters.h"
#include "core/scope/producers/producers.h"
#include "core/scope/producers/repeated_scopes.h"
#include "core/scope/producers/scope_names.h"
#include "core/scope/producers/tensorflow_names.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// The path of a child: names may hold dots, as long as these part something.
std::string joinedPath(const std::string& above, std::string_view name);

/// What a tensor's name tells.
struct TensorName {
    bool isMade = false; // a converter made it up: it tells of no module
    bool isVariable = false; // variables are called like this; else operations folded into constants are, too
    std::optional<std::string> key; // "model.block1.conv.Conv2D/ReadVariableOp": path of the owner, a dot, the rest
};

class ProducerNames
{
public:
    explicit ProducerNames(const Model& model);

    /// Of names that are no state_dict keys of PyTorch as they stand; nothing in both fields for those.
    [[nodiscard]] TensorName tensor(std::string_view name) const;

    /// One call on the way to a node.
    struct Step {
        std::string path; // dotted, of the module
        std::int32_t site = 0; // equal ones are one call; below 0: that is not told
    };
    struct Place {
        std::vector<Step> steps; // outermost first
        Provenance from = Provenance::Name;
    };
    /// Where a node runs; nothing where its name does not tell.
    [[nodiscard]] std::optional<Place> place(NodeId node) const;
    /// Whether a node that no place is told of may be a layer by its own name, in files that call nodes as their
    /// layers.
    [[nodiscard]] bool mayBeLayer(NodeId node) const;
    /// The name of a node without what an inliner put to it, for the grammar of PyTorch. Lives as long as this and the
    /// model.
    [[nodiscard]] std::string_view nodeName(NodeId node) const;
    /// Modules at the root that only stand for what an inliner put in front of names.
    [[nodiscard]] const std::set<std::string>& madeModules() const { return m_inlined.madeModules(); }

private:
    struct Named {
        SpellingId scope; // invalid: not told
        Provenance from = Provenance::Name;
        std::int32_t operation = -1; // index into m_operations; below 0: a helper of an operation that is gone
        std::int32_t cluster = -1; // index into m_clusters
    };

    void gatherOperationNames();
    void findLayerNodes();
    [[nodiscard]] bool nameAsLayer(std::size_t node);
    void nameByTensorFlow();
    void nameHelper(std::size_t node, const std::unordered_map<std::string_view, std::size_t>& primaries);
    void nameFused(std::size_t node);
    void guessLost(NodeId node);
    void placeClusters();
    void placeBeside(const NodeCluster& cluster);
    void placeWithReaders(const ClusterPart& part);
    void placeCluster(const std::vector<NodeId>& nodes, SpellingId scope, std::vector<std::int32_t> operations);
    [[nodiscard]] std::int32_t callOf(const Named& named) const;
    [[nodiscard]] std::optional<std::vector<std::string_view>> scopeOfWeight(const Node& node) const;
    void nameByLayers(const Producer& producer, const NameMarks& marks);
    bool vouchForTensors(const Node& node, std::string_view layer, bool areAllNamed);
    [[nodiscard]] std::string_view caffeLayer(NodeId node) const;
    void addOperation(std::size_t node, std::string_view operation);
    void layOutPaths();
    [[nodiscard]] SpellingId callRoot(SpellingId scope) const;
    [[nodiscard]] std::optional<std::string> tensorFlowKey(std::string_view name) const;

    const Model& m_model;
    InlinedNames m_inlined;
    std::unordered_map<std::size_t, std::string> m_readable; // node -> its name without the inliner's prefix
    NameGrammar m_grammar = NameGrammar::None;
    std::unordered_map<std::size_t, std::string_view> m_layerNodes; // node -> the layer that its name and tensors tell
    OperationNames m_operationNames;
    std::unique_ptr<ScopeSpellings> m_spellings;
    std::vector<Named> m_named; // [nodes]; empty where the grammar tells of no scopes
    std::vector<NamedOperation> m_operations;
    std::vector<std::vector<std::int32_t>> m_clusters; // operations beside nodes without names, in the same scope
    RepeatedScopes m_repeated;
    std::vector<std::string> m_paths; // [spellings] of the modules
    std::vector<std::int32_t> m_sites; // [spellings] of the first call
    std::unordered_map<std::string_view, std::string_view> m_layers; // tensor -> layer, where a node vouches for it
};

} // namespace duo
