// SPDX-License-Identifier: Apache-2.0
// The order in which a call takes and gives, as the program that the model was exported from records it.
#pragma once

#include "core/model/call_signature.h"
#include "core/outline/call_body.h"
#include "core/scope/facts/scopes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// The value before what gives it back: in a quantized model that which codes were made of. O(nodes passed).
ValueId passedOn(const Model& model, ValueId id);

/// Signatures by the module they are of.
class RecordedOrders
{
public:
    /// @param signatures of calls, by the modules that `scopes` have; all must outlive it
    RecordedOrders(const Model& model, const Scopes& scopes, const std::vector<CallSignature>& signatures);

    /// Every data input, and every output where there are several, must be one value of one signature of the module: by
    /// its name and the module that makes it, or, where the module has one call and one signature, by the module alone
    /// that makes them, each another one, one of them an input of the model. Element types and ranks that are known
    /// must agree. Nothing else is taken for the record of this call. O(signatures of the module * values of the call).
    /// @param scope of the call, in Scopes::execution
    [[nodiscard]] std::optional<CallOrder> orderOf(ScopeId scope, const CallBody& body) const;

    /// What its record names what a call takes besides data: constants of the model as it was recorded, by their
    /// keys, or by what those were called that became codes.
    /// @return [inputs of the body], or none without a record; "" where the record has no such constant, or several
    [[nodiscard]] std::vector<std::string> formalsOf(ScopeId scope, const CallBody& body) const;

    /// What this call gives by its record and nobody reads outside: those of `made`, the values made in it, that are
    /// recorded by their name and the module that makes them.
    [[nodiscard]] std::vector<ValueId> unreadOutputs(
        ScopeId scope, const CallBody& body, const std::vector<ValueId>& made) const;

    /// What this call takes and gives back by its record without reading it, in the order it is taken: values of the
    /// model of the recorded name, made in the recorded module, that no two are. Constants are none of them.
    [[nodiscard]] std::vector<ValueId> unreadInputs(ScopeId scope, const CallBody& body) const;

    /// Why no record is taken for this call, as a sentence; "" where its module has none.
    [[nodiscard]] std::string whyNot(ScopeId scope, const CallBody& body) const;

    /// Recorded modules of which the model holds no call any more, sorted.
    [[nodiscard]] std::vector<std::string> dissolved() const;

    [[nodiscard]] bool isEmpty() const { return m_signatures.empty(); }

private:
    struct Match;
    [[nodiscard]] std::optional<Match> matchOf(ScopeId scope, const CallBody& body) const;

    const Model& m_model;
    const Scopes& m_scopes;
    std::unordered_map<std::string, std::vector<const CallSignature*>> m_signatures; // by module
    std::unordered_map<std::string, std::size_t> m_calls; // by module
};

} // namespace duo
