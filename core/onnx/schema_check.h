// SPDX-License-Identifier: Apache-2.0
// Nodes of ai.onnx against what ONNX lets their operators have (op_schema.h): what stages rely on is refused, all else
// is said.
#pragma once

#include "core/model/model.h"

#include <onnx.pb.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace duo {

/// The kind of a note about a node that no engine takes as ONNX has it.
inline constexpr const char* kNotInSchema = "not-in-schema";

/// What the file gives a node, or the call of the function that it stands in; a body too.
struct GivenAttribute {
    std::string_view name;
    onnx::AttributeProto::AttributeType type = onnx::AttributeProto::UNDEFINED;
};

/// Holds for a product: its leading inputs and its output are not omitted, as many as every opset wants. Others may
/// have any number. @return MalformedModel naming the node
Status checkProduct(const Node& node);

/// Holds for a Constant: it gives one value. @return MalformedModel naming the node
Status checkConstant(const Node& node, std::span<const GivenAttribute> attributes);

/// Whether ai.onnx has an operator of that name in an opset (beyond kNewestOpset: in that one), or ONNX Runtime has it
/// there all the same. O(log rows).
bool isOperator(std::string_view opType, std::int64_t opset);

/// The first thing of a node that ONNX does not let its operator have, as a sentence. Nothing where that is not known:
/// calls, other domains, operators that ONNX never had, opset 0 (not known) or beyond kNewestOpset.
/// O(inputs + outputs + attributes).
std::optional<std::string> unlikeSchema(
    const Node& node, std::int64_t opset, std::span<const GivenAttribute> attributes);

} // namespace duo
