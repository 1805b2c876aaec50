// SPDX-License-Identifier: Apache-2.0
// Session: one model loaded in ONNX Runtime, which is in a process of its own; the only door to the engine.
#pragma once

#include "core/model/element_type.h"
#include "core/model/tensor.h"
#include "core/support/job.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// A tensor in memory, packed little-endian; what goes into and comes out of the engine.
struct HostTensor {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::vector<std::byte> bytes;

    [[nodiscard]] std::span<const float> floats() const; // empty unless Float32
};

/// A result that lies in the engine's memory.
struct TensorView {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::span<const std::byte> bytes;

    [[nodiscard]] std::span<const float> floats() const; // empty unless Float32
};

/// What a swap of a run is asked: its number, what was computed, and where to write what is read instead. Writing
/// nothing and saying false passes on what was computed.
using SwapVisitor = std::function<bool(std::size_t, const TensorView&, std::span<float>)>;

/// An input or output as the engine sees it; -1: symbolic.
struct PortInfo {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::vector<std::string> symbols; // "" where fixed or unnamed

    [[nodiscard]] bool isNumeric() const; // a tensor of numbers or truth values: it can be read
};

enum class Optimization { None, Basic, Extended, All };

struct SessionOptions {
    int threads = 1; // inside one run; runs on several threads at once are the caller's choice
    Optimization optimization = Optimization::All;
    /// What the model's external data are read from while it is opened, by location; the engine looks at no file for
    /// it.
    std::map<std::string, SharedBytes> externalData = {};
    std::optional<std::filesystem::path> optimizedModel = {}; // write the optimized graph there
    /// Write what each run took there, kernel by kernel; the beginning of the file's name.
    std::optional<std::filesystem::path> profile = {};
    std::vector<std::filesystem::path> customOps = {}; // libraries to load (--custom-ops)
    bool taps = false; // the model holds taps (tap_domain.h)
    /// What the engine's process measures of tapped values that are not small, as core/calibrate/measure/tap_measures.h
    /// writes it; "": nothing.
    std::string tapMeasures = {};
    bool swaps = false; // the model holds swaps (swap_domain.h)
    /// The model is for another runtime: what no runtime but this one makes of biases in floats is left out. Its codes
    /// of them have scales of 16 bits in a model of such floats, which may move outputs as far as 26 dB.
    bool keepsFloatBiases = false;
    std::string crashPlace = {}; // what the error of a crash names: the user's file; "": the path that is opened
    std::string crashWork = "it loaded the model"; // what the error of a crash says that the engine did
    std::stop_token stop = {}; // ends the opening
};

/// Thread-safe for run(). Where the engine crashes, all runs of the session end with EngineEnded, naming the signal;
/// the next session has another process.
class Session
{
public:
    /// @return EngineFailed with the engine's own reason on one line; EngineEnded, EngineOverTime; Cancelled
    static Result<Session> openBytes(std::span<const std::byte> model, const SessionOptions& options);
    static Result<Session> openFile(const std::filesystem::path& path, const SessionOptions& options);
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    [[nodiscard]] const std::vector<PortInfo>& inputs() const;
    [[nodiscard]] const std::vector<PortInfo>& outputs() const;

    /// Runs once. `outputs`: names wanted, empty for all that are tensors of numbers. A stop request ends the run
    /// within 100 ms, if need be with the engine and so with all runs of the session.
    /// @return Cancelled; EngineFailed with the engine's reason; EngineEnded, EngineOverTime
    [[nodiscard]] Result<std::vector<HostTensor>> run(
        std::span<const HostTensor> feeds, std::span<const std::string> outputs, const JobContext& job = {}) const;

    /// The same without copying: `visit` sees one result after the other, by index in `outputs`; the view dies with the
    /// call. An error of `visit` ends the visit and is returned. Without `visit` nothing is looked at.
    [[nodiscard]] Status runVisiting(std::span<const HostTensor> feeds, std::span<const std::string> outputs,
        const std::function<Status(std::size_t, const TensorView&)>& visit, const JobContext& job = {}) const;

    /// One run of a session with taps and one thread: `visit` sees every tapped value where and when the engine
    /// computes it, by the tap's number, on the calling thread; the view has no name and dies with the call. Where the
    /// options say what to measure it may be a measure instead, in bytes of UInt8.
    /// @return as run()
    [[nodiscard]] Status runTapped(std::span<const HostTensor> feeds,
        const std::function<void(std::size_t, const TensorView&)>& visit, const JobContext& job = {}) const;

    /// One run of a session with swaps and one thread: `swap` is asked at each of them, on the calling thread.
    /// @return as run()
    [[nodiscard]] Result<std::vector<HostTensor>> runSwapping(
        std::span<const HostTensor> feeds, const SwapVisitor& swap, const JobContext& job = {}) const;

    /// Of a session with a profile: writes the rest of it. Nothing may run. @return the file, as JSON
    [[nodiscard]] Result<std::filesystem::path> endProfile();

private:
    struct Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// Whether the engine ended or took too long instead of answering: that says nothing of the model.
[[nodiscard]] constexpr bool hasNoAnswer(ErrorCode code)
{
    return code == ErrorCode::EngineEnded || code == ErrorCode::EngineOverTime;
}

/// Version of the engine, "1.30.0"; starts it where nothing has.
std::string engineVersion();

} // namespace duo
