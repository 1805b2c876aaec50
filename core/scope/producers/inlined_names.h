// SPDX-License-Identifier: Apache-2.0
// Names that inliners and mergers put a prefix to: "If_0_else_branch__Inline_0__/stft/Conv", "F0::encoder.0.weight".
#pragma once

#include "core/model/model.h"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace duo {

/// What an inliner put in front of a name, and the name as it was.
struct InlinedName {
    std::string_view prefix; // "If_0_else_branch__Inline_0__", "F0::"; empty: not inlined
    std::size_t function = 0; // bytes of it that number a call of a function: "F0::"
    std::string_view name; // "/stft/Conv"
};
InlinedName inlinedName(std::string_view name);

/// The names of a file without these prefixes. Where several models were inlined, each keeps its prefix as the name of
/// a module around it: "/If_0_else_branch__Inline_0/stft/Conv", "If_0_else_branch__Inline_0.encoder.0.weight". Calls of
/// functions count as models only where one name comes from two of them.
class InlinedNames
{
public:
    explicit InlinedNames(const Model& model);

    /// Whether any name has such a prefix.
    [[nodiscard]] bool hasAny() const { return m_hasAny; }
    /// As inlinedName(), and "g_" of "g_/embedding/Gather" where onnx.compose put it in front of all names of a model.
    [[nodiscard]] InlinedName split(std::string_view name) const;
    [[nodiscard]] std::string node(std::string_view name) const;
    /// The names of modules that stand for a prefix: of no module that the program knows.
    [[nodiscard]] const std::set<std::string>& madeModules() const { return m_madeModules; }
    [[nodiscard]] std::string tensor(std::string_view name) const;

private:
    [[nodiscard]] std::string_view modelOf(const InlinedName& name) const;

    void findMergedModels(const Model& model);

    std::set<std::string, std::less<>> m_merged; // what was put in front of the names of models merged into this one
    bool m_keepsFunctions = false; // names are told apart by the calls of functions they come from
    bool m_hasAny = false;
    bool m_isOne = true; // all of one model: the prefixes say nothing
    std::set<std::string> m_madeModules;
};

} // namespace duo
