// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/array_set.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

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

} // namespace

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

Status ArraySet::countSamples()
{
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
                    + std::to_string(b.cut.pieces)};
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

std::vector<HostTensor> ArraySet::sample(const Loaded& loaded, std::int64_t index) const
{
    std::vector<HostTensor> feeds;
    for (std::size_t i = 0; i < m_bound.size(); ++i)
        feeds.push_back(m_bound[i].cut.piece(loaded[i].bytes, index));
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

} // namespace duo
