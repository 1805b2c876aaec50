// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"

#include "core/onnx/absent_data.h"
#include "core/onnx/changed_model.h"
#include "core/onnx/edited_model.h"
#include "core/onnx/graph_reader.h"
#include "core/onnx/op_schema.h"
#include "core/onnx/payloads.h"
#include "core/onnx/proto_checks.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/source.h"
#include "core/onnx/structure.h"
#include "core/onnx/wire.h"
#include "core/support/phrases.h"
#include "core/support/result.h"
#include "core/support/scratch_file.h"
#include "core/support/utf8.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace duo {
namespace {

enum class Unreadable : std::uint8_t { CutOff, Damaged, TooDeep, NoGraph };

bool startsWith(std::span<const std::byte> bytes, std::string_view magic)
{
    return bytes.size() >= magic.size()
        && std::equal(magic.begin(), magic.end(), bytes.begin(),
            [](char expected, std::byte actual) { return static_cast<std::byte>(expected) == actual; });
}

bool isText(std::span<const std::byte> bytes)
{
    constexpr std::size_t kLooked = 512;
    return std::ranges::all_of(bytes.first(std::min(bytes.size(), kLooked)), [](std::byte byte) {
        const auto code = std::to_integer<unsigned>(byte);
        return (code >= 0x20U && code != 0x7FU) || (code >= '\t' && code <= '\r');
    });
}

/// Fields of ModelProto with their wire types (onnx.proto).
bool isModelField(const WireField& field)
{
    constexpr std::array<std::uint32_t, 9> kMessages{2, 3, 4, 6, 7, 8, 14, 20, 25};
    if (field.number == 1 || field.number == 5)
        return field.type == WireType::Varint;
    return field.type == WireType::Bytes && std::ranges::find(kMessages, field.number) != kMessages.end();
}

/// The file begins like a model and ends inside one of its fields.
bool isCutOffModel(std::span<const std::byte> bytes)
{
    WireCursor cursor(bytes);
    while (const auto field = cursor.next()) {
        if (!isModelField(*field))
            return false;
    }
    return cursor.fault() == WireFault::PastEnd && isModelField(cursor.cutField());
}

std::string advice(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return "the file is empty, copy or download it again";
    if (startsWith(bytes, "version https://git-lfs"))
        return "this is a git-lfs pointer, fetch the file itself with git lfs pull";
    if (startsWith(bytes, "PK\x03\x04"))
        return "this is a zip archive, unpack it, or export a PyTorch model to ONNX";
    if (startsWith(bytes, "\x80\x02") || startsWith(bytes, "\x80\x04"))
        return "this is a Python pickle, export the model to ONNX";
    if (isText(bytes))
        return "this is a text file, name a model exported to ONNX";
    return "the file holds something else or is damaged, name a model exported to ONNX";
}

/// @param bytes the whole file; @param name its path
/// @return MalformedModel
Error unreadableModel(std::span<const std::byte> bytes, Unreadable reason, const std::string& name)
{
    if (reason == Unreadable::TooDeep)
        return {ErrorCode::MalformedModel, "the ONNX file is nested too deeply", name, "export the model again"};
    if (reason == Unreadable::CutOff && !isText(bytes) && isCutOffModel(bytes))
        return {ErrorCode::MalformedModel, "the ONNX file is truncated", name, "copy or download it again"};
    return {ErrorCode::MalformedModel, "not an ONNX model", name, advice(bytes)};
}

constexpr std::size_t kMaxFileBytes = std::numeric_limits<std::int32_t>::max(); // a protobuf message
constexpr std::size_t kMaxStructureBytes = std::size_t{1} << 29U;
constexpr std::int64_t kNewestIr = 14; // what onnx.proto of 1.23 reserves

Error tooLarge(const std::string& what, const std::string& name, const std::string& whatToDo)
{
    return {ErrorCode::Unsupported, what, name, whatToDo};
}

/// Parses the structure of `file`, which `source` keeps as bytes, into `proto`.
Status parseStructure(const SharedBytes& file, const std::string& name, Source& source, onnx::ModelProto& proto)
{
    if (file.bytes.size() > kMaxFileBytes)
        return tooLarge("the model file is larger than 2 GB", name, "store its weights as external data");
    auto split = splitPayloads(file);
    if (const auto* fault = std::get_if<SplitFault>(&split))
        return unreadableModel(file.bytes,
            *fault == SplitFault::TooDeep      ? Unreadable::TooDeep
                : *fault == SplitFault::CutOff ? Unreadable::CutOff
                                               : Unreadable::Damaged,
            name);
    auto& skeleton = std::get<Skeleton>(split);
    if (skeleton.proto.size() > kMaxStructureBytes)
        return tooLarge("the model has more than 512 MB of structure besides its weights", name,
            "store its tensors as raw_data or external data");
    if (!parseProto(skeleton.proto, proto))
        return unreadableModel(file.bytes, Unreadable::Damaged, name);
    if (!proto.has_graph())
        return unreadableModel(file.bytes, Unreadable::NoGraph, name);
    if (proto.ir_version() > kNewestIr)
        return Error{ErrorCode::Unsupported, "the model has IR version " + std::to_string(proto.ir_version()), name,
            "export it with IR version " + std::to_string(kNewestIr) + " or older"};
    DUO_CHECK(checkNames(proto));
    source.structure = std::make_unique<const Structure>(std::move(skeleton.proto));
    source.payloads = std::move(skeleton.payloads);
    return success();
}

void readHeader(const onnx::ModelProto& proto, Model& draft)
{
    draft.irVersion = proto.ir_version();
    for (const auto& import : proto.opset_import())
        draft.opsets[normalDomain(import.domain())]
            = std::max<std::int64_t>(0, import.version()); // of several the last, as the engine takes it
    draft.producerName = asUtf8(proto.producer_name());
    draft.producerVersion = asUtf8(proto.producer_version());
    draft.graphName = asUtf8(proto.graph().name());
    draft.metadata = metadataOf(proto.metadata_props());
    draft.graphMetadata = metadataOf(proto.graph().metadata_props());
}

void noteOpset(Model& draft)
{
    const std::int64_t opset = writtenOpset(draft);
    if (opset > kNewestOpset)
        draft.notes.push_back({"opset-not-known",
            "opset " + std::to_string(opset) + " is newer than " + std::to_string(kNewestOpset)
                + ", the newest that is known here: operators are taken for what they are in that one",
            {}});
    if (opset == 0 && draft.opsets.empty())
        draft.notes.push_back(
            {"opset-not-known", "the model does not say of which opset it is, which no engine runs", {}});
}

void noteWhatIsNotModelled(const onnx::ModelProto& proto, Model& draft)
{
    if (proto.graph().sparse_initializer_size() > 0)
        draft.notes.push_back(
            {"sparse-initializer", "sparse initializers are kept as they are and not looked into", {}});
    if (proto.training_info_size() > 0)
        draft.notes.push_back({"training-info", "training information is kept as it is and not looked into", {}});
}

void noteHiddenFunctions(const FunctionTable& functions, Model& draft)
{
    if (functions.hidden().empty())
        return;
    draft.notes.push_back({"function-not-called",
        "nodes are taken for operators where ONNX Runtime has one of the same name, which it runs: "
            + counted(functions.hidden().size(), "function is", "functions are") + " never called",
        "function '" + asUtf8(functions.hidden().front()->name()) + "'"});
}

void noteAbsentData(const ExternalFiles& external, Model& draft)
{
    for (const auto& [location, tensors] : external.absent()) {
        const std::string count = tensors == 1 ? "1 tensor" : std::to_string(tensors) + " tensors";
        draft.notes.push_back({"absent-data",
            "the external data of " + count + " cannot be found, so that the model is shown as structure",
            asUtf8(location)});
    }
}

/// @param proto what `source` keeps as bytes
Result<std::shared_ptr<const Model>> buildModel(const std::shared_ptr<Source>& source, const onnx::ModelProto& proto,
    const std::filesystem::path& path, std::int64_t fileBytes, const JobContext& job, std::vector<Note> notes = {})
{
    Model draft;
    draft.path = path;
    draft.source = source;
    draft.notes = std::move(notes);
    readHeader(proto, draft);
    DUO_TRY(functions, FunctionTable::of(proto));
    TensorReader tensors(draft, source->payloads, source->external);
    GraphReader graph(draft, functions, tensors, job);
    DUO_CHECK(graph.readMain(proto.graph()));
    noteOpset(draft);
    noteWhatIsNotModelled(proto, draft);
    noteHiddenFunctions(functions, draft);
    noteAbsentData(source->external, draft);
    draft.fileBytes = fileBytes;
    for (const auto& [name, file] : source->external.files())
        draft.fileBytes += static_cast<std::int64_t>(file->bytes().size());
    return sealModel(std::move(draft), graph.takeNotes());
}

Result<std::shared_ptr<const Model>> readInto(const std::shared_ptr<Source>& source, const SharedBytes& file,
    const std::filesystem::path& path, const std::string& name, const JobContext& job)
{
    google::protobuf::Arena arena;
    auto& proto = *google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
    DUO_CHECK(parseStructure(file, name, *source, proto));
    return buildModel(source, proto, path, static_cast<std::int64_t>(file.bytes.size()), job);
}

/// The door for exceptions of protobuf and the standard library; errors without a place get the file's.
template <typename Read> Result<std::shared_ptr<const Model>> guarded(const std::string& name, const Read& read)
{
    try {
        auto model = read();
        if (model || !model.error().where.empty())
            return model;
        Error error = model.error();
        error.where = error.code == ErrorCode::Cancelled ? std::string{} : name;
        return error;
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "the model could not be read", name, e.what()};
    }
}

