// SPDX-License-Identifier: Apache-2.0
// The local functions of a file, found by what a call names.
#pragma once

#include "core/support/result.h"

#include <onnx.pb.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

class FunctionTable
{
public:
    /// `proto` must outlive the table. @return MalformedModel if two functions have the same identity
    static Result<FunctionTable> of(const onnx::ModelProto& proto);

    /// The function a node calls by domain, operator type and overload; null for an operator, also for one of the
    /// runtime's that has the name of a function: the runtime takes its own.
    [[nodiscard]] const onnx::FunctionProto* calledBy(const onnx::NodeProto& node) const;

    /// What an attribute is when the call does not give it; null if there is no default.
    [[nodiscard]] const onnx::AttributeProto* defaultOf(
        const onnx::FunctionProto& function, std::string_view attribute) const;

    /// Functions that no node calls, as the runtime has an operator of the same name; in file order.
    [[nodiscard]] const std::vector<const onnx::FunctionProto*>& hidden() const { return m_hidden; }

private:
    using Defaults = std::unordered_map<std::string_view, const onnx::AttributeProto*>;
    std::unordered_map<std::string, const onnx::FunctionProto*> m_functions;
    std::unordered_map<const onnx::FunctionProto*, Defaults> m_defaults; // of those that can be called
    std::vector<const onnx::FunctionProto*> m_hidden;
};

} // namespace duo
