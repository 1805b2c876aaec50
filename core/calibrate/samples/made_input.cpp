// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/made_input.h"

#include "core/calibrate/samples/name_words.h"
#include "core/calibrate/samples/value_readers.h"
#include "core/model/op_facts.h"
#include "core/support/digits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace duo {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

/// "past + 1" in its parts, where all the names in it are dimensions of their own; else nothing.
std::optional<SizeSum> sumOf(std::string_view text, const std::set<std::string>& names)
{
    SizeSum sum;
    for (bool isLast = false; !isLast;) {
        const std::size_t plus = text.find('+');
        isLast = plus == std::string_view::npos;
        const std::string_view part = trimmed(text.substr(0, plus));
        if (const auto number = wholeNumber<std::int64_t>(part); number && *number >= 0)
            sum.fixed += *number;
        else if (names.contains(std::string(part)))
            sum.names.emplace_back(part);
        else
            return std::nullopt;
        if (!isLast)
            text.remove_prefix(plus + 1);
    }
    return sum;
}

/// The state ports of the recurrent operators.
bool entersRecurrence(const Model& model, const std::vector<Use>& readers, std::uint32_t first, std::uint32_t last)
{
    return std::ranges::any_of(readers, [&](const Use& use) {
        const std::string& type = model.node(use.node).opType;
        return opFacts(type).product == Product::Recurrent && use.port >= first && use.port <= last;
    });
}

bool isStateName(const std::string& name)
{
    const NameWords words(name);
    if (words.has({"encoder", "mask"}) && !words.has("past"))
        return false;
    if (words.has({"states"}))
        return !words.has("hidden") && !words.has("encoder");
    return words.has({"state", "cache", "caches", "past", "carry", "kv"}) || words.isOnly({"h", "c", "hx", "cx"})
        || words.isOnly({"hidden", "cell", "mems"});
}

/// How the next value of an input is called: "hn" of "h", "stateN", "cache_out", "new_cache", "present" of "past".
bool isNextName(const std::string& output, const std::string& input)
{
    static constexpr std::array<std::string_view, 10> kEnds{
        "n", "N", "_n", "_out", "_new", "_next", "_o", "Out", "_output", "out"};
    static constexpr std::array<std::string_view, 5> kStarts{"new_", "next_", "out_", "updated_", "output_"};
    static constexpr std::array<std::array<std::string_view, 2>, 6> kWords{{{"past_key_values", "present"},
        {"past_key_values", "present_key_values"}, {"past", "present"}, {"_in", "_out"}, {"in_", "out_"}, {"0", "N"}}};
    const auto is = [&](const std::string& expected) { return output == expected; };
    const auto replaced = [&](const std::array<std::string_view, 2>& words) {
        const std::size_t at = input.find(words[0]);
        return at != std::string::npos && is(std::string(input).replace(at, words[0].size(), words[1]));
    };
    return std::ranges::any_of(kEnds, [&](std::string_view end) { return is(input + std::string(end)); })
        || std::ranges::any_of(kStarts, [&](std::string_view start) { return is(std::string(start) + input); })
        || std::ranges::any_of(kWords, replaced)
        || (input.ends_with('0') && is(input.substr(0, input.size() - 1) + "n"));
}

bool couldBeFedBack(const Value& output, const ModelInput& input)
{
    const auto& shape = output.type.shape;
    const bool isOfType = output.type.element == input.type || output.type.element == ElementType::Undefined;
    if (!isOfType || !shape || !input.shape || shape->size() != input.shape->size())
        return isOfType && !shape;
    for (std::size_t axis = 0; axis < shape->size(); ++axis) {
        const auto given = (*shape)[axis].size;
        const auto wanted = (*input.shape)[axis].size;
        if (given && wanted && *given != *wanted)
            return false;
    }
    return true;
}

class Maker
{
public:
    Maker(const Model& model, const std::vector<ModelInput>& inputs)
        : m_model(model)
        , m_inputs(inputs)
        , m_next(nextStates(model, inputs))
    {
        for (const ModelInput& input : inputs) {
            for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
                const std::string name = dimName(input, axis);
                if (!(*input.shape)[axis].size && name.find('+') == std::string::npos)
                    m_names.insert(name);
            }
        }
    }

    std::vector<MadeInput> make()
    {
        std::vector<MadeInput> made;
        for (const ModelInput& input : m_inputs)
            made.push_back(withSizes(input));
        for (std::size_t i = 0; i < made.size(); ++i)
            fill(made[i], m_inputs[i]);
        const std::optional<SizeSum> past = pastOf(made);
        const std::optional<SizeSum> tokens = tokensOf(made);
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (past && tokens)
                fitMask(made[i], *past, *tokens);
            if (made[i].filling == Filling::Positions)
                made[i].amount = past.value_or(SizeSum{});
            if (made[i].filling == Filling::Lengths)
                made[i].amount = lengthFor(m_inputs[i], made);
            if (made[i].filling == Filling::ImageSize)
                made[i].image = imageSize(made);
        }
        return made;
    }

