// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/array_dataset.h"

#include "core/calibrate/samples/labels_beside.h"
#include "core/calibrate/samples/name_words.h"
#include "core/model/tensor.h"
#include "core/support/file.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace duo {
namespace {

bool isWidened(ElementType stored, ElementType wanted)
{
    return stored == ElementType::Int32 && wanted == ElementType::Int64;
}

Status checkType(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    if (header.type == input.type || isWidened(header.type, input.type))
        return success();
    const std::string wanted(elementTypeName(input.type));
    return Error{ErrorCode::BadData, "array has another type than the input", where,
        "it is " + std::string(elementTypeName(header.type)) + "; save array.astype('" + wanted + "')"};
}

/// "" where an axis may well be a batch.
std::string nameOfNoBatch(const Dim& dim)
{
    const NameWords words(dim.symbol);
    const bool isLength = words.has({"audio", "frame", "frames", "len", "length", "seq", "seqlen", "sequence", "step",
        "steps", "t", "time", "timesteps", "token", "tokens"});
    return isLength && !words.has("batch") ? dim.symbol : std::string();
}

Error badShape(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    return {ErrorCode::BadData, "array does not fit the input", where,
        "its shape is " + shapeText(header.dims) + ", input '" + input.name + "' takes " + shapeText(input.shape)
            + " or one more axis in front"};
}

/// Entries of the first axis that make one feed, or nothing where the array cannot be cut for the input; 0: the whole.
std::optional<std::int64_t> entriesPerPiece(const ModelInput& input, const std::vector<std::int64_t>& dims)
{
    if (!input.shape)
        return dims.empty() ? 0 : 1;
    const auto& shape = *input.shape;
    const std::span<const std::int64_t> all(dims);
    if (dims.size() == shape.size() + 1)
        return fits(shape, all.subspan(1)) ? std::optional<std::int64_t>(1) : std::nullopt;
    if (dims.size() != shape.size())
        return std::nullopt;
    if (dims.empty())
        return 0;
    const std::int64_t first = shape[0].size.value_or(input.batchAxis ? dims[0] : 1);
    const bool restFits = fits({shape.begin() + 1, shape.end()}, all.subspan(1));
    return restFits && first > 0 ? std::optional(first) : std::nullopt;
}

HostTensor emptyPiece(const ModelInput& input, const std::vector<std::int64_t>& dims, std::int64_t perPiece)
{
    HostTensor piece{input.name, input.type, dims, {}};
    const bool stacked = input.shape && dims.size() == input.shape->size() + 1;
    if (stacked)
        piece.dims.erase(piece.dims.begin());
    else if (!dims.empty())
        piece.dims[0] = perPiece;
    return piece;
}

/// @param where file and array for the message
/// @return BadData: element type or shape do not fit, or there is not one whole piece
Result<ArrayCut> cutArray(const ModelInput& input, const NpyHeader& header, const std::string& where)
{
    DUO_CHECK(checkType(input, header, where));
    const auto perPiece = entriesPerPiece(input, header.dims);
    if (!perPiece)
        return badShape(input, header, where);
    ArrayCut cut;
    cut.repeated = *perPiece == 0;
    cut.pieces = cut.repeated ? 1 : header.dims[0] / *perPiece;
    cut.dropped = cut.repeated ? 0 : header.dims[0] % *perPiece;
    const bool isSameRank = input.shape && !input.shape->empty() && header.dims.size() == input.shape->size();
    const bool isFree = isSameRank && !input.shape->front().size && header.dims[0] > 1;
    cut.isWhole = isFree && input.batchAxis;
    cut.isSplit = isFree && !input.batchAxis;
    if (cut.isSplit)
        cut.axis = nameOfNoBatch(input.shape->front());
    cut.stored = header.type;
    cut.empty = emptyPiece(input, header.dims, *perPiece);
    cut.pieceElements = elementCount(cut.empty.dims).value_or(0);
    if (cut.pieces == 0)
        return Error{ErrorCode::BadData, "array holds no whole sample", where,
            "it has " + std::to_string(header.dims[0]) + " entries, input '" + input.name + "' takes "
                + std::to_string(*perPiece) + " at once"};
    return cut;
}

std::string arrayWhere(const ArrayFile& file, const StoredArray& array)
{
    return file.isArchive() ? file.path().string() + ": array '" + array.name + "'" : file.path().string();
}

Error noArray(const std::string& name, const std::string& where, const std::vector<std::string>& found)
{
    const std::string holds = found.empty() ? "it holds none" : "it holds " + listText(found);
    return {ErrorCode::BadData, "there is no array '" + name + "'", where, holds};
}

/// numpy.save gives no name, numpy.savez without keywords gives "arr_0".
bool isUnnamed(const ArrayFile& file)
{
    return file.arrays().size() == 1 && (!file.isArchive() || file.arrays()[0].name == "arr_0");
}

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
        while (m_held.size() > kHeld || (m_held.size() > kLeastHeld && heldBytes() > kHeldBytes))
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

