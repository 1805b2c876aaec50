// SPDX-License-Identifier: Apache-2.0
#include "core/search/search_query.h"

#include "core/quantize/points/compressed.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace duo {
namespace {

/// What stands in front of a pattern that is looked for anywhere.
constexpr std::string_view kAnywhere = "(?s:.*?)(?i:";

bool isPlain(std::string_view text)
{
    return std::ranges::all_of(text, [](char letter) { return static_cast<unsigned char>(letter) < 0x80U; });
}

char folded(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string foldedText(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), folded);
    return result;
}

/// @param word folded. Names are asked by the ten thousand: nothing is copied.
bool contains(std::string_view text, std::string_view word)
{
    if (word.size() > text.size())
        return false;
    const std::size_t last = text.size() - word.size();
    for (std::size_t i = 0; i <= last; ++i) {
        std::size_t same = 0;
        while (same < word.size() && folded(text[i + same]) == word[same])
            ++same;
        if (same == word.size())
            return true;
    }
    return word.empty();
}

bool equals(std::string_view text, std::string_view word)
{
    return std::ranges::equal(text, word, [](char a, char b) { return folded(a) == b; });
}

/// A word of any letters as a pattern.
std::string escaped(std::string_view word)
{
    std::string pattern;
    for (const char letter : word) {
        const bool isPunctuation = static_cast<unsigned char>(letter) < 0x80U
            && std::string_view("\\^$.|?*+()[]{}#&-~ \t").find(letter) != std::string_view::npos;
        if (isPunctuation)
            pattern += '\\';
        pattern += letter;
    }
    return pattern;
}

std::string statesText()
{
    std::string text;
    for (int state = 0; state <= static_cast<int>(NodeState::WeightOnly); ++state)
        text += (text.empty() ? "" : ", ") + std::string(nodeStateText(static_cast<NodeState>(state)));
    return text + ", " + std::string(kQuantizerWord)
        + ", or float for all but those that are quantized, fused or weight-only";
}

constexpr std::string_view kFloat = "float"; // what the status bar counts

bool staysFloat(const Decision& decision)
{
    return !isCompressed(decision.state) && !isFileQuantizer(decision);
}

bool isStateText(std::string_view part)
{
    if (kFloat.starts_with(part) || contains(kQuantizerWord, part))
        return true;
    for (int state = 0; state <= static_cast<int>(NodeState::WeightOnly); ++state) {
        if (contains(nodeStateText(static_cast<NodeState>(state)), part))
            return true;
    }
    return false;
}

/// @param text folded
bool isState(const Decision& decision, std::string_view text, bool isWhole)
{
    if (staysFloat(decision) && (isWhole ? text == kFloat : !text.empty() && kFloat.starts_with(text)))
        return true;
    return isWhole ? equals(decisionWord(decision), text) : contains(decisionWord(decision), text);
}

struct Word {
    std::string text;
    bool isQuoted = false; // the value of it
};

/// Cut at spaces that are in no quotes; the quotes are gone.
std::vector<Word> wordsOf(std::string_view text)
{
    std::vector<Word> words;
    Word word;
    bool isInside = false;
    const auto end = [&] {
        if (!word.text.empty())
            words.push_back(std::exchange(word, {}));
        word = {};
    };
    for (const char letter : text) {
        if (letter == '"') {
            isInside = !isInside;
            word.isQuoted = true;
        } else if (letter == ' ' && !isInside) {
            end();
        } else {
            word.text += letter;
        }
    }
    end();
    return words;
}

/// "1x64", "[1, 64]" -> "1", "64"
std::vector<std::string> dimsOf(std::string_view text)
{
    const char separator = text.find(',') == std::string_view::npos ? 'x' : ',';
    std::vector<std::string> dims(1);
    for (const char letter : text) {
        if (letter == separator)
            dims.emplace_back();
        else if (letter != '[' && letter != ']' && letter != ' ')
            dims.back() += letter;
    }
    if (dims.back().empty()) // "1x": being written
        dims.pop_back();
    return dims;
}

std::string_view behindLast(std::string_view text, char separator)
{
    const auto at = text.rfind(separator);
    return at == std::string_view::npos || at + 1 == text.size() ? text : text.substr(at + 1);
}

} // namespace

SearchSubject nodeSubject(
    const Model& model, const Scopes& scopes, const Decisions* decisions, NodeId id, const ValueTypes* types)
{
    const Node& node = model.node(id);
    const NodeScope& scope = scopes.nodes[id.index];
    SearchSubject subject;
    subject.model = &model;
    subject.types = types != nullptr && types->types.size() == model.values.size() ? types : nullptr; // of this model
    subject.node = id;
    subject.lines.reserve(3 + node.outputs.size() + scope.storage.size() + scope.keys.size());
    subject.lines.push_back({SearchField::Name, node.name, behindLast(node.name, '/')});
    subject.lines.push_back({SearchField::Type, node.opType, node.opType});
    for (const ValueId output : node.outputs) {
        if (output.valid())
            subject.lines.push_back(
                {SearchField::Name, model.value(output).name, behindLast(model.value(output).name, '/')});
    }
    subject.lines.push_back({SearchField::Scope, scope.execution, {}});
    for (const std::string& owner : scope.storage)
        subject.lines.push_back({SearchField::Scope, owner, {}});
    for (const std::string& key : scope.keys)
        subject.lines.push_back({SearchField::Parameter, key, behindLast(key, '.')});
    if (decisions != nullptr)
        subject.decision = &(*decisions)[id.index];
    return subject;
}

