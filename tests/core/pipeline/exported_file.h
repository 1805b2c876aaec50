// SPDX-License-Identifier: Apache-2.0
// ExportedFile: a network of a test, calibrated with random data, exported and read back.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <map>

namespace duo::test {

class ExportedFile
{
public:
    /// Fails the test run where a step fails.
    ExportedFile(const ProtoBuilder& network, const Recipe& recipe);

    [[nodiscard]] const Node* node(const std::string& name) const; // of the exported model; null if gone
    [[nodiscard]] const Node* producer(const Node& reader, std::uint32_t port) const; // null for inputs and constants
    /// Element type of the zero point of the quantizer at an input, and its code; "float" if there is none.
    [[nodiscard]] std::string quantizerAt(const std::string& node, std::uint32_t port) const;

    Snapshot original;
    ExportReport report;
    std::shared_ptr<const Model> written;

private:
    TemporaryFolder m_folder;
};

} // namespace duo::test
