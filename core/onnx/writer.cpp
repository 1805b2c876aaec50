// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/writer.h"

#include "core/onnx/edited_model.h"
#include "core/onnx/external_files.h"
#include "core/onnx/payloads.h"
#include "core/onnx/tensor_reader.h"
#include "core/onnx/walk_proto.h"
#include "core/support/file.h"

#include <onnx.pb.h>

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace duo {
namespace {

/// The tensors of `<target>.data`, each at a multiple of 4096 bytes (so that it can be mapped by itself).
class ExternalLayout
{
public:
    struct Piece {
        std::uint64_t offset = 0; // bytes
        SharedBytes content;
    };

    /// @param location what the model calls the file: its name beside the model
    explicit ExternalLayout(std::string location)
        : m_location(std::move(location))
    {
    }

    /// Moves what the tensor's reference names into this file and rewrites the reference. Tensors that shared their
    /// bytes still do. `files` is where they are read from.
    Status moveExternal(onnx::TensorProto& tensor, ExternalFiles& files);

    /// Makes an inline tensor of raw_data external.
    void moveInline(onnx::TensorProto& tensor, const SharedBytes& content);

    [[nodiscard]] const std::vector<Piece>& pieces() const { return m_pieces; }
    [[nodiscard]] std::uint64_t size() const { return m_end; } // bytes

private:
    std::uint64_t place(const SharedBytes& content);
    void rewrite(onnx::TensorProto& tensor, std::uint64_t offset, std::uint64_t length) const;

    std::string m_location;
    std::vector<Piece> m_pieces; // ascending
    std::uint64_t m_end = 0;
    std::map<std::pair<const std::byte*, std::size_t>, std::uint64_t> m_placed; // offset by source bytes
};

constexpr std::uint64_t kAlignment = 4096;

bool isRewritten(const std::string& key)
{
    return key == "location" || key == "offset" || key == "length" || key == "checksum"; // of the whole old file
}

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

/// Makes the large initializers of the main graph external, each under a location of its own that `files` does not use.
/// Those of the edits stay inline. O(initializers). @return the bytes by location
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

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxMessageBytes = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kInlineBudget = 1'900'000'000; // bytes; leaves room for what others add to the file
constexpr std::size_t kChunk = std::size_t{8} << 20U; // bytes between two looks at the stop token

Result<const Source*> sourceOf(const Model& model)
{
    if (model.source == nullptr)
        return Error{ErrorCode::Internal, "the model was not read from a file", model.graphName, "report this"};
    return model.source.get();
}

Error tooLarge(const std::string& where)
{
    return {ErrorCode::Unsupported, "the model would be larger than 2 GB without its external data", where,
        "store the weights of the input as external data"};
}

/// Reports bytes written and hears the stop token, whatever the size of a piece.
class CountingStream
{
public:
    CountingStream(std::ostream& stream, const JobContext& job, std::int64_t& done, std::int64_t total)
        : m_stream(stream)
        , m_job(job)
        , m_done(done)
        , m_total(total)
    {
    }

    bool write(std::span<const std::byte> bytes)
    {
        while (!bytes.empty()) {
            const auto piece = bytes.first(std::min(bytes.size(), kChunk));
            bytes = bytes.subspan(piece.size());
            m_stream.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
            m_done += static_cast<std::int64_t>(piece.size());
            m_unreported += piece.size();
            if (m_unreported >= kChunk) {
                m_unreported = 0;
                if (m_job.stopped() || !m_stream)
                    return false;
                m_job.tell({"export", m_done, m_total});
            }
        }
        return true;
    }

    bool pad(std::uint64_t count)
    {
        constexpr std::array<std::byte, 4096> kZeros{};
        return write(std::span(kZeros).first(static_cast<std::size_t>(count)));
    }

private:
    std::ostream& m_stream;
    const JobContext& m_job;
    std::int64_t& m_done;
    std::int64_t m_total;
    std::size_t m_unreported = 0;
};

Status stoppedOr(const JobContext& job)
{
    return job.stopped() ? Status(cancelledError()) : success(); // a broken stream is reported by who opened it
}

Status writePieces(const ExternalLayout& layout, CountingStream& stream, const JobContext& job)
{
    std::uint64_t at = 0;
    for (const auto& piece : layout.pieces()) {
        if (!stream.pad(piece.offset - at) || !stream.write(piece.content.bytes))
            return stoppedOr(job);
        at = piece.offset + piece.content.bytes.size();
    }
    return success();
}

/// Everything that is to be written, laid out.
struct Export {
    EditedModel edited;
    ExternalLayout layout;
    std::string proto; // serialized skeleton
};

Status moveExternalTensors(EditedModel& edited, ExternalFiles files, ExternalLayout& layout)
{
    Status status = success();
    forEachTensor(*edited.proto, [&](onnx::TensorProto& tensor) {
        if (status && tensor.data_location() == onnx::TensorProto::EXTERNAL)
            status = layout.moveExternal(tensor, files);
    });
    return status;
}

Result<std::uint64_t> inlineSize(const Export& work)
{
    DUO_TRY(joined, JoinedModel::of(work.proto, work.edited.payloads));
    return joined.size();
}

/// New tensors leave the file where it would become too large.
Status moveNewTensors(Export& work)
{
    DUO_TRY(size, inlineSize(work));
    if (size <= kInlineBudget || work.edited.newTensors.empty())
        return success();
    for (onnx::TensorProto* tensor : work.edited.newTensors) {
        const auto index = payloadIndex(tensor->raw_data());
        if (index)
            work.layout.moveInline(*tensor, work.edited.payloads[*index]);
    }
    work.proto = work.edited.proto->SerializeAsString();
    return success();
}

/// At the end of what was read from mapped files, before any of it is put in place.
Status stoppedOrChanged(const JobContext& job)
{
    DUO_CHECK(stoppedOr(job));
    return checkMappedFiles();
}

Status writeExport(const Export& work, const fs::path& target, const fs::path& data, const JobContext& job)
{
    DUO_TRY(joined, JoinedModel::of(work.proto, work.edited.payloads));
    if (joined.size() > kMaxMessageBytes)
        return tooLarge(target.string());
    std::int64_t done = 0;
    const auto total = static_cast<std::int64_t>(joined.size() + work.layout.size());
    // The data file is complete and renamed before the model that refers to it is.
    return writeFileAtomically(target, [&](std::ostream& out) -> Status {
        CountingStream stream(out, job, done, total);
        if (!joined.write([&](std::span<const std::byte> bytes) { return stream.write(bytes); }))
            return stoppedOr(job);
        if (work.layout.pieces().empty())
            return stoppedOrChanged(job);
        return writeFileAtomically(data, [&](std::ostream& dataOut) -> Status {
            CountingStream dataStream(dataOut, job, done, total);
            DUO_CHECK(writePieces(work.layout, dataStream, job));
            return stoppedOrChanged(job);
        });
    });
}

Result<WrittenFiles> exportModel(
    const Model& model, const EditList& edits, const fs::path& target, const JobContext& job)
{
    DUO_TRY(source, sourceOf(model));
    fs::path data = target;
    data += ".data";
    DUO_CHECK(refuseOverInput(model, target));
    DUO_TRY(edited, applyEdits(model, *source, edits));
    Export work{std::move(edited), ExternalLayout(data.filename().string()), {}};
    DUO_CHECK(moveExternalTensors(work.edited, source->external, work.layout));
    work.proto = work.edited.proto->SerializeAsString();
    DUO_CHECK(moveNewTensors(work));
    const bool hasData = !work.layout.pieces().empty();
    if (hasData)
        DUO_CHECK(refuseOverInput(model, data));
    DUO_CHECK(writeExport(work, target, data, job));
    WrittenFiles written{{target}, static_cast<std::int64_t>(fs::file_size(target))};
    if (hasData) {
        written.files.push_back(data);
        written.bytes += static_cast<std::int64_t>(work.layout.size());
    }
    return written;
}

Result<std::vector<std::byte>> joinToBytes(const Model& model, const EditedModel& edited)
{
    const std::string proto = edited.proto->SerializeAsString();
    DUO_TRY(joined, JoinedModel::of(proto, edited.payloads));
    if (joined.size() > kMaxMessageBytes)
        return tooLarge(model.path.string());
    return joined.bytes(model.path.string());
}

/// The door for exceptions of protobuf and the standard library.
template <typename Write> auto guarded(const std::string& name, const Write& write) -> decltype(write())
{
    try {
        return write();
    } catch (const std::exception& e) {
        return Error{ErrorCode::Internal, "the model could not be written", name, e.what()};
    }
}

} // namespace

Status refuseOverInput(const Model& model, const fs::path& target)
{
    if (isSameFile(target, model.path))
        return Error{
            ErrorCode::NotWritable, "the output would replace the input", target.string(), "name another file"};
    for (const auto& [location, file] : externalFiles(model)) {
        if (isSameFile(target, file->path()))
            return Error{ErrorCode::NotWritable, "the output would replace external data of the input", target.string(),
                "name another file"};
    }
    return success();
}

Result<WrittenFiles> writeModel(
    const Model& model, const EditList& edits, const fs::path& target, const JobContext& job)
{
    return guarded(target.string(), [&] { return exportModel(model, edits, target, job); });
}

Result<EngineModel> engineModel(const Model& model, const EditList& edits)
{
    return guarded(model.path.string(), [&]() -> Result<EngineModel> {
        DUO_TRY(source, sourceOf(model));
        DUO_TRY(edited, applyEdits(model, *source, edits));
        EngineModel result;
        result.weights = leaveWeightsApart(edited, source->external);
        DUO_TRY(proto, joinToBytes(model, edited));
        result.proto = std::move(proto);
        return result;
    });
}

} // namespace duo
