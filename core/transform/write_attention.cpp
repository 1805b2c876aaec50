// SPDX-License-Identifier: Apache-2.0
#include "core/transform/write_attention.h"

#include "core/model/half_floats.h"

#include <cmath>
#include <limits>

namespace duo {
namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t kTriluOpset = 14;

enum Port : std::uint8_t { Queries, Keys, Values, Mask, PastKeys, PastValues };

ElementType typeOf(const OlderForm& form, std::size_t port)
{
    return form.input(port).empty() ? ElementType::Undefined
                                    : form.model().value(form.node().inputs[port]).type.element;
}

struct Heads {
    bool areJoined = false; // inputs have three axes, all heads in the last one
    bool areEqual = false; // as many of queries as of keys and values
    std::int64_t ofQueries = 0; // 0: not known
    std::int64_t ofKeys = 0;
};

Heads headsOf(const OlderForm& form)
{
    Heads heads;
    heads.ofQueries = form.node().intAttribute("q_num_heads", 0);
    heads.ofKeys = form.node().intAttribute("kv_num_heads", 0);
    const auto rank = form.rank();
    heads.areJoined = rank ? *rank == 3 : heads.ofQueries > 0;
    const auto queries = form.size(Queries, 1, 4);
    const auto keys = form.size(Keys, 1, 4);
    if (!heads.areJoined) {
        heads.ofQueries = queries && queries->isKnown() ? queries->number : 0;
        heads.ofKeys = keys && keys->isKnown() ? keys->number : 0;
    }
    heads.areEqual = heads.areJoined ? heads.ofQueries == heads.ofKeys : queries && queries == keys;
    return heads;
}

/// An input with an axis for its heads.
std::string withHeads(OlderForm& form, std::size_t port, const Heads& heads)
{
    if (!heads.areJoined)
        return form.input(port);
    const std::int64_t count = port == Queries ? heads.ofQueries : heads.ofKeys;
    const std::string cut = form.add("Reshape", {form.input(port), form.ints("heads", {0, 0, count, -1})});
    return form.add("Transpose", {cut}, {{"perm", Ints{0, 2, 1, 3}}});
}

/// Keys or values behind those of before, which it gives as well.
std::string withPast(OlderForm& form, std::size_t port, std::size_t past, const Heads& heads)
{
    const std::string now = withHeads(form, port, heads);
    const std::size_t given = port; // present keys and values are outputs 1 and 2
    if (form.input(past).empty()) {
        if (form.hasOutput(given))
            form.give(given, "Identity", {now});
        return now;
    }
    const std::vector<Attribute> behind{{"axis", std::int64_t{2}}};
    if (!form.hasOutput(given))
        return form.add("Concat", {form.input(past), now}, behind);
    form.give(given, "Concat", {form.input(past), now}, behind);
    return form.model().value(form.node().outputs[given]).name;
}

/// Each head of keys for all heads of queries that share it.
std::string forAllHeads(OlderForm& form, const std::string& value, const Heads& heads)
{
    if (heads.areEqual)
        return value;
    Ints indices;
    for (std::int64_t head = 0; head < heads.ofQueries; ++head)
        indices.push_back(head / (heads.ofQueries / heads.ofKeys));
    return form.add("Gather", {value, form.ints("shared", indices)}, {{"axis", std::int64_t{1}}});
}

/// What scores are multiplied by; refused where it is not known.
double scaleOf(OlderForm& form, const Heads& heads)
{
    if (form.isSet("scale"))
        return form.node().floatAttribute("scale", 1);
    const auto width = heads.areJoined ? form.size(Queries, 2, 3) : form.size(Queries, 3, 4);
    if (!width || !width->isKnown() || width->number < 1 || (heads.areJoined && heads.ofQueries < 1)) {
        form.refuse("how wide its heads are is not known");
        return 1;
    }
    return 1 / std::sqrt(static_cast<double>(heads.areJoined ? width->number / heads.ofQueries : width->number));
}

double leastOf(ElementType type)
{
    return type == ElementType::Float16 ? -kLargestHalf : std::numeric_limits<float>::lowest();
}

/// Which keys a query sees of those that do not come later: a matrix of true and false.
std::string seenSoFar(OlderForm& form, const std::string& queries, const std::string& keys)
{
    if (form.opset() < kTriluOpset) {
        form.refuse("it masks what comes later, for which opset " + std::to_string(form.opset()) + " has no Trilu");
        return {};
    }
    const std::string length = form.ints("length", {2});
    const std::string rows = form.add("Gather", {form.add("Shape", {queries}), length});
    const std::string columns = form.add("Gather", {form.add("Shape", {keys}), length});
    const std::string size = form.add("Concat", {rows, columns}, {{"axis", std::int64_t{0}}});
    const std::string all = form.add("Expand", {form.scalar("one", 1), size});
    const std::string lower = form.add("Trilu", {all}, {{"upper", std::int64_t{0}}});
    return form.add("Cast", {lower}, {{"to", static_cast<std::int64_t>(ElementType::Bool)}});
}

/// The share that each key has in what a query gets.
std::string sharesOf(OlderForm& form, std::string scores, const std::string& queries, const std::string& keys)
{
    const bool isMasked = !form.input(Mask).empty();
    const bool isChosen = isMasked && typeOf(form, Mask) == ElementType::Bool;
    std::string seen = form.node().intAttribute("is_causal", 0) != 0 ? seenSoFar(form, queries, keys) : std::string();
    if (isChosen)
        seen = seen.empty() ? form.input(Mask) : form.add("And", {seen, form.input(Mask)});
    if (isMasked && !isChosen && typeOf(form, Mask) != typeOf(form, Queries))
        form.refuse("what type its mask has is not known, or another than its queries");
    if (isMasked && !isChosen)
        scores = form.add("Add", {scores, form.input(Mask)});
    if (!seen.empty())
        scores = form.add("Where", {seen, scores, form.scalar("least", leastOf(typeOf(form, Queries)))});
    const std::string shares = form.add("Softmax", {scores}, {{"axis", std::int64_t{-1}}});
    if (!isChosen)
        return shares;
    // Who sees nothing at all gets nothing, not the mean of everything.
    const auto type = static_cast<std::int64_t>(typeOf(form, Queries));
    return form.add("Mul", {shares, form.add("Cast", {seen}, {{"to", type}})});
}

void refuseWhatIsNotWritten(OlderForm& form, const Heads& heads)
{
    if (form.hasOutput(3))
        form.refuse("its scores are read");
    if (form.node().floatAttribute("softcap", 0) != 0)
        form.refuse("it caps scores");
    const std::int64_t precision = form.node().intAttribute("softmax_precision", 0);
    if (precision != 0 && precision != static_cast<std::int64_t>(typeOf(form, Queries)))
        form.refuse("its Softmax computes in another type");
    if (form.node().intAttribute("is_causal", 0) != 0 && !form.input(PastKeys).empty())
        form.refuse("it masks what comes later than what was before");
    const bool areTold = heads.ofQueries > 0 && heads.ofKeys > 0 && heads.ofQueries % heads.ofKeys == 0;
    if (!areTold && (heads.areJoined || !heads.areEqual))
        form.refuse("how many heads it has is not known");
}

} // namespace

