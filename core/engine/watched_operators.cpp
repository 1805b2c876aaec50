// SPDX-License-Identifier: Apache-2.0
#include "core/engine/watched_operators.h"

#include "core/engine/swap_domain.h"
#include "core/engine/tap_domain.h"

#include <onnxruntime_cxx_api.h>

#include <algorithm>

namespace duo {
namespace {

/// Shows its input to the watcher; its output, one number, only keeps the engine from dropping the node.
class TapKernel
{
public:
    TapKernel(const OrtKernelInfo* info, const TapWatchers& watchers)
        : m_watchers(watchers)
        , m_tap(Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>(kTapAttribute))
    {
    }

    void Compute(OrtKernelContext* handle) // NOLINT(readability-identifier-naming): the engine's interface
    {
        const Ort::KernelContext context(handle);
        const std::int64_t one = 1;
        *context.GetOutput(0, &one, 1).GetTensorMutableData<float>() = 0;
        const TapVisitor* visitor = m_watchers.current();
        if (visitor == nullptr || m_tap == kUnseenTap)
            return;
        const Ort::ConstValue input = context.GetInput(0);
        const auto info = input.GetTensorTypeAndShapeInfo();
        TensorView view;
        view.type = ElementType::Float32;
        view.dims = info.GetShape();
        view.bytes = {static_cast<const std::byte*>(input.GetTensorRawData()), info.GetElementCount() * sizeof(float)};
        (*visitor)(static_cast<std::size_t>(m_tap), view);
    }

private:
    const TapWatchers& m_watchers;
    std::int64_t m_tap;
};

/// Gives its input on as it is, unless the visitor of the run writes something else.
class SwapKernel
{
public:
    SwapKernel(const OrtKernelInfo* info, const SwapWatchers& watchers)
        : m_watchers(watchers)
        , m_swap(Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>(kSwapAttribute))
    {
    }

    void Compute(OrtKernelContext* handle) // NOLINT(readability-identifier-naming): the engine's interface
    {
        const Ort::KernelContext context(handle);
        const Ort::ConstValue input = context.GetInput(0);
        const auto info = input.GetTensorTypeAndShapeInfo();
        TensorView given;
        given.type = ElementType::Float32;
        given.dims = info.GetShape();
        const std::size_t count = info.GetElementCount();
        given.bytes = {static_cast<const std::byte*>(input.GetTensorRawData()), count * sizeof(float)};
        float* out = context.GetOutput(0, given.dims.data(), given.dims.size()).GetTensorMutableData<float>();
        const SwapVisitor* visitor = m_watchers.current();
        if (visitor == nullptr || !(*visitor)(static_cast<std::size_t>(m_swap), given, {out, count}))
            std::ranges::copy(given.floats(), out);
    }

private:
    const SwapWatchers& m_watchers;
    std::int64_t m_swap;
};

// NOLINTBEGIN(readability-identifier-naming): names the engine's interface asks for
/// One float32 input, one float32 output, kernels that tell watchers of what passes.
template <typename Kernel, typename Watchers>
struct WatchedOperator : Ort::CustomOpBase<WatchedOperator<Kernel, Watchers>, Kernel> {
    WatchedOperator(const char* operatorName, const Watchers& all)
        : name(operatorName)
        , watchers(all)
    {
    }
    void* CreateKernel(const OrtApi&, const OrtKernelInfo* info) const { return new Kernel(info, watchers); }
    [[nodiscard]] const char* GetName() const { return name; }
    [[nodiscard]] std::size_t GetInputTypeCount() const { return 1; }
    [[nodiscard]] ONNXTensorElementDataType GetInputType(std::size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }
    [[nodiscard]] std::size_t GetOutputTypeCount() const { return 1; }
    [[nodiscard]] ONNXTensorElementDataType GetOutputType(std::size_t) const
    {
        return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }

    const char* name;
    const Watchers& watchers;
};
// NOLINTEND(readability-identifier-naming)

template <typename Kernel, typename Watchers> class WatchedDomain
{
public:
    WatchedDomain(const char* domainName, const char* operatorName, const Watchers& watchers)
        : m_operator(operatorName, watchers)
        , m_domain(domainName)
    {
        m_domain.Add(&m_operator);
    }
    WatchedDomain(const WatchedDomain&) = delete;
    WatchedDomain& operator=(const WatchedDomain&) = delete;
    [[nodiscard]] void* get() const { return static_cast<OrtCustomOpDomain*>(m_domain); }

private:
    WatchedOperator<Kernel, Watchers> m_operator;
    Ort::CustomOpDomain m_domain;
};

} // namespace

struct TapOperators::Impl {
    WatchedDomain<TapKernel, TapWatchers> domain;
};

TapOperators::TapOperators(TapWatchers& watchers)
    : m_impl(new Impl{{kTapDomain, kTapOperator, watchers}})
{
}

TapOperators::~TapOperators() = default;

void* TapOperators::domain() const
{
    return m_impl->domain.get();
}

struct SwapOperators::Impl {
    WatchedDomain<SwapKernel, SwapWatchers> domain;
};

SwapOperators::SwapOperators(SwapWatchers& watchers)
    : m_impl(new Impl{{kSwapDomain, kSwapOperator, watchers}})
{
}

SwapOperators::~SwapOperators() = default;

void* SwapOperators::domain() const
{
    return m_impl->domain.get();
}

} // namespace duo