Result<std::shared_ptr<const Model>> readFile(
    const std::filesystem::path& path, const ReadOptions& options, AbsentData absent, const JobContext& job)
{
    const auto read = [&](const std::shared_ptr<const MappedFile>& file) {
        ExternalFiles external(path, options.allowExternal, absent);
        const auto source = std::make_shared<Source>(std::move(external), options.customOps);
        source->file = file;
        return readInto(source, {file, file->bytes()}, path, path.string(), job);
    };
    return guarded(path.string(), [&] { return readMapped(path, read); });
}

} // namespace

Result<std::shared_ptr<const Model>> readModel(
    const std::filesystem::path& path, const ReadOptions& options, const JobContext& job)
{
    return readFile(path, options, AbsentData::IsRefused, job);
}

Result<std::shared_ptr<const Model>> readStructure(
    const std::filesystem::path& path, const ReadOptions& options, const JobContext& job)
{
    return readFile(path, options, AbsentData::IsLeftOut, job);
}

Result<std::shared_ptr<const Model>> readModelBytes(SharedBytes bytes, const std::string& name)
{
    const auto source = std::make_shared<Source>(ExternalFiles(), std::vector<std::filesystem::path>());
    return guarded(name, [&] { return readInto(source, bytes, {}, name, {}); });
}

