// SPDX-License-Identifier: Apache-2.0
#include "core/content/searches.h"

#include "core/content/arrangement.h"
#include "core/content/order_free_sum.h"
#include "core/content/sum_index.h"
#include "core/model/tensor.h"
#include "core/support/job.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

/// Running sums along one axis: 8 bytes an index.
class PieceSums
{
public:
    /// @param axis one of pieceAxes
    PieceSums(const Tensor& tensor, std::size_t axis, const JobContext& job);

    [[nodiscard]] std::size_t axis() const { return m_axis; }
    [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(m_before.size()) - 1; }
    /// Order-free sum of the part of the tensor with `count` indices from `first` on.
    [[nodiscard]] std::uint64_t sum(std::int64_t first, std::int64_t count) const
    {
        return m_before[static_cast<std::size_t>(first + count)] - m_before[static_cast<std::size_t>(first)];
    }

private:
    std::size_t m_axis;
    std::vector<std::uint64_t> m_before; // [length + 1] sum of all indices before
};

PieceSums::PieceSums(const Tensor& tensor, std::size_t axis, const JobContext& job)
    : m_axis(axis)
{
    const auto length = static_cast<std::size_t>(tensor.dims[axis]);
    const int width = elementBytes(tensor.type);
    const bool isFirst = std::all_of(tensor.dims.begin(), tensor.dims.begin() + static_cast<std::ptrdiff_t>(axis),
        [](std::int64_t dim) { return dim == 1; });
    const auto sums = isFirst ? orderFreeRowSums(tensor.bytes(), width, length, job)
                              : orderFreeColumnSums(tensor.bytes(), width, length, job);
    m_before.reserve(length + 1);
    m_before.push_back(0);
    for (const std::uint64_t sum : sums)
        m_before.push_back(m_before.back() + sum);
}

/// The axes along which a tensor may have been cut or put together: the first one longer than 1, and the last; none
/// that is longer than a million, none for types that have no sums.
std::vector<std::size_t> pieceAxes(const Tensor& tensor)
{
    constexpr std::int64_t kLongest = std::int64_t{1} << 20;
    std::vector<std::size_t> axes;
    const auto isLong = [](std::int64_t dim) { return dim > 1; };
    const auto long0 = std::ranges::find_if(tensor.dims, isLong);
    if (elementBytes(tensor.type) == 0 || long0 == tensor.dims.end())
        return axes;
    const auto first = static_cast<std::size_t>(long0 - tensor.dims.begin());
    const std::size_t last = tensor.dims.size() - 1;
    if (tensor.dims[first] <= kLongest)
        axes.push_back(first);
    if (last != first && tensor.dims[last] > 1 && tensor.dims[last] <= kLongest)
        axes.push_back(last);
    return axes;
}

constexpr std::size_t kMostLengths = 32; // different sizes of members or slices tried along one axis
constexpr std::size_t kMostParts = 64;

bool isOpen(const WantedSet& set)
{
    return set.tells && set.found.empty();
}

/// Stored sets that are no part of what was found so far.
std::vector<char> unusedSets(const ContentSearch& search)
{
    std::vector<char> unused(search.stored.sets(), 1);
    for (const WantedSet& set : search.wanted.sets) {
        for (const Derivation& derivation : set.found) {
            for (const std::uint32_t part : derivation.parts)
                unused[part] = 0;
        }
    }
    return unused;
}

/// Sizes of the tensors that may be pieces of `tensor` along an axis, as numbers of indices; longest first.
std::vector<std::int64_t> pieceLengths(const Tensor& tensor, std::size_t axis, const std::set<std::int64_t>& sizes)
{
    const std::int64_t each = tensor.elements() / tensor.dims[axis];
    std::vector<std::int64_t> lengths;
    for (auto size = sizes.rbegin(); size != sizes.rend() && lengths.size() < kMostLengths; ++size) {
        if (*size < tensor.elements() && *size % each == 0)
            lengths.push_back(*size / each);
    }
    return lengths;
}

using SizesOfType = std::map<ElementType, std::set<std::int64_t>>;

/// Members found one after the other from the start of the axis.
std::optional<Derivation> concatenationAlong(const ContentSearch& search, const SumIndex& index, const Tensor& tensor,
    std::size_t axis, const std::vector<std::int64_t>& lengths)
{
    if (lengths.empty())
        return std::nullopt;
    const PieceSums sums(tensor, axis, search.job);
    const std::int64_t each = tensor.elements() / sums.length();
    Derivation derivation;
    derivation.kind = MatchKind::Concatenated;
    derivation.how = "put together from";
    derivation.tells = true;
    derivation.transform.axis = static_cast<int>(axis);
    for (std::int64_t at = 0; at < sums.length();) {
        std::int64_t taken = 0;
        for (const std::int64_t length : lengths) {
            if (taken > 0 || at + length > sums.length())
                continue;
            for (const std::uint32_t stored : index.find({tensor.type, length * each}, sums.sum(at, length))) {
                const TensorPart part{tensor, axis, at, length};
                const auto order = findPartOrder(wholeOf(search.stored.tensor(stored)), part, search.job);
                if (!order)
                    continue;
                derivation.parts.push_back(stored);
                derivation.transform.axes = *order;
                derivation.tells = derivation.tells && search.stored.tells(stored);
                taken = length;
                break;
            }
        }
        if (taken == 0 || derivation.parts.size() > kMostParts)
            return std::nullopt;
        at += taken;
    }
    return derivation;
}

