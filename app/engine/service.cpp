// SPDX-License-Identifier: Apache-2.0
#include "app/engine/service.h"

#include "app/engine/engine_session.h"
#include "app/engine/memory_room.h"
#include "core/engine/engine_protocol.h"
#include "core/engine/one_core.h"
#include "core/support/freed_memory.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::size_t kAddresses = std::size_t{1} << 38U; // for values, of which the machine has less memory
constexpr std::size_t kWindow = std::size_t{1} << 32U; // the same where values lie elsewhere and are copied to be seen
constexpr std::size_t kDroppedBytes = std::size_t{1} << 20U; // of a model, from which it is worth giving pages back

/// What a process may map, as from a shell with `ulimit -v`, or where a batch system says so; nothing: all.
std::optional<std::uint64_t> mostMapped()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return std::nullopt;
    return limit.rlim_cur;
}

/// Our process maps as much for each engine, and has the same limit.
std::size_t windowWithin(std::uint64_t mapped)
{
    constexpr std::uint64_t kPart = 8;
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, mapped / kPart / page * page));
}

/// The bytes that a model's external data are read from while it is opened.
struct ExternalData {
    std::map<std::string, SharedBytes> files;
    std::vector<std::shared_ptr<const SharedMapping>> mappings; // that hold those of them that are not small

    /// @return false for what is no such message
    bool add(const WireMessage& message)
    {
        WireReader reader(message.body);
        std::string location = reader.text();
        if (message.files.empty()) {
            const std::string text = reader.text();
            const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
            files.emplace(std::move(location), SharedBytes::own({bytes, bytes + text.size()}));
            return !reader.isBroken();
        }
        const auto offset = reader.number<std::uint64_t>();
        const auto size = reader.number<std::uint64_t>();
        auto mapping = SharedMapping::of(message.files.front().number(), offset, size, SharedMapping::Access::Read);
        if (reader.isBroken() || !mapping)
            return false;
        const auto owner = std::make_shared<SharedMapping>(std::move(*mapping));
        files.emplace(std::move(location), SharedBytes{owner, owner->bytes()});
        mappings.push_back(owner);
        return true;
    }
};

/// While it lives, pages that the engine has looked at are given back again and again: it copies what it reads, and
/// would hold all of it twice until the model is open. What it looks at once more is mapped anew.
class PageDropper
{
public:
    explicit PageDropper(std::vector<std::shared_ptr<const SharedMapping>> mappings)
        : m_mappings(std::move(mappings))
    {
        if (!m_mappings.empty())
            m_thread = std::jthread([this](const std::stop_token& stop) { drop(stop); });
    }

private:
    void drop(const std::stop_token& stop)
    {
        using Clock = std::chrono::steady_clock;
        constexpr int kRest = 20; // times as long as it takes: many mappings cost no more than a twentieth of a core
        Clock::duration pause = std::chrono::milliseconds(4);
        std::mutex mutex;
        std::unique_lock lock(mutex);
        std::condition_variable_any ended;
        while (!stop.stop_requested()) {
            ended.wait_for(lock, stop, pause, [] { return false; });
            const auto start = Clock::now();
            for (const auto& mapping : m_mappings)
                mapping->dropPages();
            pause = std::max(pause, kRest * (Clock::now() - start));
        }
    }

    std::vector<std::shared_ptr<const SharedMapping>> m_mappings;
    std::jthread m_thread; // ends before they do
};

class Service
{
public:
    /// @param sharesValues as EngineSession::open
    Service(Wire control, EngineMemory memory, std::optional<std::uint64_t> mostBytes, bool sharesValues)
        : m_control(std::move(control))
        , m_memory(std::move(memory))
        , m_mostBytes(mostBytes)
        , m_sharesValues(sharesValues)
    {
    }

    /// Whatever else is done is done by other threads, so that the end of the program is heard at once.
    void serve()
    {
        greet();
        WireMessage message;
        while (m_control.receive(message) == Wire::Got::Message && answer(message)) { }
    }

private:
    void greet()
    {
        WireWriter body;
        body.text(runtimeVersion()).number(static_cast<std::uint64_t>(m_memory.size()));
        const int file = m_memory.file();
        m_control.send(kHello, body.bytes(), {&file, 1});
    }

    bool answer(WireMessage& message)
    {
        switch (message.kind) {
        case kExternalData:
            m_isWhole = m_external.add(message) && m_isWhole;
            return true;
        case kOpen:
            std::thread([this, asked = std::make_shared<WireMessage>(std::move(message))] { open(*asked); }).detach();
            return true;
        case kNewChannel:
            return addChannel(message);
        case kTerminate:
            m_session->terminate(WireReader(message.body).number<std::uint64_t>());
            return true;
        case kEndProfile:
            std::thread([this] { endProfile(); }).detach();
            return true;
        case kClose:
            m_session.reset();
            returnFreedMemory(); // it may wait for long
            m_external = {};
            m_isWhole = true;
            return true;
        default:
            return false;
        }
    }

