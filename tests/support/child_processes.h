// SPDX-License-Identifier: Apache-2.0
// childProcesses: the processes that this one has started and not waited for.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <sys/types.h>

namespace duo::test {

/// @param name of the program; "": whatever they run
inline std::set<pid_t> childProcesses(const std::string& name = {})
{
    std::set<pid_t> found;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream children(task.path() / "children");
        for (pid_t pid = 0; children >> pid;) {
            std::ifstream comm("/proc/" + std::to_string(pid) + "/comm");
            std::string running;
            std::getline(comm, running);
            if (name.empty() || running == name)
                found.insert(pid);
        }
    }
    return found;
}

} // namespace duo::test
