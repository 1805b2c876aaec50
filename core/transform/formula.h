// SPDX-License-Identifier: Apache-2.0
// Formulas that exporters write as several operators: read whatever the order of factors, written as one operator.
#pragma once

#include "core/transform/edit_names.h"
#include "core/transform/known_ranks.h"
#include "core/transform/pass.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Nodes that a formula goes through, and how they are looked at. Each look adds those it went through, also where it
/// finds something else than was hoped for: a formula that does not fit is thrown away as a whole.
class Formula
{
public:
    Formula(const Model& model, NodeId last)
        : m_model(model)
        , m_last(last)
    {
    }

    /// factor * all of `times` / all of `by`.
    struct Factors {
        double factor = 1; // of constants of one element, and of powers of two and three written as such
        std::vector<ValueId> times;
        std::vector<ValueId> by;
    };
    /// Of a value that Mul, Div and Pow make for the formula alone; of any other the value itself. At most eight.
    std::optional<Factors> factorsOf(ValueId value);
    /// What one operator is given first, where it alone makes the value.
    std::optional<ValueId> under(const char* opType, ValueId value);
    /// The other operand of an Add of this constant.
    std::optional<ValueId> lessConstant(ValueId value, double constant);
    struct Raised {
        ValueId value;
        double by = 0;
    };
    std::optional<Raised> lessAnyConstant(ValueId value); // the same of any constant of one element
    /// Both operands.
    struct Pair {
        ValueId first;
        ValueId second;
    };
    std::optional<Pair> operands(const char* opType, ValueId value);
    std::optional<double> number(ValueId value); // a constant of one element, a scalar or a vector
    const Node* take(const char* opType, ValueId value); // that makes the value; it is a part of the formula now

    /// Whether one of the constants was a vector, which gives a scalar an axis.
    [[nodiscard]] bool hasVectors() const { return m_hasVectors; }
    /// Whether one was a whole number: so is what it is computed with, and no operator of ours computes that.
    [[nodiscard]] bool hasIntegers() const { return m_hasIntegers; }
    [[nodiscard]] const Model& model() const { return m_model; }
    [[nodiscard]] NodeId last() const { return m_last; }
    [[nodiscard]] const std::vector<NodeId>& inner() const { return m_inner; } // without the last one, each once

private:
    bool addFactors(ValueId value, bool isDivided, Factors& factors);

    const Model& m_model;
    NodeId m_last;
    std::vector<NodeId> m_inner;
    bool m_hasVectors = false;
    bool m_hasIntegers = false;
};

/// Whether two constants are meant to be the same: to five digits.
bool isNear(double value, double wanted);

/// What is said behind a size that is not known, where a pass is not given those of the file.
inline constexpr const char* kOpenSizes = ", as the model is to stay open to other sizes (--static-shapes)";

/// Why an operator is not made: "opset 17 has no Gelu, which came with 20".
std::string notInOpset(std::int64_t opset, const std::string& opType, std::int64_t since);

/// One operator in place of a formula's last node, under its name.
struct OneOperator {
    std::string opType;
    std::vector<ValueId> inputs;
    std::vector<Attribute> attributes = {};
    /// A Transpose that makes one of the inputs for it alone, and is to turn otherwise; it gives a value of a new name.
    struct Turned {
        NodeId transpose;
        std::vector<std::int64_t> order;
    };
    std::optional<Turned> turned = {};
    std::vector<NewTensor> constants = {}; // inputs behind the others, under names like theirs
};

/// Formulas of a model on their way to one operator each.
class Formulas
{
public:
    explicit Formulas(const PassScene& scene);

    [[nodiscard]] bool mayBeLast(NodeId node) const;
    /// @param by its first input has the axes that the result has
    /// @return whether it was done: one of the nodes may be kept, or something else read what the inner ones give,
    /// which is told
    bool replace(const Formula& formula, OneOperator by);
    void skip(const Formula& formula, std::string why); // told of the last node, unless a pass wrote it as several
    [[nodiscard]] PassResult result() &&;
    [[nodiscard]] const KnownRanks& ranks(); // found when it is asked for first

private:
    [[nodiscard]] bool isFree(NodeId node) const;
    std::string turn(const OneOperator::Turned& turned); // the name of what it gives then
    std::string add(NewTensor constant);

    const PassScene& m_scene;
    const Model& m_model;
    std::optional<KnownRanks> m_ranks;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isDone; // [nodes]
    EditList m_edits;
    PassResult m_result;
};

} // namespace duo
