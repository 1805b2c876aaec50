// SPDX-License-Identifier: Apache-2.0
#include "app/engine/watched_operators.h"

#include "core/engine/swap_domain.h"
#include "core/engine/tap_domain.h"

#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <type_traits>

namespace duo {
namespace {

/// Of a float32 tensor; dies with it.
TensorView viewOf(const Ort::ConstValue& tensor)
{
    const auto info = tensor.GetTensorTypeAndShapeInfo();
    TensorView view;
    view.type = ElementType::Float32;
    view.dims = info.GetShape();
    view.bytes = {static_cast<const std::byte*>(tensor.GetTensorRawData()), info.GetElementCount() * sizeof(float)};
    return view;
}

/// Shows its input to the watcher; its output, one number, only keeps the engine from dropping the node.
class TapKernel
{
public:
    static constexpr const char* kDomain = kTapDomain;
    static constexpr const char* kOperator = kTapOperator;

    TapKernel(const OrtKernelInfo* info, const TapWatchers& watchers)
        : m_watchers(watchers)
        , m_tap(Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>(kTapAttribute))
    {
    }

    void Compute(OrtKernelContext* handle) // named by the engine's interface
    {
        const Ort::KernelContext context(handle);
        const std::int64_t one = 1;
        *context.GetOutput(0, &one, 1).GetTensorMutableData<float>() = 0;
        const TapVisitor* visitor = m_watchers.current();
        if (visitor == nullptr || m_tap == kUnseenTap)
            return;
        (*visitor)(static_cast<std::size_t>(m_tap), viewOf(context.GetInput(0)));
    }

private:
    const TapWatchers& m_watchers;
    std::int64_t m_tap;
};

/// Gives its input on as it is, unless the visitor of the run writes something else.
class SwapKernel
{
public:
    static constexpr const char* kDomain = kSwapDomain;
    static constexpr const char* kOperator = kSwapOperator;

    SwapKernel(const OrtKernelInfo* info, const SwapWatchers& watchers)
        : m_watchers(watchers)
        , m_swap(Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>(kSwapAttribute))
    {
    }

    void Compute(OrtKernelContext* handle) // named by the engine's interface
    {
        const Ort::KernelContext context(handle);
        const TensorView given = viewOf(context.GetInput(0));
        float* out = context.GetOutput(0, given.dims.data(), given.dims.size()).GetTensorMutableData<float>();
        const SwapVisitor* visitor = m_watchers.current();
        if (visitor == nullptr || !(*visitor)(static_cast<std::size_t>(m_swap), given, {out, given.floats().size()}))
            std::ranges::copy(given.floats(), out);
    }

private:
    const SwapWatchers& m_watchers;
    std::int64_t m_swap;
};

// The engine's interface asks for these names.
/// One float32 input, one float32 output, kernels that tell watchers of what passes.
template <typename Kernel, typename Watchers>
struct WatchedOperator : Ort::CustomOpBase<WatchedOperator<Kernel, Watchers>, Kernel> {
    explicit WatchedOperator(const Watchers& all)
        : watchers(all)
    {
    }
    void* CreateKernel(const OrtApi&, const OrtKernelInfo* info) const { return new Kernel(info, watchers); }
    [[nodiscard]] const char* GetName() const { return Kernel::kOperator; }
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

    const Watchers& watchers;
};

template <typename Watchers>
using KernelOf = std::conditional_t<std::is_same_v<Watchers, TapWatchers>, TapKernel, SwapKernel>;

} // namespace

template <typename Watchers> struct WatchedOperators<Watchers>::Impl {
    WatchedOperator<KernelOf<Watchers>, Watchers> watched;
    Ort::CustomOpDomain domain{KernelOf<Watchers>::kDomain};
};

template <typename Watchers>
WatchedOperators<Watchers>::WatchedOperators(Watchers& watchers)
    : m_impl(new Impl{WatchedOperator<KernelOf<Watchers>, Watchers>(watchers)})
{
    m_impl->domain.Add(&m_impl->watched);
}

template <typename Watchers> WatchedOperators<Watchers>::~WatchedOperators() = default;

template <typename Watchers> void* WatchedOperators<Watchers>::domain() const
{
    return static_cast<OrtCustomOpDomain*>(m_impl->domain);
}

template class WatchedOperators<TapWatchers>;
template class WatchedOperators<SwapWatchers>;

} // namespace duo
