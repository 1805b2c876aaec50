// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/read_pt2.h"

#include "core/formats/pt2/call_signatures.h"
#include "core/formats/pt2/export_archive.h"
#include "core/formats/pt2/export_weights.h"
#include "core/formats/pt2/exported_program.h"
#include "core/formats/pt2/graph_builder.h"
#include "core/formats/pt2/module_identity.h"
#include "core/formats/pt2/place_weights.h"
#include "core/model/checkpoint_draft.h"

#include <algorithm>
#include <exception>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace duo {
namespace {

constexpr const char* kOutputKind = "pkg.torch.export.graph_signature.OutputSpec.kind";

constexpr ModelFormat kFormat{.name = "torch-export",
    .text = "PyTorch program (torch.export)",
    .refusal = "a program of torch.export can be looked at, not quantized or run",
    .remedy = "export it to ONNX first: torch.onnx.export(program, f=\"model.onnx\", dynamo=True)",
    .namesTensors = true,
    .recordsStacks = true};

void readHeader(const ExportedProgram& program, Model& draft)
{
    draft.format = &kFormat;
    draft.producerName = "pytorch";
    draft.producerVersion = program.torchVersion;
    draft.opsets = program.opsets;
    for (const auto& [name, text] : program.facts)
        draft.metadata.emplace_back(std::string(kFactsInMetadata) + name, text);
}

/// Outputs that are not the user's are updates of buffers and the like; the ONNX exporter marks them so, too.
void markOutputs(const ExportedProgram& program, Model& draft)
{
    std::unordered_map<std::string_view, ValueId> outputs;
    for (const ValueId id : draft.regions.front().outputs)
        outputs.emplace(draft.values[id.index].name, id);
    for (const ExportOutput& output : program.outputs) {
        const auto found = outputs.find(output.value);
        if (found != outputs.end() && output.kind != "USER_OUTPUT")
            draft.values[found->second.index].metadata.emplace_back(kOutputKind, output.kind);
    }
}

/// Single tensors may be left out or absent; without any the file was cut, or not packed by PyTorch.
Status checkHasWeights(const ExportArchive& archive, const ExportedProgram& program, const Checkpoint& state)
{
    const bool wants = std::any_of(program.inputs.begin(), program.inputs.end(),
        [](const ExportInput& input) { return input.kind == ExportInputKind::Parameter && !input.target.empty(); });
    if (!wants || !state.keys.empty() || !state.notes.empty())
        return success();
    return Error{ErrorCode::MalformedModel, "the archive holds no weights", archive.zip->where(),
        "save the program again with torch.export.save(program, path), or copy or download the file again"};
}

void takeNotes(std::vector<Note> notes, Model& draft)
{
    for (Note& note : notes)
        draft.notes.push_back(std::move(note));
}

Result<std::shared_ptr<const Model>> readArchive(
    std::shared_ptr<const StoredZip> zip, const std::filesystem::path& path, std::int64_t bytes, const JobContext& job)
{
    DUO_TRY(archive, openExportArchive(std::move(zip)));
    DUO_TRY(json, archive.zip->bytes(*archive.program, job));
    const std::string where = archive.zip->where() + " member '" + archive.program->path + "'";
    DUO_TRY(program, readExportedProgram(json.bytes, where, job));
    DUO_TRY(weights, readExportWeights(archive, job));
    DUO_CHECK(checkHasWeights(archive, program, *weights.state));

    Model draft;
    draft.path = path;
    draft.fileBytes = bytes;
    readHeader(program, draft);
    takeNotes(std::move(archive.notes), draft);
    takeNotes(std::move(program.notes), draft);
    takeNotes(weights.state->notes, draft);
    takeNotes(weights.constants->notes, draft);
    const NamedValues placed = placeWeights(program, weights, draft);
    DUO_CHECK(GraphBuilder(draft).addMain(program.graph, placed));
    markOutputs(program, draft);
    draft.modules = identifyModules(program, draft.keys);
    return sealModel(std::move(draft));
}

/// The door for exceptions of the libraries; errors without a place get the file's.
template <typename Read> Result<std::shared_ptr<const Model>> guarded(const std::string& name, const Read& read)
{
    try {
        auto model = read();
        if (model || !model.error().where.empty() || model.error().code == ErrorCode::Cancelled)
            return model;
        Error error = model.error();
        error.where = name;
        return error;
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "the program could not be read", name, e.what()};
    }
}

} // namespace

Result<std::shared_ptr<const Model>> readTorchExport(
    std::shared_ptr<const StoredZip> zip, const std::filesystem::path& path, const JobContext& job)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    const std::int64_t bytes = error ? 0 : static_cast<std::int64_t>(size);
    return guarded(path.string(), [&] { return readArchive(std::move(zip), path, bytes, job); });
}

Result<std::shared_ptr<const Checkpoint>> readTorchExportCheckpoint(
    std::shared_ptr<const StoredZip> zip, const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(model, guarded(path.string(), [&] { return readArchive(std::move(zip), path, 0, job); }));
    CheckpointDraft draft(path, "pt2");
    draft.setRecordsTies();
    if (auto signatures = callSignatures(*model); !signatures.empty())
        draft.setSignatures(std::move(signatures), programNames(*model));
    for (const RecordedModule& module : model->modules)
        DUO_CHECK(draft.addModule(module));
    std::unordered_map<TensorId, std::uint32_t> tensors;
    for (const RecordedKey& key : model->keys) {
        const Tensor& tensor = model->tensor(key.tensor);
        if (tensor.type == ElementType::Undefined) {
            DUO_CHECK(draft.leaveOut(key.name, "the archive holds no values of it"));
            continue;
        }
        const auto known = tensors.find(key.tensor);
        const std::uint32_t index = known != tensors.end() ? known->second : draft.addTensor(tensor);
        tensors.emplace(key.tensor, index);
        DUO_CHECK(draft.addKey(key.name, index));
    }
    return std::move(draft).finish();
}

} // namespace duo
