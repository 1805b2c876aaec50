// SPDX-License-Identifier: Apache-2.0
// The stack of module calls that torch.export records with each node of a program (metadata key "nn_module_stack").
#pragma once

#include "core/model/recorded_module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace duo {

constexpr std::string_view kModuleStack = "nn_module_stack";

/// One call on the stack: `key@number,path,class`.
struct StackFrame {
    std::string key; // without the number
    std::optional<std::int64_t> number; // the n-th call by this path, from 1; nothing: call 0, or (before PyTorch 2.6)
                                        // not recorded
    std::string path; // dotted, "" for the root
    std::string className; // qualified

    /// Strict export names its keys after objects: frames with one key are one object whatever their paths. Keys that
    /// are made from the path say nothing more than the path.
    [[nodiscard]] bool namesObject() const;
    bool operator==(const StackFrame&) const = default;
};

/// Frames of a stack, outermost first, at most 64. Paths that PyTorch 2.5 wrote as Python expressions
/// (`L['m'].layers[0].by['a']`, `getattr(L['m'].features, '0')`) and those of a program within one (`_export_root.fc`)
/// come out dotted. Nothing for an empty stack, for one that hooks made up, and for text of any other form. O(length).
std::optional<std::vector<StackFrame>> parseModuleStack(std::string_view text);

/// Paths of frames as the modules are registered: one that went through a plain attribute (`dec.ref.proj`) is replaced
/// by the registered path of the same object where another frame shows it.
class RegisteredPaths
{
public:
    explicit RegisteredPaths(const std::vector<RecordedModule>& modules);
    void learn(const StackFrame& frame); // of every stack, before resolve()
    [[nodiscard]] const std::string& resolve(const StackFrame& frame) const;
    [[nodiscard]] bool holds(std::string_view path) const { return m_registered.contains(path); }

private:
    std::unordered_set<std::string_view> m_registered; // views into the modules
    std::map<std::string, std::string, std::less<>> m_pathOfKey; // of objects
};

} // namespace duo
