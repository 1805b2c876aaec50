// SPDX-License-Identifier: Apache-2.0
#include "core/marks/marked_modules.h"

#include "core/scope/facts/element_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace duo {
namespace {

/// The path of the module that an element of an execution scope calls, below the path around it.
std::string plainPath(const std::string& around, const std::string& element)
{
    const bool isForeign = element.starts_with('@');
    const std::string name = plainElement(std::string_view(element).substr(isForeign ? 1 : 0));
    return isForeign || around.empty() ? name : around + "." + name;
}

MarkSign signOf(const MarkedModules& modules, std::uint32_t module, const std::string& path)
{
    switch (modules.marked.states[module]) {
    case MarkState::None:
        return MarkSign::None;
    case MarkState::Ignored:
        return MarkSign::Ignored;
    case MarkState::Marked:
        return modules.tree->modules[module].path == path ? MarkSign::First : MarkSign::Alias;
    }
    return MarkSign::None;
}

void signStorage(MarkedModules& modules)
{
    const auto& scopes = modules.scopes->storage.scopes;
    modules.storage.assign(scopes.size(), MarkSign::None);
    for (std::size_t s = 0; s < scopes.size(); ++s) {
        if (modules.tree->ofPath.contains(scopes[s].path)) // else what stands here belongs to the module around it
            modules.storage[s] = signOf(modules, modules.tree->ofStorage[s], scopes[s].path);
    }
}

void signExecution(MarkedModules& modules)
{
    const auto& scopes = modules.scopes->execution.scopes;
    modules.execution.assign(scopes.size(), MarkSign::None);
    std::vector<std::string> paths(scopes.size());
    for (std::size_t s = 0; s < scopes.size(); ++s) {
        const Scope& scope = scopes[s];
        const std::string around = scope.parent.valid() ? paths[scope.parent.index] : std::string();
        paths[s] = scope.isBody || !scope.parent.valid() ? around : plainPath(around, scope.name);
        if (!scope.isBody)
            modules.execution[s] = signOf(modules, modules.tree->ofExecution[s], paths[s]);
    }
}

} // namespace

MarkedModules markedModules(const Model& model, const std::shared_ptr<const Scopes>& scopes,
    const ScopeSources& sources, std::vector<Mark> marks, const MarkedModules* before)
{
    MarkedModules modules;
    modules.scopes = scopes;
    modules.tree = before != nullptr && before->scopes == scopes
        ? before->tree
        : std::make_shared<const ModuleTree>(moduleTree(model, *scopes, sources));
    modules.marks = std::move(marks);
    modules.marked = annotate(*modules.tree, modules.marks);
    signStorage(modules);
    signExecution(modules);
    return modules;
}

std::size_t markOf(const MarkedModules& modules, std::uint32_t module)
{
    const auto holds
        = [module](const std::vector<std::uint32_t>& all) { return std::ranges::find(all, module) != all.end(); };
    std::size_t ignoring = kUnmarked;
    for (std::size_t i = modules.marked.marks.size(); i-- > 0;) {
        if (holds(modules.marked.marks[i].marked))
            return i;
        if (ignoring == kUnmarked && holds(modules.marked.marks[i].ignored))
            ignoring = i;
    }
    return ignoring;
}

} // namespace duo
