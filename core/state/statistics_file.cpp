// SPDX-License-Identifier: Apache-2.0
#include "core/state/statistics_file.h"

#include "core/state/digest.h"
#include "core/state/safe_arrays.h"
#include "core/support/file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace duo {
namespace {

constexpr const char* kFormat = "duoscope-statistics";
constexpr std::int64_t kVersion = 1;

Error badFile(const std::string& what, const std::string& name)
{
    return {ErrorCode::BadData, what, name, "write the statistics again"};
}

template <typename Sum>
std::vector<std::uint64_t> wordsOf(const std::vector<Sum>& sums, const std::vector<Sum>& squares)
{
    std::vector<std::uint64_t> words;
    for (const auto* all : {&sums, &squares}) {
        for (const Sum& sum : *all)
            words.insert(words.end(), sum.words().begin(), sum.words().end());
    }
    return words;
}

template <typename Sum> std::vector<Sum> sumsOf(std::span<const std::uint64_t> words)
{
    std::vector<Sum> sums;
    typename Sum::Words one{};
    for (std::size_t i = 0; i + one.size() <= words.size(); i += one.size()) {
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i), one.size(), one.begin());
        sums.emplace_back(one);
    }
    return sums;
}

void addChannels(SafeArrayWriter& writer, const std::string& name, const ChannelStatistics& channels)
{
    if (channels.min.empty())
        return;
    const auto count = static_cast<std::int64_t>(channels.min.size());
    std::vector<float> extremes = channels.min;
    extremes.insert(extremes.end(), channels.max.begin(), channels.max.end());
    writer.add<float>(name + "/channels", {2, count}, extremes);
    writer.add<std::uint64_t>(name + "/channel_sums", {2, count, 4}, wordsOf(channels.sum, channels.squares));
    writer.add<std::int64_t>(name + "/channel_counts", {count}, channels.counts);
}

void addValue(SafeArrayWriter& writer, const std::string& name, const ValueStatistics& value)
{
    const std::vector<std::int64_t> totals{value.elements, value.nan, value.infinite, value.firstNonFiniteSample,
        value.channels.axis, value.channels.vary ? 1 : 0};
    writer.add<std::int64_t>(name + "/totals", {6}, totals);
    writer.add<float>(name + "/extremes", {2}, std::vector{value.min, value.max});
    writer.add<std::uint64_t>(name + "/sums", {2, 10}, wordsOf(std::vector{value.sum}, std::vector{value.squares}));
    const SampleStatistics& s = value.samples;
    std::vector<float> samples;
    for (const auto* row : {&s.min, &s.max, &s.mean, &s.low, &s.high, &s.magnitude})
        samples.insert(samples.end(), row->begin(), row->end());
    const auto count = static_cast<std::int64_t>(s.min.size());
    writer.add<float>(name + "/samples", {s.low.empty() ? 3 : 6, count}, samples);
    std::vector<std::int64_t> bins;
    for (const BinCount& bin : value.histogram.bins())
        bins.insert(bins.end(), {bin.bin, static_cast<std::int64_t>(bin.count)});
    writer.add<std::int64_t>(name + "/bins", {static_cast<std::int64_t>(bins.size() / 2), 2}, bins);
    addChannels(writer, name, value.channels);
}

std::string flagText(bool flag)
{
    return flag ? "1" : "0";
}

/// Reads the arrays of one value and checks what could not have been measured.
class ValueReader
{
public:
    ValueReader(const SafeArrays& arrays, std::string name, std::int64_t samples, MeasureKinds kinds)
        : m_arrays(arrays)
        , m_name(std::move(name))
        , m_samples(samples)
        , m_kinds(kinds)
    {
    }

    Result<ValueStatistics> read()
    {
        DUO_CHECK(readTotals());
        DUO_CHECK(readSamples());
        DUO_CHECK(readBins());
        DUO_CHECK(readChannels());
        return std::move(m_value);
    }

private:
    [[nodiscard]] Error wrong(const std::string& what) const
    {
        return badFile("'" + m_name + "' has " + what, m_arrays.name());
    }

    Status readTotals()
    {
        DUO_TRY(totals, m_arrays.get<std::int64_t>(m_name + "/totals", {6}));
        DUO_TRY(extremes, m_arrays.get<float>(m_name + "/extremes", {2}));
        DUO_TRY(sums, m_arrays.get<std::uint64_t>(m_name + "/sums", {2, 10}));
        constexpr std::int64_t kMost = std::int64_t{1} << 60;
        for (std::size_t i = 0; i < 3; ++i) {
            if (totals[i] < 0 || totals[i] > kMost)
                return wrong("an impossible count");
        }
        m_value.elements = totals[0];
        m_value.nan = totals[1];
        m_value.infinite = totals[2];
        m_value.firstNonFiniteSample = totals[3];
        m_value.channels.axis = totals[4];
        m_value.channels.vary = totals[5] != 0;
        m_value.min = extremes[0];
        m_value.max = extremes[1];
        if (m_value.finite() < 0)
            return wrong("an impossible count");
        if (m_value.finite() > 0
            && !(std::isfinite(m_value.min) && m_value.min <= m_value.max && std::isfinite(m_value.max)))
            return wrong("impossible extremes");
        m_value.sum = sumsOf<ExactSum>(sums)[0];
        m_value.squares = sumsOf<ExactSum>(sums)[1];
        return success();
    }

