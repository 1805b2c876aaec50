// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/recorded_frames.h"

#include "core/scope/facts/python_text.h"
#include "core/scope/frames/trace_marks.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";
constexpr std::string_view kClasses = "pkg.torch.onnx.class_hierarchy";
constexpr std::string_view kTrace = "pkg.torch.onnx.stack_trace";
constexpr std::string_view kNamespace = "namespace";
constexpr std::size_t kMostFrames = 64;

/// Scope names and class names of the frames, outermost first; the last pair is the FX node and its target.
struct Stack {
    std::vector<std::string> scopes;
    std::vector<std::string> classes;
};

/// "<fqn>: <class>/<fqn>: <class>/<fx name>: <target>"; a piece without ": " belongs to the class before it.
Stack parseNamespace(std::string_view text)
{
    Stack stack;
    std::size_t start = 0;
    while (start <= text.size() && !text.empty()) {
        const std::size_t slash = std::min(text.find('/', start), text.size());
        const std::string_view piece = text.substr(start, slash - start);
        const std::size_t colon = piece.find(": ");
        if (colon != std::string_view::npos) {
            stack.scopes.emplace_back(piece.substr(0, colon));
            stack.classes.emplace_back(piece.substr(colon + 2));
        } else if (!stack.classes.empty()) {
            stack.classes.back() += "/";
            stack.classes.back() += piece;
        }
        start = slash + 1;
    }
    return stack;
}

Stack recordedStack(const Metadata& metadata)
{
    auto scopes = parsePythonStrings(metadataValue(metadata, kScopes));
    if (!scopes)
        return parseNamespace(metadataValue(metadata, kNamespace));
    auto classes = parsePythonStrings(metadataValue(metadata, kClasses));
    if (!classes || classes->size() != scopes->size())
        return {std::move(*scopes), {}};
    return {std::move(*scopes), std::move(*classes)};
}

/// A stack is usable when it starts at the root and holds module paths only (hooks make frames like "_empty_nn...").
bool isUsable(const Stack& stack)
{
    if (stack.scopes.size() < 2 || !stack.scopes.front().empty() || stack.scopes.size() > kMostFrames)
        return false;
    return std::all_of(stack.scopes.begin(), stack.scopes.end(), [](const std::string& scope) {
        return scope.size() <= ModulePaths::kLongest && scope.find("nn_module_stack") == std::string::npos;
    });
}

/// A printed list, cut before its last string: `['', 'fc', 'linear_1']` -> `['', 'fc'` and `linear_1`.
struct CutList {
    std::string_view head;
    std::string_view last;
};

/// Nothing where the last string needs parsing.
std::optional<CutList> cutList(std::string_view text)
{
    if (text.size() < 4 || !text.ends_with("']"))
        return std::nullopt;
    const std::size_t end = text.size() - 2;
    const std::size_t quote = text.rfind('\'', end - 1);
    if (quote == std::string_view::npos || quote < 3 || text.substr(quote - 2, 2) != ", ")
        return std::nullopt;
    const std::string_view last = text.substr(quote + 1, end - quote - 1);
    if (last.find_first_of("\\\"") != std::string_view::npos)
        return std::nullopt;
    return CutList{text.substr(0, quote - 2), last};
}

class Reader
{
public:
    explicit Reader(ModulePaths& paths)
        : m_paths(paths)
    {
    }

    void read(const Node& node, FramedNode& framed)
    {
        readStack(node, framed);
        if (framed.isScoped)
            m_traces.read(metadataValue(node.metadata, kTrace), framed);
    }

    CodeLines takeCode() { return std::move(m_traces).takeCode(); }

private:
    using Marks = std::unordered_map<std::string, std::int32_t>;

    /// Nodes of one call have the same frames and differ in the last string only: those are parsed once.
    void readStack(const Node& node, FramedNode& framed)
    {
        const auto scopes = cutList(metadataValue(node.metadata, kScopes));
        const auto classes = cutList(metadataValue(node.metadata, kClasses));
        if (!scopes || !classes)
            return parse(node, framed);
        const auto [known, isNew] = m_known.try_emplace(scopes->head);
        if (isNew) {
            parse(node, framed);
            known->second = framed;
            return;
        }
        framed = known->second;
        framed.kind = mark(m_kinds, classes->last);
        setWork(scopes->last, framed);
    }

    void parse(const Node& node, FramedNode& framed)
    {
        const Stack stack = recordedStack(node.metadata);
        if (!isUsable(stack))
            return;
        framed.isScoped = true;
        framed.from = Provenance::Recorded;
        const std::size_t last = stack.scopes.size() - 1;
        for (std::size_t i = 0; i < last; ++i) {
            const PathId path = m_paths.intern(stack.scopes[i]);
            if (path != ModulePaths::root())
                framed.frames.push_back({path, kNoMark});
            if (!stack.classes.empty())
                m_paths.setClassName(path, stack.classes[i]);
        }
        const std::string_view target = stack.classes.empty() ? fxTarget(metadataValue(node.metadata, kFxNode))
                                                              : std::string_view(stack.classes.back());
        framed.kind = mark(m_kinds, target.empty() ? std::string_view(node.opType) : target);
        setWork(stack.scopes.back(), framed);
    }

    void setWork(std::string_view fxName, FramedNode& framed)
    {
        framed.work = mark(m_works, fxName);
        const FxNumber number = fxNumber(fxName);
        framed.series = mark(m_series, number.series);
        framed.ordinal = number.ordinal;
    }

    static std::int32_t mark(Marks& marks, std::string_view text)
    {
        return marks.emplace(text, static_cast<std::int32_t>(marks.size())).first->second;
    }

    ModulePaths& m_paths;
    TraceMarks m_traces;
    Marks m_kinds;
    Marks m_works;
    Marks m_series;
    std::unordered_map<std::string_view, FramedNode> m_known; // by the list without its last string, in the metadata
};

} // namespace

CodeLines readRecordedFrames(
    const Model& model, const NodeOrder& order, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    Reader reader(paths);
    for (const NodeId id : order.sequence) {
        if (!model.node(id).metadata.empty())
            reader.read(model.node(id), nodes[id.index]);
    }
    return reader.takeCode();
}

} // namespace duo
