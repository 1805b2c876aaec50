// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/weights_apart.h"

#include "core/onnx/payloads.h"
#include "core/onnx/tensor_reader.h"

namespace duo {
namespace {

constexpr std::size_t kLarge = 16384; // bytes; engines fold shapes and other small constants and so want them inline

/// The bytes of a large initializer that is inline; null for others.
const SharedBytes* largePayload(const onnx::TensorProto& tensor, const EditedModel& edited)
{
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL || !tensor.has_raw_data())
        return nullptr;
    const auto index = payloadIndex(tensor.raw_data());
    if (!index || *index >= edited.payloads.size())
        return nullptr;
    const SharedBytes& payload = edited.payloads[*index];
    const bool isWhole = payload.bytes.size() == neededBytes(tensor); // else the engine shall say what is wrong
    return payload.owner && payload.bytes.size() >= kLarge && isWhole ? &payload : nullptr;
}

void refer(onnx::TensorProto& tensor, const std::string& location, std::size_t length)
{
    const auto add = [&](const char* key, const std::string& value) {
        auto& entry = *tensor.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    };
    tensor.clear_raw_data();
    tensor.clear_external_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    add("location", location);
    add("offset", "0");
    add("length", std::to_string(length));
}

} // namespace

std::map<std::string, SharedBytes> leaveWeightsApart(EditedModel& edited, const ExternalFiles& files)
{
    std::map<std::string, SharedBytes> apart;
    for (onnx::TensorProto& tensor : *edited.proto->mutable_graph()->mutable_initializer()) {
        const SharedBytes* payload = largePayload(tensor, edited);
        const std::string location = "duoscope.weight." + std::to_string(apart.size());
        if (payload == nullptr || files.byLocation().contains(location))
            continue;
        apart.emplace(location, *payload);
        refer(tensor, location, payload->bytes.size());
    }
    return apart;
}

} // namespace duo
