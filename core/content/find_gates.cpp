// SPDX-License-Identifier: Apache-2.0
#include "core/content/searches.h"

#include "core/content/strided_compare.h"
#include "core/content/sum_index.h"
#include "core/content/telling.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace duo {
namespace {

struct GateLayout {
    std::size_t gates = 1;
    std::vector<int> usual; // PyTorch's block for each of ONNX's
};

std::optional<GateLayout> layoutOf(const Node& node)
{
    if (node.opType == "LSTM")
        return GateLayout{4, {0, 3, 1, 2}};
    if (node.opType == "GRU")
        return GateLayout{3, {1, 0, 2}};
    if (node.opType == "RNN")
        return GateLayout{1, {0}};
    return std::nullopt;
}

/// A weight [D, gates * H, X] or a bias [D, 2 * gates * H] of a recurrent node.
struct GatedTensor {
    std::size_t set = 0; // of Wanted
    GateLayout layout;
    std::vector<Tensor> pieces; // each from one key: per direction a weight, or the two biases
    std::uint32_t port = 1; // 1 W, 2 R, 3 B
    NodeId reader;
};

std::vector<Tensor> piecesOf(const Tensor& tensor, std::size_t count, std::size_t gates)
{
    std::vector<Tensor> pieces;
    const std::size_t bytes = tensor.bytes().size() / count;
    for (std::size_t i = 0; i < count; ++i) {
        Tensor piece;
        piece.type = tensor.type;
        piece.dims = {tensor.elements() / static_cast<std::int64_t>(count)};
        piece.data = {tensor.data.owner, tensor.bytes().subspan(i * bytes, bytes)};
        pieces.push_back(std::move(piece));
    }
    const bool isWhole = pieces.front().bytes().size() * count == tensor.bytes().size()
        && pieces.front().elements() % static_cast<std::int64_t>(gates) == 0;
    return isWhole ? pieces : std::vector<Tensor>{};
}

std::optional<GatedTensor> gatedTensor(const ContentSearch& search, std::size_t set)
{
    constexpr std::int64_t kMostDirections = 2;
    const WantedSet& wanted = search.wanted.sets[set];
    for (const std::uint32_t read : wanted.reads) {
        for (const TensorUse& use : search.wanted.reads[read].uses) {
            const auto layout = layoutOf(search.model.node(use.reader));
            const auto& dims = wanted.tensor->dims;
            if (!layout || use.port < 1 || use.port > 3 || dims.size() != (use.port == 3 ? 2U : 3U) || dims[0] < 1
                || dims[0] > kMostDirections || isFloating(wanted.tensor->type) == false)
                continue;
            GatedTensor gated{set, *layout, {}, use.port, use.reader};
            gated.pieces
                = piecesOf(*wanted.tensor, static_cast<std::size_t>(dims[0]) * (use.port == 3 ? 2 : 1), layout->gates);
            if (!gated.pieces.empty())
                return gated;
        }
    }
    return std::nullopt;
}

bool equalInOrder(const Tensor& stored, const Tensor& piece, const std::vector<int>& order, const JobContext& job)
{
    const std::size_t block = piece.bytes().size() / order.size();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto from = stored.bytes().subspan(static_cast<std::size_t>(order[i]) * block, block);
        if (!equalBytes(from, piece.bytes().subspan(i * block, block), job))
            return false;
    }
    return true;
}

/// The block of `stored` for each block of `piece`; the usual order first.
std::optional<std::vector<int>> gateOrder(
    const Tensor& stored, const Tensor& piece, const GateLayout& layout, const JobContext& job)
{
    if (equalInOrder(stored, piece, layout.usual, job))
        return layout.usual;
    std::vector<int> order(layout.gates);
    std::iota(order.begin(), order.end(), 0);
    do {
        if (equalInOrder(stored, piece, order, job))
            return order;
    } while (std::next_permutation(order.begin(), order.end()) && !job.stopped());
    return std::nullopt;
}

std::optional<Derivation> derivationOf(const ContentSearch& search, const SumIndex& index, const GatedTensor& gated)
{
    Derivation derivation;
    derivation.kind = MatchKind::ReorderedGates;
    derivation.how = "put together from";
    derivation.tells = true;
    for (const Tensor& piece : gated.pieces) {
        std::optional<std::vector<int>> order;
        for (const std::uint32_t stored : index.find(piece, search.job)) {
            order = gateOrder(search.stored.tensor(stored), piece, gated.layout, search.job);
            if (order) {
                derivation.parts.push_back(stored);
                break;
            }
        }
        if (!order)
            return std::nullopt;
        derivation.transform.gates = *order;
        derivation.tells = derivation.tells && isTelling(piece);
    }
    return derivation;
}

/// "bias_ih_l0" for "weight_ih_l0".
std::string biasLeaf(std::string_view weightLeaf)
{
    std::string leaf(weightLeaf);
    const std::size_t at = leaf.find("weight");
    return at == std::string::npos ? std::string() : leaf.replace(at, 6, "bias");
}

/// What the biases should be called by the names of the weights that the same node reads.
void nameBiases(const ContentSearch& search, const std::vector<GatedTensor>& all)
{
    std::map<std::pair<NodeId, std::uint32_t>, const Derivation*> weights;
    for (const GatedTensor& gated : all) {
        const auto& found = search.wanted.sets[gated.set].found;
        if (gated.port != 3 && !found.empty())
            weights[{gated.reader, gated.port}] = &found.back();
    }
    for (const GatedTensor& gated : all) {
        auto& found = search.wanted.sets[gated.set].found;
        const auto w = weights.find({gated.reader, 1});
        const auto r = weights.find({gated.reader, 2});
        if (gated.port != 3 || found.empty() || w == weights.end() || r == weights.end())
            continue;
        for (std::size_t d = 0; d < std::min(w->second->parts.size(), r->second->parts.size()); ++d) {
            for (const Derivation* weight : {w->second, r->second}) {
                const std::uint32_t key = search.stored.owners(weight->parts[d]).front();
                found.back().leaves.push_back(biasLeaf(search.names.leaf(key)));
            }
        }
        found.back().leaves.resize(found.back().parts.size());
    }
}

} // namespace

Status findGatesInPlace(ContentSearch& search)
{
    std::vector<GatedTensor> all;
    std::set<SizeKey> sizes;
    for (std::size_t s = 0; s < search.wanted.sets.size(); ++s) {
        auto gated = search.wanted.sets[s].isSettled() ? std::nullopt : gatedTensor(search, s);
        if (!gated)
            continue;
        sizes.emplace(gated->pieces.front().type, gated->pieces.front().elements());
        all.push_back(*std::move(gated));
    }
    DUO_TRY(index, SumIndex::of(search, sizes));
    DUO_CHECK(parallelFor(all.size(), search.threads, search.job, [&](std::size_t i) {
        if (auto derivation = derivationOf(search, index, all[i]))
            search.wanted.sets[all[i].set].found.push_back(*std::move(derivation));
        return success();
    }));
    nameBiases(search, all);
    return success();
}

} // namespace duo