    [[nodiscard]] std::size_t heldBytes() const
    {
        std::size_t bytes = 0;
        for (const auto& [set, loaded] : m_held) {
            for (const SharedBytes& array : *loaded)
                bytes += array.bytes.size();
        }
        return bytes;
    }

    static constexpr std::size_t kHeld = 8;
    static constexpr std::size_t kLeastHeld = 2; // samples of two are asked for where one follows the other
    static constexpr std::size_t kHeldBytes = std::size_t{16} << 20U;
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
    std::set<std::string> wholes;
    for (const ArraySet& set : sets) {
        const auto ofSet = set.wholes();
        wholes.insert(ofSet.begin(), ofSet.end());
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
    std::erase_if(unused, isNameOfLabels); // not meant to be fed
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
    for (const std::string& input : wholes)
        notes.push_back({"one-sequence",
            "the first axis of input '" + input
                + "' is no batch, so its array is one sample; for several save one axis more in front, one entry per "
                  "sample",
            input});
    if (!unused.empty())
        notes.push_back(
            {"unused-arrays", "no input of the model is named " + listText({unused.begin(), unused.end()}), {}});
    return notes;
}

} // namespace

void ArrayCut::join(const std::vector<std::int64_t>& dims)
{
    pieces = 1;
    dropped = 0;
    isSplit = false;
    isWhole = true;
    empty.dims = dims;
    pieceElements = elementCount(dims).value_or(0);
}

HostTensor ArrayCut::piece(std::span<const std::byte> array, std::int64_t index) const
{
    HostTensor out = empty;
    const std::int64_t bytes = packedBytes(stored, pieceElements).value_or(0);
    const auto offset = repeated ? 0 : static_cast<std::size_t>(index * bytes);
    const auto slice = array.subspan(offset, static_cast<std::size_t>(bytes));
    if (stored == out.type) {
        out.bytes.assign(slice.begin(), slice.end());
        return out;
    }
    out.bytes.resize(slice.size() * 2);
    for (std::size_t i = 0; i < static_cast<std::size_t>(pieceElements); ++i) {
        std::int32_t narrow = 0;
        std::memcpy(&narrow, slice.data() + i * sizeof(narrow), sizeof(narrow));
        const std::int64_t wide = narrow;
        std::memcpy(out.bytes.data() + i * sizeof(wide), &wide, sizeof(wide));
    }
    return out;
}

Result<ArraySet> ArraySet::bind(const std::vector<ModelInput>& inputs,
    std::vector<std::shared_ptr<const ArrayFile>> files, const std::string& where)
{
    ArraySet set;
    set.m_where = where;
    set.m_files = std::move(files);
    for (const ModelInput& input : inputs)
        DUO_CHECK(set.bindInput(input, inputs.size() == 1));
    DUO_CHECK(set.countSamples());
    for (const auto& file : set.m_files) {
        for (const StoredArray& array : file->arrays()) {
            const auto isThis = [&](const Bound& bound) { return bound.array == &array; };
            if (std::ranges::none_of(set.m_bound, isThis))
                set.m_unused.push_back(array.name);
        }
    }
    return set;
}

