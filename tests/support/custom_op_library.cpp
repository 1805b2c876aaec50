// SPDX-License-Identifier: Apache-2.0
// A library as users of ONNX Runtime write them, with one operator: duo.test:Twice, y = 2 x.
#include <onnxruntime_cxx_api.h>

namespace {

class TwiceKernel
{
public:
    void Compute(OrtKernelContext* handle) // named by the engine's interface
    {
        const Ort::KernelContext context(handle);
        const Ort::ConstValue input = context.GetInput(0);
        const auto info = input.GetTensorTypeAndShapeInfo();
        const auto* x = input.GetTensorData<float>();
        auto* y = context.GetOutput(0, info.GetShape()).GetTensorMutableData<float>();
        for (std::size_t i = 0; i < info.GetElementCount(); ++i)
            y[i] = 2 * x[i];
    }
};

// The engine's interface asks for these names.
struct Twice : Ort::CustomOpBase<Twice, TwiceKernel> {
    void* CreateKernel(const OrtApi&, const OrtKernelInfo*) const { return new TwiceKernel; }
    [[nodiscard]] const char* GetName() const { return "Twice"; }
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
};

} // namespace

extern "C" __attribute__((visibility("default"))) OrtStatus* RegisterCustomOps(
    OrtSessionOptions* options, const OrtApiBase* base)
{
    Ort::Global<void>::api_ = base->GetApi(ORT_API_VERSION); // the library has its own copy of the interface's table
    static const Twice twice;
    static Ort::CustomOpDomain domain = [] {
        Ort::CustomOpDomain one("duo.test");
        one.Add(&twice);
        return one;
    }();
    return base->GetApi(ORT_API_VERSION)->AddCustomOpDomain(options, domain);
}
