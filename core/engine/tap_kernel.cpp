// SPDX-License-Identifier: Apache-2.0
#include "core/engine/tap_kernel.h"

#include "core/engine/tap_domain.h"

#include <onnxruntime_cxx_api.h>

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

// NOLINTBEGIN(readability-identifier-naming): names the engine's interface asks for
struct TapOperator : Ort::CustomOpBase<TapOperator, TapKernel> {
    explicit TapOperator(const TapWatchers& all)
        : watchers(all)
    {
    }
    void* CreateKernel(const OrtApi&, const OrtKernelInfo* info) const { return new TapKernel(info, watchers); }
    [[nodiscard]] const char* GetName() const { return kTapOperator; }
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

    const TapWatchers& watchers;
};
// NOLINTEND(readability-identifier-naming)

} // namespace

struct TapOperators::Impl {
    TapOperator tap;
    Ort::CustomOpDomain domain{kTapDomain};
};

TapOperators::TapOperators(TapWatchers& watchers)
    : m_impl(new Impl{TapOperator(watchers)})
{
    m_impl->domain.Add(&m_impl->tap);
}

TapOperators::~TapOperators() = default;

void* TapOperators::domain() const
{
    return static_cast<OrtCustomOpDomain*>(m_impl->domain);
}

} // namespace duo
