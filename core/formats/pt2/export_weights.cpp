// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/export_weights.h"

#include "core/formats/pt2/json_fields.h"
#include "core/formats/pt2/json_pieces.h"
#include "core/formats/pt2/tensor_meta.h"
#include "core/formats/torch/storage_tensors.h"
#include "core/formats/torch/torch_save.h"
#include "core/model/checkpoint_draft.h"

#include <unordered_set>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> strides(sizes.size(), 1);
    for (std::size_t d = sizes.size(); d-- > 1;)
        strides[d - 1] = elementCount(std::span(sizes).subspan(d)).value_or(0);
    return strides;
}

/// Where the elements of one entry lie; text: why they are not read.
std::variant<StorageView, std::string> viewOf(const Json& entry)
{
    const Json* metaJson = jsonField(entry, "tensor_meta");
    const auto meta = metaJson != nullptr ? readTensorMeta(*metaJson) : std::nullopt;
    if (!meta)
        return "it is no tensor";
    const Json* pickled = jsonField(entry, "use_pickle");
    if (pickled != nullptr && pickled->is_boolean() && pickled->get<bool>())
        return "it is of a class of its own";
    if (!meta->isStrided)
        return "it is sparse";
    if (elementBits(meta->element) == 0)
        return "its element type is not known";
    StorageView view;
    view.storage = jsonText(entry, "path_name");
    view.type = meta->element;
    view.offset = meta->storageOffset.value_or(0);
    constexpr std::int64_t kImpossible = -1; // is refused where the shape is checked
    for (const Dim& size : meta->sizes) {
        if (!size.symbol.empty())
            return "its size is not fixed";
        view.dims.push_back(size.size.value_or(kImpossible));
    }
    view.strides = meta->strides ? *meta->strides : denseStrides(view.dims);
    if (view.strides.size() != view.dims.size())
        return "its strides do not fit its size";
    return view;
}

using Read = Result<std::shared_ptr<const Checkpoint>>;

Read readByConfig(const ExportArchive& archive, const ExportPayloads& payloads, const JobContext& job)
{
    DUO_TRY(text, archive.zip->bytes(*payloads.config, job));
    CheckpointDraft draft(archive.zip->where(), "pt2");
    draft.setRecordsTies();
    StorageTensors tensors(archive.zip, payloads.folder, draft, job);
    std::unordered_set<std::string> seen;
    const auto take = [&](JsonPiece&& piece) -> Status {
        if (piece.container != "config" || !seen.insert(piece.key).second)
            return success();
        auto view = viewOf(piece.value);
        if (const auto* why = std::get_if<std::string>(&view))
            return draft.leaveOut(piece.key, *why);
        return tensors.addKey(piece.key, std::get<StorageView>(std::move(view)));
    };
    JsonPieceOptions options;
    options.opened = {"config"};
    const std::string where = archive.zip->where() + " member '" + payloads.config->path + "'";
    DUO_CHECK(readJsonPieces(text.bytes, where, options, take, job));
    return std::move(draft).take();
}

Read readPayloads(const ExportArchive& archive, const ExportPayloads& payloads, const JobContext& job)
{
    if (payloads.config != nullptr)
        return readByConfig(archive, payloads, job);
    if (payloads.saved == nullptr)
        return std::make_shared<const Checkpoint>();
    DUO_TRY(bytes, archive.zip->bytes(*payloads.saved, job));
    return readTensorDict(std::move(bytes), archive.zip->where() + " member '" + payloads.saved->path + "'", job);
}

} // namespace

Result<ExportWeights> readExportWeights(const ExportArchive& archive, const JobContext& job)
{
    ExportWeights weights;
    DUO_TRY(state, readPayloads(archive, archive.weights, job));
    weights.state = std::move(state);
    DUO_TRY(constants, readPayloads(archive, archive.constants, job));
    weights.constants = std::move(constants);
    return weights;
}

} // namespace duo