private:
    MadeInput withSizes(const ModelInput& input) const
    {
        MadeInput made;
        made.name = input.name;
        made.type = input.type;
        for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
            const Dim& dim = (*input.shape)[axis];
            const std::string name = dimName(input, axis);
            if (dim.size)
                made.dims.push_back({*dim.size});
            else
                made.dims.push_back(sumOf(name, m_names).value_or(SizeSum{0, {name}}));
        }
        return made;
    }

    void fill(MadeInput& made, const ModelInput& input) const
    {
        const NameWords words(input.name);
        const auto readers = readersBehindMoves(m_model, input.value);
        if (isFloating(input.type)) {
            made.isState
                = entersRecurrence(m_model, readers, 5, 6) || isStateName(input.name) || m_next.contains(input.name);
            if (made.isState)
                made.filling = Filling::Zeros;
            else if (words.has({"mask", "masks"}) && made.dims.size() < 4)
                made.filling = Filling::Ones;
            else if (words.has({"im", "image", "orig", "target"}) && words.has({"shape", "size", "sizes"}))
                made.filling = Filling::ImageSize;
            else if (made.dims.size() < 2 && words.has({"speed", "temperature", "scale", "scales"}))
                made.filling = Filling::Ones;
            else if (words.has("scale") && words.has("factor"))
                made.filling = Filling::Ones;
            return;
        }
        if (const auto limit = gatherLimit(m_model, input.value))
            made.rows = std::max<std::int64_t>(1, *limit);
        fillIntegers(made, input, words, readers);
    }

    void fillIntegers(
        MadeInput& made, const ModelInput& input, const NameWords& words, const std::vector<Use>& readers) const
    {
        const bool isSingle
            = std::ranges::all_of(made.dims, [](const SizeSum& dim) { return dim.names.empty() && dim.fixed == 1; });
        const auto compared = isSingle ? comparedConstants(m_model, input.value) : std::vector<std::int64_t>();
        if (words.has({"mask", "masks"}))
            made.filling
                = words.has({"padding", "pad"}) && input.type == ElementType::Bool ? Filling::Zeros : Filling::Ones;
        else if (words.has({"type", "types", "segment", "segments"}))
            made.filling = Filling::Zeros;
        else if (words.has({"position", "positions", "pos"}))
            made.filling = Filling::Positions;
        else if (entersRecurrence(m_model, readers, 4, 4)
            || (made.dims.size() < 2 && words.has({"length", "lengths", "len", "lens"})))
            made.filling = Filling::Lengths;
        else if (words.has({"im", "image", "orig", "target"}) && words.has({"shape", "size", "sizes"}))
            made.filling = Filling::ImageSize;
        else if (!compared.empty())
            setConstant(made, compared.back());
        else if (isSingle && (words.isOnly({"sr", "fs"}) || (words.has({"sample", "sampling"}) && words.has("rate"))))
            setConstant(made, 16000);
    }

    static void setConstant(MadeInput& made, std::int64_t constant)
    {
        made.filling = Filling::Constant;
        made.constant = constant;
    }

    /// The length of what past_key_values hold: the last symbolic dimension of such a state of rank 3 or more, but not
    /// its first.
    [[nodiscard]] static std::optional<SizeSum> pastOf(const std::vector<MadeInput>& made)
    {
        for (const MadeInput& input : made) {
            if (!input.isState || !NameWords(input.name).has({"past", "kv", "cache"}))
                continue;
            for (std::size_t axis = input.dims.size(); axis-- > 1;) {
                if (!input.dims[axis].names.empty())
                    return input.dims[axis];
            }
        }
        return std::nullopt;
    }

    /// The length of the tokens fed.
    [[nodiscard]] static std::optional<SizeSum> tokensOf(const std::vector<MadeInput>& made)
    {
        for (const MadeInput& input : made) {
            const bool isIds = !isFloating(input.type) && input.filling == Filling::Random && input.dims.size() == 2;
            const bool isEmbedding = isFloating(input.type) && !input.isState && input.dims.size() == 3;
            if (isIds || isEmbedding)
                return input.dims[1];
        }
        return std::nullopt;
    }

    /// A mask covers what is past and what is fed, unless its size is that of the tokens.
    void fitMask(MadeInput& made, const SizeSum& past, const SizeSum& tokens) const
    {
        if (made.filling != Filling::Ones || made.dims.size() < 2 || !NameWords(made.name).has({"mask", "masks"}))
            return;
        SizeSum& covered = made.dims.back();
        const bool isOwn = covered.fixed == 0 && covered.names.size() == 1 && covered.names != tokens.names
            && covered.names != past.names;
        if (!isOwn)
            return;
        covered = past;
        covered.fixed += tokens.fixed;
        covered.names.insert(covered.names.end(), tokens.names.begin(), tokens.names.end());
    }

    /// Of the input whose name shares a word with the lengths' own, else of the first that has a sequence.
    [[nodiscard]] SizeSum lengthFor(const ModelInput& lengths, const std::vector<MadeInput>& made) const
    {
        const NameWords own(lengths.name);
        const SizeSum* found = nullptr;
        for (const MadeInput& input : made) {
            if (input.name == lengths.name || input.isState || input.dims.size() < 2)
                continue;
            const NameWords words(input.name);
            const bool isNamed = std::ranges::any_of(
                own.words(), [&](const std::string& word) { return words.has(std::string_view(word)); });
            if (found == nullptr || isNamed)
                found = &sequenceOf(input);
            if (isNamed)
                break;
        }
        return found == nullptr ? SizeSum{1} : *found;
    }

    static const SizeSum& sequenceOf(const MadeInput& input)
    {
        for (std::size_t axis = 1; axis < input.dims.size(); ++axis) {
            if (!input.dims[axis].names.empty())
                return input.dims[axis];
        }
        return input.dims[1];
    }

    [[nodiscard]] static std::vector<SizeSum> imageSize(const std::vector<MadeInput>& made)
    {
        for (const MadeInput& input : made) {
            if (input.dims.size() != 4)
                continue;
            const bool isLast = input.dims[3].names.empty() && input.dims[3].fixed <= 4;
            return isLast ? std::vector<SizeSum>{input.dims[1], input.dims[2]}
                          : std::vector<SizeSum>{input.dims[2], input.dims[3]};
        }
        return {{64}, {64}};
    }

    const Model& m_model;
    const std::vector<ModelInput>& m_inputs;
    std::map<std::string, std::string> m_next;
    std::set<std::string> m_names; // of dimensions
};

} // namespace

