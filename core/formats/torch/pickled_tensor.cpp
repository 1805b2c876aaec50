// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/pickled_tensor.h"

#include <span>

namespace duo {
namespace {

constexpr int kMaxWrappers = 8; // a parameter of a subclass of a parameter, and so on
using Arguments = std::span<const PickleId>;

bool isTorchModule(std::string_view module)
{
    return module == "torch._utils" || module == "torch._tensor" || module == "torch._utils_internal";
}

/// The name of the function that makes a tensor, "" for other values.
std::string_view makerOf(const Pickle& pickle, PickleId id)
{
    if (id == kNoPickle || pickle[id].kind != PickleKind::Call || pickle[id].callee == kNoPickle)
        return {};
    const PickleValue& callee = pickle[pickle[id].callee];
    const bool isMaker
        = callee.kind == PickleKind::Global && isTorchModule(callee.text) && callee.name.starts_with("_rebuild_");
    return isMaker ? callee.name : std::string_view();
}

Error damaged(const std::string& where)
{
    return {ErrorCode::MalformedModel, "tensor has a damaged description", where, "save it again"};
}

bool readInts(const Pickle& pickle, PickleId id, std::vector<std::int64_t>& out)
{
    if (id == kNoPickle || (pickle[id].kind != PickleKind::Tuple && pickle[id].kind != PickleKind::List))
        return false;
    const Arguments items = pickle.sequence(id);
    if (items.size() > StorageTensors::kMaxRank)
        return false;
    for (const PickleId item : items) {
        const auto value = pickle.integer(item);
        if (!value)
            return false;
        out.push_back(*value);
    }
    return true;
}

/// A persistent id ('storage', class, key, location, number of elements).
bool readStorage(const Pickle& pickle, PickleId id, StorageView& view)
{
    if (id == kNoPickle || pickle[id].kind != PickleKind::Persistent)
        return false;
    const Arguments parts = pickle.sequence(pickle[id].callee);
    if (parts.size() < 5 || pickle.text(parts[0]) != "storage" || pickle[parts[1]].kind != PickleKind::Global)
        return false;
    const auto type = storageClassType(pickle[parts[1]].name);
    const auto key = pickle.text(parts[2]);
    const auto count = pickle.integer(parts[4]);
    const auto bytes = type && count ? packedBytes(*type, *count) : std::nullopt;
    if (!key || !bytes)
        return false;
    view.storage = std::string(*key);
    view.type = *type;
    view.storageBytes = *bytes;
    return true;
}

bool isQuantizedStorage(const Pickle& pickle, PickleId id)
{
    const Arguments parts = id != kNoPickle && pickle[id].kind == PickleKind::Persistent
        ? pickle.sequence(pickle[id].callee)
        : Arguments();
    return parts.size() >= 2 && pickle[parts[1]].kind == PickleKind::Global && pickle[parts[1]].name.starts_with('Q');
}

/// Conjugated or negated views have a dict of flags behind the other arguments.
bool hasFlags(const Pickle& pickle, Arguments arguments, std::size_t at)
{
    return arguments.size() > at && !pickle.pairs(arguments[at]).empty();
}

/// (storage, offset, size, stride, requires_grad, hooks[, dtype in version 3][, flags])
Result<PickledTensor> describeView(const Pickle& pickle, Arguments arguments, bool hasDtype, const std::string& where)
{
    PickledTensor tensor;
    const std::size_t needed = hasDtype ? 7 : 4;
    if (arguments.size() < needed)
        return damaged(where);
    if (isQuantizedStorage(pickle, arguments[0]))
        return PickledTensor{{}, "it is quantized by PyTorch"};
    const auto offset = pickle.integer(arguments[1]);
    if (!readStorage(pickle, arguments[0], tensor.view) || !offset || !readInts(pickle, arguments[2], tensor.view.dims)
        || !readInts(pickle, arguments[3], tensor.view.strides))
        return damaged(where);
    tensor.view.offset = *offset;
    if (hasDtype) {
        const PickleValue& dtype = pickle[arguments[6]];
        if (dtype.kind != PickleKind::Global)
            return damaged(where);
        const auto type = dtypeByName(dtype.name);
        if (!type)
            return PickledTensor{{}, "its elements are " + std::string(dtype.name)};
        tensor.view.type = *type;
    }
    if (hasFlags(pickle, arguments, hasDtype ? 7 : 6))
        tensor.unread = "it is a conjugated or negated view";
    return tensor;
}

/// A call that makes a tensor: the function's name, and what it is given.
struct TensorCall {
    std::string_view maker; // "" for another value
    Arguments arguments;
};

TensorCall callOf(const Pickle& pickle, PickleId id)
{
    const std::string_view maker = makerOf(pickle, id);
    return maker.empty() ? TensorCall{} : TensorCall{maker, pickle.sequence(pickle[id].arguments)};
}

/// The call inside _rebuild_parameter (tensor, ...) or _rebuild_from_type_v2 (function, class, arguments, state).
TensorCall innerCall(const Pickle& pickle, const TensorCall& outer)
{
    const Arguments arguments = outer.arguments;
    if (outer.maker != "_rebuild_from_type_v2")
        return arguments.empty() ? TensorCall{} : callOf(pickle, arguments[0]);
    if (arguments.size() < 3 || pickle[arguments[0]].kind != PickleKind::Global)
        return {};
    return {pickle[arguments[0]].name, pickle.sequence(arguments[2])};
}

bool isWrapper(std::string_view maker)
{
    return maker.starts_with("_rebuild_parameter") || maker == "_rebuild_from_type_v2";
}

Result<PickledTensor> describeCall(
    const Pickle& pickle, std::string_view maker, Arguments arguments, const std::string& where)
{
    if (maker == "_rebuild_tensor" || maker == "_rebuild_tensor_v2")
        return describeView(pickle, arguments, false, where);
    if (maker == "_rebuild_tensor_v3")
        return describeView(pickle, arguments, true, where);
    if (maker.starts_with("_rebuild_meta_tensor"))
        return PickledTensor{{}, "it has no elements (meta)"};
    if (maker.find("sparse") != std::string_view::npos)
        return PickledTensor{{}, "it is sparse"};
    if (maker == "_rebuild_qtensor")
        return PickledTensor{{}, "it is quantized by PyTorch"};
    return PickledTensor{{}, "it is made by " + std::string(maker)};
}

} // namespace

bool isPickledTensor(const Pickle& pickle, PickleId id)
{
    return !makerOf(pickle, id).empty();
}

Result<PickledTensor> describeTensor(const Pickle& pickle, PickleId id, const std::string& where)
{
    TensorCall call = callOf(pickle, id);
    for (int i = 0; i < kMaxWrappers && isWrapper(call.maker); ++i)
        call = innerCall(pickle, call);
    if (call.maker.empty() || isWrapper(call.maker))
        return damaged(where);
    return describeCall(pickle, call.maker, call.arguments, where);
}

} // namespace duo
