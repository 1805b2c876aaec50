// SPDX-License-Identifier: Apache-2.0
#include "core/engine/session.h"

#include "core/engine/engine_reason.h"
#include "core/engine/watched_operators.h"
#include "core/model/tensor.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <onnxruntime_cxx_api.h>
#include <onnxruntime_run_options_config_keys.h>
#include <onnxruntime_session_options_config_keys.h>

namespace duo {
namespace {

static_assert(static_cast<int>(ElementType::BFloat16) == ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16);
static_assert(static_cast<int>(ElementType::Int4) == ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4);

/// The upstream Linux builds since 1.30 upload usage events unless this variable is set when the environment is made
/// (seen: an event store and a device id under ~/.cache/Microsoft). Set before main, while there is one thread.
const bool kTelemetryOff = ::setenv("ORT_DISABLE_TELEMETRY", "1", 1) == 0;

void ORT_API_CALL dropLogLine(void*, OrtLoggingLevel, const char*, const char*, const char*, const char*) { }

/// glibc raises the size from which a freed block goes back to the system to 32 MB as such blocks are freed, and keeps
/// what is smaller: runs of changing shapes would add up. Set before main, for the whole process.
bool returnLargeBlocks()
{
#ifdef __GLIBC__
    constexpr int kLarge = 1 << 20;
    return mallopt(M_MMAP_THRESHOLD, kLarge) == 1 && mallopt(M_TRIM_THRESHOLD, 8 * kLarge) == 1;
#else
    return false;
#endif
}
[[maybe_unused]] const bool kReturnsLargeBlocks = returnLargeBlocks();

/// The engine keeps one environment per process and counts its users.
Ort::Env makeEnvironment()
{
    if (!kTelemetryOff)
        throw Ort::Exception("telemetry of the engine cannot be switched off", ORT_FAIL);
    Ort::Env environment(ORT_LOGGING_LEVEL_FATAL, "duoscope", dropLogLine, nullptr);
    environment.DisableTelemetryEvents();
    return environment;
}

/// Calls `work`, which may throw as the engine's C++ interface does.
template <typename T, typename Work>
Result<T> guarded(const std::string& what, const std::string& where, const Work& work)
{
    try {
        return work();
    } catch (const std::exception& reason) {
        return engineError(what, where, reason.what());
    }
}

GraphOptimizationLevel levelOf(Optimization optimization)
{
    switch (optimization) {
    case Optimization::None:
        return ORT_DISABLE_ALL;
    case Optimization::Basic:
        return ORT_ENABLE_BASIC;
    case Optimization::Extended:
        return ORT_ENABLE_EXTENDED;
    case Optimization::All:
        return ORT_ENABLE_ALL;
    }
    return ORT_ENABLE_ALL;
}

/// The engine copies what it needs when it opens the model.
void addExternalData(Ort::SessionOptions& out, const SessionOptions& options)
{
    std::vector<std::string> names;
    std::vector<char*> buffers;
    std::vector<std::size_t> lengths;
    for (const auto& [location, data] : options.externalData) {
        names.push_back(location);
        buffers.push_back(const_cast<char*>( // it is only read
            reinterpret_cast<const char*>(data.bytes.data())));
        lengths.push_back(data.bytes.size());
    }
    if (!names.empty())
        out.AddExternalInitializersFromFilesInMemory(names, buffers, lengths);
}

Ort::SessionOptions engineOptions(const SessionOptions& options)
{
    Ort::SessionOptions out;
    out.SetIntraOpNumThreads(std::max(1, options.threads));
    out.SetInterOpNumThreads(1);
    out.SetExecutionMode(ORT_SEQUENTIAL);
    out.SetLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    out.SetDeterministicCompute(true);
    out.DisableMemPattern(); // one plan, and one block of memory, would be kept for every shape that is fed
    out.SetGraphOptimizationLevel(levelOf(options.optimization));
    out.AddConfigEntry(kOrtSessionOptionsConfigAllowIntraOpSpinning, "0");
    out.AddConfigEntry(kOrtSessionOptionsConfigAllowInterOpSpinning, "0");
    addExternalData(out, options);
    if (options.optimizedModel)
        out.SetOptimizedModelFilePath(options.optimizedModel->c_str());
    if (options.profile) {
        out.EnableProfiling(options.profile->c_str());
        if (options.optimizedModel) // a file holds 2 GB at most: weights lie beside it
            out.AddConfigEntry(kOrtSessionOptionsOptimizedModelExternalInitializersFileName, "weights.data");
    }
    for (const std::filesystem::path& library : options.customOps)
        out.RegisterCustomOpsLibrary(std::filesystem::absolute(library).c_str()); // else the loader's own search path
    return out;
}

PortInfo portOf(std::string name, const Ort::TypeInfo& type)
{
    PortInfo port;
    port.name = std::move(name);
    if (type.GetONNXType() != ONNX_TYPE_TENSOR)
        return port; // sequences, maps, optionals: Undefined
    const auto tensor = type.GetTensorTypeAndShapeInfo();
    port.type = static_cast<ElementType>(tensor.GetElementType());
    port.dims = tensor.GetShape();
    std::vector<const char*> symbols(port.dims.size(), nullptr);
    tensor.GetSymbolicDimensions(symbols.data(), symbols.size());
    for (const char* symbol : symbols)
        port.symbols.emplace_back(symbol == nullptr ? "" : symbol);
    return port;
}

Error badPort(const char* kind, const std::string& name, ElementType type)
{
    return {ErrorCode::Unsupported, std::string(kind) + " has elements of a type that cannot be run here", name,
        "type is " + std::string(elementTypeName(type)) + "; only tensors of numbers are supported"};
}

/// The feed as a view on its own bytes, which the engine only reads.
Result<Ort::Value> viewOf(const HostTensor& feed, const OrtMemoryInfo* memory)
{
    const auto count = elementCount(feed.dims);
    const auto needed = count ? packedBytes(feed.type, *count) : std::nullopt;
    if (!needed && elementBits(feed.type) == 0)
        return badPort("input", feed.name, feed.type);
    if (!needed || static_cast<std::size_t>(*needed) != feed.bytes.size())
        return Error{ErrorCode::Internal, "bytes do not fit the shape of a feed", feed.name, {}};
    static const std::byte kNothing{};
    const std::byte* bytes = feed.bytes.empty() ? &kNothing : feed.bytes.data();
    return Ort::Value::CreateTensor(memory, const_cast<std::byte*>(bytes), feed.bytes.size(), feed.dims.data(),
        feed.dims.size(), static_cast<ONNXTensorElementDataType>(feed.type));
}

Result<TensorView> viewOf(const std::string& name, const Ort::Value& value)
{
    if (!value.HasValue() || !value.IsTensor())
        return badPort("output", name, ElementType::Undefined);
    const auto info = value.GetTensorTypeAndShapeInfo();
    TensorView view;
    view.name = name;
    view.type = static_cast<ElementType>(info.GetElementType());
    view.dims = info.GetShape();
    const auto count = elementCount(view.dims);
    const auto size = count ? packedBytes(view.type, *count) : std::nullopt;
    if (!size)
        return badPort("output", name, view.type);
    view.bytes = {static_cast<const std::byte*>(value.GetTensorRawData()), static_cast<std::size_t>(*size)};
    return view;
}

} // namespace

struct Session::Impl {
    Ort::Env environment = makeEnvironment();
    TapWatchers watchers;
    SwapWatchers swapWatchers;
    std::optional<TapOperators> taps; // outlive the session
    std::optional<SwapOperators> swaps;
    Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeCPU);
    Ort::Session session{nullptr};
    std::vector<PortInfo> inputs;
    std::vector<PortInfo> outputs;

