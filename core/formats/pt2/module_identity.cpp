// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/module_identity.h"

#include "core/model/module_stack.h"

#include <algorithm>
#include <functional>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::size_t kMostCandidates = 8; // first paths that a module is compared with
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::string_view ownerOf(std::string_view key)
{
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view lastAtom(std::string_view path)
{
    return path.substr(path.rfind('.') + 1);
}

/// `above` is `below` or contains it.
bool contains(std::string_view above, std::string_view below)
{
    return above.empty() || (below.starts_with(above) && (below.size() == above.size() || below[above.size()] == '.'));
}

struct OwnedKey {
    std::string_view leaf;
    TensorId tensor;
    bool operator==(const OwnedKey&) const = default;
};

/// Registered modules as a tree, with what they own.
class ModuleIdentity
{
public:
    ModuleIdentity(const ExportedProgram& program, const std::vector<RecordedKey>& keys)
        : m_children(program.modulePaths.size())
        , m_owned(program.modulePaths.size())
        , m_object(program.modulePaths.size())
    {
        for (const std::string& path : program.modulePaths)
            m_modules.push_back({path, {}, {}});
        for (std::size_t i = 0; i < m_modules.size(); ++i) {
            m_index.emplace(m_modules[i].path, i);
            const auto parent = m_modules[i].path.empty() ? m_index.end() : m_index.find(ownerOf(m_modules[i].path));
            if (parent != m_index.end())
                m_children[parent->second].push_back(i);
        }
        for (const RecordedKey& key : keys) {
            const auto owner = m_index.find(ownerOf(key.name));
            if (owner == m_index.end())
                continue;
            m_owned[owner->second].push_back({lastAtom(key.name), key.tensor});
            m_ownersOf[key.tensor].push_back(owner->second);
        }
        readFrames(program);
        for (std::size_t i = 0; i < m_modules.size(); ++i) {
            for (const OwnedKey& key : m_owned[i])
                m_classesOf[key.tensor].insert(m_modules[i].className);
        }
        for (auto& [tensor, classes] : m_classesOf)
            classes.erase(std::string());
    }

    std::vector<RecordedModule> identify()
    {
        for (std::size_t i = 0; i < m_modules.size(); ++i) {
            if (m_modules[i].path.empty() || !m_modules[i].sameAs.empty())
                continue;
            const std::size_t first = firstPathOf(i);
            if (first != kNone)
                unite(first, i);
        }
        return std::move(m_modules);
    }

private:
    void readFrames(const ExportedProgram& program)
    {
        RegisteredPaths registered(m_modules);
        std::vector<StackFrame> frames;
        const std::function<void(const ExportGraph&)> gather = [&](const ExportGraph& graph) {
            for (const ExportNode& node : graph.nodes) {
                gatherFrames(node, registered, frames);
                for (const ExportArgument& argument : node.inputs) {
                    if (argument.graph != nullptr)
                        gather(*argument.graph);
                }
            }
        };
        gather(program.graph);
        for (const StackFrame& frame : frames) {
            const auto found = m_index.find(registered.resolve(frame));
            if (found == m_index.end())
                continue;
            if (m_modules[found->second].className.empty())
                m_modules[found->second].className = frame.className;
            if (m_object[found->second].empty() && frame.namesObject())
                m_object[found->second] = frame.key;
        }
    }

    /// Frames that say something new: most nodes share theirs with others.
    void gatherFrames(const ExportNode& node, RegisteredPaths& registered, std::vector<StackFrame>& frames)
    {
        const auto stack = std::find_if(
            node.metadata.begin(), node.metadata.end(), [](const auto& entry) { return entry.first == kModuleStack; });
        if (stack == node.metadata.end() || !m_seenStacks.insert(stack->second).second)
            return;
        for (StackFrame& frame : parseModuleStack(stack->second).value_or(std::vector<StackFrame>{})) {
            registered.learn(frame);
            if (m_seenFrames.insert(frame.key + "," + frame.path).second)
                frames.push_back(std::move(frame));
        }
    }

    std::size_t firstPathOf(std::size_t module)
    {
        for (const std::size_t candidate : candidatesFor(module)) {
            if (candidate < module && areOne(candidate, module))
                return candidate;
        }
        return kNone;
    }

    /// Modules whose frames name the same object, and those that own a tensor of the module at the same place below.
    std::vector<std::size_t> candidatesFor(std::size_t module)
    {
        std::vector<std::size_t> candidates;
        if (!m_object[module].empty()) {
            const auto [entry, isNew] = m_moduleOfObject.try_emplace(m_object[module], module);
            if (!isNew)
                candidates.push_back(entry->second);
        }
        std::size_t below = module;
        while (m_owned[below].empty() && !m_children[below].empty())
            below = m_children[below].front();
        if (m_owned[below].empty())
            return candidates;
        const std::string_view path = m_modules[module].path;
        const std::string_view relative = std::string_view(m_modules[below].path).substr(path.size()); // ".lin" or ""
        for (const std::size_t owner : m_ownersOf[m_owned[below].front().tensor]) {
            const std::string_view other = m_modules[owner].path;
            if (candidates.size() == kMostCandidates || owner >= below)
                break;
            if (!other.ends_with(relative) || other.size() == relative.size())
                continue;
            const auto found = m_index.find(other.substr(0, other.size() - relative.size()));
            if (found != m_index.end())
                candidates.push_back(found->second);
        }
        return candidates;
    }

    bool areOne(std::size_t a, std::size_t b) const
    {
        const std::string& pathA = m_modules[a].path;
        const std::string& pathB = m_modules[b].path;
        if (contains(pathA, pathB) || contains(pathB, pathA))
            return false;
        if (!m_object[a].empty() && !m_object[b].empty())
            return m_object[a] == m_object[b];
        if (m_owned[a].empty() && lastAtom(pathA) != lastAtom(pathB))
            return false;
        if (m_owned[a].size() == 1 && m_children[a].empty())
            return false; // one tensor in common is a tie, as that of two embeddings
        bool hasTensor = false;
        std::vector<std::pair<std::size_t, std::size_t>> open{{a, b}};
        while (!open.empty()) {
            const auto [x, y] = open.back();
            open.pop_back();
            if (!areAlike(x, y))
                return false;
            hasTensor = hasTensor || !m_owned[x].empty();
            for (std::size_t c = 0; c < m_children[x].size(); ++c)
                open.emplace_back(m_children[x][c], m_children[y][c]);
        }
        return hasTensor;
    }

    /// The modules alone: what they own, the names of their children, their classes and objects.
    bool areAlike(std::size_t x, std::size_t y) const
    {
        const auto contradict
            = [](const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; };
        if (contradict(m_modules[x].className, m_modules[y].className) || contradict(m_object[x], m_object[y])
            || m_owned[x] != m_owned[y] || m_children[x].size() != m_children[y].size())
            return false;
        const bool isClassKnown = !m_modules[x].className.empty() && !m_modules[y].className.empty();
        const auto hasSeveralClasses = [&](const OwnedKey& key) { return m_classesOf.at(key.tensor).size() > 1; };
        if (!isClassKnown && std::any_of(m_owned[x].begin(), m_owned[x].end(), hasSeveralClasses))
            return false;
        return std::equal(m_children[x].begin(), m_children[x].end(), m_children[y].begin(),
            [&](std::size_t a, std::size_t b) { return lastAtom(m_modules[a].path) == lastAtom(m_modules[b].path); });
    }

    /// What is below two paths of one object is one object too.
    void unite(std::size_t first, std::size_t other)
    {
        std::vector<std::pair<std::size_t, std::size_t>> open{{first, other}};
        while (!open.empty()) {
            const auto [x, y] = open.back();
            open.pop_back();
            const std::string& original = m_modules[x].sameAs.empty() ? m_modules[x].path : m_modules[x].sameAs;
            if (m_modules[y].sameAs.empty() && original != m_modules[y].path)
                m_modules[y].sameAs = original;
            for (const auto& [to, from] : {std::pair(y, x), std::pair(x, y)}) {
                if (m_modules[to].className.empty())
                    m_modules[to].className = m_modules[from].className;
            }
            const std::size_t common = std::min(m_children[x].size(), m_children[y].size());
            for (std::size_t c = 0; c < common; ++c) {
                if (lastAtom(m_modules[m_children[x][c]].path) == lastAtom(m_modules[m_children[y][c]].path))
                    open.emplace_back(m_children[x][c], m_children[y][c]);
            }
        }
    }

    std::vector<RecordedModule> m_modules;
    std::unordered_map<std::string_view, std::size_t> m_index; // path -> module; views into m_modules
    std::vector<std::vector<std::size_t>> m_children;
    std::vector<std::vector<OwnedKey>> m_owned;
    std::unordered_map<TensorId, std::vector<std::size_t>> m_ownersOf;
    std::unordered_map<TensorId, std::set<std::string>> m_classesOf; // known ones of the modules that own it
    std::vector<std::string> m_object; // key that frames name the module's object by; "" if none does
    std::unordered_map<std::string, std::size_t> m_moduleOfObject;
    std::unordered_set<std::string_view> m_seenStacks;
    std::unordered_set<std::string> m_seenFrames;
};

} // namespace

std::vector<RecordedModule> identifyModules(const ExportedProgram& program, const std::vector<RecordedKey>& keys)
{
    return ModuleIdentity(program, keys).identify();
}

} // namespace duo
