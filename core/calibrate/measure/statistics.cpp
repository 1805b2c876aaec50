// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/statistics.h"

#include <algorithm>

namespace duo {
namespace {

double share(double sum, std::int64_t count)
{
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

void mergeChannels(ChannelStatistics& all, const ChannelStatistics& more)
{
    if (all.vary || more.vary || all.min.size() != more.min.size()) {
        all = {};
        all.axis = more.axis;
        all.vary = true;
        return;
    }
    for (std::size_t c = 0; c < all.min.size(); ++c) {
        all.min[c] = std::min(all.min[c], more.min[c]);
        all.max[c] = std::max(all.max[c], more.max[c]);
        all.sum[c].add(more.sum[c]);
        all.squares[c].add(more.squares[c]);
        all.counts[c] += more.counts[c];
    }
}

/// All but what is kept per sample.
void mergeTotals(ValueStatistics& all, const ValueStatistics& more)
{
    all.min = std::min(all.min, more.min);
    all.max = std::max(all.max, more.max);
    all.elements += more.elements;
    all.nan += more.nan;
    all.infinite += more.infinite;
    if (all.firstNonFiniteSample < 0
        || (more.firstNonFiniteSample >= 0 && more.firstNonFiniteSample < all.firstNonFiniteSample))
        all.firstNonFiniteSample = more.firstNonFiniteSample;
    all.histogram.add(more.histogram.bins());
    all.sum.add(more.sum);
    all.squares.add(more.squares);
    mergeChannels(all.channels, more.channels);
}

Error cannotMerge(const std::string& what, const std::string& where)
{
    return {ErrorCode::BadData, what, where, "merge the shards of one run, each once"};
}

bool sameNames(const Statistics& a, const Statistics& b)
{
    return a.kinds == b.kinds
        && std::equal(
            a.values.begin(), a.values.end(), b.values.begin(), b.values.end(), [](const auto& x, const auto& y) {
                return x.first == y.first && x.second.channels.axis == y.second.channels.axis;
            });
}

/// Samples that lie together, in one of the parts.
struct Piece {
    SampleSpan span;
    const Statistics* part = nullptr;
    std::size_t offset = 0; // of the first sample, in the part's arrays
};

std::vector<Piece> piecesOf(const std::vector<Statistics>& parts)
{
    std::vector<Piece> pieces;
    for (const Statistics& part : parts) {
        std::size_t offset = 0;
        for (const SampleSpan& span : part.spans) {
            pieces.push_back({span, &part, offset});
            offset += static_cast<std::size_t>(span.count);
        }
    }
    std::ranges::sort(pieces, {}, [](const Piece& piece) { return piece.span.first; });
    return pieces;
}

void append(std::vector<float>& all, const std::vector<float>& more, const Piece& piece)
{
    if (more.empty())
        return; // not recorded
    const auto first = more.begin() + static_cast<std::ptrdiff_t>(piece.offset);
    all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(piece.span.count));
}

void appendSamples(SampleStatistics& all, const SampleStatistics& more, const Piece& piece)
{
    append(all.min, more.min, piece);
    append(all.max, more.max, piece);
    append(all.mean, more.mean, piece);
    append(all.low, more.low, piece);
    append(all.high, more.high, piece);
    append(all.magnitude, more.magnitude, piece);
}

std::string spanText(const SampleSpan& span)
{
    return "samples " + std::to_string(span.first) + " to " + std::to_string(span.first + span.count - 1);
}

Result<std::vector<SampleSpan>> joinedSpans(const std::vector<Piece>& pieces)
{
    std::vector<SampleSpan> spans;
    for (const auto& [span, part, offset] : pieces) {
        if (!spans.empty() && span.first < spans.back().first + spans.back().count)
            return cannotMerge("two parts hold the same samples", spanText(span));
        if (!spans.empty() && span.first == spans.back().first + spans.back().count) {
            spans.back().count += span.count;
        } else {
            spans.push_back(span);
        }
    }
    return spans;
}

} // namespace

double ChannelStatistics::mean(std::size_t channel) const
{
    return share(sum[channel].value(), counts[channel]);
}

double ValueStatistics::mean() const
{
    return share(sum.value(), finite());
}

std::int64_t Statistics::samples() const
{
    std::int64_t count = 0;
    for (const SampleSpan& span : spans)
        count += span.count;
    return count;
}

Result<Statistics> mergedStatistics(std::vector<Statistics> parts)
{
    if (parts.empty())
        return cannotMerge("there is nothing to merge", {});
    for (const Statistics& part : parts) {
        if (!sameNames(parts.front(), part))
            return cannotMerge("the parts hold statistics of different values", {});
    }
    const std::vector<Piece> pieces = piecesOf(parts);
    Statistics all;
    all.kinds = parts.front().kinds;
    DUO_TRY(spans, joinedSpans(pieces));
    all.spans = std::move(spans);
    for (auto& [name, first] : parts.front().values) {
        SampleStatistics samples;
        for (const Piece& piece : pieces)
            appendSamples(samples, piece.part->values.at(name).samples, piece);
        ValueStatistics& value = all.values[name];
        value = std::move(first);
        for (std::size_t i = 1; i < parts.size(); ++i)
            mergeTotals(value, parts[i].values.at(name));
        value.samples = std::move(samples);
    }
    return all;
}

SampleSpan shardOf(std::int64_t samples, std::int64_t index, std::int64_t count)
{
    const std::int64_t size = samples / count;
    const std::int64_t larger = samples % count; // the first ones have one sample more
    const std::int64_t first = index * size + std::min(index, larger);
    return {first, size + (index < larger ? 1 : 0)};
}

} // namespace duo
