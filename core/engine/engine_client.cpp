// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_client.h"

#include "core/engine/one_core.h"
#include "core/engine/run_limit.h"
#include "core/support/freed_memory.h"
#include "core/support/handed_over.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace duo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kInline = std::size_t{16} << 10U; // bytes that go in the message itself
constexpr std::size_t kKeptRoom = std::size_t{16} << 20U; // bytes for feeds that a channel keeps
constexpr std::chrono::milliseconds kPatience{50}; // with a run that was told to end

Error badPort(const std::string& name, ElementType type)
{
    return {ErrorCode::Unsupported, "input has elements of a type that cannot be run here", name,
        "type is " + std::string(elementTypeName(type)) + "; only tensors of numbers are supported"};
}

Status checkFeed(const HostTensor& feed)
{
    const auto count = elementCount(feed.dims);
    const auto needed = count ? packedBytes(feed.type, *count) : std::nullopt;
    if (!needed && elementBits(feed.type) == 0)
        return badPort(feed.name, feed.type);
    if (!needed || static_cast<std::size_t>(*needed) != feed.bytes.size())
        return Error{ErrorCode::Internal, "bytes do not fit the shape of a feed", feed.name, {}};
    return success();
}

} // namespace

/// What one run at a time is talked about over, with room for what it is fed.
class EngineClient::Channel
{
public:
    Channel(std::uint64_t number, Wire wire)
        : m_number(number)
        , m_wire(std::move(wire))
    {
    }

    [[nodiscard]] std::uint64_t number() const { return m_number; }
    Wire& wire() { return m_wire; }
    [[nodiscard]] bool isLarge() const { return m_room.bytes().size() > kKeptRoom; }

    /// Puts the feeds where the engine sees them. @return whether it does not know that memory yet
    Result<bool> feed(std::span<const HostTensor> feeds, RunRequest& request)
    {
        std::size_t size = 0;
        for (const HostTensor& feed : feeds) {
            DUO_CHECK(checkFeed(feed));
            request.feeds.push_back({feed.name, {feed.type, feed.dims, size, feed.bytes.size()}});
            size += alignedPlace(feed.bytes.size());
        }
        const bool isNew = size > m_room.bytes().size();
        if (isNew)
            DUO_CHECK(makeRoom(size));
        request.fedBytes = m_room.bytes().size();
        for (std::size_t i = 0; i < feeds.size(); ++i) {
            if (!feeds[i].bytes.empty())
                std::memcpy(m_room.bytes().data() + request.feeds[i].place.offset, feeds[i].bytes.data(),
                    feeds[i].bytes.size());
        }
        return isNew;
    }
    [[nodiscard]] int roomFile() const { return m_file.number(); }
    [[nodiscard]] int core() const { return m_core; } // that the engine's thread stayed on
    void stayOn(int core) { m_core = core; }

private:
    Status makeRoom(std::size_t size)
    {
        m_room = SharedMapping();
        auto file = makeMemoryFile(size);
        auto room = file ? SharedMapping::of(file->number(), 0, size, SharedMapping::Access::Write) : std::nullopt;
        if (!room)
            return Error{ErrorCode::EngineFailed, "there is no memory for what the model is fed", {},
                "close other programs, or give smaller samples"};
        m_file = std::move(*file);
        m_room = std::move(*room);
        return success();
    }

    std::uint64_t m_number;
    Wire m_wire;
    Descriptor m_file;
    SharedMapping m_room;
    int m_core = kAnyCore;
};

/// Something asked of the engine.
struct EngineClient::Talk {
    Wire& wire;
    std::string doing; // what it does, where it crashes: "it loaded the model"
    std::string where = {};
    std::stop_token stop = {};
    std::optional<std::uint64_t> channel = {}; // of a run, which can be told to end
    std::chrono::seconds most = {}; // that it may take
    Clock::time_point end = Clock::time_point::max(); // when it has taken that
    bool isOverTime = false; // it was told for that
    std::optional<Clock::time_point> patience = {}; // of a run that was told

