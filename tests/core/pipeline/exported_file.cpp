// SPDX-License-Identifier: Apache-2.0
#include "tests/core/pipeline/exported_file.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"

#include <gtest/gtest.h>

#include <fstream>

namespace duo::test {

ExportedFile::ExportedFile(const ProtoBuilder& network, const Recipe& recipe)
{
    const auto file = m_folder / "m.onnx";
    std::ofstream(file, std::ios::binary) << network.text();
    const auto opened = openSnapshot(file);
    EXPECT_TRUE(opened) << opened.error().line();
    auto planned = withRecipe(*opened, recipe);
    EXPECT_TRUE(planned) << planned.error().line();
    original = *std::move(planned);
    const auto data = openDataset("random:3:1", *original.model);
    EXPECT_TRUE(data) << data.error().line();
    const auto compression = calibrate(original, **data, 1, {});
    EXPECT_TRUE(compression) << compression.error().line();
    const auto target = m_folder / "m.int8.onnx";
    auto exported = exportModel(original, *compression, data->get(), target, 1, {});
    EXPECT_TRUE(exported) << exported.error().line();
    report = *std::move(exported);
    for (const Check& check : report.checks)
        EXPECT_TRUE(check.ok) << check.message;
    written = *readModel(target);
}

const Node* ExportedFile::node(const std::string& name) const
{
    const NodeId id = written->findNode(name);
    return id.valid() ? &written->node(id) : nullptr;
}

const Node* ExportedFile::producer(const Node& reader, std::uint32_t port) const
{
    if (port >= reader.inputs.size() || !reader.inputs[port].valid())
        return nullptr;
    const NodeId id = written->value(reader.inputs[port]).producer;
    return id.valid() ? &written->node(id) : nullptr;
}

std::string ExportedFile::quantizerAt(const std::string& name, std::uint32_t port) const
{
    const Node* reader = node(name);
    const Node* dequantize = reader == nullptr ? nullptr : producer(*reader, port);
    if (dequantize == nullptr || dequantize->opType != "DequantizeLinear")
        return "float";
    const ValueId code = dequantize->inputs.size() > 2 ? dequantize->inputs[2] : ValueId{};
    const Tensor* zero = code.valid() ? written->constant(code) : nullptr;
    if (zero == nullptr)
        return "int32";
    std::string text(elementTypeName(zero->type));
    const auto bytes = zero->bytes();
    const bool isZero = std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte(0); });
    return text + (isZero ? " 0" : " shifted") + (zero->elements() > 1 ? " per channel" : "")
        + (dequantize->domain.empty() ? "" : " " + dequantize->domain);
}

} // namespace duo::test
