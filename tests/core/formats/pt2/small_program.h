// SPDX-License-Identifier: Apache-2.0
// Small programs written down in tests.
#pragma once

#include "tests/support/temporary_folder.h"

#include <string>
#include <utility>
#include <vector>

namespace duo::test {

using ArchiveMembers = std::vector<std::pair<std::string, std::string>>;

/// JSON of a program `y = relu(x)`. Parts of it may be replaced.
struct SmallProgram {
    std::string inputs = R"([{"as_tensor": {"name": "x"}}])";
    std::string outputs = R"([{"as_tensor": {"name": "y"}}])";
    std::string nodes = R"([{"target": "torch.ops.aten.relu.default", "name": "relu",
        "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}}],
        "outputs": [{"as_tensor": {"name": "y"}}], "metadata": {}}])";
    std::string inputSpecs = R"([{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
    std::string modules = R"([{"fqn": ""}])";
    std::string version = R"({"major": 8, "minor": 20})";

    [[nodiscard]] std::string json() const;
    /// Members of an archive of PyTorch 2.8 and later, without weights.
    [[nodiscard]] ArchiveMembers members() const;
};

/// JSON of a node that reads `input` and gives `output`.
std::string smallNode(const std::string& input, const std::string& output, const std::string& stack = "");

/// Writes the members and reads the program. @return "ok", with ": " and the kinds of notes if there are any, or the
/// error's line without the folder's path
std::string readSmall(const TemporaryFolder& folder, const ArchiveMembers& members);

} // namespace duo::test
