// SPDX-License-Identifier: Apache-2.0
// A model written down in a test, and what one pass of stage Common makes of it.
#pragma once

#include "core/transform/common_passes.h"
#include "tests/core/transform/old_file.h"

#include <string>
#include <vector>

namespace duo::test {

using Ints = std::vector<std::int64_t>;

/// IR 8; reads x, two rows of three.
class PassFile : public ProtoBuilder
{
public:
    explicit PassFile(int opset = 17)
    {
        model().mutable_opset_import(0)->set_version(opset);
        input("x", {2, 3});
    }
    PassFile& op(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes = {});
    PassFile& ints(const std::string& name, const Ints& values); // an initializer
    PassFile& result(const std::string& name = "y"); // an output of the graph, of a type the engine finds

    [[nodiscard]] std::shared_ptr<const Model> read() const;
};

struct Outcome {
    std::vector<std::string> lines; // nodeLines() of the model after
    std::vector<std::string> skipped; // `id: why`
    std::shared_ptr<const Model> model;
};

using PassFunction = PassResult (*)(const PassScene&);

/// Runs the pass once, or twice where it changed something: a second run must change nothing. Fails the test run where
/// what the engine computes from numbers drawn for x is not the same: bit for bit, or to rounding where the list of
/// passes says so.
/// @param areSizesFixed the pass is given the sizes of all values
/// @param opset the newest that the result may need, and of a pass that raises it, the least; 0: any
Outcome runOnce(PassFunction pass, const std::shared_ptr<const Model>& model, std::vector<bool> kept = {},
    bool areSizesFixed = false, std::int64_t opset = 0);

} // namespace duo::test