Status ArraySet::bindInput(const ModelInput& input, bool isOnly)
{
    Bound bound;
    for (const auto& file : m_files) {
        if (const StoredArray* array = file->find(input.name); array != nullptr && bound.array == nullptr)
            bound = {file, array, {}};
    }
    if (bound.array == nullptr && isOnly && m_files.size() == 1 && isUnnamed(*m_files[0]))
        bound = {m_files[0], m_files[0]->arrays().data(), {}};
    if (bound.array == nullptr) {
        Error error = noArray(input.name, m_where, allNames());
        error.whatToDo += "; every model input needs an array of its name";
        return error;
    }
    if (!bound.array->header)
        return bound.array->header.error();
    DUO_TRY(cut, cutArray(input, *bound.array->header, arrayWhere(*bound.file, *bound.array)));
    bound.cut = std::move(cut);
    m_bound.push_back(std::move(bound));
    return success();
}

/// Where every other array holds one sample, those cut along an axis that is named after no batch hold one, too.
void ArraySet::joinSequencesInPlace()
{
    const bool isOne = std::ranges::all_of(m_bound, [](const Bound& bound) {
        return bound.cut.repeated || bound.cut.pieces == 1 || (bound.cut.isSplit && !bound.cut.axis.empty());
    });
    const bool isTold
        = std::ranges::any_of(m_bound, [](const Bound& bound) { return !bound.cut.repeated && bound.cut.pieces == 1; });
    if (!isOne || !isTold)
        return;
    for (Bound& bound : m_bound) {
        if (bound.cut.pieces > 1)
            bound.cut.join(bound.array->header->dims);
    }
}

Status ArraySet::countSamples()
{
    joinSequencesInPlace();
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < m_bound.size(); ++i) {
        if (m_bound[i].cut.repeated)
            continue;
        if (!first)
            first = i;
        const Bound& a = m_bound[*first];
        const Bound& b = m_bound[i];
        if (a.cut.pieces != b.cut.pieces)
            return Error{ErrorCode::BadData, "arrays hold different numbers of samples", m_where,
                "'" + a.array->name + "' holds " + std::to_string(a.cut.pieces) + ", '" + b.array->name + "' "
                    + std::to_string(b.cut.pieces)
                    + "; where the first axis of one is no batch, save it with one axis more in front, array[None] "
                      "(one entry per sample)"};
    }
    m_samples = first ? m_bound[*first].cut.pieces : 1;
    return success();
}

std::vector<std::string> ArraySet::allNames() const
{
    std::vector<std::string> names;
    for (const auto& file : m_files)
        std::ranges::transform(file->arrays(), std::back_inserter(names), &StoredArray::name);
    return names;
}

std::vector<ArraySet::Dropped> ArraySet::dropped() const
{
    std::vector<Dropped> out;
    for (const Bound& bound : m_bound) {
        if (bound.cut.dropped > 0)
            out.push_back({bound.array->name, bound.cut.dropped});
    }
    return out;
}

std::vector<std::string> ArraySet::wholes() const
{
    std::vector<std::string> names;
    for (const Bound& bound : m_bound) {
        if (bound.cut.isWhole)
            names.push_back(bound.cut.empty.name);
    }
    return names;
}

std::vector<ArraySet::Split> ArraySet::splits() const
{
    std::vector<Split> out;
    for (const Bound& bound : m_bound) {
        if (bound.cut.isSplit)
            out.push_back({bound.array->name, bound.cut.empty.name, bound.cut.axis});
    }
    return out;
}

Result<ArraySet::Loaded> ArraySet::load(const JobContext& job) const
{
    Loaded loaded;
    for (const Bound& bound : m_bound) {
        DUO_TRY(bytes, bound.file->read(*bound.array, job));
        loaded.push_back(std::move(bytes));
    }
    return loaded;
}

Result<std::vector<HostTensor>> ArraySet::sample(const Loaded& loaded, std::int64_t index) const
{
    std::vector<HostTensor> feeds;
    for (std::size_t i = 0; i < m_bound.size(); ++i)
        feeds.push_back(m_bound[i].cut.piece(loaded[i].bytes, index));
    for (const auto& file : m_files) // of a folder not those of all sets
        DUO_CHECK(file->checkWhole());
    return feeds;
}

Result<HostTensor> ArraySet::array(const std::string& name) const
{
    for (const auto& file : m_files) {
        const StoredArray* array = file->find(name);
        if (array == nullptr)
            continue;
        DUO_TRY(bytes, file->read(*array));
        const NpyHeader& header = *array->header;
        return HostTensor{name, header.type, header.dims, {bytes.bytes.begin(), bytes.bytes.end()}};
    }
    return noArray(name, m_where, allNames());
}

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
