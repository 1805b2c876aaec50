// SPDX-License-Identifier: Apache-2.0
// NamedKeys: the checkpoint's keys in the words of the model, without what wrappers and outer modules put in front.
#pragma once

#include "core/model/checkpoint.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// A name the model uses: of a tensor, or (tensor null) of a module or a key whose tensor it does not hold.
struct NameInModel {
    std::string name;
    const Tensor* tensor = nullptr;
};

class NamedKeys
{
public:
    /// The prefix under which most names agree decides; of several as good the one with more equal values, else none.
    /// `_orig_mod.` (torch.compile) is left out wherever it stands. O(total length of the names).
    NamedKeys(const Checkpoint& checkpoint, std::span<const NameInModel> names);

    [[nodiscard]] const std::string& prefix() const { return m_prefix; } // of the keys, not in the model's names
    [[nodiscard]] const std::string& modelPrefix() const
    {
        return m_modelPrefix;
    } // of the model's names, not in the keys

    /// The key as the model would name it.
    [[nodiscard]] const std::string& name(std::uint32_t key) const { return m_names[key]; }
    [[nodiscard]] std::string_view owner(std::uint32_t key) const; // "layer1.0"; "" for the root
    [[nodiscard]] std::string_view leaf(std::uint32_t key) const; // "weight"
    /// The module that uses the key: the owner, or what `parametrizations` of it stand for: "c" for
    /// "c.parametrizations.weight.original0".
    [[nodiscard]] std::string_view module(std::uint32_t key) const;
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view nameInModel) const;
    /// Keys owned directly by a module, or by its parametrizations, in definition order.
    [[nodiscard]] std::span<const std::uint32_t> keysOf(std::string_view module) const;
    /// The key of the same owner with another leaf.
    [[nodiscard]] std::optional<std::uint32_t> sibling(std::uint32_t key, std::string_view leaf) const;
    /// For the directions of a weight norm the key of its magnitudes: "weight_g" for "weight_v", "original0" for
    /// "original1" (torch.nn.utils and its parametrizations).
    [[nodiscard]] std::optional<std::uint32_t> magnitudes(std::uint32_t key) const;

private:
    void choosePrefix(const Checkpoint& checkpoint, std::span<const NameInModel> names);

    std::string m_prefix;
    std::string m_modelPrefix;
    std::vector<std::string> m_names; // [keys]
    std::unordered_map<std::string_view, std::uint32_t> m_index;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_byModule;
};

} // namespace duo
