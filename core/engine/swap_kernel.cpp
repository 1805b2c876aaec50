// SPDX-License-Identifier: Apache-2.0
#include "core/engine/swap_kernel.h"

#include "core/engine/swap_domain.h"

#include <algorithm>

#include <onnxruntime_cxx_api.h>

namespace duo {
namespace {

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
struct SwapOperator : Ort::CustomOpBase<SwapOperator, SwapKernel> {
    explicit SwapOperator(const SwapWatchers& all)
        : watchers(all)
    {
    }
    void* CreateKernel(const OrtApi&, const OrtKernelInfo* info) const { return new SwapKernel(info, watchers); }
    [[nodiscard]] const char* GetName() const { return kSwapOperator; }
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

    const SwapWatchers& watchers;
};
// NOLINTEND(readability-identifier-naming)

} // namespace

struct SwapOperators::Impl {
    SwapOperator swap;
    Ort::CustomOpDomain domain{kSwapDomain};
};

SwapOperators::SwapOperators(SwapWatchers& watchers)
    : m_impl(new Impl{SwapOperator(watchers)})
{
    m_impl->domain.Add(&m_impl->swap);
}

SwapOperators::~SwapOperators() = default;

void* SwapOperators::domain() const
{
    return static_cast<OrtCustomOpDomain*>(m_impl->domain);
}

} // namespace duo