    Status readSamples()
    {
        const std::int64_t rows = m_kinds.quantiles ? 6 : 3;
        DUO_TRY(numbers, m_arrays.get<float>(m_name + "/samples", {rows, m_samples}));
        SampleStatistics& s = m_value.samples;
        const std::array all{&s.min, &s.max, &s.mean, &s.low, &s.high, &s.magnitude};
        const auto size = static_cast<std::ptrdiff_t>(m_samples);
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
            const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(row) * size;
            all[row]->assign(first, first + size);
        }
        for (const float number : numbers) {
            if (!std::isfinite(number))
                return wrong("a sample that is not finite");
        }
        bool isSeen = m_value.finite() == 0; // else some sample has finite elements
        for (std::size_t i = 0; i < s.min.size(); ++i)
            isSeen = isSeen || s.min[i] <= s.max[i];
        if (!isSeen)
            return wrong("elements that no sample holds");
        return success();
    }

    Status readBins()
    {
        const std::int64_t count = m_arrays.rows(m_name + "/bins");
        DUO_TRY(numbers, m_arrays.get<std::int64_t>(m_name + "/bins", {count, 2}));
        std::vector<BinCount> bins;
        std::uint64_t total = 0;
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
            const bool inRange = numbers[i] >= -logbin::kLast && numbers[i] <= logbin::kLast;
            const bool rises = bins.empty() || numbers[i] > bins.back().bin;
            if (!inRange || !rises || numbers[i + 1] < 1 || numbers[i + 1] > m_value.elements)
                return wrong("an impossible histogram");
            bins.push_back({static_cast<std::int32_t>(numbers[i]), static_cast<std::uint64_t>(numbers[i + 1])});
            total += bins.back().count;
        }
        if (total != static_cast<std::uint64_t>(m_value.finite()))
            return wrong("a histogram that does not hold all elements");
        m_value.histogram.add(bins);
        return success();
    }

    Status readChannels()
    {
        if (!m_arrays.has(m_name + "/channels"))
            return success();
        const std::int64_t count = m_arrays.rows(m_name + "/channel_counts");
        DUO_TRY(extremes, m_arrays.get<float>(m_name + "/channels", {2, count}));
        DUO_TRY(sums, m_arrays.get<std::uint64_t>(m_name + "/channel_sums", {2, count, 4}));
        DUO_TRY(counts, m_arrays.get<std::int64_t>(m_name + "/channel_counts", {count}));
        const auto half = static_cast<std::ptrdiff_t>(count);
        ChannelStatistics& channels = m_value.channels;
        channels.min.assign(extremes.begin(), extremes.begin() + half);
        channels.max.assign(extremes.begin() + half, extremes.end());
        const auto all = sumsOf<ChannelSum>(sums);
        channels.sum.assign(all.begin(), all.begin() + half);
        channels.squares.assign(all.begin() + half, all.end());
        channels.counts = std::move(counts);
        for (const std::int64_t one : channels.counts) {
            if (one < 0 || one > m_value.elements)
                return wrong("an impossible count");
        }
        if (!std::ranges::all_of(extremes, [](float one) { return std::isfinite(one); }))
            return wrong("a channel that is not finite");
        return success();
    }

    const SafeArrays& m_arrays;
    std::string m_name;
    std::int64_t m_samples;
    MeasureKinds m_kinds;
    ValueStatistics m_value;
};

Result<std::vector<SampleSpan>> spansFrom(const SafeArrays& arrays)
{
    const std::int64_t count = arrays.rows("spans");
    DUO_TRY(numbers, arrays.get<std::int64_t>("spans", {count, 2}));
    std::vector<SampleSpan> spans;
    std::int64_t end = -1;
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
        if (numbers[i] <= end || numbers[i] < 0 || numbers[i] > kMost || numbers[i + 1] < 1 || numbers[i + 1] > kMost)
            return badFile("samples that cannot be", arrays.name());
        spans.push_back({numbers[i], numbers[i + 1]});
        end = numbers[i] + numbers[i + 1];
    }
    if (spans.empty())
        return badFile("no samples in the statistics", arrays.name());
    return spans;
}

} // namespace

