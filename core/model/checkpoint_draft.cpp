// SPDX-License-Identifier: Apache-2.0
#include "core/model/checkpoint_draft.h"

namespace duo {

CheckpointDraft::CheckpointDraft(std::filesystem::path path, std::string format)
{
    m_checkpoint.path = std::move(path);
    m_checkpoint.format = std::move(format);
}

std::uint32_t CheckpointDraft::addTensor(Tensor tensor)
{
    m_checkpoint.tensors.push_back(std::move(tensor));
    return static_cast<std::uint32_t>(m_checkpoint.tensors.size() - 1);
}

Status CheckpointDraft::countName(const std::string& name)
{
    m_nameBytes += name.size();
    if (++m_nameCount <= kMaxNames && m_nameBytes <= kMaxNameBytes)
        return success();
    return Error{ErrorCode::Unsupported, "checkpoint is too large", where(),
        "at most a million keys and modules with 256 MB of names are read"};
}

Status CheckpointDraft::addKey(std::string name, std::uint32_t tensor)
{
    DUO_CHECK(countName(name));
    if (!m_tensorOf.emplace(name, tensor).second)
        return Error{ErrorCode::MalformedModel, "checkpoint holds a key twice", where(name), "save it again"};
    m_checkpoint.keys.push_back({std::move(name), tensor});
    return success();
}

Status CheckpointDraft::addModule(RecordedModule module)
{
    DUO_CHECK(countName(module.path));
    if (!m_modulePaths.insert(module.path).second)
        return Error{ErrorCode::MalformedModel, "checkpoint holds a module twice", where(module.path), "save it again"};
    m_nameBytes += module.className.size() + module.sameAs.size();
    m_checkpoint.modules.push_back(std::move(module));
    return success();
}

Status CheckpointDraft::leaveOut(const std::string& key, const std::string& why)
{
    DUO_CHECK(countName(key));
    addNote("left-out-key", "the tensor is not read: " + why, key);
    return success();
}

void CheckpointDraft::addNote(std::string kind, std::string text, std::string where)
{
    m_checkpoint.notes.push_back({std::move(kind), std::move(text), std::move(where)});
}

void CheckpointDraft::takeFacts(const Checkpoint& part)
{
    m_checkpoint.format = part.format;
    m_checkpoint.recordsTies = part.recordsTies;
    m_checkpoint.notes.insert(m_checkpoint.notes.end(), part.notes.begin(), part.notes.end());
}

std::optional<std::uint32_t> CheckpointDraft::tensorOf(const std::string& key) const
{
    const auto found = m_tensorOf.find(key);
    return found == m_tensorOf.end() ? std::nullopt : std::optional(found->second);
}

std::string CheckpointDraft::where(const std::string& key) const
{
    return where() + ": '" + key + "'";
}

std::shared_ptr<const Checkpoint> CheckpointDraft::take() &&
{
    for (const CheckpointKey& key : m_checkpoint.keys) {
        Tensor& tensor = m_checkpoint.tensors[key.tensor];
        if (tensor.name.empty())
            tensor.name = key.name;
    }
    return std::make_shared<const Checkpoint>(std::move(m_checkpoint));
}

Result<std::shared_ptr<const Checkpoint>> CheckpointDraft::finish() &&
{
    if (m_checkpoint.keys.empty())
        return Error{ErrorCode::Unsupported, "checkpoint holds no parameters", where(), "save model.state_dict()"};
    return std::move(*this).take();
}

} // namespace duo