    [[nodiscard]] Error toldToEnd() const
    {
        if (!isOverTime)
            return cancelledError();
        return channel ? ranTooLong(most) : loadedTooLong(where, most);
    }
};

/// A channel for one run. Where the run is not brought to its end nobody can talk to the engine any more.
class EngineClient::Lent
{
public:
    Lent(EngineClient& client, std::unique_ptr<Channel> channel)
        : m_client(client)
        , m_channel(std::move(channel))
    {
    }
    ~Lent()
    {
        if (m_isDone)
            m_client.giveBack(std::move(m_channel));
        else
            m_client.m_process->kill();
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Channel& operator*() const { return *m_channel; }
    void finish() { m_isDone = true; }

private:
    EngineClient& m_client;
    std::unique_ptr<Channel> m_channel;
    bool m_isDone = false;
};

/// The core that program and engine take turns on while one watches the other: values stay in its cache, and neither
/// has to wake another core. Of two runs at once each has one of its own, or none.
class EngineClient::CoreOfRun
{
public:
    CoreOfRun(EngineClient& client, Watched watch)
        : m_client(client)
    {
        if (watch == Watched::Nothing)
            return;
        const std::lock_guard lock(client.m_mutex);
        m_number = freeCore(client.m_cores);
        if (m_number != kAnyCore)
            client.m_cores.insert(m_number);
    }
    ~CoreOfRun()
    {
        const std::lock_guard lock(m_client.m_mutex);
        m_client.m_cores.erase(m_number);
    }
    CoreOfRun(const CoreOfRun&) = delete;
    CoreOfRun& operator=(const CoreOfRun&) = delete;
    [[nodiscard]] int number() const { return m_number; }

private:
    EngineClient& m_client;
    int m_number = kAnyCore;
};

EngineClient::EngineClient(std::unique_ptr<EngineProcess> process)
    : m_process(std::move(process))
{
}

EngineClient::~EngineClient()
{
    m_idle.clear();
    if (!m_isLast && !m_stopped && !m_process->hasCrashed() && m_process->control().send(kClose, {}))
        EngineProcess::keep(std::move(m_process));
}

Error EngineClient::ended(const Talk& talk)
{
    if (talk.isOverTime || talk.stop.stop_requested())
        return talk.toldToEnd();
    const std::lock_guard lock(m_mutex);
    return m_stopped ? *m_stopped : m_process->crash(talk.doing, talk.where);
}

/// A run that does not end though it was told to ends with its engine, and all runs of the session with it.
Error EngineClient::endWithEngine(const Talk& talk)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_stopped)
            m_stopped = talk.toldToEnd();
    }
    m_process->kill();
    return talk.toldToEnd();
}

Result<WireMessage> EngineClient::answer(Talk& talk)
{
    WireMessage message;
    while (true) {
        const bool isStopped = talk.stop.stop_requested();
        if (!talk.patience && (isStopped || Clock::now() >= talk.end)) {
            talk.isOverTime = !isStopped;
            talk.patience = Clock::now();
            if (talk.channel && tell(kTerminate, WireWriter().number(*talk.channel).bytes()))
                *talk.patience += kPatience;
        }
        const Wire::Got got
            = talk.patience && Clock::now() >= *talk.patience ? Wire::Got::Nothing : talk.wire.receive(message);
        if (got == Wire::Got::Message)
            return message;
        if (got == Wire::Got::End)
            return ended(talk);
        if (talk.patience && Clock::now() >= *talk.patience)
            return endWithEngine(talk);
    }
}

bool EngineClient::tell(ControlMessage kind, std::string_view body, std::span<const int> files)
{
    const std::lock_guard lock(m_mutex);
    return m_process->control().send(kind, body, files);
}

