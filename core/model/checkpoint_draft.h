// SPDX-License-Identifier: Apache-2.0
// CheckpointDraft: a checkpoint being read, with the bounds and checks every format needs.
#pragma once

#include "core/model/checkpoint.h"
#include "core/support/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace duo {

class CheckpointDraft
{
public:
    static constexpr std::size_t kMaxNames = std::size_t{1} << 20; // keys, left out ones too, and modules together
    static constexpr std::size_t kMaxNameBytes = std::size_t{256} << 20; // of all names

    CheckpointDraft(std::filesystem::path path, std::string format);

    /// The name is given by the first key. @return index for addKey
    std::uint32_t addTensor(Tensor tensor);
    /// @return MalformedModel for a repeated name; Unsupported beyond the bounds
    Status addKey(std::string name, std::uint32_t tensor);
    /// @return as addKey
    Status addModule(RecordedModule module);
    /// Notes a key whose tensor is not read, and why ("it is sparse"). @return as addModule
    Status leaveOut(const std::string& key, const std::string& why);
    void addNote(std::string kind, std::string text, std::string where);
    void setSignatures(std::vector<CallSignature> signatures, ProgramNames program)
    {
        m_checkpoint.signatures = std::move(signatures);
        m_checkpoint.program = std::move(program);
    }
    void addForward(const std::string& path, std::shared_ptr<const ForwardOrder> forward)
    {
        m_checkpoint.forwards.emplace(path, std::move(forward));
    }
    void setRecordsTies() { m_checkpoint.recordsTies = true; }
    /// Takes over format, notes and recordsTies of one file of several.
    void takeFacts(const Checkpoint& part);

    [[nodiscard]] std::string where() const { return m_checkpoint.path.string(); }
    /// Where for errors about a key: "path: 'key'".
    [[nodiscard]] std::string where(const std::string& key) const;
    [[nodiscard]] std::optional<std::uint32_t> tensorOf(const std::string& key) const;

    [[nodiscard]] std::shared_ptr<const Checkpoint> take() &&;
    /// The same. @return Unsupported if there is no key
    Result<std::shared_ptr<const Checkpoint>> finish() &&;

private:
    Status countName(const std::string& name);

    Checkpoint m_checkpoint;
    std::unordered_map<std::string, std::uint32_t> m_tensorOf; // by key
    std::unordered_set<std::string> m_modulePaths;
    std::size_t m_nameCount = 0;
    std::size_t m_nameBytes = 0;
};

} // namespace duo