std::string dimName(const ModelInput& input, std::size_t axis)
{
    const std::string& symbol = (*input.shape)[axis].symbol;
    const bool isName = !symbol.empty() && symbol != "?" && symbol != "None" && !wholeNumber<std::int64_t>(symbol);
    return isName ? symbol : input.name + "[" + std::to_string(axis) + "]";
}

std::int64_t SizeSum::at(const Sizes& sizes) const
{
    std::int64_t sum = fixed;
    for (const std::string& name : names) {
        const auto found = sizes.find(name);
        sum += found == sizes.end() ? 1 : found->second;
    }
    return sum;
}

std::vector<std::int64_t> MadeInput::dimsAt(const Sizes& sizes) const
{
    std::vector<std::int64_t> out;
    for (const SizeSum& dim : dims)
        out.push_back(dim.at(sizes));
    return out;
}

HostTensor MadeInput::tensor(const Sizes& sizes, const std::array<std::uint64_t, 3>& key) const
{
    const auto shape = dimsAt(sizes);
    const auto each = [&](const auto& number) { return filledTensor(name, type, shape, number); };
    switch (filling) {
    case Filling::Random:
        return RandomFill{name, type, shape, rows.value_or(2)}.tensor(key);
    case Filling::Zeros:
        return each([](std::int64_t) { return std::int64_t{0}; });
    case Filling::Ones:
        return each([](std::int64_t) { return std::int64_t{1}; });
    case Filling::Positions: {
        const std::int64_t row = shape.empty() ? 1 : std::max<std::int64_t>(1, shape.back());
        const std::int64_t first = amount.at(sizes);
        return each([&](std::int64_t i) { return rows ? (first + i % row) % *rows : first + i % row; });
    }
    case Filling::Lengths:
        return each([length = amount.at(sizes)](std::int64_t) { return length; });
    case Filling::Constant:
        return each([this](std::int64_t) { return constant; });
    case Filling::ImageSize:
        return each([&](std::int64_t i) { return image[static_cast<std::size_t>(i) % image.size()].at(sizes); });
    }
    return each([](std::int64_t) { return std::int64_t{0}; });
}

std::vector<MadeInput> madeInputs(const Model& model, const std::vector<ModelInput>& inputs)
{
    std::vector<ModelInput> ranked = inputs;
    for (ModelInput& input : ranked)
        input.shape = input.shape.value_or(std::vector<Dim>{});
    return Maker(model, ranked).make();
}

std::map<std::string, std::string> nextStates(const Model& model, const std::vector<ModelInput>& inputs)
{
    std::map<std::string, std::string> next;
    std::set<std::string> taken;
    for (const ModelInput& input : inputs) {
        for (const ValueId id : model.mainGraph().outputs) {
            const Value& output = model.value(id);
            if (!taken.contains(output.name) && isNextName(output.name, input.name) && couldBeFedBack(output, input)) {
                next.emplace(input.name, output.name);
                taken.insert(output.name);
                break;
            }
        }
    }
    return next;
}

} // namespace duo