Status EngineClient::sendExternalData(const SessionOptions& options, const FilePieces& pieces)
{
    for (const auto& [location, data] : options.externalData) {
        if (options.stop.stop_requested())
            return cancelledError();
        WireWriter body;
        body.text(location);
        if (data.bytes.size() <= kInline) {
            body.text({reinterpret_cast<const char*>(data.bytes.data()), data.bytes.size()});
            tell(kExternalData, body.bytes());
            continue;
        }
        DUO_TRY(piece, pieces.share(data.bytes));
        body.number(static_cast<std::uint64_t>(piece.offset)).number(static_cast<std::uint64_t>(data.bytes.size()));
        const int file = piece.file.number();
        tell(kExternalData, body.bytes(), {&file, 1});
    }
    return success(); // of a process that has ended the answer tells
}

Status EngineClient::load(std::span<const std::byte> model, const std::string& path, const SessionOptions& options)
{
    m_place = options.crashPlace.empty() ? path : options.crashPlace;
    const FilePieces pieces;
    DUO_CHECK(sendExternalData(options, pieces));
    std::error_code error;
    OpenRequest request{std::filesystem::current_path(error).string(), path, 0, model.size(), options};
    SharedPiece piece;
    std::vector<int> files;
    if (path.empty()) {
        DUO_TRY(shared, pieces.share(model));
        piece = std::move(shared);
        request.offset = piece.offset;
        files.push_back(piece.file.number());
    }
    WireWriter body;
    writeRequest(body, request);
    tell(kOpen, body.bytes(), files);
    Talk talk{.wire = m_process->control(),
        .doing = options.crashWork,
        .where = m_place,
        .stop = options.stop,
        .most = loadTime()};
    talk.end = Clock::now() + talk.most;
    DUO_TRY(message, answer(talk));
    WireReader reader(message.body);
    if (Status opened = readStatus(reader); !opened) {
        Error refusal = std::move(opened).error();
        m_isLast = reader.number<bool>() || m_isLast;
        if (refusal.where.empty())
            refusal.where = m_place;
        return refusal;
    }
    m_inputs = readPorts(reader);
    m_outputs = readPorts(reader);
    if (message.kind != kOpened || reader.isBroken())
        return unreadableAnswer();
    return success();
}

Result<std::unique_ptr<EngineClient>> EngineClient::open(
    std::span<const std::byte> model, const std::string& path, const SessionOptions& options)
{
    if (options.stop.stop_requested())
        return cancelledError();
    returnFreedMemory(); // what the stage before this one left would be held beside the model
    DUO_TRY(process, EngineProcess::take());
    std::unique_ptr<EngineClient> client(new EngineClient(std::move(process)));
    client->m_isLast = !options.customOps.empty(); // what a library did stays in the process
    DUO_CHECK(client->load(model, path, options));
    return client;
}

/// One whose thread in the engine is on that core already, if there is one: another core may be at work.
Result<std::unique_ptr<EngineClient::Channel>> EngineClient::takeChannel(const Talk& talk, int core)
{
    std::uint64_t number = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto there = std::ranges::find(m_idle, core, [](const auto& idle) { return idle->core(); });
            std::swap(there == m_idle.end() ? m_idle.back() : *there, m_idle.back());
            auto channel = std::move(m_idle.back());
            m_idle.pop_back();
            channel->stayOn(core);
            return channel;
        }
        number = ++m_channels;
    }
    DUO_TRY(ends, Wire::pair());
    ends.first.limitWaiting(kStopSlice);
    const int file = ends.second.number();
    if (!tell(kNewChannel, WireWriter().number(number).bytes(), {&file, 1}))
        return ended(talk);
    auto channel = std::make_unique<Channel>(number, std::move(ends.first));
    channel->stayOn(core);
    return channel;
}

void EngineClient::giveBack(std::unique_ptr<Channel> channel)
{
    const std::lock_guard lock(m_mutex);
    if (!channel->isLarge())
        m_idle.push_back(std::move(channel));
}

