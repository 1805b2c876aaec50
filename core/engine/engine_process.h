// SPDX-License-Identifier: Apache-2.0
// EngineProcess: ONNX Runtime in a process of its own (duoscope-engine), which may crash.
#pragma once

#include "core/engine/shared_memory.h"
#include "core/engine/wire.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <sys/types.h>

namespace duo {

inline constexpr int kStopSlice = 20; // ms, how long a stop may go unheard while one waits for an answer

/// Serves one session at a time. Ends with the object, and by itself when the program ends in whatever way.
class EngineProcess
{
public:
    /// One that waits for work since its last session ended, or a new one.
    /// @return EngineEnded where duoscope-engine is missing or does not start
    static Result<std::unique_ptr<EngineProcess>> take();
    /// Keeps it for the next session, unless enough wait already.
    static void keep(std::unique_ptr<EngineProcess> process);
    ~EngineProcess();
    EngineProcess(const EngineProcess&) = delete;
    EngineProcess& operator=(const EngineProcess&) = delete;

    Wire& control() { return m_control; }
    /// The memory that both see.
    [[nodiscard]] std::span<std::byte> memory() const { return m_memory.bytes(); }
    [[nodiscard]] pid_t pid() const { return m_pid; }

    /// Whatever it is doing. Thread-safe.
    void kill();
    /// Of one that nobody can talk to any more: that and how it ended. Thread-safe.
    /// @param doing "it loaded the model"
    Error crash(const std::string& doing, const std::string& where);
    [[nodiscard]] bool hasCrashed() const { return m_hasCrashed; }

private:
    EngineProcess(pid_t pid, Wire control);
    static Result<std::unique_ptr<EngineProcess>> start();
    Status greet();
    [[nodiscard]] bool isAlive() const;
    int reap(); // its status as waitpid gives it

    pid_t m_pid;
    Wire m_control;
    SharedMapping m_memory;
    std::mutex m_mutex;
    std::optional<int> m_status; // once it has ended
    std::atomic<bool> m_hasCrashed = false;
};

/// What this process and its engine processes have to themselves of the machine's memory; 0 where the system does not
/// tell.
std::size_t residentBytes();

/// Processor time that the living engine processes have used so far; 0 where the system does not tell.
std::chrono::duration<double, std::milli> engineTime();

/// Ends those that wait for work.
void endIdleEngines();
/// At once, whatever they are at, as this program ends: one that hangs as it starts does not hear of it.
void killEngines();

/// How much memory each engine process started from now on may take for a model and its values; at first all that the
/// machine has. Values are copied then where they are looked at. Linux counts what is mapped, not what is used.
/// @param size a number of bytes, or one with K, M, G or T, small or large: "1.5G", "800mb" (powers of 1024)
/// @return Usage
Status limitEngineMemory(const std::string& size);
void allowAllEngineMemory();
/// Bytes; nothing: all.
[[nodiscard]] std::optional<std::uint64_t> engineMemory();

} // namespace duo
