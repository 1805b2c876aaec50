// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/pt2/program_scopes.h"
#include "tests/support/torch_programs.h"

#include "core/formats/pt2/read_pt2.h"

#include <cstdio>
#include <cstdlib>

namespace duo::test {

FoundScopes scopesOfProgram(const std::string& name)
{
    auto model = test::readProgram(std::string(DUO_TEST_DATA) + "/pt2/" + name + ".pt2");
    if (model)
        return FoundScopes(*model);
    std::fprintf(stderr, "test program: %s\n", model.error().line().c_str());
    std::abort();
}

std::vector<std::string> storageCalls(const FoundScopes& found)
{
    std::vector<std::string> calls;
    for (const std::string& path : found.paths(found.scopes.storage)) {
        const Scope& scope = found.scopes.storage.scope(found.scopes.storage.find(path));
        calls.push_back(path + "=" + std::to_string(scope.calls));
    }
    return calls;
}

} // namespace duo::test
