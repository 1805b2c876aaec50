// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/array_dataset.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace duo {
namespace {

using SharedLoaded = std::shared_ptr<const ArraySet::Loaded>;

/// The way out where the axis an array is cut along is no batch.
std::string wholeAdvice(const ArraySet::Split& split)
{
    return "array '" + split.array
        + "' was cut into single entries of its first axis; where that is no batch, save one "
        + "axis more in front, array[None] (one entry per sample)";
}

class ArrayDataset final : public Dataset
{
public:
    ArrayDataset(std::vector<ArraySet> sets, std::vector<Note> notes)
        : m_sets(std::move(sets))
        , m_notes(std::move(notes))
    {
        for (const ArraySet& set : m_sets)
            m_ends.push_back(size() + set.samples());
    }

    [[nodiscard]] std::int64_t size() const override { return m_ends.empty() ? 0 : m_ends.back(); }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }

    [[nodiscard]] std::string sizeAdvice() const override
    {
        const auto splits = m_sets.empty() ? std::vector<ArraySet::Split>() : m_sets.front().splits();
        return splits.empty() ? std::string() : wholeAdvice(splits.front());
    }

    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        const auto end = std::ranges::upper_bound(m_ends, index);
        if (index < 0 || end == m_ends.end())
            return Error{ErrorCode::Internal, "there is no such sample", std::to_string(index), {}};
        const auto set = static_cast<std::size_t>(end - m_ends.begin());
        DUO_TRY(loaded, load(set, {}));
        return m_sets[set].sample(*loaded, index - (*end - m_sets[set].samples()));
    }

    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override;

    /// The arrays of a set, from the few held if they are there. Two threads may load the same set; both are right.
    [[nodiscard]] Result<SharedLoaded> load(std::size_t set, const JobContext& job) const
    {
        if (auto held = find(set))
            return held;
        DUO_TRY(loaded, m_sets[set].load(job));
        auto shared = std::make_shared<const ArraySet::Loaded>(std::move(loaded));
        const std::lock_guard lock(m_mutex);
        m_held.emplace_front(set, shared);
        if (m_held.size() > kHeld)
            m_held.pop_back();
        return shared;
    }

private:
    [[nodiscard]] SharedLoaded find(std::size_t set) const
    {
        const std::lock_guard lock(m_mutex);
        const auto held = std::ranges::find(m_held, set, &std::pair<std::size_t, SharedLoaded>::first);
        return held == m_held.end() ? nullptr : held->second;
    }

    static constexpr std::size_t kHeld = 8;
    std::vector<ArraySet> m_sets;
    std::vector<std::int64_t> m_ends; // [sets] samples up to and with this set
    std::vector<Note> m_notes;
    mutable std::mutex m_mutex;
    mutable std::deque<std::pair<std::size_t, SharedLoaded>> m_held; // a cache of file content, never stale
};

Status appendArray(HostTensor& all, HostTensor part)
{
    if (part.dims.empty())
        part.dims = {1};
    if (all.dims.empty()) {
        all = std::move(part);
        return success();
    }
    const bool sameEntries = all.type == part.type && all.dims.size() == part.dims.size()
        && std::equal(all.dims.begin() + 1, all.dims.end(), part.dims.begin() + 1);
    if (!sameEntries)
        return Error{ErrorCode::BadData, "array differs between the files of the folder", part.name,
            "give it one type and shape (but for the first axis)"};
    all.dims[0] += part.dims[0];
    all.bytes.insert(all.bytes.end(), part.bytes.begin(), part.bytes.end());
    return success();
}

Result<HostTensor> ArrayDataset::array(const std::string& name) const
{
    if (m_sets.size() == 1)
        return m_sets[0].array(name);
    HostTensor all;
    for (const ArraySet& set : m_sets) {
        DUO_TRY(part, set.array(name));
        DUO_CHECK(appendArray(all, std::move(part)));
    }
    return all;
}

std::vector<Note> notesOf(const std::vector<ArraySet>& sets, const DatasetOptions& options)
{
    std::map<std::string, std::int64_t> dropped;
    std::map<std::string, ArraySet::Split> splits; // along an axis whose name tells of no batch
    std::set<std::string> unused;
    for (const ArraySet& set : sets) {
        for (const auto& [array, entries] : set.dropped())
            dropped[array] += entries;
        for (const ArraySet::Split& split : set.splits()) {
            if (!split.axis.empty())
                splits.emplace(split.input, split);
        }
        unused.insert(set.unused().begin(), set.unused().end());
    }
    for (const std::string& name : options.arrays)
        unused.erase(name);
    std::vector<Note> notes;
    for (const auto& [array, entries] : dropped)
        notes.push_back({"dropped-entries",
            std::to_string(entries) + " entries of array '" + array + "' fill no whole sample and are left out",
            array});
    for (const auto& [input, split] : splits)
        notes.push_back({"no-batch",
            "the first axis of input '" + input + "' is '" + split.axis
                + "', which looks like no batch: " + wholeAdvice(split),
            input});
    if (!unused.empty())
        notes.push_back(
            {"unused-arrays", "no input of the model is named " + listText({unused.begin(), unused.end()}), {}});
    return notes;
}

} // namespace

Result<std::shared_ptr<const Dataset>> arrayDataset(
    std::vector<ArraySet> sets, const DatasetOptions& options, const JobContext& job)
{
    auto notes = notesOf(sets, options);
    const bool isSingle = sets.size() == 1;
    auto dataset = std::make_shared<ArrayDataset>(std::move(sets), std::move(notes));
    if (isSingle)
        DUO_CHECK(dataset->load(0, job));
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

} // namespace duo
