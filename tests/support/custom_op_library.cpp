// SPDX-License-Identifier: Apache-2.0
// A library as users of ONNX Runtime write them, with two operators: duo.test:Twice, y = 2 x, and duo.test:Trouble,
// which takes the process down or never ends.
#include <onnxruntime_cxx_api.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

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

/// @param kind a signal, which it raises; 0: never ends; -1: leaves
void makeTrouble(std::int64_t kind)
{
    if (kind < 0)
        std::_Exit(3);
    if (kind > 0) {
        std::signal(static_cast<int>(kind), SIG_DFL); // a sanitizer would make an exit code of it
        std::raise(static_cast<int>(kind));
    }
    for (volatile bool goesOn = true; goesOn;) { }
}

constexpr std::int64_t kEarlyOnce = 2;

/// Makes the file that the environment names. @return whether it was there
bool wasThereBefore()
{
    const char* path = std::getenv("DUO_TROUBLE_MADE");
    if (path == nullptr || std::ifstream(path).good())
        return true;
    std::ofstream(path) << "made\n";
    return false;
}

/// Its attribute `kind` says what it does, `early` whether it does so as soon as the model is loaded: 0, 1, or 2 for
/// the first time only.
class TroubleKernel
{
public:
    explicit TroubleKernel(const OrtKernelInfo* info)
        : m_kind(Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>("kind"))
    {
        const auto early = Ort::ConstKernelInfo(info).GetAttribute<std::int64_t>("early");
        if (early != 0 && (early != kEarlyOnce || !wasThereBefore()))
            makeTrouble(m_kind);
    }
    void Compute(OrtKernelContext*) { makeTrouble(m_kind); }

private:
    std::int64_t m_kind;
};

// The engine's interface asks for these names.
struct Trouble : Ort::CustomOpBase<Trouble, TroubleKernel> {
    void* CreateKernel(const OrtApi&, const OrtKernelInfo* info) const { return new TroubleKernel(info); }
    [[nodiscard]] const char* GetName() const { return "Trouble"; }
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
    static const Trouble trouble;
    static Ort::CustomOpDomain domain = [] {
        Ort::CustomOpDomain one("duo.test");
        one.Add(&twice);
        one.Add(&trouble);
        return one;
    }();
    return base->GetApi(ORT_API_VERSION)->AddCustomOpDomain(options, domain);
}
