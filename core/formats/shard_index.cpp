// SPDX-License-Identifier: Apache-2.0
#include "core/formats/shard_index.h"

#include "core/support/file.h"
#include "core/support/json.h"

#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kMaxIndexBytes = std::size_t{64} << 20;

/// One shard: its tensors by key, and where those already taken lie in the draft.
struct Shard {
    std::shared_ptr<const Checkpoint> checkpoint;
    std::unordered_map<std::string_view, std::uint32_t> tensorOf;
    std::unordered_map<std::uint32_t, std::uint32_t> taken;
    std::unordered_set<std::string_view> leftOut;
};

Shard shardOf(std::shared_ptr<const Checkpoint> checkpoint)
{
    Shard shard{std::move(checkpoint), {}, {}, {}};
    for (const CheckpointKey& key : shard.checkpoint->keys)
        shard.tensorOf.emplace(key.name, key.tensor);
    for (const Note& note : shard.checkpoint->notes)
        if (note.kind == "left-out-key")
            shard.leftOut.insert(note.where);
    return shard;
}

bool isPlainName(const std::string& name)
{
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string::npos
        && name.find('\0') == std::string::npos;
}

Error damaged(const std::string& where, const std::string& reason)
{
    return {ErrorCode::MalformedModel, "checkpoint index is damaged", where, reason};
}

/// The files of one index, read when a key of theirs is met.
class Shards
{
public:
    Shards(std::filesystem::path folder, CheckpointDraft& draft, const ShardReader& read)
        : m_folder(std::move(folder))
        , m_draft(draft)
        , m_read(read)
    {
    }

    Status addKey(const std::string& key, const std::string& file)
    {
        if (!isPlainName(file))
            return damaged(m_draft.where(key), "'" + file + "' is no file beside it");
        auto known = m_shards.find(file);
        if (known == m_shards.end()) {
            DUO_TRY(checkpoint, m_read(m_folder / file));
            m_draft.takeFacts(*checkpoint);
            known = m_shards.emplace(file, shardOf(std::move(checkpoint))).first;
        }
        Shard& shard = known->second;
        if (shard.leftOut.contains(key))
            return success();
        const auto tensor = shard.tensorOf.find(key);
        if (tensor == shard.tensorOf.end())
            return damaged(m_draft.where(key), "'" + file + "' does not hold it");
        const auto [taken, isNew] = shard.taken.try_emplace(tensor->second, 0);
        if (isNew)
            taken->second = m_draft.addTensor(shard.checkpoint->tensors[tensor->second]);
        return m_draft.addKey(key, taken->second);
    }

private:
    std::filesystem::path m_folder;
    CheckpointDraft& m_draft;
    const ShardReader& m_read;
    std::map<std::string, Shard> m_shards;
};

} // namespace

Status readShardIndex(
    const std::filesystem::path& path, CheckpointDraft& draft, const ShardReader& read, const JobContext& job)
{
    DUO_TRY(text, readTextFile(path, kMaxIndexBytes));
    DUO_TRY(index, parseJson(text, path.string(), ErrorCode::MalformedModel));
    const auto map = index.is_object() ? index.find("weight_map") : index.end();
    if (map == index.end() || !map->is_object())
        return damaged(path.string(), "it has no weight_map");
    Shards shards(path.parent_path(), draft, read);
    for (const auto& [key, file] : map->items()) {
        if (job.stopped())
            return cancelledError();
        if (!file.is_string())
            return damaged(draft.where(key), "its file is no text");
        DUO_CHECK(shards.addKey(key, file.get_ref<const std::string&>()));
    }
    return success();
}

} // namespace duo