void writeAttention(OlderForm& form)
{
    const Heads heads = headsOf(form);
    refuseWhatIsNotWritten(form, heads);
    const double scale = scaleOf(form, heads);
    if (form.refusal())
        return;
    const std::string queries = withHeads(form, Queries, heads);
    const std::string keys = forAllHeads(form, withPast(form, Keys, PastKeys, heads), heads);
    const std::string values = forAllHeads(form, withPast(form, Values, PastValues, heads), heads);
    const std::string turned = form.add("Transpose", {keys}, {{"perm", Ints{0, 1, 3, 2}}});
    const std::string products = form.add("MatMul", {queries, turned});
    const std::string scores = form.add("Mul", {products, form.scalar("scale", scale)});
    const std::string shares = sharesOf(form, scores, queries, keys);
    if (!heads.areJoined)
        return form.end("MatMul", {shares, values});
    const std::string seen = form.add("MatMul", {shares, values});
    const std::string back = form.add("Transpose", {seen}, {{"perm", Ints{0, 2, 1, 3}}});
    form.end("Reshape", {back, form.ints("joined", {0, 0, -1})});
}

void writeGemm(OlderForm& form)
{
    const auto turned = [&](std::size_t port, const char* attribute) {
        const bool isTurned = form.node().intAttribute(attribute, 0) != 0;
        return isTurned ? form.add("Transpose", {form.input(port)}, {{"perm", Ints{1, 0}}}) : form.input(port);
    };
    const float alpha = form.node().floatAttribute("alpha", 1);
    const float beta = form.node().floatAttribute("beta", 1);
    const std::vector<std::string> factors{turned(0, "transA"), turned(1, "transB")};
    const bool isSum = !form.input(2).empty() && beta != 0;
    if (!isSum && alpha == 1)
        return form.end("MatMul", factors);
    std::string product = form.add("MatMul", factors);
    if (!isSum)
        return form.end("Mul", {product, form.scalar("alpha", alpha)});
    if (alpha != 1)
        product = form.add("Mul", {product, form.scalar("alpha", alpha)});
    const std::string addend = beta == 1 ? form.input(2) : form.add("Mul", {form.input(2), form.scalar("beta", beta)});
    form.end("Add", {product, addend});
}

} // namespace duo
