// SPDX-License-Identifier: Apache-2.0
// What comes from our own processes and caches: layout, engine, statistics.
#include "tests/fuzz/fuzz_target.h"

#include "core/calibrate/measure/tap_measures.h"
#include "core/engine/engine_protocol.h"
#include "core/engine/wire.h"
#include "core/graph/layout/layered_layout.h"
#include "core/graph/layout/layout_protocol.h"
#include "core/state/safe_arrays.h"
#include "core/state/statistics_file.h"
#include "core/support/json_text.h"

#include <cstring>
#include <span>

#include <sys/socket.h>

namespace duo::test {
namespace {

using Texts = std::vector<std::string>;

LayoutInput smallLayout()
{
    LayoutInput input;
    input.boxes = {{100, 28}, {100, 28}, {40, 20}};
    input.pins = {Pin::Top, Pin::Free, Pin::Beside};
    input.edges = {{0, 1, 12.5, {}}, {2, 1, {}, -3}};
    input.aspect = 1.5;
    return input;
}

/// The first byte says which end reads the rest.
void runLayout(std::string_view bytes)
{
    const std::string_view payload = bytes.substr(std::min<std::size_t>(bytes.size(), 1));
    if (bytes.starts_with('a')) {
        const auto reply = decodeReply(payload, smallLayout());
        if (const LayoutResult* result = valueOf(reply))
            require(result->centers.size() == 3 && result->lines.size() == 2, "a reply that does not fit");
        return;
    }
    const auto request = decodeRequest(payload);
    const LayoutInput* input = valueOf(request);
    if (input == nullptr)
        return;
    const auto again = decodeRequest(encodeRequest(*input));
    require(again.hasValue() && *again == *input, "a request that was read and written is another one");
    const auto laidOut = layeredLayout(*input);
    require(laidOut.hasValue(), "a request that was read has no layout");
    require(decodeReply(encodeReply(laidOut), *input).hasValue(), "a reply that was written does not read");
}

Texts layoutSeeds()
{
    return {"r" + encodeRequest(smallLayout()), "r" + encodeRequest({}),
        "a" + encodeReply(layeredLayout(smallLayout())),
        "a" + encodeReply(Error{ErrorCode::EngineFailed, "no rows", {}, {}})};
}

void addMeasure(std::string_view bytes)
{
    std::vector<std::uint64_t> room(bytes.size() / sizeof(std::uint64_t) + 1); // aligned
    std::memcpy(room.data(), bytes.data(), bytes.size());
    const auto read = readMeasure(std::as_bytes(std::span(room)).first(bytes.size()));
    const TensorMeasure* measure = valueOf(read);
    if (measure == nullptr)
        return;
    BinTotals totals;
    totals.add(measure->bins);
    std::vector<std::uint64_t> again(room.size());
    require(measureSize(*measure) == bytes.size(), "a measure has another size than it was read from");
    writeMeasure(*measure, std::as_writable_bytes(std::span(again)).first(bytes.size()));
    require(totals.bins() == measure->bins.bins(), "a measure's counts depend on how they are read");
}

std::string smallMeasure()
{
    TensorMeter meter;
    const TensorMeasure& measure
        = meter.measure(std::vector<float>{-1, 2, 0, 3.5F}, std::vector<std::int64_t>{2, 2}, 1);
    std::string bytes(measureSize(measure), '\0');
    writeMeasure(measure, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

/// The first byte says what is read.
void readMessage(std::string_view bytes)
{
    WireReader reader(bytes.substr(std::min<std::size_t>(bytes.size(), 1)));
    WireWriter writer;
    switch (bytes.empty() ? 0 : bytes.front() % 8) {
    case 0:
        writeRequest(writer, readOpenRequest(reader));
        break;
    case 1:
        writeRequest(writer, readRunRequest(reader));
        break;
    case 2:
        writePorts(writer, readPorts(reader));
        break;
    case 3:
        if (const Status status = readStatus(reader); !status)
            static_cast<void>(status.error().line());
        break;
    case 4:
        writePlace(writer, readPlace(reader));
        break;
    case 5:
        writeError(writer, readError(reader));
        break;
    case 6:
        if (const auto measures = readTapMeasures(bytes.substr(1)))
            require(readTapMeasures(writeTapMeasures(*measures)).has_value(), "what is to be measured does not read");
        break;
    default:
        addMeasure(bytes.substr(std::min<std::size_t>(bytes.size(), 1)));
    }
}

/// As a message, and as what a socket brings.
void runEngine(std::string_view bytes)
{
    readMessage(bytes);
    auto ends = Wire::pair();
    require(ends.hasValue(), "no sockets");
    const ssize_t sent = ::send(ends->first.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    require(sent == static_cast<ssize_t>(bytes.size()), "a socket took no message");
    ::shutdown(ends->first.number(), SHUT_WR);
    WireMessage message;
    while (ends->second.receive(message) == Wire::Got::Message)
        readMessage(static_cast<char>(message.kind) + message.body);
}

std::string framed(std::uint32_t kind, const std::string& body)
{
    return WireWriter().number(kind).number(std::uint32_t{0}).number(std::uint64_t{body.size()}).bytes() + body;
}

Texts engineSeeds()
{
    const auto bodyOf = [](const auto& write) {
        WireWriter writer;
        write(writer);
        return writer.bytes();
    };
    OpenRequest open{"/models", "m.onnx", 7, 9, {}};
    open.options.optimizedModel = "/tmp/o.onnx";
    open.options.customOps = {"/lib/ops.so"};
    RunRequest run{Watched::Taps, 1, true, {{"x", {ElementType::Float32, {1, 2}, 64, 8}}}, {"y", "z"}, 8};
    const std::vector<PortInfo> ports{
        {"x", ElementType::Float32, {1, -1}, {"", "N"}}, {"y", ElementType::Int64, {}, {}}};
    const Texts bodies{bodyOf([&](WireWriter& w) { writeRequest(w, open); }),
        bodyOf([&](WireWriter& w) { writeRequest(w, run); }), bodyOf([&](WireWriter& w) { writePorts(w, ports); }),
        bodyOf([](WireWriter& w) {
            writeStatus(w, Error{ErrorCode::EngineFailed, "a", "b", "c"});
        }),
        bodyOf([](WireWriter& w) {
            writePlace(w, {ElementType::Int8, {3}, 64, 3});
        }),
        bodyOf([](WireWriter& w) {
            writeError(w, {ErrorCode::BadData, "a", "b", "c"});
        }),
        writeTapMeasures({{}, {1, std::nullopt, -1}}), smallMeasure()};
    Texts seeds;
    std::string all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        seeds.push_back(static_cast<char>(i) + bodies[i]);
        all += framed(static_cast<std::uint32_t>(i), bodies[i]);
    }
    seeds.push_back(all);
    return seeds;
}

template <typename T>
void addArray(
    SafeArrayWriter& writer, const std::string& name, const nlohmann::ordered_json& entry, std::string_view data)
{
    std::vector<T> elements(data.size() / sizeof(T));
    if (!elements.empty())
        std::memcpy(elements.data(), data.data(), elements.size() * sizeof(T));
    std::vector<std::int64_t> dims;
    for (const auto& dim : entry["shape"])
        dims.push_back(dim.is_number_integer() ? dim.get<std::int64_t>() : 0);
    writer.add<T>(name, std::move(dims), elements);
}

/// The file with a right digest, so that a change reaches what reads the arrays; nothing where its header is none.
std::optional<std::vector<std::byte>> sealed(std::string_view file)
{
    std::uint64_t length = 0;
    if (file.size() < sizeof length)
        return std::nullopt;
    std::memcpy(&length, file.data(), sizeof length);
    file.remove_prefix(sizeof length);
    if (length > file.size())
        return std::nullopt;
    const auto parsed = parseJsonText(file.substr(0, length));
    const auto* header = std::get_if<nlohmann::ordered_json>(&parsed);
    if (header == nullptr || !header->is_object())
        return std::nullopt;
    file.remove_prefix(length);
    SafeArrayWriter writer;
    std::vector<std::pair<std::string, std::string>> texts;
    for (const auto& [name, entry] : header->items()) {
        if (name == "__metadata__" && entry.is_object()) {
            for (const auto& [key, value] : entry.items())
                if (value.is_string() && key != "digest")
                    texts.emplace_back(key, value.get<std::string>());
            continue;
        }
        if (!entry.is_object() || !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("dtype"))
            continue;
        const auto offset = [&](std::size_t i) {
            const bool isThere = entry.contains("data_offsets") && entry["data_offsets"].is_array()
                && entry["data_offsets"].size() == 2 && entry["data_offsets"][i].is_number_unsigned();
            return isThere ? std::min(entry["data_offsets"][i].get<std::size_t>(), file.size()) : 0;
        };
        const std::string_view data = file.substr(offset(0), offset(1) - std::min(offset(0), offset(1)));
        if (entry["dtype"] == "F32")
            addArray<float>(writer, name, entry, data);
        else if (entry["dtype"] == "I64")
            addArray<std::int64_t>(writer, name, entry, data);
        else
            addArray<std::uint64_t>(writer, name, entry, data);
    }
    return writer.bytes(texts);
}

void tryStatistics(std::span<const std::byte> bytes)
{
    const auto read = parseStatistics(bytes, "input");
    const StatisticsFile* file = valueOf(read);
    if (file == nullptr)
        return;
    const std::vector<std::byte> written = statisticsBytes(*file);
    const auto again = parseStatistics(written, "written");
    require(again.hasValue(), "statistics that were written do not read");
    require(statisticsBytes(*again) == written, "statistics that were read and written are others");
    static_cast<void>(mergedStatisticsFiles({*file, *again}, {"a", "b"}));
}

void runStatistics(std::string_view bytes)
{
    tryStatistics(sharedBytes(bytes).bytes);
    if (const auto file = sealed(bytes))
        tryStatistics(*file);
}

Texts statisticsSeeds()
{
    const auto text = [](const StatisticsFile& file) {
        const std::vector<std::byte> bytes = statisticsBytes(file);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    StatisticsFile file;
    file.origin = {{"graph", "weights"}, "data", "onnxruntime", 3};
    file.statistics.spans = {{0, 2}};
    ValueStatistics& value = file.statistics.values["x"];
    value.min = -1;
    value.max = 2;
    value.elements = 4;
    value.samples = {{-1, 0}, {1, 2}, {0, 1}, {-1, 0}, {1, 2}, {1, 2}};
    const BinCount bins[]{{-4064, 1}, {0, 1}, {4064, 2}};
    value.histogram.add(bins);
    value.channels.axis = 1;
    value.channels.min = {-1, 0};
    value.channels.max = {1, 2};
    value.channels.sum.resize(2);
    value.channels.squares.resize(2);
    value.channels.counts = {2, 2};
    Texts seeds{text(file)};
    file.statistics.kinds.quantiles = false;
    value.samples.low = value.samples.high = value.samples.magnitude = {};
    value.channels = {};
    seeds.push_back(text(file));
    return seeds;
}

} // namespace

std::vector<FuzzTarget> protocolTargets()
{
    return {
        {"layout", layoutSeeds, {std::string(8, '\0'), "\xff\xff\xff\xff", std::string("\0\0\0\0\0\0\xf0\x7f", 8)},
            runLayout, 1024},
        {"engine", engineSeeds,
            {std::string(8, '\0'), "\xff\xff\xff\xff\xff\xff\xff\xff", std::string("\1\0\0\0\0\0\0\0", 8)}, runEngine,
            2048},
        {"statistics", statisticsSeeds,
            {"\"__metadata__\"", "\"digest\"", "\"shape\":[", "\"data_offsets\":[", "\"F32\"", "\"I64\"", "\"U64\"",
                "v:x/bins", "v:x/channel_counts", "v:x/samples", "\"quantiles\":\"1\"", "1152921504606846976",
                "2305843009213693952"},
            runStatistics},
    };
}

} // namespace duo::test
