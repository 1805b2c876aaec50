// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/read_model_file.h"

#include "core/formats/pt2/export_archive.h"
#include "core/formats/pt2/read_pt2.h"

namespace duo {

Result<std::shared_ptr<const Model>> readModelFile(
    const std::filesystem::path& path, const ReadOptions& options, const JobContext& job)
{
    DUO_TRY(file, MappedFile::open(path));
    if (StoredZip::isZip(file->bytes())) {
        DUO_TRY(zip, StoredZip::open(SharedBytes{file, file->bytes()}, path.string()));
        if (isExportArchive(*zip))
            return readTorchExport(std::move(zip), path, job);
    }
    return readModel(path, options, job);
}

Status checkIsOnnx(const Model& model)
{
    if (model.format == ModelFormat::Onnx)
        return success();
    return Error{ErrorCode::Unsupported, "a program of torch.export can be looked at, not quantized or run",
        model.path.string(), "export it to ONNX first: torch.onnx.export(program, f=\"model.onnx\", dynamo=True)"};
}

} // namespace duo
