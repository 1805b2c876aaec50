// SPDX-License-Identifier: Apache-2.0
#include "core/engine/session.h"

#include "core/engine/engine_client.h"
#include "core/engine/engine_protocol.h"
#include "core/support/freed_memory.h"

namespace duo {
namespace {

[[maybe_unused]] const bool kReturnsLargeBlocks = returnLargeBlocks();

std::vector<std::string> numericOf(const std::vector<PortInfo>& outputs)
{
    std::vector<std::string> names;
    for (const PortInfo& output : outputs) {
        if (output.isNumeric())
            names.push_back(output.name);
    }
    return names;
}

} // namespace

struct Session::Impl {
    std::unique_ptr<EngineClient> client;
};

Session::Session(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Result<Session> Session::openBytes(std::span<const std::byte> model, const SessionOptions& options)
{
    DUO_TRY(client, EngineClient::open(model, {}, options));
    return Session(std::make_unique<Impl>(std::move(client)));
}

Result<Session> Session::openFile(const std::filesystem::path& path, const SessionOptions& options)
{
    DUO_TRY(client, EngineClient::open({}, path.string(), options));
    return Session(std::make_unique<Impl>(std::move(client)));
}

const std::vector<PortInfo>& Session::inputs() const
{
    return m_impl->client->inputs();
}

const std::vector<PortInfo>& Session::outputs() const
{
    return m_impl->client->outputs();
}

Status Session::runVisiting(std::span<const HostTensor> feeds, std::span<const std::string> outputs,
    const std::function<Status(std::size_t, const TensorView&)>& visit, const JobContext& job) const
{
    if (job.stopped())
        return cancelledError();
    RunRequest request{.outputs = {outputs.begin(), outputs.end()}};
    if (request.outputs.empty())
        request.outputs = numericOf(this->outputs());
    request.isSeen = visit && !request.outputs.empty();
    const auto show = [&](ChannelMessage, std::size_t i, const TensorView& view, std::span<float>) -> Result<bool> {
        DUO_CHECK(visit(i, view));
        return true;
    };
    return m_impl->client->run(std::move(request), feeds, show, job);
}

Status Session::runTapped(std::span<const HostTensor> feeds,
    const std::function<void(std::size_t, const TensorView&)>& visit, const JobContext& job) const
{
    if (job.stopped())
        return cancelledError();
    const auto show = [&](ChannelMessage, std::size_t i, const TensorView& view, std::span<float>) -> Result<bool> {
        visit(i, view);
        return true;
    };
    return m_impl->client->run({.watch = Watched::Taps}, feeds, show, job);
}

Result<std::vector<HostTensor>> Session::run(
    std::span<const HostTensor> feeds, std::span<const std::string> outputs, const JobContext& job) const
{
    std::vector<HostTensor> results;
    const auto copy = [&results](std::size_t, const TensorView& view) -> Status {
        results.push_back({view.name, view.type, view.dims, {view.bytes.begin(), view.bytes.end()}});
        return success();
    };
    DUO_CHECK(runVisiting(feeds, outputs, copy, job));
    return results;
}

Result<std::vector<HostTensor>> Session::runSwapping(
    std::span<const HostTensor> feeds, const SwapVisitor& swap, const JobContext& job) const
{
    if (job.stopped())
        return cancelledError();
    std::vector<HostTensor> results;
    const auto show
        = [&](ChannelMessage kind, std::size_t i, const TensorView& view, std::span<float> out) -> Result<bool> {
        if (kind == kSwapping)
            return swap(i, view, out);
        results.push_back({view.name, view.type, view.dims, {view.bytes.begin(), view.bytes.end()}});
        return true;
    };
    RunRequest request{.watch = Watched::Swaps, .outputs = numericOf(outputs())};
    request.isSeen = !request.outputs.empty();
    DUO_CHECK(m_impl->client->run(std::move(request), feeds, show, job));
    return results;
}

Result<std::filesystem::path> Session::endProfile()
{
    return m_impl->client->endProfile();
}

std::span<const float> HostTensor::floats() const
{
    if (type != ElementType::Float32)
        return {};
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::span<const float> TensorView::floats() const
{
    if (type != ElementType::Float32)
        return {};
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

bool PortInfo::isNumeric() const
{
    return elementBits(type) != 0;
}

} // namespace duo
