// SPDX-License-Identifier: Apache-2.0
#include "tests/core/scope/chain.h"

#include <algorithm>

namespace duo::test {
namespace {

std::string pythonList(const std::string& items, const std::string& last)
{
    std::string text = "['";
    for (const char c : items)
        text += c == '|' ? std::string("', '") : std::string(1, c);
    return (items.back() == '|' ? text.substr(0, text.size() - 4) + ", '" : text + "', '") + last + "']";
}

} // namespace

Chain::Chain()
{
    m_builder.input("x", {1, 4});
}

Chain& Chain::named(const std::string& opType, const std::string& name, const std::string& weight)
{
    add(opType, name, weight);
    return *this;
}

Chain& Chain::recorded(const std::string& name, const std::string& frames, const std::string& classes,
    const std::string& target, const std::string& weight)
{
    add(weight.empty() ? "Relu" : "Gemm", name, weight);
    m_builder.metadata("pkg.torch.onnx.name_scopes", pythonList("|" + frames, name));
    m_builder.metadata("pkg.torch.onnx.class_hierarchy", pythonList("Net|" + classes, target));
    return *this;
}

Chain& Chain::at(const std::string& lines)
{
    std::string trace;
    for (std::size_t start = 0; start <= lines.size();) {
        const std::size_t end = std::min(lines.find('|', start), lines.size());
        const std::string line = lines.substr(start, end - start);
        const std::size_t space = line.find(' ');
        const std::string file = space >= 3 ? "/torch/nn/modules/linear.py" : "net.py";
        trace += "  File \"" + file + "\", line " + line.substr(0, space) + ", in forward\n    "
            + line.substr(space + 1) + "\n";
        start = end + 1;
    }
    m_builder.metadata("pkg.torch.onnx.stack_trace", trace);
    return *this;
}

Chain& Chain::byPyTorch()
{
    m_builder.producer("pytorch");
    return *this;
}

FoundScopes Chain::found()
{
    m_builder.output(m_value);
    return FoundScopes(m_builder.build());
}

void Chain::add(const std::string& opType, const std::string& name, const std::string& weight)
{
    std::vector<std::string> inputs{m_value};
    if (!weight.empty()) {
        if (m_weights.insert(weight).second)
            m_builder.weight(weight, {4, 4});
        inputs.push_back(weight);
    }
    m_value = "v" + std::to_string(++m_count);
    m_builder.node(opType, name, inputs, {m_value});
}

} // namespace duo::test
