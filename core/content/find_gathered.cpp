// SPDX-License-Identifier: Apache-2.0
#include "core/content/searches.h"

#include "core/content/arrangement.h"
#include "core/content/float_values.h"
#include "core/support/parallel.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::int64_t kLargestTable = std::int64_t{1} << 20; // elements
constexpr std::int64_t kMostRows = std::int64_t{1} << 16;
constexpr std::size_t kMostTables = 64; // with one first row

/// Row numbers of a stored matrix by the hash of their bytes.
struct RowTable {
    std::uint32_t set = 0;
    std::size_t rowBytes = 0;
    std::unordered_map<std::uint64_t, std::int64_t> rows;
};

std::uint64_t hashOf(std::span<const std::byte> row)
{
    return XXH3_64bits(row.data(), row.size());
}

RowTable rowTable(const Tensor& tensor, std::uint32_t set)
{
    RowTable table{set, tensor.bytes().size() / static_cast<std::size_t>(tensor.dims[0]), {}};
    for (std::int64_t r = 0; r < tensor.dims[0]; ++r)
        table.rows.emplace(
            hashOf(tensor.bytes().subspan(static_cast<std::size_t>(r) * table.rowBytes, table.rowBytes)), r);
    return table;
}

/// The rows of a tensor seen as [n, row], or as [row, n].
class Rows
{
public:
    Rows(const Tensor& tensor, std::size_t rowBytes, bool isTransposed)
        : m_bytes(tensor.bytes())
        , m_width(static_cast<std::size_t>(elementBytes(tensor.type)))
        , m_row(rowBytes)
        , m_isTransposed(isTransposed)
    {
    }
    [[nodiscard]] std::size_t count() const { return m_bytes.size() / m_row.size(); }
    std::span<const std::byte> at(std::size_t n)
    {
        if (!m_isTransposed)
            return m_bytes.subspan(n * m_row.size(), m_row.size());
        for (std::size_t h = 0; h < m_row.size() / m_width; ++h)
            std::memcpy(m_row.data() + h * m_width, m_bytes.data() + (h * count() + n) * m_width, m_width);
        return m_row;
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_width;
    std::vector<std::byte> m_row;
    bool m_isTransposed;
};

/// The row of the table for each row of the tensor; nothing if one is not there.
std::optional<std::vector<std::int64_t>> indicesOf(
    const Tensor& tensor, const RowTable& table, const Tensor& stored, bool isTransposed, const JobContext& job)
{
    Rows rows(tensor, table.rowBytes, isTransposed);
    std::vector<std::int64_t> indices;
    for (std::size_t n = 0; n < rows.count(); ++n) {
        if (n % 4096 == 0 && job.stopped())
            return std::nullopt;
        const auto row = rows.at(n);
        const auto found = table.rows.find(hashOf(row));
        if (found == table.rows.end())
            return std::nullopt;
        const auto own = stored.bytes().subspan(static_cast<std::size_t>(found->second) * row.size(), row.size());
        if (std::memcmp(own.data(), row.data(), row.size()) != 0)
            return std::nullopt;
        indices.push_back(found->second);
    }
    return indices;
}

/// Integer tensors in the module of the table that hold these indices; negative ones count from the end.
std::optional<std::uint32_t> indexSet(
    const ContentSearch& search, std::uint32_t table, const std::vector<std::int64_t>& indices)
{
    const std::int64_t rows = search.stored.tensor(table).dims[0];
    const std::uint32_t owner = search.stored.owners(table).front();
    for (const std::uint32_t key : search.names.keysOf(search.names.owner(owner))) {
        const auto set = search.stored.setOf(key);
        if (!set || isFloating(search.stored.tensor(*set).type))
            continue;
        auto own = toInts(search.stored.tensor(*set));
        for (std::int64_t& index : own)
            index += index < 0 ? rows : 0;
        if (own == indices)
            return set;
    }
    return std::nullopt;
}

Derivation derivationOf(
    const ContentSearch& search, const RowTable& table, const std::vector<std::int64_t>& indices, bool isTransposed)
{
    Derivation derivation;
    derivation.kind = MatchKind::Gathered;
    derivation.parts = {table.set};
    derivation.tells = search.stored.tells(table.set);
    derivation.how = isTransposed ? "columns are rows of" : "rows are those of";
    if (const auto index = indexSet(search, table.set, indices)) {
        derivation.parts.push_back(*index);
        derivation.how = isTransposed ? "transposed rows picked by index from" : "rows picked by index from";
    }
    return derivation;
}

using TablesByRow = std::map<std::size_t, std::unordered_map<std::uint64_t, std::vector<std::size_t>>>;

void findOne(const ContentSearch& search, const std::vector<RowTable>& tables, const TablesByRow& byRow, WantedSet& set)
{
    for (const auto& [rowBytes, first] : byRow) {
        if (set.tensor->bytes().size() % rowBytes != 0)
            continue;
        for (const bool isTransposed : {false, true}) {
            const auto candidates = first.find(hashOf(Rows(*set.tensor, rowBytes, isTransposed).at(0)));
            if (candidates == first.end())
                continue;
            for (std::size_t i = 0; i < std::min(candidates->second.size(), kMostTables); ++i) {
                const RowTable& table = tables[candidates->second[i]];
                const Tensor& stored = search.stored.tensor(table.set);
                if (stored.type != set.tensor->type)
                    continue;
                if (const auto indices = indicesOf(*set.tensor, table, stored, isTransposed, search.job))
                    set.found.push_back(derivationOf(search, table, *indices, isTransposed));
            }
        }
    }
}

} // namespace

Status findGatheredInPlace(ContentSearch& search)
{
    std::vector<std::size_t> open;
    for (std::size_t s = 0; s < search.wanted.sets.size(); ++s) {
        const WantedSet& set = search.wanted.sets[s];
        if (set.tells && set.found.empty() && elementBytes(set.tensor->type) > 0)
            open.push_back(s);
    }
    if (open.empty())
        return success();
    std::vector<std::uint32_t> matrices;
    for (std::uint32_t set = 0; set < search.stored.sets(); ++set) {
        if (search.stored.owners(set).empty() || !search.stored.tells(set))
            continue;
        const Tensor& tensor = search.stored.tensor(set);
        if (tensor.dims.size() == 2 && tensor.dims[1] > 1 && tensor.dims[0] <= kMostRows
            && tensor.elements() <= kLargestTable)
            matrices.push_back(set);
    }
    std::vector<RowTable> tables(matrices.size());
    DUO_CHECK(parallelFor(matrices.size(), search.threads, search.job, [&](std::size_t i) {
        const Tensor& tensor = search.stored.tensor(matrices[i]);
        const std::size_t rowBytes = tensor.bytes().size() / static_cast<std::size_t>(tensor.dims[0]);
        const bool isUseful = std::ranges::any_of(
            open, [&](std::size_t s) { return search.wanted.sets[s].tensor->bytes().size() % rowBytes == 0; });
        if (isUseful)
            tables[i] = rowTable(tensor, matrices[i]);
        return success();
    }));
    TablesByRow byRow;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        for (const auto& [hash, row] : tables[i].rows)
            byRow[tables[i].rowBytes][hash].push_back(i);
    }
    return parallelFor(open.size(), search.threads, search.job, [&](std::size_t i) {
        findOne(search, tables, byRow, search.wanted.sets[open[i]]);
        return success();
    });
}

} // namespace duo
