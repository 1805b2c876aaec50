// SPDX-License-Identifier: Apache-2.0
#include "tests/support/pickle_text.h"

namespace duo::test::pickle {
namespace {

std::string number(std::uint64_t value, unsigned bytes)
{
    std::string out;
    for (unsigned i = 0; i < bytes; ++i)
        out += static_cast<char>((value >> (8U * i)) & 0xFFU);
    return out;
}

std::string integers(const std::vector<std::int64_t>& values)
{
    std::vector<std::string> items;
    for (const std::int64_t value : values)
        items.push_back(integer(value));
    return tuple(items);
}

} // namespace

std::string whole(const std::string& value)
{
    return "\x80\x02" + value + ".";
}

std::string text(const std::string& value)
{
    return "X" + number(value.size(), 4) + value;
}

std::string integer(std::int64_t value)
{
    return "\x8a\x08" + number(static_cast<std::uint64_t>(value), 8);
}

std::string global(const std::string& module, const std::string& name)
{
    return "c" + module + "\n" + name + "\n";
}

std::string tuple(const std::vector<std::string>& items)
{
    std::string out = "(";
    for (const std::string& item : items)
        out += item;
    return out + "t";
}

std::string dict(const std::vector<std::pair<std::string, std::string>>& entries)
{
    std::string out = "}(";
    for (const auto& [key, value] : entries)
        out += text(key) + value;
    return out + "u";
}

std::string call(const std::string& module, const std::string& name, const std::vector<std::string>& arguments)
{
    return global(module, name) + tuple(arguments) + "R";
}

std::string object(const std::string& module, const std::string& name, const std::string& state)
{
    return global(module, name) + ")\x81" + state + "b";
}

std::string remember(std::uint8_t index)
{
    return "q" + number(index, 1);
}

std::string recall(std::uint8_t index)
{
    return "h" + number(index, 1);
}

std::string tensor(const TensorText& tensor)
{
    const std::string storage = tuple({text("storage"), global("torch", "FloatStorage"), text(tensor.storage),
                                    text("cpu"), integer(tensor.storageElements)})
        + "Q";
    return call("torch._utils", "_rebuild_tensor_v2",
        {storage, integer(tensor.offset), integers(tensor.dims), integers(tensor.strides), "\x89",
            call("collections", "OrderedDict", {})});
}

} // namespace duo::test::pickle
