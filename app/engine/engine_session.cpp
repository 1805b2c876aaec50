// SPDX-License-Identifier: Apache-2.0
#include "app/engine/engine_session.h"

#include "app/engine/region_allocator.h"
#include "app/engine/taps_shown.h"
#include "app/engine/watched_operators.h"
#include "core/engine/engine_reason.h"
#include "core/model/tensor.h"
#include "core/support/freed_memory.h"
#include "core/support/leftovers.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>

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

[[maybe_unused]] const bool kReturnsLargeBlocks = returnLargeBlocks();

Ort::Env makeEnvironment()
{
    if (!kTelemetryOff)
        throw Ort::Exception("telemetry of the engine cannot be switched off", ORT_FAIL);
    Ort::Env environment(ORT_LOGGING_LEVEL_FATAL, "duoscope", dropLogLine, nullptr);
    environment.DisableTelemetryEvents();
    return environment;
}

std::atomic<bool> isSpoilt = false; // the environment could not be made

/// Of the whole process; its reason where it could not be made, once for all: a second time the engine only complains
/// of what the first one left behind.
struct TriedEnvironment {
    TriedEnvironment()
    {
        try {
            made.emplace(makeEnvironment());
        } catch (const std::exception& error) {
            reason = error.what();
            isSpoilt = true;
        }
    }
    std::optional<Ort::Env> made;
    std::string reason;
};

Ort::Env& environment()
{
    static TriedEnvironment one;
    if (!one.made)
        throw Ort::Exception(std::string(one.reason), ORT_FAIL);
    return *one.made;
}

/// Tells the engine once where values lie. @return false where this version of it cannot have them there
bool areValuesShared(EngineMemory& memory)
{
    static const bool isSo = allocateValuesIn(memory, environment());
    return isSo;
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

/// The engine's name for it. Biases behind quantized data become int32.
constexpr const char* kCodesOfBiases = "WeightBiasQuantization";

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
    if (options.keepsFloatBiases)
        out.AddConfigEntry(kOrtSessionOptionsDisableSpecifiedOptimizers, kCodesOfBiases);
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

Error badPort(const std::string& name, ElementType type)
{
    return {ErrorCode::Unsupported, "output has elements of a type that cannot be run here", name,
        "type is " + std::string(elementTypeName(type)) + "; only tensors of numbers are supported"};
}

/// The feed as a view on its own bytes, which the engine only reads.
Ort::Value feedValue(const FedTensor& feed, std::span<std::byte> fed, const OrtMemoryInfo* memory)
{
    static std::byte nothing{};
    std::byte* bytes = feed.place.size == 0 ? &nothing : fed.subspan(feed.place.offset, feed.place.size).data();
    return Ort::Value::CreateTensor(memory, bytes, feed.place.size, feed.place.dims.data(), feed.place.dims.size(),
        static_cast<ONNXTensorElementDataType>(feed.place.type));
}

Result<TensorView> viewOf(const std::string& name, const Ort::Value& value)
{
    if (!value.HasValue() || !value.IsTensor())
        return badPort(name, ElementType::Undefined);
    const auto info = value.GetTensorTypeAndShapeInfo();
    TensorView view;
    view.type = static_cast<ElementType>(info.GetElementType());
    view.dims = info.GetShape();
    const auto count = elementCount(view.dims);
    const auto size = count ? packedBytes(view.type, *count) : std::nullopt;
    if (!size)
        return badPort(name, view.type);
    view.bytes = {static_cast<const std::byte*>(value.GetTensorRawData()), static_cast<std::size_t>(*size)};
    return view;
}

} // namespace

struct EngineSession::Impl {
    explicit Impl(EngineMemory& shared)
        : values(shared)
    {
    }

    TapWatchers watchers;
    SwapWatchers swapWatchers;
    std::optional<TapOperators> taps; // outlive the session
    std::optional<SwapOperators> swaps;
    std::optional<TapMeters> meters; // nothing: taps show values as they are
    Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeCPU);
    EngineMemory& values;
    bool hasArena = true;
    Ort::Session session{nullptr};
    std::vector<PortInfo> inputs;
    std::vector<PortInfo> outputs;
    std::mutex mutex;
    std::map<std::uint64_t, Ort::RunOptions*> running; // by channel
    std::vector<std::vector<std::int64_t>> lastFed; // shapes

    Ort::SessionOptions optionsFor(const SessionOptions& options, bool sharesValues);
    void readPorts();
    std::size_t keptFree(const RunRequest& request);
    std::vector<Ort::Value> runEngine(std::uint64_t channel, const RunRequest& request,
        const std::vector<Ort::Value>& feeds, const std::vector<const char*>& wanted);
    Status showResults(const RunRequest& request, std::vector<Ort::Value> results, const Shown& show);
    bool showSwap(std::size_t number, const TensorView& given, std::span<float> out, const Shown& show);
};