    Ort::SessionOptions optionsFor(const SessionOptions& options);
    void readPorts();
    [[nodiscard]] std::vector<std::string> numericOutputs() const;
    [[nodiscard]] std::vector<Ort::Value> runEngine(std::span<const HostTensor> feeds, std::vector<Ort::Value>& values,
        const std::vector<const char*>& wanted, const JobContext& job);
};

Ort::SessionOptions Session::Impl::optionsFor(const SessionOptions& options)
{
    Ort::SessionOptions out = engineOptions(options);
    if (options.taps) {
        taps.emplace(watchers);
        out.Add(static_cast<OrtCustomOpDomain*>(taps->domain()));
    }
    if (options.swaps) {
        swaps.emplace(swapWatchers);
        out.Add(static_cast<OrtCustomOpDomain*>(swaps->domain()));
    }
    return out;
}

void Session::Impl::readPorts()
{
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session.GetInputCount(); ++i)
        inputs.push_back(portOf(session.GetInputNameAllocated(i, allocator).get(), session.GetInputTypeInfo(i)));
    for (std::size_t i = 0; i < session.GetOutputCount(); ++i)
        outputs.push_back(portOf(session.GetOutputNameAllocated(i, allocator).get(), session.GetOutputTypeInfo(i)));
}

std::vector<std::string> Session::Impl::numericOutputs() const
{
    std::vector<std::string> names;
    for (const PortInfo& output : outputs) {
        if (output.isNumeric())
            names.push_back(output.name);
    }
    return names;
}

