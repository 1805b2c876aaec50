// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/key_list.h"

#include "core/model/key_names.h"
#include "core/scope/facts/python_text.h"
#include "core/scope/parameters/aten_operators.h"
#include "core/scope/parameters/learned_tensors.h"
#include "core/scope/parameters/parameter_origins.h"
#include "core/support/digits.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace duo {
namespace {

bool isLeafOfParameters(std::string_view leaf)
{
    constexpr std::array<std::string_view, 18> kLeaves{"weight", "bias", "running_mean", "running_var", "weight_g",
        "weight_v", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "in_proj_weight", "in_proj_bias", "gamma", "beta",
        "moving_mean", "moving_variance", "kernel", "embeddings"};
    return std::ranges::find(kLeaves, leaf) != kLeaves.end();
}

/// "w_0", "b_1": PaddlePaddle numbers what a layer creates.
bool isPaddleLeaf(std::string_view leaf)
{
    return (leaf.starts_with("w_") || leaf.starts_with("b_")) && allDigits(leaf.substr(2));
}

/// "view_3", "scalar_tensor_default": what torch.export calls a result, as folding leaves it behind.
bool isResultName(std::string_view name)
{
    constexpr std::array<std::string_view, 12> kMakers{"arange", "full", "full_like", "zeros", "zeros_like", "ones",
        "ones_like", "scalar_tensor", "linspace", "tril", "triu", "matmul"};
    if (const std::size_t number = name.rfind('_');
        number != std::string_view::npos && allDigits(name.substr(number + 1)))
        name = name.substr(0, number);
    for (const std::string_view overload : {"_default", "_tensor", "_scalar", "_int"}) {
        if (name.ends_with(overload))
            name.remove_suffix(overload.size());
    }
    return std::ranges::find(kMakers, name) != kMakers.end() || atenPassesOn("aten." + std::string(name));
}

/// The same of a key that the grammar of another producer made of a name: operations, too, give constants their names.
NameSays keyEvidence(std::string_view key)
{
    constexpr std::array<std::string_view, 6> kLeaves{"weights", "biases", "offset", "scale", "mean", "variance"};
    if (key.find("ReadVariableOp") != std::string_view::npos)
        return NameSays::Parameter;
    std::string_view leaf = keyLeaf(key);
    leaf.remove_prefix(leaf.rfind('/') + 1); // of all of it where there is none
    const bool isTelling
        = isLeafOfParameters(leaf) || isPaddleLeaf(leaf) || std::ranges::find(kLeaves, leaf) != kLeaves.end();
    return isTelling ? NameSays::Parameter : NameSays::Perhaps;
}

/// PyTorch's exporters keep the names of parameters and number what they make themselves, so that most names are
/// telling; names of other producers tell only by a last part that parameters have.
NameSays nameEvidence(std::string_view name, Naming naming)
{
    const std::string_view key = nameBeforeTools(name);
    if (!isKeyName(key, naming))
        return NameSays::Nothing;
    const std::string_view leaf = keyLeaf(key);
    if (isLeafOfParameters(leaf))
        return NameSays::Parameter;
    const bool isAttribute = key.starts_with("self."); // as TorchScript's compiler calls what it reads
    const bool isResult = allDigits(leaf) || (keyOwner(key).empty() && isResultName(key));
    const bool isTelling = naming == Naming::PyTorch && !isAttribute && !isResult;
    return isTelling ? NameSays::Parameter : NameSays::Perhaps;
}

constexpr std::string_view kSignature = "pkg.torch.export.ExportedProgram.graph_signature";

Naming namingOf(const Model& model)
{
    return model.producerName == "pytorch" ? Naming::PyTorch : Naming::Unknown;
}

class KeyLister
{
public:
    KeyLister(const Model& model, const ProducerNames& names, ModulePaths& paths, Parameters& parameters)
        : m_model(model)
        , m_names(names)
        , m_paths(paths)
        , m_parameters(parameters)
    {
    }

    void addModelKeys()
    {
        std::unordered_map<TensorId, std::int32_t> firsts;
        for (const RecordedKey& recorded : m_model.keys) {
            const std::int32_t k = add(recorded.name, true);
            if (k == kNoKey || !recorded.tensor.valid())
                continue;
            m_parameters.key(k).tensor = recorded.tensor;
            m_parameters.join(k, firsts.try_emplace(recorded.tensor, k).first->second);
        }
    }

    /// @return whether there is a signature
    bool addSignature(Placeholders& placeholders)
    {
        const auto signature = parseGraphSignature(metadataValue(m_model.graphMetadata, kSignature));
        for (const SignatureEntry& entry : signature) {
            if (entry.isPersistent && isKeyName(entry.target, Naming::PyTorch))
                placeholders.emplace(entry.placeholder, add(entry.target, true));
        }
        return !signature.empty();
    }

    void addCheckpoint(const Checkpoint& checkpoint, const ContentMatches* matches)
    {
        const std::string_view prefix = matches != nullptr ? std::string_view(matches->prefix) : std::string_view{};
        const std::string_view modelPrefix
            = matches != nullptr ? std::string_view(matches->modelPrefix) : std::string_view{};
        std::unordered_map<std::uint32_t, std::int32_t> firsts;
        for (const CheckpointKey& stored : checkpoint.keys) {
            std::string_view rest = stored.name;
            if (rest.starts_with(prefix))
                rest.remove_prefix(prefix.size());
            const std::int32_t k = add(std::string(modelPrefix) + std::string(rest), false);
            m_parameters.ofStored.push_back(k);
            if (k == kNoKey)
                continue;
            Key& key = m_parameters.key(k);
            key.isListed = true;
            key.label = stored.name;
            key.stored = static_cast<std::int32_t>(stored.tensor);
            m_parameters.join(k, firsts.try_emplace(stored.tensor, k).first->second);
        }
    }

