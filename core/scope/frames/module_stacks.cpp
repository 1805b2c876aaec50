// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/module_stacks.h"

#include "core/model/module_stack.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/frames/trace_marks.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::string_view kTrace = "stack_trace";

/// PyTorch 2.6 began to number calls; a frame without number is the first one there.
bool numbersCalls(std::string_view torchVersion)
{
    int major = 0;
    int minor = 0;
    const char* end = torchVersion.data() + torchVersion.size();
    const auto [dot, error] = std::from_chars(torchVersion.data(), end, major);
    if (error != std::errc{} || dot == end || std::from_chars(dot + 1, end, minor).ec != std::errc{})
        return false;
    return major > 2 || (major == 2 && minor >= 6);
}

bool isUsable(const std::vector<StackFrame>& stack)
{
    return std::all_of(stack.begin(), stack.end(), [](const StackFrame& frame) {
        return frame.path.size() <= ModulePaths::kLongest && !frame.path.starts_with('.') && !frame.path.ends_with('.');
    });
}

class StackReader
{
public:
    StackReader(const Model& model, const Parameters& parameters, ModulePaths& paths)
        : m_model(model)
        , m_parameters(parameters)
        , m_paths(paths)
        , m_registered(model.modules)
        , m_hasNumbers(numbersCalls(model.producerVersion))
    {
        for (const Node& node : model.nodes) {
            const std::string_view text = metadataValue(node.metadata, kModuleStack);
            const auto [known, isNew] = m_stacks.try_emplace(text);
            if (!isNew)
                continue;
            auto stack = parseModuleStack(text);
            if (!stack || !isUsable(*stack))
                continue;
            for (const StackFrame& frame : *stack) {
                m_registered.learn(frame);
                m_hasNumbers = m_hasNumbers || frame.number.has_value();
            }
            known->second = std::move(*stack);
        }
    }

    void read(std::size_t n, FramedNode& framed)
    {
        const Node& node = m_model.nodes[n];
        const std::string_view text = metadataValue(node.metadata, kModuleStack);
        const std::vector<StackFrame>& stack = m_stacks[text];
        if (stack.empty())
            return;
        const auto [known, isNew] = m_framed.try_emplace(text);
        if (isNew)
            known->second = frame(stack);
        framed = known->second;
        completePath(n, framed);
        m_traces.read(metadataValue(node.metadata, kTrace), framed);
        framed.kind = mark(node.opType);
        const FxNumber number = fxNumber(node.localName);
        framed.series = mark(std::string(number.series));
        framed.ordinal = number.ordinal;
        const std::string_view function = metadataValue(node.metadata, "torch_fn");
        framed.work = mark(function.empty()
                ? node.name
                : std::to_string(node.region.index) + "/" + std::string(function)); // numbered anew in each body
    }

    CodeLines takeCode() { return std::move(m_traces).takeCode(); }

private:
    FramedNode frame(const std::vector<StackFrame>& stack)
    {
        FramedNode framed;
        framed.isScoped = true;
        framed.from = Provenance::Recorded;
        for (const StackFrame& recorded : stack) {
            const PathId path = m_paths.intern(m_registered.resolve(recorded));
            m_paths.setClassName(path, recorded.className);
            if (path == ModulePaths::root())
                continue;
            Frame frame{path};
            if (m_hasNumbers) {
                const std::string series = recorded.key + "," + recorded.path; // PyTorch counts by path
                frame.number = recorded.number.value_or(0);
                frame.series = mark(series);
                frame.site = mark(series + "@" + std::to_string(frame.number));
            }
            framed.frames.push_back(frame);
        }
        return framed;
    }

    /// The innermost frame's module, if its path is none that is registered and all that the node reads is of one.
    void completePath(std::size_t n, FramedNode& framed) const
    {
        if (framed.frames.empty() || m_registered.holds(m_paths.text(framed.frames.back().path)))
            return;
        PathId owner;
        for (const ParameterRead& read : m_parameters.reads[n]) {
            if (!read.owner.valid() || (owner.valid() && owner != read.owner))
                return;
            owner = read.owner;
        }
        if (!owner.valid() || !m_paths.endsWith(owner, m_paths.text(framed.frames.back().path)))
            return;
        framed.frames.back().path = owner;
        framed.from = Provenance::Dataflow;
    }

    std::int32_t mark(const std::string& text)
    {
        return m_marks.emplace(text, static_cast<std::int32_t>(m_marks.size())).first->second;
    }

    const Model& m_model;
    const Parameters& m_parameters;
    ModulePaths& m_paths;
    RegisteredPaths m_registered;
    TraceMarks m_traces;
    bool m_hasNumbers;
    std::unordered_map<std::string_view, std::vector<StackFrame>> m_stacks; // by text, in the metadata
    std::unordered_map<std::string_view, FramedNode> m_framed;
    std::unordered_map<std::string, std::int32_t> m_marks;
};

} // namespace

CodeLines readModuleStacks(
    const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    if (!model.format->recordsStacks)
        return {};
    StackReader reader(model, parameters, paths);
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        reader.read(n, nodes[n]);
    return reader.takeCode();
}

} // namespace duo