Status findConcatenations(ContentSearch& search, const std::vector<char>& unused)
{
    SizesOfType stored;
    for (std::uint32_t set = 0; set < unused.size(); ++set) {
        if (unused[set] != 0 && !search.stored.owners(set).empty())
            stored[search.stored.tensor(set).type].insert(search.stored.tensor(set).elements());
    }
    struct Attempt {
        std::size_t set = 0;
        std::size_t axis = 0;
        std::vector<std::int64_t> lengths;
    };
    std::vector<Attempt> attempts;
    std::set<SizeKey> sizes;
    for (std::size_t s = 0; s < search.wanted.sets.size(); ++s) {
        const Tensor& tensor = *search.wanted.sets[s].tensor;
        const auto sizesOfType = stored.find(tensor.type);
        if (!isOpen(search.wanted.sets[s]) || sizesOfType == stored.end())
            continue;
        for (const std::size_t axis : pieceAxes(tensor)) {
            Attempt attempt{s, axis, pieceLengths(tensor, axis, sizesOfType->second)};
            for (const std::int64_t length : attempt.lengths)
                sizes.emplace(tensor.type, length * (tensor.elements() / tensor.dims[axis]));
            attempts.push_back(std::move(attempt));
        }
    }
    DUO_TRY(index, SumIndex::of(search, sizes));
    std::vector<std::optional<Derivation>> found(attempts.size());
    DUO_CHECK(parallelFor(attempts.size(), search.threads, search.job, [&](std::size_t i) {
        const Attempt& attempt = attempts[i];
        const Tensor& tensor = *search.wanted.sets[attempt.set].tensor;
        found[i] = concatenationAlong(search, index, tensor, attempt.axis, attempt.lengths);
        return success();
    }));
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        auto& own = search.wanted.sets[attempts[i].set].found;
        if (found[i] && own.empty())
            own.push_back(*std::move(found[i]));
    }
    return success();
}

/// Wanted sets by type, elements and sum: what a slice is looked up in.
using WantedBySum = std::map<SizeKey, std::unordered_map<std::uint64_t, std::vector<std::size_t>>>;

struct FoundSlice {
    std::size_t set = 0; // of Wanted
    Derivation derivation;
};

/// Every place along an axis of a stored tensor where an open tensor of the model may start.
void findSlicesAlong(const ContentSearch& search, const WantedBySum& wanted, std::uint32_t stored, std::size_t axis,
    const std::vector<std::int64_t>& lengths, std::vector<FoundSlice>& found)
{
    if (lengths.empty())
        return;
    const Tensor& tensor = search.stored.tensor(stored);
    const PieceSums sums(tensor, axis, search.job);
    const std::int64_t each = tensor.elements() / sums.length();
    for (const std::int64_t length : lengths) {
        const auto bySum = wanted.find({tensor.type, length * each});
        if (bySum == wanted.end())
            continue;
        for (std::int64_t at = 0; at + length <= sums.length(); ++at) {
            const auto sets = bySum->second.find(sums.sum(at, length));
            if (sets == bySum->second.end())
                continue;
            for (const std::size_t set : sets->second) {
                const Tensor& target = *search.wanted.sets[set].tensor;
                const auto order = findPartOrder({tensor, axis, at, length}, wholeOf(target), search.job);
                if (!order)
                    continue;
                Derivation derivation;
                derivation.kind = MatchKind::Slice;
                derivation.parts = {stored};
                derivation.tells = true;
                derivation.transform.axis = static_cast<int>(axis);
                derivation.transform.offset = at;
                derivation.transform.axes = *order;
                derivation.how = "indices from " + std::to_string(at) + " on axis " + std::to_string(axis) + " of";
                found.push_back({set, std::move(derivation)});
            }
        }
    }
}

Status findSlices(ContentSearch& search, const std::vector<char>& unused)
{
    std::vector<std::size_t> open;
    SizesOfType sizes;
    for (std::size_t s = 0; s < search.wanted.sets.size(); ++s) {
        const Tensor& tensor = *search.wanted.sets[s].tensor;
        if (!isOpen(search.wanted.sets[s]) || elementBytes(tensor.type) == 0)
            continue;
        open.push_back(s);
        sizes[tensor.type].insert(tensor.elements());
    }
    std::vector<std::uint64_t> sums(open.size());
    DUO_CHECK(parallelFor(open.size(), search.threads, search.job, [&](std::size_t i) {
        const Tensor& tensor = *search.wanted.sets[open[i]].tensor;
        sums[i] = orderFreeSum(tensor.bytes(), elementBytes(tensor.type), search.job);
        return success();
    }));
    WantedBySum wanted;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const Tensor& tensor = *search.wanted.sets[open[i]].tensor;
        wanted[{tensor.type, tensor.elements()}][sums[i]].push_back(open[i]);
    }
    std::vector<std::vector<FoundSlice>> found(unused.size());
    DUO_CHECK(parallelFor(unused.size(), search.threads, search.job, [&](std::size_t set) {
        const auto stored = static_cast<std::uint32_t>(set);
        if (unused[set] == 0 || search.stored.owners(stored).empty() || !search.stored.tells(stored))
            return success();
        const Tensor& tensor = search.stored.tensor(stored);
        const auto ofType = sizes.find(tensor.type);
        if (ofType == sizes.end())
            return success();
        for (const std::size_t axis : pieceAxes(tensor))
            findSlicesAlong(search, wanted, stored, axis, pieceLengths(tensor, axis, ofType->second), found[set]);
        return success();
    }));
    for (auto& ofStored : found) {
        for (FoundSlice& slice : ofStored) {
            auto& own = search.wanted.sets[slice.set].found;
            if (own.size() < SumIndex::kMostTried)
                own.push_back(std::move(slice.derivation));
        }
    }
    return success();
}

} // namespace

Status findPiecesInPlace(ContentSearch& search)
{
    const std::vector<char> unused = unusedSets(search);
    DUO_CHECK(findConcatenations(search, unused));
    return findSlices(search, unused);
}

} // namespace duo
