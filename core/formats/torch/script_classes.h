// SPDX-License-Identifier: Apache-2.0
// ScriptClasses: what the source inside a TorchScript archive says of its classes: which are modules, and which of
// their attributes are parameters and buffers. The code itself is not looked at.
#pragma once

#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct ScriptClass {
    bool isModule = false;
    std::vector<std::string> parameters; // attributes, in source order; some may hold None
    std::vector<std::string> buffers;
};

/// Source files are read when a class of theirs is asked for, each once.
class ScriptClasses
{
public:
    static constexpr std::int64_t kMaxSourceBytes = std::int64_t{64} << 20; // of all files read

    ScriptClasses(std::shared_ptr<const StoredZip> zip, JobContext job);

    /// The class of a pickled name (module "__torch__.torch.nn.modules.linear", name "Linear"); null if the archive
    /// has no source of it, or too much.
    const ScriptClass* find(std::string_view module, std::string_view name);

    /// "torch.nn.modules.linear.Linear" for ("__torch__.torch.nn.modules.linear.___torch_mangle_3", "Linear").
    static std::string plainName(std::string_view module, std::string_view name);

private:
    void readSource(const std::string& module);

    std::shared_ptr<const StoredZip> m_zip;
    JobContext m_job;
    std::int64_t m_sourceBytes = 0;
    std::map<std::string, std::map<std::string, ScriptClass, std::less<>>, std::less<>> m_files; // by module
};

} // namespace duo