    void open(const WireMessage& message)
    {
        WireReader reader(message.body);
        OpenRequest request = readOpenRequest(reader);
        ExternalData external = std::exchange(m_external, {});
        request.options.externalData = std::move(external.files);
        auto model = modelOf(request, message.files);
        if (model && model->bytes().size() >= kDroppedBytes)
            external.mappings.push_back(model);
        std::optional<PageDropper> dropper(std::in_place, std::move(external.mappings));
        const Status opened = load(request, model.get());
        dropper.reset();
        model.reset();
        WireWriter body;
        writeStatus(body, opened);
        if (opened) {
            writePorts(body, m_session->inputs());
            writePorts(body, m_session->outputs());
        } else {
            body.number(isEngineSpoilt());
        }
        m_control.send(kOpened, body.bytes());
    }

    /// @return null for one that is read by its path, and where there is no room
    static std::shared_ptr<const SharedMapping> modelOf(
        const OpenRequest& request, const std::vector<Descriptor>& files)
    {
        if (files.empty())
            return nullptr;
        auto mapping
            = SharedMapping::of(files.front().number(), request.offset, request.size, SharedMapping::Access::Read);
        return mapping ? std::make_shared<const SharedMapping>(std::move(*mapping)) : nullptr;
    }

    /// @param model null: it is read by its path
    Status load(OpenRequest& request, const SharedMapping* model)
    {
        if (!m_isWhole || (request.path.empty() && model == nullptr))
            return Error{ErrorCode::EngineFailed, "the engine has no room to map the model", {}, {}};
        if (::chdir(request.folder.c_str()) != 0 && !request.path.empty() && !request.path.starts_with('/'))
            return Error{ErrorCode::EngineFailed, "the engine cannot work in this folder", request.folder, {}};
        if (m_mostBytes)
            MemoryRoom::limitMapped(*m_mostBytes);
        else
            MemoryRoom::limitOwn();
        auto session = EngineSession::open(
            request, model != nullptr ? model->bytes() : std::span<const std::byte>(), m_memory, m_sharesValues);
        request.options.externalData.clear();
        if (!session)
            return session.error();
        m_session = *std::move(session);
        return success();
    }

    void endProfile()
    {
        const auto path = m_session->endProfile();
        WireWriter body;
        writeStatus(body, path ? success() : Status(path.error()));
        body.text(path ? *path : "");
        m_control.send(kProfile, body.bytes());
    }

    bool addChannel(WireMessage& message)
    {
        if (message.files.size() != 1)
            return false;
        const auto number = WireReader(message.body).number<std::uint64_t>();
        const auto wire = std::make_shared<Wire>(std::move(message.files.front()));
        std::thread([this, wire, number] { serveChannel(*wire, number); }).detach();
        return true;
    }

    void serveChannel(Wire& wire, std::uint64_t number)
    {
        WireMessage message;
        SharedMapping fed;
        std::optional<OnCore> there; // stays between runs, so that the next one need not be moved
        int core = kAnyCore;
        while (wire.receive(message) == Wire::Got::Message && message.kind == kRun) {
            WireReader reader(message.body);
            const RunRequest request = readRunRequest(reader);
            if (!message.files.empty()) {
                auto mapping = SharedMapping::of(
                    message.files.front().number(), 0, request.fedBytes, SharedMapping::Access::Write);
                fed = mapping ? std::move(*mapping) : SharedMapping();
            }
            if (core != request.core) {
                there.reset();
                there.emplace(request.core);
                core = request.core;
            }
            WireWriter body;
            writeStatus(body, run(wire, number, request, fed.bytes()));
            wire.send(kDone, body.bytes());
        }
    }

    Status run(Wire& wire, std::uint64_t number, const RunRequest& request, std::span<std::byte> fed)
    {
        if (fed.size() < request.fedBytes)
            return Error{ErrorCode::EngineFailed, "the engine has no room to map what the model is fed", {}, {}};
        WireMessage answer;
        const Shown show = [&](ChannelMessage kind, std::span<const ShownTensor> values, std::size_t out) {
            WireWriter body;
            body.list(values, [&body](const ShownTensor& value) {
                body.number(value.number);
                writePlace(body, value.place);
            });
            if (kind == kSwapping)
                body.number(static_cast<std::uint64_t>(out));
            return wire.send(kind, body.bytes()) && wire.receive(answer) == Wire::Got::Message
                && WireReader(answer.body).number<bool>();
        };
        return m_session->run(number, request, fed, show);
    }

    Wire m_control;
    EngineMemory m_memory;
    std::optional<std::uint64_t> m_mostBytes;
    bool m_sharesValues;
    ExternalData m_external;
    bool m_isWhole = true; // all of them could be mapped
    std::unique_ptr<EngineSession> m_session;
};

} // namespace

void serveSessions(int socket, std::optional<std::uint64_t> mostBytes)
{
    const auto mapped = mostMapped();
    const bool sharesValues = !mostBytes && !mapped;
    auto memory = EngineMemory::make(sharesValues ? kAddresses : mapped ? windowWithin(*mapped) : kWindow);
    if (memory) {
        // Threads use it until the process ends.
        auto* service = new Service(Wire(Descriptor(socket)), std::move(*memory), mostBytes, sharesValues);
        service->serve();
    }
    ::_exit(memory ? 0 : 1);
}

} // namespace duo