namespace {

/// The model of `proto`, made from `original`, whose file it shares.
/// @param text the same proto
/// @param bytes of the file without its external data
Result<std::shared_ptr<const Model>> builtAnew(const std::shared_ptr<const Model>& original,
    const std::shared_ptr<Source>& source, const onnx::ModelProto& proto, std::string text, std::int64_t bytes,
    std::vector<Note> notes, const JobContext& job)
{
    const Source& from = *original->source;
    source->structure = std::make_unique<const Structure>(std::move(text));
    source->file = from.file;
    source->inFile = from.inFile ? from.inFile : original;
    return buildModel(source, proto, original->path, bytes, job, std::move(notes));
}

Error notFromFile(const Model& model)
{
    return {ErrorCode::Internal, "the model was not read from a file", model.graphName, "report this"};
}

/// Keeps what new tensors hold: much of it in a file, so that it takes no memory while nobody looks at it; where there
/// is no room for one, in memory.
void keepInPlace(Source& source, std::vector<NewTensor> tensors, std::size_t first)
{
    constexpr std::size_t kMuch = std::size_t(8) << 20;
    std::size_t bytes = 0;
    std::vector<std::span<const std::byte>> pieces;
    for (std::size_t i = first; i < source.payloads.size(); ++i) {
        pieces.push_back(source.payloads[i].bytes);
        bytes += pieces.back().size();
    }
    if (bytes >= kMuch) {
        if (auto file = ScratchFile::of(pieces)) {
            source.added = *file;
            for (std::size_t i = 0; i < pieces.size(); ++i)
                source.payloads[first + i] = {*file, (*file)->piece(i)};
            return;
        }
    }
    const auto kept = std::make_shared<const std::vector<NewTensor>>(std::move(tensors));
    for (std::size_t i = first; i < source.payloads.size(); ++i)
        source.payloads[i].owner = kept;
}

/// A source without a structure yet, and its proto.
struct EditedSource {
    std::shared_ptr<Source> source;
    EditedModel edited; // but for its payloads
};

/// The source of `original` with `edits`, of which it keeps the new payloads.
Result<EditedSource> editedSource(const Model& original, EditList edits)
{
    if (!original.source)
        return notFromFile(original);
    const Source& from = *original.source;
    DUO_TRY(edited, applyEdits(original, from, edits));
    const auto source = std::make_shared<Source>(from.external, from.customOps);
    source->payloads = std::move(edited.payloads);
    keepInPlace(*source, std::move(edits.newTensors), from.payloads.size());
    return EditedSource{source, std::move(edited)};
}

} // namespace

