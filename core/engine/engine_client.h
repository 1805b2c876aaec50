// SPDX-License-Identifier: Apache-2.0
// EngineClient: the program's side of a session that an engine process serves.
#pragma once

#include "core/engine/engine_process.h"
#include "core/engine/engine_protocol.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace duo {

/// What the engine shows while it runs, on the thread that asked for the run. `out`: of a swap, what is read instead.
/// @return of a swap, whether something was written; an error of a result ends the run
using ShowValue
    = std::function<Result<bool>(ChannelMessage, std::size_t index, const TensorView& value, std::span<float> out)>;

class EngineClient
{
public:
    /// @param path of the model; "": `model` holds it
    static Result<std::unique_ptr<EngineClient>> open(
        std::span<const std::byte> model, const std::string& path, const SessionOptions& options);
    ~EngineClient();
    EngineClient(const EngineClient&) = delete;
    EngineClient& operator=(const EngineClient&) = delete;

    [[nodiscard]] const std::vector<PortInfo>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<PortInfo>& outputs() const { return m_outputs; }

    /// One run; `request` tells all but the feeds. Thread-safe. @return Cancelled, EngineFailed, what `show` returns
    Status run(RunRequest request, std::span<const HostTensor> feeds, const ShowValue& show, const JobContext& job);
    Result<std::filesystem::path> endProfile();

private:
    class Channel;
    class CoreOfRun;
    class Lent;
    struct Talk;

    explicit EngineClient(std::unique_ptr<EngineProcess> process);
    Status sendExternalData(const SessionOptions& options, const FilePieces& pieces);
    Status load(std::span<const std::byte> model, const std::string& path, const SessionOptions& options);

    Result<WireMessage> answer(Talk& talk);
    Error ended(const Talk& talk);
    Error endWithEngine(const Talk& talk);
    Result<std::unique_ptr<Channel>> takeChannel(const Talk& talk, int core);
    void giveBack(std::unique_ptr<Channel> channel);
    bool tell(ControlMessage kind, std::string_view body, std::span<const int> files = {});
    Result<TensorView> viewOf(const SharedTensor& place) const;
    Result<bool> show(const WireMessage& message, const RunRequest& request, const ShowValue& show) const;

    std::unique_ptr<EngineProcess> m_process;
    std::string m_place; // the user's file, for errors
    std::vector<PortInfo> m_inputs;
    std::vector<PortInfo> m_outputs;
    bool m_isLast = false; // the process is to serve no other session
    std::mutex m_mutex; // for what follows, and for telling
    std::vector<std::unique_ptr<Channel>> m_idle;
    std::uint64_t m_channels = 0; // so far
    std::set<int> m_cores; // that runs stay on
    std::optional<Error> m_stopped; // why it ended the process itself
};

} // namespace duo
