// SPDX-License-Identifier: Apache-2.0
#include "core/marks/module_tree.h"

#include "core/model/key_names.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/scope_record.h"
#include "core/support/enum_text.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace duo {
namespace {

constexpr auto kEvidences = enumTexts<ModuleEvidence::Paths>({"objects", "program", "parameters", "paths"});
constexpr int kLongestChain = 64; // of paths, each said to be the module of the next

/// How the scopes know their modules. State dictionaries list paths only, and what an earlier export recorded has no
/// objects.
ModuleEvidence evidenceOf(const Model& model, const Scopes& scopes, const ScopeSources& sources)
{
    if (!model.modules.empty())
        return ModuleEvidence::Program;
    const bool isRecord = !sources.record.empty() || !metadataValue(model.metadata, kScopeRecordKey).empty();
    if (!scopes.facts || sources.checkpoint == nullptr || isRecord)
        return ModuleEvidence::Parameters;
    const auto& modules = scopes.facts->modules;
    if (std::ranges::none_of(modules, [](const RecordedModule& module) { return !module.className.empty(); }))
        return ModuleEvidence::Parameters;
    return sources.checkpoint->format == "torchscript" ? ModuleEvidence::Paths : ModuleEvidence::Objects;
}

class TreeMaker
{
public:
    explicit TreeMaker(const Scopes& scopes)
        : m_scopes(scopes)
    {
    }

    ModuleTree make(ModuleEvidence evidence)
    {
        m_tree.evidence = evidence;
        if (evidence != ModuleEvidence::Parameters && m_scopes.facts) {
            for (const RecordedModule& module : m_scopes.facts->modules)
                m_recorded.insert(module.path);
        }
        addStored();
        addCalled();
        addChildren();
        addNodes();
        if (evidence != ModuleEvidence::Objects)
            doubt();
        return std::move(m_tree);
    }

private:
    std::uint32_t add(const std::string& path, const std::string& className)
    {
        const auto number = static_cast<std::uint32_t>(m_tree.modules.size());
        m_tree.modules.emplace_back();
        m_tree.modules.back().path = path;
        m_tree.modules.back().className = className;
        m_tree.ofPath.emplace(path, number);
        return number;
    }

    /// Where a file lists all modules, nothing else is one: what seems to be goes to the module around it.
    [[nodiscard]] bool isModule(const std::string& path) const
    {
        return path.empty() || m_recorded.empty() || m_recorded.contains(path);
    }

    /// The scope of the module's first path.
    [[nodiscard]] ScopeId firstOf(ScopeId scope) const
    {
        const auto& tree = m_scopes.storage;
        for (int steps = 0; tree.scope(scope).sameAs.valid() && steps < kLongestChain; ++steps)
            scope = tree.scope(scope).sameAs;
        return scope;
    }

    void addStored()
    {
        const auto& scopes = m_scopes.storage.scopes;
        m_tree.ofStorage.assign(scopes.size(), ModuleTree::kNone);
        for (std::size_t s = 0; s < scopes.size(); ++s) {
            if (isModule(scopes[s].path) && firstOf(ScopeId(s)) == ScopeId(s))
                m_tree.ofStorage[s] = add(scopes[s].path, scopes[s].className);
        }
        if (m_tree.modules.empty())
            add({}, {});
        for (std::size_t s = 0; s < scopes.size(); ++s) {
            if (m_tree.ofStorage[s] != ModuleTree::kNone)
                continue;
            if (!isModule(scopes[s].path)) {
                m_tree.ofStorage[s] = m_tree.ofStorage[scopes[s].parent.index];
                continue;
            }
            const std::uint32_t module = m_tree.ofStorage[firstOf(ScopeId(s)).index];
            if (module == ModuleTree::kNone) { // a record that leads in a circle
                m_tree.ofStorage[s] = add(scopes[s].path, scopes[s].className);
                continue;
            }
            m_tree.ofStorage[s] = module;
            m_tree.modules[module].otherPaths.push_back(scopes[s].path);
            m_tree.ofPath.emplace(scopes[s].path, module);
        }
    }

