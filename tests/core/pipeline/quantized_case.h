// SPDX-License-Identifier: Apache-2.0
// A small model written down in a test, taken through calibration and export to what the engine computes with it.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <string>
#include <vector>

namespace duo::test {

class QuantizedCase
{
public:
    /// @param model with one input "x" and one output "y"
    /// @param samples values of x, one row per sample, each filling `dims`
    QuantizedCase(const ProtoBuilder& model, const std::vector<std::int64_t>& dims,
        const std::vector<std::vector<float>>& samples);

    /// Under `settings`, the inside of a recipe's quantization object, and `rules`, its list of rules.
    /// @param more keys of the recipe: `"transforms": {}`
    ExportReport quantize(const std::string& settings, const std::string& rules = "[]", const std::string& more = {});
    [[nodiscard]] std::vector<float> floatOutput(std::size_t sample) const; // of the model as it is
    [[nodiscard]] std::vector<float> output(std::size_t sample) const; // of the last export

    [[nodiscard]] const Snapshot& opened() const { return m_opened; }
    [[nodiscard]] const Snapshot& planned() const { return m_planned; } // under the recipe of the last export
    [[nodiscard]] const Dataset& data() const { return *m_data; }
    [[nodiscard]] const Compression& compression() const { return m_compression; } // of the last export
    [[nodiscard]] std::filesystem::path exported() const { return m_folder / "q.onnx"; }
    [[nodiscard]] std::shared_ptr<const Model> written() const; // the last export, read back
    [[nodiscard]] std::shared_ptr<const Model> optimized() const; // what the engine makes of it, at its extended level
    [[nodiscard]] std::vector<float> run(const std::filesystem::path& model, std::size_t sample) const;

private:
    TemporaryFolder m_folder;
    Snapshot m_opened;
    Snapshot m_planned;
    std::shared_ptr<const Dataset> m_data;
    Compression m_compression;
};

/// A check of a report. Fails the test if there is none of this id.
const Check& checkOf(const ExportReport& report, const std::string& id);

/// 10 log10 of signal over noise power.
double sqnrDb(const std::vector<float>& wanted, const std::vector<float>& got);

} // namespace duo::test
