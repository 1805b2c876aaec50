// SPDX-License-Identifier: Apache-2.0
// TensorProto -> Tensor, without copying bytes that the file holds in order.
#pragma once

#include "core/model/model.h"
#include "core/onnx/external_data.h"

#include <onnx.pb.h>

#include <span>
#include <unordered_map>

namespace duo {

/// What TensorProto.external_data of an external tensor says. `tensor` names it in errors.
/// @return MalformedModel for a missing location or a number that is none
Result<ExternalReference> externalReference(const onnx::TensorProto& proto, const std::string& tensor);

/// Bytes that type and dims of a tensor ask for; nothing for strings, unknown types and broken dims.
std::optional<std::uint64_t> neededBytes(const onnx::TensorProto& proto);

/// One Tensor of the draft per TensorProto of the skeleton, however often it is read.
class TensorReader
{
public:
    /// All three must outlive the reader; `draft` gets the tensors.
    TensorReader(Model& draft, std::span<const SharedBytes> payloads, ExternalFiles& external)
        : m_draft(draft)
        , m_payloads(payloads)
        , m_external(external)
    {
    }

    /// @param fallback names a tensor that has no name of its own: "attribute 'value' of node 'x'"
    /// @return MalformedModel for a negative dimension or bytes that do not fit the shape; errors of ExternalFiles
    Result<TensorId> read(const onnx::TensorProto& proto, const std::string& fallback);

private:
    Result<SharedBytes> bytesOf(const onnx::TensorProto& proto, const Tensor& tensor,
        std::optional<std::uint64_t> needed, const std::string& label);
    Result<SharedBytes> inlineBytes(const onnx::TensorProto& proto, const std::string& label);
    Result<SharedBytes> payload(std::optional<std::uint32_t> index, const std::string& label);

    Model& m_draft;
    std::span<const SharedBytes> m_payloads;
    ExternalFiles& m_external;
    std::unordered_map<const onnx::TensorProto*, TensorId> m_known;
};

} // namespace duo