    /// Modules that store nothing, and those that call them.
    void addCalled()
    {
        const auto& scopes = m_scopes.execution.scopes;
        m_tree.ofExecution.assign(scopes.size(), 0);
        for (std::size_t s = 0; s < scopes.size(); ++s)
            m_tree.ofExecution[s] = called(scopes[s].module, scopes[s].className, scopes[s].isBody);
    }

    std::uint32_t called(const std::string& path, const std::string& className, bool isBody)
    {
        const auto known = m_tree.ofPath.find(path);
        if (known != m_tree.ofPath.end()) {
            TreeModule& module = m_tree.modules[known->second];
            if (module.className.empty() && !isBody)
                module.className = className;
            return known->second;
        }
        if (!isModule(path))
            return called(aboveOf(path), {}, true);
        for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1)) {
            if (const std::string above = path.substr(0, dot); !m_tree.ofPath.contains(above))
                m_tree.modules[add(above, {})].isGuess = !namesScopes();
        }
        const std::uint32_t module = add(path, isBody ? std::string() : className);
        m_tree.modules[module].isGuess = !namesScopes();
        return module;
    }

    [[nodiscard]] bool namesScopes() const { return !m_scopes.facts || m_scopes.facts->namesScopes; }

    static std::string aboveOf(const std::string& path)
    {
        const std::size_t dot = path.rfind('.');
        return dot == std::string::npos ? std::string() : path.substr(0, dot);
    }

    [[nodiscard]] std::uint32_t parentOf(const std::string& path) const
    {
        const auto found = m_tree.ofPath.find(aboveOf(path));
        return found == m_tree.ofPath.end() ? 0 : found->second;
    }

    /// Those of every path: an alias may show one that the first path does not.
    void addChildren()
    {
        const auto addUnder = [&](const std::string& path, std::uint32_t child) {
            const std::uint32_t parent = path.empty() ? ModuleTree::kNone : parentOf(path);
            if (parent != ModuleTree::kNone && parent != child)
                m_tree.modules[parent].children.push_back(child);
        };
        const auto& stored = m_scopes.storage.scopes;
        for (std::size_t s = 0; s < stored.size(); ++s) { // children as defined, of whatever path
            for (const ScopeId child : stored[s].children) {
                if (isModule(stored[child.index].path))
                    addUnder(stored[child.index].path, m_tree.ofStorage[child.index]);
            }
        }
        for (std::uint32_t m = 0; m < m_tree.modules.size(); ++m) {
            if (!m_scopes.storage.find(m_tree.modules[m].path).valid())
                addUnder(m_tree.modules[m].path, m);
        }
        std::unordered_set<std::uint32_t> seen;
        for (TreeModule& module : m_tree.modules) {
            seen.clear();
            std::erase_if(module.children, [&](std::uint32_t child) { return !seen.insert(child).second; });
        }
    }

    void addNodes()
    {
        const auto& stored = m_scopes.storage.scopes;
        for (std::size_t s = 0; s < stored.size(); ++s) {
            auto& nodes = m_tree.modules[m_tree.ofStorage[s]].nodes;
            nodes.insert(nodes.end(), stored[s].nodes.begin(), stored[s].nodes.end());
        }
        const auto& called = m_scopes.execution.scopes;
        for (std::size_t s = 0; s < called.size(); ++s) {
            for (const NodeId node : called[s].nodes) {
                if (m_scopes.nodes[node.index].storageScopes.empty())
                    m_tree.modules[m_tree.ofExecution[s]].nodes.push_back(node);
            }
        }
        for (TreeModule& module : m_tree.modules) {
            sortUniqueInPlace(module.nodes);
        }
    }

    /// Modules without tensors say nothing of themselves but their class, and those that share all tensors may be tied,
    /// as an embedding and a head.
    void doubt()
    {
        std::vector<bool> hasTensors(m_tree.modules.size(), false);
        const auto& stored = m_scopes.storage.scopes;
        for (std::size_t s = 0; s < stored.size(); ++s) {
            if (stored[s].totalParameters > 0 || !stored[s].keys.empty())
                hasTensors[m_tree.ofStorage[s]] = true;
        }
        std::unordered_map<std::string_view, std::int64_t> ofClass;
        for (std::size_t m = 1; m < hasTensors.size(); ++m)
            ofClass[m_tree.modules[m].className] += hasTensors[m] ? 0 : 1;
        std::int64_t all = 0;
        for (const auto& [name, count] : ofClass)
            all += count;
        const std::int64_t unknown = ofClass[std::string_view()];
        for (std::size_t m = 1; m < hasTensors.size(); ++m) {
            TreeModule& module = m_tree.modules[m];
            const std::int64_t alike = module.className.empty() ? all : ofClass[module.className] + unknown;
            module.mayBeAnother = !hasTensors[m] && alike > 1;
        }
        doubtTies();
    }

    void doubtTies()
    {
        if (!m_scopes.facts)
            return;
        const Parameters& parameters = m_scopes.facts->parameters;
        const ModulePaths& paths = m_scopes.facts->paths;
        const auto moduleOf = [&](const Key& key) {
            const auto found = m_tree.ofPath.find(paths.text(key.owner));
            return found == m_tree.ofPath.end() ? 0 : found->second;
        };
        std::vector<std::int64_t> keys(m_tree.modules.size(), 0);
        for (const Key& key : parameters.keys) {
            const std::uint32_t module = moduleOf(key);
            keys[module] += m_tree.modules[module].path == paths.text(key.owner) ? 1 : 0;
        }
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> shared; // keys of one tensor and name
        for (const Key& key : parameters.keys) {
            const Key& first = parameters.key(key.first);
            if (keyLeaf(first.name) == keyLeaf(key.name))
                ++shared[{moduleOf(first), moduleOf(key)}];
        }
        for (const auto& [pair, count] : shared) {
            if (pair.first != pair.second && count == keys[pair.first] && count == keys[pair.second])
                doubtPair(m_tree.modules[pair.first], m_tree.modules[pair.second]);
        }
        doubtHolders(keys);
    }

    static void doubtPair(TreeModule& one, TreeModule& other)
    {
        const bool areApart = !one.className.empty() && !other.className.empty() && one.className != other.className;
        one.mayBeAnother = one.mayBeAnother || !areApart;
        other.mayBeAnother = other.mayBeAnother || !areApart;
    }

    /// What holds nothing but doubtful modules.
    void doubtHolders(const std::vector<std::int64_t>& keys)
    {
        for (std::size_t m = m_tree.modules.size(); m-- > 1;) {
            TreeModule& module = m_tree.modules[m];
            const auto isDoubtful = [&](std::uint32_t child) { return m_tree.modules[child].mayBeAnother; };
            if (keys[m] == 0 && !module.children.empty() && std::ranges::all_of(module.children, isDoubtful))
                module.mayBeAnother = true;
        }
    }

    const Scopes& m_scopes;
    std::unordered_set<std::string> m_recorded; // paths; none where the file does not list them all
    ModuleTree m_tree;
};

} // namespace

std::string_view moduleEvidenceText(ModuleEvidence evidence)
{
    return enumText(kEvidences, evidence);
}

std::uint32_t ModuleTree::find(std::string_view path) const
{
    std::string dotted(path);
    const auto found = ofPath.find(dotted);
    if (found != ofPath.end())
        return found->second;
    std::ranges::replace(dotted, '/', '.');
    const auto same = ofPath.find(dotted);
    return same == ofPath.end() ? kNone : same->second;
}

std::int64_t ModuleTree::doubtful() const
{
    return std::ranges::count_if(modules, &TreeModule::mayBeAnother);
}

ModuleTree moduleTree(const Model& model, const Scopes& scopes, const ScopeSources& sources)
{
    return TreeMaker(scopes).make(evidenceOf(model, scopes, sources));
}

} // namespace duo
