// SPDX-License-Identifier: Apache-2.0
// FoundScopes: the scopes of a test model, asked for by node name.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace duo::test {

/// What a test expects of one node.
struct Expected {
    std::string execution;
    std::vector<std::string> storage;
    std::vector<std::string> reasons;
    bool differs = false;
    bool operator==(const Expected&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Expected& expected);

class FoundScopes
{
public:
    explicit FoundScopes(std::shared_ptr<const Model> model, const ScopeSources& sources = {});
    /// A file below tests/data; ends the test program if it cannot be read.
    static FoundScopes ofFile(const std::string& path);
    static FoundScopes ofSample(const std::string& name);

    [[nodiscard]] const NodeScope& node(const std::string& name) const;
    [[nodiscard]] Expected at(const std::string& name) const;
    [[nodiscard]] std::string provenance(const std::string& name) const; // "name/dataflow"
    [[nodiscard]] std::vector<std::string> paths(const ScopeTree& tree) const; // in tree order, without the root

    std::shared_ptr<const Model> model;
    Scopes scopes;
};

} // namespace duo::test
