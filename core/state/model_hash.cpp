// SPDX-License-Identifier: Apache-2.0
#include "core/state/model_hash.h"

#include "core/onnx/external_files.h"
#include "core/onnx/reader.h"
#include "core/state/node_digest.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kPiece = std::size_t{8} << 20U; // between two looks at the stop token

std::vector<TensorId> initializersByName(const Model& model)
{
    std::vector<TensorId> ids;
    for (const Value& value : model.values) {
        if (value.initializer.valid())
            ids.push_back(value.initializer);
    }
    std::sort(ids.begin(), ids.end(), [&](TensorId a, TensorId b) {
        const int order = model.tensor(a).name.compare(model.tensor(b).name);
        return order != 0 ? order < 0 : a < b;
    });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

class GraphHasher
{
public:
    explicit GraphHasher(const Model& model)
        : m_model(model)
        , m_number(model.values.size(), -1)
    {
    }

    std::string hash()
    {
        for (const auto& [domain, version] : m_model.opsets) {
            m_digest.add(domain);
            m_digest.add(version);
        }
        addInterface();
        for (const NodeId id : m_model.order)
            addNode(m_model.node(id));
        for (const ValueId id : m_model.mainGraph().outputs)
            addValue(id);
        return m_digest.text();
    }

private:
    void addInterface()
    {
        for (const ValueId id : m_model.mainGraph().inputs) {
            m_digest.add(m_model.value(id).name);
            addType(m_model.value(id).type);
            numberOf(id);
        }
        for (const ValueId id : m_model.mainGraph().outputs)
            m_digest.add(m_model.value(id).name);
        for (const TensorId id : initializersByName(m_model)) {
            const Tensor& tensor = m_model.tensor(id);
            m_digest.add(tensor.name);
            addShape(m_digest, tensor);
        }
    }

    void addType(const ValueType& type)
    {
        m_digest.add(static_cast<std::int64_t>(type.element));
        m_digest.add(type.shape ? static_cast<std::int64_t>(type.shape->size()) : -1);
        for (const Dim& dim : type.shape.value_or(std::vector<Dim>{}))
            m_digest.add(dim.size.value_or(-1)); // a symbol's name does not count
    }

    void addNode(const Node& node)
    {
        m_digest.add(node.opType);
        m_digest.add(node.domain);
        m_digest.add(static_cast<std::int64_t>(node.region.index));
        addAttributes(m_digest, m_model, node);
        m_digest.add(static_cast<std::int64_t>(node.inputs.size()));
        for (const ValueId id : node.inputs)
            addValue(id);
        m_digest.add(static_cast<std::int64_t>(node.outputs.size()));
        for (const ValueId id : node.outputs)
            addValue(id);
    }

    /// Values by the order in which they appear: names of inner values do not count.
    void addValue(ValueId id)
    {
        if (!id.valid())
            return m_digest.add(std::int64_t{-1});
        if (m_model.value(id).initializer.valid())
            m_digest.add(m_model.value(id).name);
        m_digest.add(numberOf(id));
    }

    std::int64_t numberOf(ValueId id)
    {
        std::int64_t& number = m_number[id.index];
        if (number < 0)
            number = m_next++;
        return number;
    }

    const Model& m_model;
    Digest m_digest;
    std::vector<std::int64_t> m_number; // [values]
    std::int64_t m_next = 0;
};

Result<std::string> hashWeights(const Model& model, const JobContext& job)
{
    Digest digest;
    for (const TensorId id : initializersByName(model)) {
        auto rest = model.tensor(id).bytes();
        digest.add(static_cast<std::int64_t>(rest.size()));
        while (!rest.empty()) {
            if (job.stopped())
                return cancelledError();
            const auto piece = rest.first(std::min(rest.size(), kPiece));
            digest.add(piece);
            rest = rest.subspan(piece.size());
        }
    }
    return digest.text();
}

} // namespace

Result<ModelHashes> hashModel(const Model& model, const JobContext& job)
{
    const Model& inFile = modelInFile(model);
    DUO_TRY(weights, hashWeights(inFile, job));
    dropPages(inFile); // all of them, of which few are needed soon
    return ModelHashes{GraphHasher(inFile).hash(), std::move(weights)};
}

std::string textHash(std::string_view text)
{
    Digest digest;
    digest.add(text);
    return digest.text();
}

std::string nodesHash(const Model& model, const std::function<std::string_view(std::uint32_t)>& wordOf)
{
    std::string text;
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i) {
        text += model.nodes[i].name;
        text += '\n';
        text += wordOf(i);
        text += '\n';
    }
    return textHash(text);
}

bool isHash(std::string_view text)
{
    constexpr std::string_view kPrefix = "xxh3-128:";
    constexpr std::size_t kDigits = 32;
    return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kDigits
        && text.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

} // namespace duo
