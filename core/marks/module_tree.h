// SPDX-License-Identifier: Apache-2.0
// ModuleTree: the modules of a model as objects, each with all paths that lead to it
// (resources/docs/marks.md, "Which paths are one module").
#pragma once

#include "core/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// How it is known which paths lead to one module, best first.
enum class ModuleEvidence {
    Objects, // a file that keeps modules as objects: a whole module of torch.save
    Program, // a .pt2: its tensors, and the calls that it records
    Parameters, // modules that share all their parameters under the same names
    Paths, // TorchScript, which lists all modules and saves one for each path
};

std::string_view moduleEvidenceText(ModuleEvidence evidence); // "objects"

struct TreeModule {
    std::string path; // the first one; "" is the model
    std::string className; // "" if not known
    std::vector<std::string> otherPaths; // in the order of the storage tree
    std::vector<std::uint32_t> children; // in the order of definition, as far as it is known; each once
    std::vector<NodeId> nodes; // that read its own parameters; that read none and run in it. In node order
    bool mayBeAnother = false; // nothing tells whether it is one object with another module here
    bool isGuess = false; // where it runs was guessed, and nothing is stored in it
};

struct ModuleTree {
    static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

    std::vector<TreeModule> modules; // [0] is the model
    std::unordered_map<std::string, std::uint32_t> ofPath; // every path
    std::vector<std::uint32_t> ofStorage; // [scopes of the storage tree]
    std::vector<std::uint32_t> ofExecution; // [scopes of the execution tree]: called there
    ModuleEvidence evidence = ModuleEvidence::Parameters;

    /// A path with '.' or '/' between its parts. @return kNone if there is no such module
    [[nodiscard]] std::uint32_t find(std::string_view path) const;
    /// How many of the modules may be one object with another.
    [[nodiscard]] std::int64_t doubtful() const;
};

/// Every module that is stored, recorded or called. Modules without parameters are told apart by objects only; without
/// them each path counts as a module of its own, and says so. O(scopes + nodes + keys).
/// @param sources that the scopes were found with
ModuleTree moduleTree(const Model& model, const Scopes& scopes, const ScopeSources& sources = {});

} // namespace duo