Ort::SessionOptions EngineSession::Impl::optionsFor(const SessionOptions& options, bool sharesValues)
{
    Ort::SessionOptions out = engineOptions(options);
    hasArena = !sharesValues || !areValuesShared(values);
    if (!hasArena)
        out.AddConfigEntry(kOrtSessionOptionsConfigUseEnvAllocators, "1");
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

void EngineSession::Impl::readPorts()
{
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session.GetInputCount(); ++i)
        inputs.push_back(portOf(session.GetInputNameAllocated(i, allocator).get(), session.GetInputTypeInfo(i)));
    for (std::size_t i = 0; i < session.GetOutputCount(); ++i)
        outputs.push_back(portOf(session.GetOutputNameAllocated(i, allocator).get(), session.GetOutputTypeInfo(i)));
}

/// What may stay of the memory that the run has left, in bytes: much where the next one is likely to take as much.
std::size_t EngineSession::Impl::keptFree(const RunRequest& request)
{
    constexpr std::size_t kOfEqualRuns = std::size_t{64} << 20U;
    constexpr std::size_t kOfOthers = std::size_t{8} << 20U;
    std::vector<std::vector<std::int64_t>> fed;
    for (const FedTensor& feed : request.feeds)
        fed.push_back(feed.place.dims);
    const std::lock_guard lock(mutex);
    const bool isEqual = lastFed.empty() || fed == lastFed;
    lastFed = std::move(fed);
    return isEqual ? kOfEqualRuns : kOfOthers;
}

std::vector<Ort::Value> EngineSession::Impl::runEngine(std::uint64_t channel, const RunRequest& request,
    const std::vector<Ort::Value>& feeds, const std::vector<const char*>& wanted)
{
    std::vector<const char*> names;
    names.reserve(request.feeds.size());
    for (const FedTensor& feed : request.feeds)
        names.push_back(feed.name.c_str());
    Ort::RunOptions options;
    options.SetRunLogSeverityLevel(ORT_LOGGING_LEVEL_FATAL);
    // Several sessions and runs at once: what one has held is free for the others, and for other shapes, when it ends.
    if (hasArena)
        options.AddConfigEntry(kOrtRunOptionsConfigEnableMemoryArenaShrinkage, "cpu:0");
    struct Listed {
        Listed(Impl& all, std::uint64_t number, Ort::RunOptions& options)
            : impl(all)
            , channel(number)
        {
            const std::lock_guard lock(impl.mutex);
            impl.running[channel] = &options;
        }
        ~Listed()
        {
            const std::lock_guard lock(impl.mutex);
            impl.running.erase(channel);
        }
        Listed(const Listed&) = delete;
        Listed& operator=(const Listed&) = delete;
        Impl& impl;
        std::uint64_t channel;
    };
    const Listed listed(*this, channel, options);
    return session.Run(options, names.data(), feeds.data(), feeds.size(), wanted.data(), wanted.size());
}

Status EngineSession::Impl::showResults(const RunRequest& request, std::vector<Ort::Value> results, const Shown& show)
{
    for (std::size_t i = 0; request.isSeen && i < results.size(); ++i) {
        DUO_TRY(view, viewOf(request.outputs[i], results[i]));
        const SeenBytes seen(values, view.bytes);
        const ShownTensor shown{i, {view.type, view.dims, seen.offset(), view.bytes.size()}};
        if (!show(kResult, {&shown, 1}, 0))
            return success();
        results[i] = Ort::Value{nullptr}; // its memory is free before the next one is looked at
    }
    return success();
}

