// SPDX-License-Identifier: Apache-2.0
// SearchQuery: what somebody looks for, as a value: words, fields, patterns, shapes and states; SearchSubject: what a
// node, a scope or a tensor says of itself to whoever searches.
#pragma once

#include "core/model/value_types.h"
#include "core/quantize/points/decision.h"
#include "core/rules/pattern.h"
#include "core/scope/scope.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

enum class SearchField { Name, Type, Class, Scope, Parameter };

/// One text; `own` is the end of it that tells the thing from what lies around it, "Conv" of "/layer1/0/Conv".
struct SearchLine {
    SearchField field = SearchField::Name;
    std::string_view text;
    std::string_view own; // "" where all of it is said of what lies around
};

/// Views into the model and the scopes, which must outlive it.
struct SearchSubject {
    std::vector<SearchLine> lines;
    const Model* model = nullptr; // of `node`
    const ValueTypes* types = nullptr; // of the model's values; null: as the file says
    NodeId node; // valid for nodes: asked for shapes
    const Decision* decision = nullptr; // on a node; null: none was made
};

/// A node: its name, operator, the values it gives, its scopes and the parameters it reads.
SearchSubject nodeSubject(const Model& model, const Scopes& scopes, const Decisions* decisions, NodeId node,
    const ValueTypes* types = nullptr);
/// A scope of either tree: path and class, and its parameters where no node reads them.
SearchSubject scopeSubject(const Scope& scope);
/// A parameter by its key, or another tensor by its name.
SearchSubject tensorSubject(std::string_view name);

enum class SearchOutcome { NoMatch, Match, TooCostly };

/// The language is told in resources/docs/find.md, "What can be written".
class SearchQuery
{
public:
    /// @return the query, or what is wrong with the text in one sentence. A field without a value says nothing yet and
    /// is passed over: it is being written.
    static std::variant<SearchQuery, std::string> parse(std::string_view text);
    /// All of the text is one pattern, looked for anywhere; upper and lower case are the same.
    static std::variant<SearchQuery, std::string> ofPattern(std::string_view pattern);

    [[nodiscard]] bool empty() const { return m_terms.empty(); }
    /// Every term holds. TooCostly: none fails, and a pattern was given up on one of the texts.
    [[nodiscard]] SearchOutcome matches(const SearchSubject& subject) const;
    /// Of what matches: not only by what is said of everything around it.
    [[nodiscard]] bool isOwn(const SearchSubject& subject) const;
    /// A scope can match: texts are asked for, and nothing that only nodes have.
    [[nodiscard]] bool findsScopes() const;
    [[nodiscard]] bool asksForStates() const; // what matches depends on decisions
    [[nodiscard]] bool asksForShapes() const; // likewise on the types of values

    bool operator==(const SearchQuery& other) const; // the same terms in the same order

private:
    enum class Kind : std::uint8_t { Any, Name, Type, Scope, Parameter, Shape, State };
    struct Dimension {
        std::optional<std::int64_t> size;
        std::string symbol; // folded; "*": any
    };
    struct Term {
        Kind kind = Kind::Any;
        bool isWhole = false;
        bool isNegated = false;
        bool isPattern = false;
        std::string text; // folded, but of a pattern
        std::optional<Pattern> pattern; // also of a word that is not of plain letters
        std::vector<Dimension> dims; // Shape
        [[nodiscard]] bool isText() const { return kind != Kind::Shape && kind != Kind::State; }
    };

    static std::optional<std::string> addTerm(SearchQuery& query, std::string_view word, bool isQuoted);
    static std::optional<std::string> prepare(Term& term);
    static bool reads(const Term& term, const SearchLine& line);
    static Pattern::Outcome find(const Term& term, std::string_view text);
    static SearchOutcome inLines(const Term& term, const SearchSubject& subject);
    static SearchOutcome holds(const Term& term, const SearchSubject& subject);
    static bool hasShape(const Term& term, const SearchSubject& subject);
    static bool fits(const Dimension& wanted, const Dim& dim);
    static bool hasDims(const Term& term, const std::vector<Dim>& shape);

    std::vector<Term> m_terms;
};

} // namespace duo