std::vector<std::byte> statisticsBytes(const StatisticsFile& file)
{
    SafeArrayWriter writer;
    std::vector<std::int64_t> spans;
    for (const SampleSpan& span : file.statistics.spans)
        spans.insert(spans.end(), {span.first, span.count});
    writer.add<std::int64_t>("spans", {static_cast<std::int64_t>(file.statistics.spans.size()), 2}, spans);
    for (const auto& [name, value] : file.statistics.values)
        addValue(writer, "v:" + name, value);
    const MeasureKinds& kinds = file.statistics.kinds;
    return writer.bytes(
        {{"format", kFormat}, {"version", std::to_string(kVersion)}, {"graph_hash", file.origin.model.graph},
            {"weights_hash", file.origin.model.weights}, {"data", file.origin.data}, {"engine", file.origin.engine},
            {"samples_in_data", std::to_string(file.origin.samplesInData)}, {"quantiles", flagText(kinds.quantiles)},
            {"until_converged", flagText(file.origin.untilConverged)}, {"moments", flagText(kinds.moments)},
            {"channels", flagText(kinds.channels)}});
}

std::string statisticsDigest(std::span<const std::byte> bytes)
{
    Digest digest;
    digest.add(bytes);
    return digest.text();
}

Result<StatisticsFile> parseStatistics(std::span<const std::byte> bytes, const std::string& name, const JobContext& job)
{
    DUO_TRY(arrays, SafeArrays::parse(bytes, name, job));
    if (arrays.text("format") != kFormat)
        return Error{ErrorCode::BadData, "not a statistics file", name, "give what statistics -o wrote"};
    if (arrays.text("version") != std::to_string(kVersion))
        return Error{ErrorCode::BadData, "unknown version of statistics", name, "use a newer Duoscope"};
    StatisticsFile file;
    file.origin.model = {arrays.text("graph_hash"), arrays.text("weights_hash")};
    file.origin.data = arrays.text("data");
    file.origin.engine = arrays.text("engine");
    file.origin.untilConverged = arrays.text("until_converged") == "1";
    file.origin.samplesInData = std::strtoll(arrays.text("samples_in_data").c_str(), nullptr, 10);
    MeasureKinds& kinds = file.statistics.kinds;
    kinds = {arrays.text("quantiles") == "1", arrays.text("moments") == "1", arrays.text("channels") == "1"};
    DUO_TRY(spans, spansFrom(arrays));
    file.statistics.spans = std::move(spans);
    constexpr std::string_view kTotals = "/totals";
    for (const std::string& array : arrays.names()) {
        if (!array.starts_with("v:") || !array.ends_with(kTotals))
            continue;
        if (job.stopped())
            return cancelledError();
        const std::string value = array.substr(0, array.size() - kTotals.size());
        DUO_TRY(read, ValueReader(arrays, value, file.statistics.samples(), kinds).read());
        file.statistics.values.emplace(value.substr(2), std::move(read));
    }
    return file;
}

Status writeStatistics(const StatisticsFile& file, const std::filesystem::path& path)
{
    if (!file.statistics.kinds.histogram)
        return Error{ErrorCode::Internal, "statistics without histograms cannot be kept", path.string(), {}};
    const std::vector<std::byte> bytes = statisticsBytes(file);
    return writeFileAtomically(path, [&](std::ostream& out) {
        out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return success();
    });
}

Result<StatisticsFile> readStatistics(const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(file, MappedFile::open(path));
    return ifFilesWhole(parseStatistics(file->bytes(), path.string(), job));
}

namespace {

Error refused(const std::string& what, const std::filesystem::path& name)
{
    return {ErrorCode::BadData, what, name.string(), "merge the shards of one run, each once"};
}

/// That no two files hold the same samples.
Status checkApart(const std::vector<StatisticsFile>& files, const std::vector<std::filesystem::path>& names)
{
    std::vector<std::pair<SampleSpan, std::size_t>> spans;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (const SampleSpan& span : files[i].statistics.spans)
            spans.emplace_back(span, i);
    }
    std::ranges::stable_sort(spans, {}, [](const auto& entry) { return entry.first.first; });
    for (std::size_t i = 1; i < spans.size(); ++i) {
        const SampleSpan& before = spans[i - 1].first;
        const auto& [span, file] = spans[i];
        if (span.first < before.first + before.count)
            return refused(
                "sample " + std::to_string(span.first) + " is in " + names[spans[i - 1].second].string() + " too",
                names[file]);
    }
    return success();
}

} // namespace

Result<StatisticsFile> mergedStatisticsFiles(
    std::vector<StatisticsFile> files, const std::vector<std::filesystem::path>& names)
{
    if (files.empty())
        return refused("there is nothing to merge", {});
    StatisticsFile all;
    all.origin = files.front().origin;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const StatisticsOrigin& origin = files[i].origin;
        if (origin.model != all.origin.model)
            return refused("statistics of another model than in the first file", names[i]);
        if (origin.data != all.origin.data || origin.samplesInData != all.origin.samplesInData)
            return refused("statistics of other data than in the first file", names[i]);
        if (origin.engine != all.origin.engine)
            return refused("statistics measured by another engine than in the first file", names[i]);
    }
    DUO_CHECK(checkApart(files, names));
    std::vector<Statistics> parts;
    for (StatisticsFile& file : files)
        parts.push_back(std::move(file.statistics));
    DUO_TRY(merged, mergedStatistics(std::move(parts)));
    all.statistics = std::move(merged);
    return all;
}

} // namespace duo
