// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/never_executed.h"

namespace duo {
namespace {

struct ModuleUse {
    bool ownsKey = false;
    bool isUsed = false;
};

} // namespace

std::vector<std::string> neverExecuted(const ScopeFacts& facts)
{
    const ModulePaths& paths = facts.paths;
    std::vector<ModuleUse> uses(paths.size());
    for (const Key& key : facts.parameters.keys) {
        const bool isKnown = key.tensor.valid() || facts.parameters.hasRecords || facts.parameters.hasContent;
        for (PathId path = key.owner; path.valid(); path = paths.parent(path)) {
            uses[path.index].ownsKey = true;
            uses[path.index].isUsed = uses[path.index].isUsed || key.readBy || !isKnown;
        }
    }
    for (const Call& call : facts.tree.calls) {
        for (const PathId module : {call.path, call.module}) {
            for (PathId path = module; path.valid() && !uses[path.index].isUsed; path = paths.parent(path))
                uses[path.index].isUsed = true;
        }
    }
    std::vector<std::string> never;
    std::vector<bool> isListed(paths.size(), false);
    for (const Key& key : facts.parameters.keys) {
        PathId topmost;
        for (PathId path = key.owner; path.valid() && path != ModulePaths::root(); path = paths.parent(path)) {
            if (uses[path.index].isUsed)
                break;
            topmost = path;
        }
        if (!topmost.valid() || isListed[topmost.index])
            continue;
        isListed[topmost.index] = true;
        never.push_back(paths.text(topmost));
    }
    return never;
}

} // namespace duo
