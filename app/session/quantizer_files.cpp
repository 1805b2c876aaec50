// SPDX-License-Identifier: Apache-2.0
#include "app/session/quantizer_files.h"

#include "core/interchange/dequantize.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/support/file.h"

#include <utility>

namespace duo::app {
namespace {

Result<FloatFile> floatFile(const Model& model, const std::filesystem::path& target, const JobContext& job)
{
    DUO_CHECK(refuseOverInput(model, target));
    DUO_TRY(made, dequantizeEdits(model));
    DUO_CHECK(writeModel(model, made.edits, target, job));
    FloatFile file{target, made.quantizers, made.weights, made.operators, {}};
    for (const auto& [node, why] : made.kept)
        file.kept.push_back(model.node(node).name + ": " + why);
    return file;
}

Result<EncodingsText> encodingsFile(const Model& model, EncodingForm form, const std::filesystem::path& target)
{
    DUO_CHECK(refuseOverInput(model, target));
    EncodingsText made = encodingsText(model, findQuantizers(model), form);
    DUO_CHECK(writeFileAtomically(target, [&](std::ostream& out) {
        out << made.text;
        return success();
    }));
    return made;
}

} // namespace

QuantizerFiles::~QuantizerFiles()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void QuantizerFiles::writeFloat(const std::shared_ptr<const Snapshot>& snapshot, const std::filesystem::path& target)
{
    const auto work
        = [snapshot, target](const JobContext& job) { return floatFile(modelInFile(*snapshot->model), target, job); };
    const auto end = [this](Result<FloatFile>&& made) {
        if (made)
            Q_EMIT inFloat(*made);
        else if (made.error().code != ErrorCode::Cancelled)
            Q_EMIT failed(made.error());
    };
    m_stop = startJob<FloatFile>(m_pool, *this, work, {}, end);
}

void QuantizerFiles::writeEncodings(
    const std::shared_ptr<const Snapshot>& snapshot, EncodingForm form, const std::filesystem::path& target)
{
    const auto work = [snapshot, form, target](
                          const JobContext&) { return encodingsFile(modelInFile(*snapshot->model), form, target); };
    const auto end = [this, target](Result<EncodingsText>&& made) {
        if (made)
            Q_EMIT encoded(target, *made);
        else
            Q_EMIT failed(made.error());
    };
    m_stop = startJob<EncodingsText>(m_pool, *this, work, {}, end);
}

} // namespace duo::app