Result<std::shared_ptr<const Model>> editedModel(const Model& original, EditList edits)
{
    const std::string name = original.path.string();
    return guarded(name, [&]() -> Result<std::shared_ptr<const Model>> {
        DUO_TRY(made, editedSource(original, std::move(edits)));
        Source& source = *made.source;
        std::string proto = made.edited.proto->SerializeAsString();
        DUO_TRY(joined, JoinedModel::of(proto, source.payloads));
        const auto bytes = static_cast<std::int64_t>(joined.size());
        source.structure = std::make_unique<const Structure>(std::move(proto));
        source.file = original.source->file;
        return buildModel(made.source, *made.edited.proto, {}, bytes, {});
    });
}

Result<std::shared_ptr<const Model>> convertedModel(
    const std::shared_ptr<const Model>& original, const EditList& edits, std::vector<Note> notes, const JobContext& job)
{
    return guarded(original->path.string(), [&]() -> Result<std::shared_ptr<const Model>> {
        DUO_TRY(made, editedSource(*original, edits));
        std::int64_t bytes = original->fileBytes;
        for (const auto& [name, file] : made.source->external.files())
            bytes -= static_cast<std::int64_t>(file->bytes().size());
        const onnx::ModelProto& proto = *made.edited.proto;
        return builtAnew(original, made.source, proto, proto.SerializeAsString(), bytes, std::move(notes), job);
    });
}

Result<std::shared_ptr<const Model>> changedModel(
    const std::shared_ptr<const Model>& original, const ProtoChange& change, const JobContext& job)
{
    return guarded(original->path.string(), [&]() -> Result<std::shared_ptr<const Model>> {
        if (!original->source)
            return notFromFile(*original);
        const Source& from = *original->source;
        const auto source = std::make_shared<Source>(from.external, from.customOps);
        source->payloads = from.payloads;
        google::protobuf::Arena arena;
        auto& proto = *google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena);
        from.structure->parse(proto);
        DUO_CHECK(change(proto));
        std::string text = proto.SerializeAsString();
        DUO_TRY(joined, JoinedModel::of(text, source->payloads));
        const auto bytes = static_cast<std::int64_t>(joined.size());
        return builtAnew(original, source, proto, std::move(text), bytes, {}, job);
    });
}

const Model& modelInFile(const Model& model)
{
    return model.source && model.source->inFile ? *model.source->inFile : model;
}

} // namespace duo
