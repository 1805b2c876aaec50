// SPDX-License-Identifier: Apache-2.0
// EngineSession: one model loaded in ONNX Runtime, in the process that may crash.
#pragma once

#include "app/engine/engine_memory.h"
#include "core/engine/engine_protocol.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// Shows values to whoever asked for the run, who has seen them when this returns. `out`: of a swap, where to write
/// what is read instead. @return what was answered
using Shown = std::function<bool(ChannelMessage, std::span<const ShownTensor> values, std::size_t out)>;

/// Thread-safe for run() and terminate().
class EngineSession
{
public:
    /// @param model bytes of it, needed only now, where the request names no path
    /// @param sharesValues whether values lie in `memory`, which they do unless they must not be more than it
    /// @return EngineFailed with the engine's own reason on one line
    static Result<std::unique_ptr<EngineSession>> open(
        const OpenRequest& request, std::span<const std::byte> model, EngineMemory& memory, bool sharesValues);
    ~EngineSession();
    EngineSession(const EngineSession&) = delete;
    EngineSession& operator=(const EngineSession&) = delete;

    [[nodiscard]] const std::vector<PortInfo>& inputs() const;
    [[nodiscard]] const std::vector<PortInfo>& outputs() const;

    /// @param fed the memory that feeds lie in
    Status run(std::uint64_t channel, const RunRequest& request, std::span<std::byte> fed, const Shown& show);
    /// Ends the run of that channel soon; does nothing where there is none.
    void terminate(std::uint64_t channel);
    Result<std::string> endProfile();

private:
    struct Impl;
    explicit EngineSession(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// Whether the engine could not be set up in this process: it cannot be any more then.
bool isEngineSpoilt();

/// "1.31.1".
std::string runtimeVersion();

} // namespace duo