Result<TensorView> EngineClient::viewOf(const SharedTensor& place) const
{
    const std::span<std::byte> memory = m_process->memory();
    if (place.offset > memory.size() || place.size > memory.size() - place.offset)
        return unreadableAnswer();
    TensorView view;
    view.type = place.type;
    view.dims = place.dims;
    view.bytes = memory.subspan(place.offset, place.size);
    return view;
}

Result<bool> EngineClient::show(const WireMessage& message, const RunRequest& request, const ShowValue& show) const
{
    WireReader reader(message.body);
    std::vector<ShownTensor> values;
    reader.list([&] {
        const auto number = reader.number<std::uint64_t>();
        values.push_back({number, readPlace(reader)});
    });
    if (reader.isBroken())
        return unreadableAnswer();
    bool goesOn = true;
    for (const auto& [number, place] : values) {
        DUO_TRY(view, viewOf(place));
        std::span<float> out;
        if (message.kind == kSwapping) {
            DUO_TRY(instead, viewOf({place.type, {}, reader.number<std::uint64_t>(), place.size}));
            out = {reinterpret_cast<float*>(const_cast<std::byte*>(instead.bytes.data())), place.size / sizeof(float)};
        }
        const bool isResult = message.kind == kResult;
        if (reader.isBroken() || (isResult && number >= request.outputs.size()))
            return unreadableAnswer();
        if (isResult)
            view.name = request.outputs[number];
        DUO_TRY(isMore, show(static_cast<ChannelMessage>(message.kind), number, view, out));
        goesOn = goesOn && isMore;
    }
    return goesOn;
}

Status EngineClient::run(
    RunRequest request, std::span<const HostTensor> feeds, const ShowValue& showValue, const JobContext& job)
{
    Talk opening{.wire = m_process->control(), .doing = "it ran the model", .where = m_place, .stop = job.stop};
    const CoreOfRun core(*this, request.watch);
    request.core = core.number();
    DUO_TRY(channel, takeChannel(opening, request.core));
    Talk talk{.wire = channel->wire(),
        .doing = opening.doing,
        .where = m_place,
        .stop = job.stop,
        .channel = channel->number()};
    auto isNew = channel->feed(feeds, request);
    if (!isNew) {
        giveBack(std::move(channel));
        return isNew.error();
    }
    Lent lent(*this, std::move(channel));
    const OnCore here(request.core);
    WireWriter body;
    writeRequest(body, request);
    const int file = (*lent).roomFile();
    if (!talk.wire.send(kRun, body.bytes(), *isNew ? std::span(&file, 1) : std::span<const int>()))
        return ended(talk);
    talk.most = sampleTime();
    talk.end = Clock::now() + talk.most;
    Status seen = success();
    while (true) {
        DUO_TRY(message, answer(talk));
        if (message.kind == kDone) {
            lent.finish();
            WireReader reader(message.body);
            const Status done = readStatus(reader);
            if (!done && (talk.isOverTime || job.stopped())) // the engine has no error of its own for it
                return talk.toldToEnd();
            return seen ? done : seen;
        }
        takeOver(m_process->memory().data());
        const auto shown = show(message, request, showValue);
        if (!shown)
            seen = shown.error();
        handOver(m_process->memory().data());
        const bool goesOn = shown && *shown;
        if (!talk.wire.send(kGoOn, WireWriter().number(goesOn).bytes()))
            return ended(talk);
    }
}

Result<std::filesystem::path> EngineClient::endProfile()
{
    tell(kEndProfile, {});
    Talk talk{.wire = m_process->control(), .doing = "it wrote its profile", .where = m_place};
    DUO_TRY(message, answer(talk));
    WireReader reader(message.body);
    DUO_CHECK(readStatus(reader));
    std::filesystem::path path(reader.text());
    if (message.kind != kProfile || reader.isBroken())
        return unreadableAnswer();
    return path;
}

} // namespace duo
