// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/checkpoint_text.h"

#include <map>
#include <sstream>

namespace duo::test {
namespace {

std::string tensorText(const Tensor& tensor)
{
    std::ostringstream out;
    out << elementTypeName(tensor.type) << '[';
    for (std::size_t i = 0; i < tensor.dims.size(); ++i)
        out << (i == 0 ? "" : ",") << tensor.dims[i];
    out << ']';
    for (const float value : toFloats(tensor))
        out << ' ' << value;
    return out.str();
}

} // namespace

std::vector<std::string> keyLines(const Checkpoint& checkpoint)
{
    std::vector<std::string> lines;
    std::map<std::uint32_t, std::string> firstKeys;
    for (const CheckpointKey& key : checkpoint.keys) {
        const auto [first, isNew] = firstKeys.emplace(key.tensor, key.name);
        lines.push_back(
            isNew ? key.name + " " + tensorText(checkpoint.tensors[key.tensor]) : key.name + " = " + first->second);
    }
    return lines;
}

std::vector<std::string> moduleLines(const Checkpoint& checkpoint)
{
    std::vector<std::string> lines;
    for (const RecordedModule& module : checkpoint.modules) {
        std::string line = module.path.empty() ? "/" : module.path;
        if (!module.className.empty())
            line += " " + module.className;
        lines.push_back(module.sameAs.empty() ? line : line + " = " + module.sameAs);
    }
    return lines;
}

std::vector<std::string> noteLines(const Checkpoint& checkpoint)
{
    std::vector<std::string> lines;
    for (const Note& note : checkpoint.notes)
        lines.push_back(note.kind + ": " + note.where + ": " + note.text);
    return lines;
}

} // namespace duo::test