SearchSubject scopeSubject(const Scope& scope)
{
    SearchSubject subject;
    subject.lines.push_back({SearchField::Scope, scope.path, scope.name});
    if (!scope.className.empty())
        subject.lines.push_back({SearchField::Class, scope.className, scope.className});
    if (scope.totalNodes == 0) {
        for (const std::string& key : scope.keys)
            subject.lines.push_back({SearchField::Parameter, key, behindLast(key, '.')});
    }
    return subject;
}

SearchSubject tensorSubject(std::string_view name)
{
    SearchSubject subject;
    subject.lines.push_back({SearchField::Parameter, name, behindLast(name, '.')});
    return subject;
}

std::optional<std::string> SearchQuery::addTerm(SearchQuery& query, std::string_view word, bool isQuoted)
{
    static constexpr auto kFields = std::to_array<std::pair<std::string_view, Kind>>(
        {{"name:", Kind::Name}, {"type:", Kind::Type}, {"scope:", Kind::Scope}, {"parameter:", Kind::Parameter},
            {"shape:", Kind::Shape}, {"state:", Kind::State}, {"re:", Kind::Any}});
    Term term;
    term.isWhole = isQuoted;
    if (word.size() > 1 && word.front() == '-') {
        term.isNegated = true;
        word.remove_prefix(1);
    }
    for (const auto& [field, kind] : kFields) {
        if (!word.starts_with(field))
            continue;
        word.remove_prefix(field.size());
        term.kind = kind;
        term.isPattern = field == "re:";
        break;
    }
    if (word.empty())
        return std::nullopt;
    term.text = term.isPattern ? std::string(word) : foldedText(word);
    if (auto problem = prepare(term))
        return problem;
    query.m_terms.push_back(std::move(term));
    return std::nullopt;
}

std::optional<std::string> SearchQuery::prepare(Term& term)
{
    if (term.kind == Kind::State && !isStateText(term.text))
        return "there is no state " + inQuotes(term.text) + "; states are " + statesText();
    if (term.kind == Kind::Shape) {
        for (std::string& part : dimsOf(term.text)) {
            Dimension dimension;
            std::int64_t size = 0;
            const auto read = std::from_chars(part.data(), part.data() + part.size(), size);
            if (read.ec == std::errc() && read.ptr == part.data() + part.size())
                dimension.size = size;
            else
                dimension.symbol = part == "?" ? "*" : std::move(part);
            term.dims.push_back(std::move(dimension));
        }
        return std::nullopt;
    }
    if (!term.isPattern && isPlain(term.text))
        return std::nullopt;
    std::string pattern = term.isPattern ? term.text : escaped(term.text);
    auto compiled = Pattern::compile(pattern); // as it was written: problems are told of that
    if (std::holds_alternative<Pattern>(compiled)) {
        const bool isWholeWord = term.isWhole && !term.isPattern;
        pattern = isWholeWord ? "(?i:" + pattern + ")\\Z" : std::string(kAnywhere) + pattern + ")";
        compiled = Pattern::compile(pattern);
    }
    if (const auto* problem = std::get_if<PatternProblem>(&compiled))
        return "the pattern is not valid at " + std::to_string(problem->position) + ": " + problem->text;
    term.pattern = std::get<Pattern>(std::move(compiled));
    return std::nullopt;
}

std::variant<SearchQuery, std::string> SearchQuery::parse(std::string_view text)
{
    SearchQuery query;
    for (const Word& word : wordsOf(text)) {
        if (auto problem = addTerm(query, word.text, word.isQuoted))
            return *std::move(problem);
    }
    return query;
}

std::variant<SearchQuery, std::string> SearchQuery::ofPattern(std::string_view pattern)
{
    SearchQuery query;
    if (pattern.empty())
        return query;
    Term term;
    term.isPattern = true;
    term.text = pattern;
    if (auto problem = prepare(term))
        return *std::move(problem);
    query.m_terms.push_back(std::move(term));
    return query;
}

bool SearchQuery::operator==(const SearchQuery& other) const
{
    return std::ranges::equal(m_terms, other.m_terms, [](const Term& a, const Term& b) {
        return a.kind == b.kind && a.isWhole == b.isWhole && a.isNegated == b.isNegated && a.isPattern == b.isPattern
            && a.text == b.text;
    });
}

bool SearchQuery::findsScopes() const
{
    const bool asksText = std::ranges::any_of(m_terms,
        [](const Term& term) { return !term.isNegated && (term.kind == Kind::Any || term.kind == Kind::Scope); });
    return asksText && std::ranges::none_of(m_terms, [](const Term& term) { return !term.isText(); });
}

