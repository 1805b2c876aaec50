// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/compare_with_file.h"

#include "core/formats/file_formats.h"
#include "core/interchange/found_quantizers.h"
#include "core/onnx/reader.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/snapshot/read_setup.h"

#include <utility>

namespace duo {
namespace {

Result<ComparableSetup> setupOf(const Snapshot& snapshot, const Compression& compression, const JobContext& job)
{
    DUO_TRY(text, stateTextOf(snapshot, compression, job));
    DUO_TRY(state, StateText::parse(text, snapshot.model->path.string()));
    return comparableSetup(state.recorded());
}

} // namespace

Result<SetupDifference> compareWithFile(const Snapshot& snapshot, const Compression* compression,
    const std::filesystem::path& file, int threads, const JobContext& job)
{
    const bool isModel = isModelName(file);
    if (isModel && compression != nullptr && !holdsCodes(modelInFile(*snapshot.model))) {
        DUO_TRY(own, setupOf(snapshot, *compression, job));
        DUO_TRY(imported, importSetup(snapshot, file, {nullptr, threads}, job));
        DUO_TRY(other, setupOf(imported.resumed.snapshot, imported.resumed.compression, job));
        return differenceOf(std::move(own), std::move(other));
    }
    DUO_TRY(other, readSetup(file, {}, job));
    if (isModel)
        return differenceOf(comparableSetup(*snapshot.model, *snapshot.scopes), std::move(other));
    if (other.source == SetupSource::State && compression != nullptr) {
        DUO_TRY(own, setupOf(snapshot, *compression, job));
        return differenceOf(std::move(own), std::move(other));
    }
    return differenceOf(comparableSetup(snapshot.recipe), std::move(other));
}

} // namespace duo