std::vector<Ort::Value> Session::Impl::runEngine(std::span<const HostTensor> feeds, std::vector<Ort::Value>& values,
    const std::vector<const char*>& wanted, const JobContext& job)
{
    std::vector<const char*> names;
    names.reserve(feeds.size());
    for (const HostTensor& feed : feeds)
        names.push_back(feed.name.c_str());
    Ort::RunOptions options;
    options.SetRunLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    // Several sessions and runs at once: what one has held is free for the others, and for other shapes, when it ends.
    options.AddConfigEntry(kOrtRunOptionsConfigEnableMemoryArenaShrinkage, "cpu:0");
    const std::stop_callback terminate(job.stop, [&options] { options.SetTerminate(); });
    return session.Run(options, names.data(), values.data(), values.size(), wanted.data(), wanted.size());
}

Session::Session(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

/// What a session has held goes back to the system, or the next ones would come on top of it: glibc keeps freed blocks
/// of up to 32 MB for itself.
Session::~Session()
{
    if (!m_impl)
        return;
    m_impl.reset();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

Result<Session> Session::openBytes(std::span<const std::byte> model, const SessionOptions& options)
{
    return guarded<Session>("the engine cannot load the model", {}, [&] {
        auto impl = std::make_unique<Impl>();
        impl->session = Ort::Session(impl->environment, model.data(), model.size(), impl->optionsFor(options));
        impl->readPorts();
        return Session(std::move(impl));
    });
}

Result<Session> Session::openFile(const std::filesystem::path& path, const SessionOptions& options)
{
    return guarded<Session>("the engine cannot load the model", path.string(), [&] {
        auto impl = std::make_unique<Impl>();
        impl->session = Ort::Session(impl->environment, path.c_str(), impl->optionsFor(options));
        impl->readPorts();
        return Session(std::move(impl));
    });
}

const std::vector<PortInfo>& Session::inputs() const
{
    return m_impl->inputs;
}

const std::vector<PortInfo>& Session::outputs() const
{
    return m_impl->outputs;
}

Status Session::runVisiting(std::span<const HostTensor> feeds, std::span<const std::string> outputs,
    const std::function<Status(std::size_t, const TensorView&)>& visit, const JobContext& job) const
{
    if (job.stopped())
        return cancelledError();
    std::vector<std::string> wanted(outputs.begin(), outputs.end());
    if (wanted.empty())
        wanted = m_impl->numericOutputs();
    const bool isSeen = visit && !wanted.empty();
    if (wanted.empty())
        wanted.push_back(m_impl->outputs.front().name); // the engine wants one
    std::vector<const char*> names;
    for (const std::string& name : wanted)
        names.push_back(name.c_str());
    const auto ran = guarded<std::monostate>("the engine cannot run the model", {}, [&]() -> Status {
        std::vector<Ort::Value> values;
        for (const HostTensor& feed : feeds) {
            DUO_TRY(value, viewOf(feed, m_impl->memory));
            values.push_back(std::move(value));
        }
        std::vector<Ort::Value> results = m_impl->runEngine(feeds, values, names, job);
        for (std::size_t i = 0; isSeen && i < results.size(); ++i) {
            DUO_TRY(view, viewOf(wanted[i], results[i]));
            DUO_CHECK(visit(i, view));
            results[i] = Ort::Value{nullptr}; // its memory is free before the next one is looked at
        }
        return success();
    });
    // The engine has no error code of its own for a terminated run.
    if (!ran && job.stopped())
        return cancelledError();
    return ran;
}

Status Session::runTapped(std::span<const HostTensor> feeds,
    const std::function<void(std::size_t, const TensorView&)>& visit, const JobContext& job) const
{
    const TapWatchers::Watch watch(m_impl->watchers, visit);
    // The engine computes every node whatever is asked for; one output is the least that can be.
    const std::vector<std::string> first{m_impl->outputs.front().name};
    return runVisiting(feeds, first, {}, job);
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
    const SwapWatchers::Watch watch(m_impl->swapWatchers, swap);
    return run(feeds, {}, job);
}

Result<std::filesystem::path> Session::endProfile()
{
    return guarded<std::filesystem::path>(
        "the engine cannot write its profile", {}, [&]() -> Result<std::filesystem::path> {
            Ort::AllocatorWithDefaultOptions allocator;
            return std::filesystem::path(m_impl->session.EndProfilingAllocated(allocator).get());
        });
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

std::string engineVersion()
{
    return OrtGetApiBase()->GetVersionString();
}

} // namespace duo
