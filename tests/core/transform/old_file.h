// SPDX-License-Identifier: Apache-2.0
// OldFile: a model of an old opset, written down in a test.
#pragma once

#include "core/model/model.h"
#include "tests/support/proto_builder.h"

#include <string>
#include <vector>

namespace duo::test {

class OldFile : public ProtoBuilder
{
public:
    explicit OldFile(std::int64_t opset); // of the IR version that went with it

    OldFile& ints(const std::string& name, const std::vector<std::int64_t>& values); // an initializer
    /// A node whose name is its type, in lower case.
    OldFile& op(const std::string& opType, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes = {});

    OldFile& graphOutput(const std::string& name = "y"); // of a type the engine finds

    [[nodiscard]] std::shared_ptr<const Model> read() const;
    /// Fails the test run where it has no conversion.
    [[nodiscard]] std::shared_ptr<const Model> raised() const;
    /// The note of a model that stays as it is.
    [[nodiscard]] std::string refusal() const;
};

onnx::NodeProto& addAttributes(onnx::NodeProto& node, const std::vector<Attribute>& attributes);

/// `Clip clip(x, y_min) -> y {axis=1}` for every node, bodies included; constants by their values: `[1 2]`.
std::vector<std::string> nodeLines(const Model& model);

} // namespace duo::test
