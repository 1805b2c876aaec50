// SPDX-License-Identifier: Apache-2.0
// From module calls that are asked for to functions: who shares one, what it is called, and in which order it takes
// its inputs.
#pragma once

#include "core/model/call_signature.h"
#include "core/outline/call_groups.h"
#include "core/transform/outline_edits.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// How the order of the data inputs and of the outputs is known, best first.
enum class OrderEvidence {
    OnlyOne, // there is one input and one output
    Recorded, // as the program that the model was exported from has it (recorded_order.h)
    Forward, // as the `forward` of its module was written (forward_match.h)
    Class, // as the class of torch.nn takes and gives them (class_order.h)
    User, // as the request orders them
    FirstUse, // a guess: as the body uses them
};

std::string_view orderText(OrderEvidence evidence); // "only-one"

inline constexpr const char* kScopeKey = "duoscope.scope"; // of a call's metadata: the execution scope

struct PlannedFunction {
    std::string className; // of the module; "" if not known
    std::size_t dataInputs = 0; // the first so many
    std::size_t parameters = 0; // behind them: of the module, then of others; the rest are constants
    OrderEvidence order = OrderEvidence::FirstUse;
    std::string unrecorded = {}; // why a record of the module is not taken, as a sentence; "" where there is none
    std::size_t nodes = 0; // of the model in one call, those of inner calls too
};

struct OutlinePlan {
    OutlineEdits edits;
    std::vector<PlannedFunction> functions; // as in `edits`
    std::vector<std::string> scopes; // of the calls in `edits`
    std::vector<OutlineRefusal> refusals;
    std::vector<std::string> dissolved; // modules with a recorded call of which the model holds nothing
};

/// Functions that a model once had, for scopes that are their calls (call_scopes.h).
struct FunctionsBefore {
    std::map<std::string, std::pair<std::string, std::string>> names; // domain and name, by the class of the scopes
    std::vector<CallSignature> signatures; // by the module of the scopes
};

/// O(nodes * nesting + reads). Nodes inside bodies and functions that are there already go with the node they belong
/// to. An order that does not name what a function has is not taken, and listed among the refusals.
/// @param before null: functions are called as classes are, and the scopes tell what is recorded of calls
/// @return Usage for a scope or class that is none of the model's, and for a request of nothing
Result<OutlinePlan> planOutline(
    const Model& model, const Scopes& scopes, const OutlineRequest& request, const FunctionsBefore* before = nullptr);

/// The function that calls under this scope are calls of: of this call, else of any call of the same module.
/// @return functions.size() if there is none
std::size_t functionAt(const OutlinePlan& plan, const Scopes& scopes, const std::string& scope);

/// "Attention(x, x_1; q.weight, q.bias) -> (y)", attributes in angle brackets behind the name.
std::string signatureText(const OutlinedFunction& function, const PlannedFunction& planned);

} // namespace duo
