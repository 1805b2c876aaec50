// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/place_weights.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

constexpr const char* kKind = "pkg.torch.export.graph_signature.InputSpec.kind";
constexpr const char* kPersistent = "pkg.torch.export.graph_signature.InputSpec.persistent";
constexpr const char* kPlaceholder = "pkg.torch.onnx.original_node_name";

bool isStateKey(const ExportInput& input)
{
    return !input.target.empty()
        && (input.kind == ExportInputKind::Parameter || (input.kind == ExportInputKind::Buffer && input.isPersistent));
}

/// Keys of the state_dict in definition order.
std::vector<std::string> stateKeys(const ExportedProgram& program, const ExportWeights& weights)
{
    std::unordered_map<std::string_view, std::size_t> positions;
    for (const std::string& path : program.modulePaths)
        positions.emplace(path, positions.size());
    struct Placed {
        std::size_t module = 0;
        std::string name;
    };
    std::vector<Placed> keys;
    std::unordered_set<std::string> seen;
    const auto add = [&](const std::string& name) {
        if (!seen.insert(name).second)
            return;
        std::string_view owner = name;
        auto position = positions.end();
        while (position == positions.end() && !owner.empty()) { // the nearest module that is registered
            const std::size_t dot = owner.rfind('.');
            owner = dot == std::string_view::npos ? std::string_view{} : owner.substr(0, dot);
            position = positions.find(owner);
        }
        keys.push_back({position == positions.end() ? 0 : position->second, name});
    };
    for (const ExportInput& input : program.inputs) {
        if (isStateKey(input))
            add(input.target);
    }
    for (const CheckpointKey& key : weights.state->keys)
        add(key.name);
    std::stable_sort(keys.begin(), keys.end(), [](const Placed& a, const Placed& b) { return a.module < b.module; });
    std::vector<std::string> names;
    for (Placed& key : keys)
        names.push_back(std::move(key.name));
    return names;
}

/// Names that nodes and inputs give to values of the main graph.
std::unordered_set<std::string> namesInGraph(const ExportedProgram& program)
{
    std::unordered_set<std::string> names;
    for (const ExportNode& node : program.graph.nodes) {
        for (const ExportArgument& output : node.outputs)
            names.insert(output.values.begin(), output.values.end());
    }
    for (const ExportInput& input : program.inputs) {
        if (input.target.empty())
            names.insert(input.value);
    }
    return names;
}

const char* kindText(ExportInputKind kind)
{
    return kind == ExportInputKind::Parameter ? "PARAMETER"
        : kind == ExportInputKind::Buffer     ? "BUFFER"
                                              : "CONSTANT_TENSOR";
}

class WeightPlacer
{
public:
    WeightPlacer(const ExportedProgram& program, const ExportWeights& weights, Model& draft)
        : m_program(program)
        , m_weights(weights)
        , m_draft(draft)
        , m_taken(namesInGraph(program))
    {
        for (const auto* part : {weights.state.get(), weights.constants.get()}) {
            for (const CheckpointKey& key : part->keys)
                m_found.emplace(key.name, &part->tensors[key.tensor]);
        }
    }

    NamedValues place()
    {
        for (const std::string& name : stateKeys(m_program, m_weights))
            m_draft.keys.push_back({name, tensorOf(name)});
        NamedValues values;
        std::unordered_set<TensorId> shown;
        for (const ExportInput& input : m_program.inputs) {
            if (input.target.empty() || input.value.empty())
                continue;
            const TensorId tensor = tensorOf(input.target);
            shown.insert(tensor);
            values.emplace(input.value, valueOf(input, tensor));
        }
        for (const RecordedKey& key : m_draft.keys) {
            if (shown.insert(key.tensor).second)
                addValue(key.name, key.tensor, {});
        }
        if (m_missing > 0)
            m_draft.notes.push_back({"missing-weights",
                "the archive holds no values of " + std::to_string(m_missing) + " parameters or buffers",
                m_firstMissing});
        return values;
    }

private:
    TensorId tensorOf(const std::string& name)
    {
        const auto known = m_placed.find(name);
        if (known != m_placed.end())
            return known->second;
        const auto found = m_found.find(name);
        TensorId id;
        if (found != m_found.end())
            id = m_idOf.try_emplace(found->second, TensorId(m_draft.tensors.size())).first->second;
        if (!id.valid() || id.index == m_draft.tensors.size()) {
            id = TensorId(m_draft.tensors.size());
            m_draft.tensors.push_back(found == m_found.end() ? missing(name) : *found->second);
            m_draft.tensors.back().name = name;
            m_draft.initializers.push_back(id);
        }
        m_placed.emplace(name, id);
        return id;
    }

    Tensor missing(const std::string& name)
    {
        if (m_missing++ == 0)
            m_firstMissing = name;
        Tensor tensor;
        tensor.dims = {0};
        return tensor;
    }

    /// Several inputs may stand for one key.
    ValueId valueOf(const ExportInput& input, TensorId tensor)
    {
        const auto known = m_values.find(input.target);
        if (known != m_values.end())
            return known->second;
        const bool isTaken = m_taken.contains(input.target);
        const ValueId id = addValue(isTaken ? input.value : input.target, tensor, input.value);
        Metadata& metadata = m_draft.values[id.index].metadata;
        metadata.emplace_back(kKind, kindText(input.kind));
        if (input.kind == ExportInputKind::Buffer)
            metadata.emplace_back(kPersistent, input.isPersistent ? "True" : "False");
        metadata.emplace_back(kPlaceholder, input.value);
        m_values.emplace(input.target, id);
        return id;
    }

    ValueId addValue(const std::string& name, TensorId id, const std::string& placeholder)
    {
        const Tensor& tensor = m_draft.tensors[id.index];
        Value value;
        value.name = name;
        value.region = RegionId(0);
        value.initializer = id;
        if (const auto type = m_program.graph.types.find(placeholder); type != m_program.graph.types.end()) {
            value.type = type->second;
        } else {
            value.type.element = tensor.type;
            value.type.shape.emplace();
            for (const std::int64_t size : tensor.dims)
                value.type.shape->push_back({size, {}});
        }
        m_draft.values.push_back(std::move(value));
        return ValueId(m_draft.values.size() - 1);
    }

    const ExportedProgram& m_program;
    const ExportWeights& m_weights; // outlives the placer
    Model& m_draft;
    std::unordered_set<std::string> m_taken;
    std::unordered_map<std::string, const Tensor*> m_found; // by key, in the weights
    std::unordered_map<const Tensor*, TensorId> m_idOf;
    std::unordered_map<std::string, TensorId> m_placed;
    std::unordered_map<std::string, ValueId> m_values;
    std::size_t m_missing = 0;
    std::string m_firstMissing;
};

} // namespace

NamedValues placeWeights(const ExportedProgram& program, const ExportWeights& weights, Model& draft)
{
    return WeightPlacer(program, weights, draft).place();
}

} // namespace duo
