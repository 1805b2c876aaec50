// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/recorded_modules.h"

#include <algorithm>

namespace duo {
namespace {

/// The model's path of a module that the checkpoint calls `path`: "encoder" for "module.encoder" under "module.".
std::string modelPath(const ContentMatches* matches, std::string_view path)
{
    if (matches == nullptr)
        return std::string(path);
    std::string_view prefix = matches->prefix;
    if (prefix.ends_with('.') && path == prefix.substr(0, prefix.size() - 1))
        path = {};
    else if (path.starts_with(prefix))
        path.remove_prefix(prefix.size());
    std::string above = matches->modelPrefix;
    if (path.empty() && above.ends_with('.'))
        above.pop_back();
    return above + std::string(path);
}

bool isUsablePath(std::string_view path)
{
    return path.size() <= ModulePaths::kLongest && !path.starts_with('.') && !path.ends_with('.')
        && path.find("..") == std::string_view::npos;
}

} // namespace

std::vector<RecordedModule> recordedModules(const Model& model, const ScopeSources& sources)
{
    if (!model.modules.empty() || sources.checkpoint == nullptr)
        return model.modules;
    std::vector<RecordedModule> modules;
    for (const RecordedModule& stored : sources.checkpoint->modules) {
        RecordedModule module = stored;
        module.path = modelPath(sources.matches, stored.path);
        if (!stored.sameAs.empty())
            module.sameAs = modelPath(sources.matches, stored.sameAs);
        modules.push_back(std::move(module));
    }
    return modules;
}

void internModules(const std::vector<RecordedModule>& modules, ModulePaths& paths)
{
    for (const RecordedModule& module : modules) {
        if (isUsablePath(module.path))
            paths.setClassName(paths.intern(module.path), module.className);
    }
}

bool recordsObjects(const std::vector<RecordedModule>& modules)
{
    return std::any_of(modules.begin(), modules.end(),
        [](const RecordedModule& module) { return !module.className.empty() || !module.sameAs.empty(); });
}

ModuleAliases recordedAliases(const std::vector<RecordedModule>& modules, ModulePaths& paths)
{
    ModuleAliases aliases;
    for (const RecordedModule& module : modules) {
        if (!module.sameAs.empty() && module.sameAs != module.path && isUsablePath(module.path)
            && isUsablePath(module.sameAs))
            aliases.add(paths.intern(module.sameAs), paths.intern(module.path));
    }
    return aliases;
}

} // namespace duo
