// SPDX-License-Identifier: Apache-2.0
#include "core/scope/program_names.h"

#include "core/model/held_tensors.h"
#include "core/scope/facts/python_text.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kMostSeen = 64; // values on the way to those that both call by a name

class SameNames
{
public:
    SameNames(const Model& model, const ProgramNames& program)
        : m_model(model)
        , m_program(program)
        , m_inputs(program.inputs.begin(), program.inputs.end())
    {
        for (std::size_t v = 0; v < model.values.size(); ++v) {
            const Value& value = model.values[v];
            if (value.region != RegionId(0) || !value.producer.valid() || heldTensor(model, ValueId(v)).valid())
                continue;
            const auto made = program.values.find(value.name);
            if (made == program.values.end() || !isMadeAlike(ValueId(v), made->second))
                m_others.insert(std::string(fxNumber(value.name).series));
        }
        m_hasInputs = hasInputsInOrder();
    }

    [[nodiscard]] bool isSame(const SignatureValue& value) const
    {
        if (value.isInput)
            return m_hasInputs;
        return !m_others.contains(std::string(fxNumber(value.value).series)) && !isNamedBySomebody(value.value);
    }

private:
    [[nodiscard]] bool hasInputsInOrder() const
    {
        std::vector<std::string_view> common;
        for (const ValueId input : m_model.region(RegionId(0)).inputs) {
            if (m_inputs.contains(m_model.value(input).name))
                common.push_back(m_model.value(input).name);
        }
        std::size_t next = 0;
        for (const std::string& input : m_program.inputs)
            next += next < common.size() && common[next] == input ? 1U : 0U;
        return next == common.size();
    }

    /// Who exports chooses names of outputs.
    [[nodiscard]] bool isNamedBySomebody(const std::string& name) const
    {
        const ValueId id = m_model.findValue(name);
        if (!id.valid() || !m_model.value(id).isOutput || !m_model.value(id).producer.valid())
            return false;
        return metadataValue(m_model.node(m_model.value(id).producer).metadata, kFxNode).empty();
    }

    [[nodiscard]] bool isMadeAlike(ValueId value, const ProgramValue& made) const
    {
        const Node& maker = m_model.node(m_model.value(value).producer);
        const std::string_view record = metadataValue(maker.metadata, kFxNode);
        return record.empty() ? readsAlike(value, made) : isRecordOf(record, made);
    }

    [[nodiscard]] bool isRecordOf(std::string_view record, const ProgramValue& made) const
    {
        std::vector<std::string_view> operands = fxArguments(record);
        std::erase_if(operands, [&](std::string_view name) { return !isOfProgram(name); });
        return fxTarget(record) == made.op && std::ranges::equal(operands, made.operands);
    }

    [[nodiscard]] bool isOfProgram(std::string_view name) const
    {
        return m_program.values.contains(std::string(name)) || m_inputs.contains(name);
    }

    /// All that the program reads to make it is read here.
    [[nodiscard]] bool readsAlike(ValueId value, const ProgramValue& made) const
    {
        std::set<std::string> seen;
        std::set<std::string> wanted;
        for (const std::string& operand : made.operands)
            addProgram(operand, seen, wanted);
        std::set<std::string> read;
        std::set<ValueId> met;
        addModel(value, met, read);
        return std::ranges::includes(read, wanted);
    }

    void addProgram(const std::string& name, std::set<std::string>& seen, std::set<std::string>& wanted) const
    {
        if (seen.size() > kMostSeen || !seen.insert(name).second)
            return;
        const auto made = m_program.values.find(name);
        if (made == m_program.values.end() || (!made->second.isPassedOn && m_model.findValue(name).valid())) {
            wanted.insert(name);
            return;
        }
        for (const std::string& operand : made->second.operands)
            addProgram(operand, seen, wanted);
    }

    void addModel(ValueId id, std::set<ValueId>& met, std::set<std::string>& read) const
    {
        const NodeId maker = m_model.value(id).producer;
        if (!maker.valid() || met.size() > kMostSeen || !met.insert(id).second)
            return;
        for (const ValueId input : m_model.node(maker).inputs) {
            if (!input.valid() || heldTensor(m_model, input).valid())
                continue;
            const Value& value = m_model.value(input);
            if (!value.producer.valid() || m_program.values.contains(value.name))
                read.insert(value.name);
            else
                addModel(input, met, read);
        }
    }

    const Model& m_model;
    const ProgramNames& m_program;
    const std::unordered_set<std::string_view> m_inputs; // of the program
    std::unordered_set<std::string> m_others; // series of names that are others of the model
    bool m_hasInputs = false;
};

} // namespace

std::vector<CallSignature> signaturesOf(const Model& model, const Checkpoint& checkpoint)
{
    std::vector<CallSignature> signatures = checkpoint.signatures;
    const SameNames names(model, checkpoint.program);
    for (CallSignature& signature : signatures) {
        for (auto* values : {&signature.inputs, &signature.outputs}) {
            for (SignatureValue& value : *values) {
                if (!names.isSame(value))
                    value.value.insert(0, 1, kNoValue);
            }
        }
    }
    return signatures;
}

} // namespace duo