bool SearchQuery::asksForStates() const
{
    return std::ranges::any_of(m_terms, [](const Term& term) { return term.kind == Kind::State; });
}

bool SearchQuery::asksForShapes() const
{
    return std::ranges::any_of(m_terms, [](const Term& term) { return term.kind == Kind::Shape; });
}

bool SearchQuery::reads(const Term& term, const SearchLine& line)
{
    switch (term.kind) {
    case Kind::Any:
        return true;
    case Kind::Name:
        return line.field == SearchField::Name;
    case Kind::Type:
        return line.field == SearchField::Type;
    case Kind::Scope:
        return line.field == SearchField::Scope;
    case Kind::Parameter:
        return line.field == SearchField::Parameter;
    case Kind::Shape:
    case Kind::State:
        return false;
    }
    return false;
}

Pattern::Outcome SearchQuery::find(const Term& term, std::string_view text)
{
    if (term.pattern)
        return term.pattern->match(text);
    const bool isThere = term.isWhole ? equals(text, term.text) : contains(text, term.text);
    return isThere ? Pattern::Outcome::Match : Pattern::Outcome::NoMatch;
}

SearchOutcome SearchQuery::inLines(const Term& term, const SearchSubject& subject)
{
    SearchOutcome outcome = SearchOutcome::NoMatch;
    for (const SearchLine& line : subject.lines) {
        if (!reads(term, line))
            continue;
        Pattern::Outcome found = find(term, line.text);
        if (found != Pattern::Outcome::Match && (term.isWhole || term.isPattern) && line.own.size() < line.text.size()
            && !line.own.empty())
            found = find(term, line.own); // "^conv1$" is the name of a scope, wherever it lies
        if (found == Pattern::Outcome::Match)
            return SearchOutcome::Match;
        if (found == Pattern::Outcome::TooCostly)
            outcome = SearchOutcome::TooCostly;
    }
    return outcome;
}

bool SearchQuery::fits(const Dimension& wanted, const Dim& dim)
{
    if (wanted.size)
        return dim.size == wanted.size;
    return wanted.symbol == "*" || (!dim.size && equals(dim.symbol, wanted.symbol));
}

bool SearchQuery::hasDims(const Term& term, const std::vector<Dim>& shape)
{
    const std::size_t wanted = term.dims.size();
    if (wanted > shape.size() || (term.isWhole && wanted != shape.size()))
        return false;
    for (std::size_t from = 0; from + wanted <= shape.size(); ++from) {
        if (std::equal(term.dims.begin(), term.dims.end(), shape.begin() + static_cast<std::ptrdiff_t>(from), fits))
            return true;
    }
    return false;
}

bool SearchQuery::hasShape(const Term& term, const SearchSubject& subject)
{
    if (!subject.node.valid() || term.dims.empty())
        return false;
    const Model& model = *subject.model;
    const auto isIt = [&](ValueId id) {
        if (!id.valid())
            return false;
        const Value& value = model.value(id);
        if (!value.initializer.valid()) {
            const ValueType& type = subject.types != nullptr ? subject.types->of(id) : value.type;
            return type.shape && hasDims(term, *type.shape);
        }
        std::vector<Dim> shape;
        for (const std::int64_t size : model.tensor(value.initializer).dims)
            shape.push_back({size, {}});
        return hasDims(term, shape);
    };
    const Node& node = model.node(subject.node);
    return std::ranges::any_of(node.outputs, isIt) || std::ranges::any_of(node.inputs, isIt);
}

SearchOutcome SearchQuery::holds(const Term& term, const SearchSubject& subject)
{
    if (term.isText())
        return inLines(term, subject);
    bool isThere = false;
    if (term.kind == Kind::Shape)
        isThere = hasShape(term, subject);
    else if (subject.decision != nullptr)
        isThere = isState(*subject.decision, term.text, term.isWhole);
    return isThere ? SearchOutcome::Match : SearchOutcome::NoMatch;
}

SearchOutcome SearchQuery::matches(const SearchSubject& subject) const
{
    SearchOutcome outcome = SearchOutcome::Match;
    for (const Term& term : m_terms) {
        const SearchOutcome one = holds(term, subject);
        if (one == SearchOutcome::TooCostly)
            outcome = one;
        else if ((one == SearchOutcome::Match) == term.isNegated)
            return SearchOutcome::NoMatch;
    }
    return outcome;
}

bool SearchQuery::isOwn(const SearchSubject& subject) const
{
    const auto isOwnTerm = [&](const Term& term) {
        if (term.isNegated)
            return false;
        return !term.isText() || std::ranges::any_of(subject.lines, [&](const SearchLine& line) {
            return reads(term, line) && !line.own.empty() && find(term, line.own) == Pattern::Outcome::Match;
        });
    };
    return std::ranges::any_of(m_terms, isOwnTerm);
}

} // namespace duo
