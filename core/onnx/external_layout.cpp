// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/external_layout.h"

#include "core/onnx/tensor_reader.h"

namespace duo {
namespace {

constexpr std::uint64_t kAlignment = 4096;

bool isRewritten(const std::string& key)
{
    return key == "location" || key == "offset" || key == "length" || key == "checksum"; // of the whole old file
}

} // namespace

std::uint64_t ExternalLayout::place(const SharedBytes& content)
{
    const auto [known, isNew] = m_placed.try_emplace({content.bytes.data(), content.bytes.size()}, 0);
    if (!isNew)
        return known->second;
    const std::uint64_t offset = (m_end + kAlignment - 1) / kAlignment * kAlignment;
    m_pieces.push_back({offset, content});
    m_end = offset + content.bytes.size();
    known->second = offset;
    return offset;
}

void ExternalLayout::rewrite(onnx::TensorProto& tensor, std::uint64_t offset, std::uint64_t length) const
{
    auto& entries = *tensor.mutable_external_data();
    int kept = 0;
    for (int i = 0; i < entries.size(); ++i) {
        if (!isRewritten(entries[i].key()))
            entries.SwapElements(kept++, i);
    }
    entries.DeleteSubrange(kept, entries.size() - kept);
    const auto add = [&](const char* key, const std::string& value) {
        auto& entry = *entries.Add();
        entry.set_key(key);
        entry.set_value(value);
    };
    add("location", m_location);
    add("offset", std::to_string(offset));
    add("length", std::to_string(length));
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
}

Status ExternalLayout::moveExternal(onnx::TensorProto& tensor, ExternalFiles& files)
{
    const std::string label = "tensor '" + tensor.name() + "'";
    DUO_TRY(reference, externalReference(tensor, label));
    DUO_TRY(content, files.bytesOf(reference, neededBytes(tensor), label));
    rewrite(tensor, place(content), content.bytes.size());
    return success();
}

void ExternalLayout::moveInline(onnx::TensorProto& tensor, const SharedBytes& content)
{
    tensor.clear_raw_data();
    rewrite(tensor, place(content), content.bytes.size());
}

} // namespace duo