    /// @param isComplete a record lists all keys: other names are none
    void addTensors(bool isComplete)
    {
        std::vector<HeldTensor> held = heldTensors(m_model);
        const auto names = [&](std::string_view name) {
            if (m_parameters.find(nameBeforeTools(name)) != kNoKey)
                return NameSays::Recorded;
            if (isComplete)
                return NameSays::Nothing;
            const TensorName told = m_names.tensor(nameBeforeTools(name));
            if (told.isMade)
                return NameSays::Nothing;
            if (told.key)
                return told.isVariable ? NameSays::Parameter : keyEvidence(*told.key);
            return nameEvidence(name, namingOf(m_model));
        };
        m_parameters.isLearned = learnedTensors(m_model, held, {names, isComplete});
        m_parameters.keyOf.assign(m_model.tensors.size(), kNoKey);
        m_parameters.keys.reserve(m_parameters.keys.size() + held.size());
        m_parameters.index.reserve(m_parameters.keys.size() + held.size());
        std::vector<bool> isInitializer(m_model.tensors.size(), false);
        for (const TensorId id : m_model.initializers)
            isInitializer[id.index] = true;
        const auto others = std::ranges::stable_partition(
            held, [&](const HeldTensor& entry) { return isInitializer[entry.tensor.index]; });
        std::ranges::stable_sort(others, {}, &HeldTensor::name); // the order of nodes says nothing
        for (const HeldTensor& entry : held) {
            if (m_parameters.isLearned[entry.tensor.index])
                addTensor(entry, isComplete, isInitializer[entry.tensor.index]);
        }
    }

    /// TorchScript's exporter keeps one of several equal tensors and names the others through `Identity_<n>` nodes at
    /// the head of the graph; their outputs are keys. Nothing tells the order they were defined in.
    void addIdentityAliases()
    {
        std::vector<std::string_view> names;
        for (const NodeId id : m_model.mainGraph().nodes) {
            if (isIdentityAlias(m_model, m_model.node(id)))
                names.push_back(m_model.value(m_model.node(id).outputs[0]).name);
        }
        std::sort(names.begin(), names.end());
        for (const std::string_view name : names) {
            if (isKeyName(name, namingOf(m_model)))
                (void)add(name, false);
        }
    }

private:
    void addTensor(const HeldTensor& held, bool isComplete, bool isInitializer)
    {
        const std::string_view name = nameBeforeTools(held.name);
        if (!isComplete)
            addNamed(name);
        const std::int32_t key = m_parameters.find(name);
        if (key == kNoKey)
            return;
        m_parameters.keyOf[held.tensor.index] = key;
        m_parameters.key(key).isInitializer = m_parameters.key(key).isInitializer || isInitializer;
        if (TensorId& tensor = m_parameters.key(key).tensor; !tensor.valid()) // a body may hold it once more
            tensor = held.tensor;
    }

    /// The key that the name of a tensor tells of: by the grammar of whoever gave it, else the name itself.
    void addNamed(std::string_view name)
    {
        const TensorName told = m_names.tensor(name);
        if (told.isMade || m_parameters.find(name) != kNoKey)
            return;
        if (told.key) {
            if (const std::int32_t key = add(*told.key, false); key != kNoKey)
                m_parameters.index.emplace(name, key);
        } else if (isKeyName(name, namingOf(m_model))) {
            (void)add(name, false);
        }
    }

    /// The key of this name, made if it is new; kNoKey if the name cannot be one.
    std::int32_t add(std::string_view name, bool isRecorded)
    {
        if (!isKeyName(name, Naming::PyTorch))
            return kNoKey;
        const auto number = static_cast<std::int32_t>(m_parameters.keys.size());
        const auto [entry, isNew] = m_parameters.index.emplace(name, number);
        if (!isNew)
            return entry->second;
        Key key;
        key.name = name;
        key.label = name;
        key.owner = m_paths.intern(keyOwner(name));
        key.first = number;
        key.isRecorded = isRecorded;
        key.isListed = isRecorded;
        m_parameters.keys.push_back(std::move(key));
        return number;
    }

    const Model& m_model;
    const ProducerNames& m_names;
    ModulePaths& m_paths;
    Parameters& m_parameters;
};

} // namespace

Placeholders listKeys(const Model& model, const ScopeSources& sources, const ProducerNames& names, ModulePaths& paths,
    Parameters& parameters)
{
    Placeholders placeholders;
    KeyLister lister(model, names, paths, parameters);
    lister.addModelKeys();
    const bool hasSignature = lister.addSignature(placeholders);
    if (sources.checkpoint != nullptr)
        lister.addCheckpoint(*sources.checkpoint, sources.matches);
    const bool isComplete = hasSignature || !model.keys.empty();
    lister.addTensors(isComplete);
    if (!isComplete)
        lister.addIdentityAliases();
    return placeholders;
}

} // namespace duo