bool EngineSession::Impl::showSwap(std::size_t number, const TensorView& given, std::span<float> out, const Shown& show)
{
    const SeenBytes seen(values, given.bytes);
    const SeenBytes written(values, std::as_bytes(out).data(), out.size_bytes());
    const ShownTensor shown{number, {given.type, given.dims, seen.offset(), given.bytes.size()}};
    if (!show(kSwapping, {&shown, 1}, written.offset()))
        return false;
    if (written.copy() != nullptr)
        std::memcpy(out.data(), written.copy(), out.size_bytes());
    return true;
}

EngineSession::EngineSession(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}

/// What a session has held goes back to the system, or the next ones would come on top of it: glibc keeps freed blocks
/// of up to 32 MB for itself.
EngineSession::~EngineSession()
{
    EngineMemory& memory = m_impl->values;
    m_impl.reset();
    memory.trim(0);
    returnFreedMemory();
}

Result<std::unique_ptr<EngineSession>> EngineSession::open(
    const OpenRequest& request, std::span<const std::byte> model, EngineMemory& memory, bool sharesValues)
{
    using Opened = std::unique_ptr<EngineSession>;
    const std::string place = finalPlaceOf(request.path).string();
    return guarded<Opened>("the engine cannot load the model", place, [&]() -> Result<Opened> {
        auto impl = std::make_unique<Impl>(memory);
        const Ort::SessionOptions options = impl->optionsFor(request.options, sharesValues);
        impl->session = request.path.empty() ? Ort::Session(environment(), model.data(), model.size(), options)
                                             : Ort::Session(environment(), request.path.c_str(), options);
        impl->readPorts();
        if (auto measures = readTapMeasures(request.options.tapMeasures))
            impl->meters.emplace(*std::move(measures));
        returnFreedMemory(); // of what the engine needed to get there
        return Opened(new EngineSession(std::move(impl)));
    });
}

const std::vector<PortInfo>& EngineSession::inputs() const
{
    return m_impl->inputs;
}

const std::vector<PortInfo>& EngineSession::outputs() const
{
    return m_impl->outputs;
}

Status EngineSession::run(std::uint64_t channel, const RunRequest& request, std::span<std::byte> fed, const Shown& show)
{
    std::vector<const char*> wanted;
    for (const std::string& name : request.outputs)
        wanted.push_back(name.c_str());
    if (wanted.empty() && !m_impl->outputs.empty())
        wanted.push_back(m_impl->outputs.front().name.c_str()); // the engine wants one, and computes every node
    TapsShown shown(m_impl->values, show, m_impl->meters ? &*m_impl->meters : nullptr);
    const TapVisitor onTap = [&shown](std::size_t tap, const TensorView& view) { shown.add(tap, view); };
    const SwapVisitor onSwap = [&](std::size_t swap, const TensorView& given, std::span<float> out) {
        return m_impl->showSwap(swap, given, out, show);
    };
    std::optional<TapWatchers::Watch> taps;
    std::optional<SwapWatchers::Watch> swaps;
    if (request.watch == Watched::Taps)
        taps.emplace(m_impl->watchers, onTap);
    if (request.watch == Watched::Swaps)
        swaps.emplace(m_impl->swapWatchers, onSwap);
    auto ran = guarded<std::monostate>("the engine cannot run the model", {}, [&]() -> Status {
        std::vector<Ort::Value> feeds;
        for (const FedTensor& feed : request.feeds)
            feeds.push_back(feedValue(feed, fed, m_impl->memory));
        std::vector<Ort::Value> results = m_impl->runEngine(channel, request, feeds, wanted);
        shown.finish();
        return m_impl->showResults(request, std::move(results), show);
    });
    m_impl->values.trim(m_impl->keptFree(request));
    return ran;
}

void EngineSession::terminate(std::uint64_t channel)
{
    const std::lock_guard lock(m_impl->mutex);
    const auto found = m_impl->running.find(channel);
    if (found != m_impl->running.end())
        found->second->SetTerminate();
}

Result<std::string> EngineSession::endProfile()
{
    return guarded<std::string>("the engine cannot write its profile", {}, [&]() -> Result<std::string> {
        Ort::AllocatorWithDefaultOptions allocator;
        return std::string(m_impl->session.EndProfilingAllocated(allocator).get());
    });
}

bool isEngineSpoilt()
{
    return isSpoilt;
}

std::string runtimeVersion()
{
    return OrtGetApiBase()->GetVersionString();
}

} // namespace duo
