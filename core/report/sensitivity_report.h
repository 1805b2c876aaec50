// SPDX-License-Identifier: Apache-2.0
// SensitivityReport: which scopes and nodes the output error comes from, and what keeping some in float would give; as
// a value, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Scopes: from the whole down, the most sensitive ones split further, down to nodes. Nodes: every node by itself.
enum class SensitivityDepth { Scopes, Nodes };

/// What was looked at together: an execution scope, one node (with what is computed together with it), or neighbours
/// along the dataflow where a scope holds very many nodes.
enum class GroupKind { Scope, Node, Run };

std::string_view groupKindText(GroupKind kind); // "scope"

/// Error of one output.
struct OutputNoise {
    std::optional<double> sqnrDb; // nothing: identical, or not finite
    std::optional<double> mse; // nothing: not finite
    bool identical = false; // also where nothing was compared
    bool isCompared = true; // false: the float model's own result is NaN, or no tensor of numbers
    std::optional<double> equal{}; // share of elements, where it holds whole numbers: there are no decibels then
    std::optional<double> medianDb{}; // of the samples by themselves, and of what differs between them
    std::optional<double> variationDb{}; // (core/analysis/sample_glimpses.h)
};

/// Error of all outputs, with some quantizers on.
struct MeasuredError {
    std::vector<OutputNoise> outputs; // in the order of SensitivityReport::outputs
    double noise = 0; // noise / signal, the mean over outputs; infinite where an output is not finite; of whole
                      // numbers the share that differs
    /// Of the worst output that is no whole numbers; infinite: all identical; minus infinite: one is not finite.
    [[nodiscard]] double decibels() const;
    [[nodiscard]] std::optional<double> worstSqnrDb() const; // the same; nothing where it is infinite
    /// For comparing plans: decibels() where what else a verdict judges by counts too, on a scale where a good output's
    /// bound is that of decibels; of whole numbers a tenth that differs counts like noise of a tenth.
    [[nodiscard]] double level() const;
};

/// "31.2 dB", "identical", "not finite"; of whole numbers "99.1 % equal".
std::string measuredErrorText(const MeasuredError& error);
/// The same of what MeasuredError::level comes from, where that is another number.
std::string levelText(const MeasuredError& error);

struct GroupSensitivity {
    GroupKind kind = GroupKind::Scope;
    std::string name; // execution scope, node, or "first ... last"
    std::vector<std::string> nodes; // quantized by their own decision, along the dataflow
    std::vector<Rule> rules; // that keep it in float
    std::optional<std::size_t> partOf; // the group it was split from
    MeasuredError only; // with only this group quantized
    MeasuredError allBut; // with all but this group quantized
    double shareAlone = 0; // noise of `only` in the noise with everything quantized
    double shareTaken = 0; // what the noise loses without the group, in the same; negative where it grows
    bool disagrees = false; // one way it matters, the other way it does not
    std::int64_t bytes = 0; // that keeping it in float adds, about

    /// How much it matters, for ranking: the mean of both shares.
    [[nodiscard]] double score() const { return (shareAlone + shareTaken) / 2; }
};

/// Rules that keep the first groups of the ranking in float, measured with the plan they lead to.
struct FloatSuggestion {
    std::vector<std::string> groups; // names, in the order they were added
    std::vector<Rule> rules; // to add to the recipe
    MeasuredError error; // foreseen
    std::optional<double> agreement; // 0..1
    std::int64_t bytes = 0; // foreseen size of the model
    std::optional<double> speed; // foreseen time of the float model by this one's; nothing: not known
    double floatShare = 0; // of the quantized nodes that go back to float
    bool isRecommended = false;
};

/// Most sensitive first, equal ones by name.
bool comesBefore(const GroupSensitivity& a, const GroupSensitivity& b);

struct SensitivityReport {
    std::vector<std::string> outputs;
    std::int64_t samples = 0;
    MeasuredError all; // everything quantized
    std::optional<double> agreement; // of everything quantized; nothing where no output has rows
    std::int64_t bytes = 0; // foreseen size of the model
    std::optional<double> speed; // foreseen time of the float model by this one's; nothing: not known
    std::vector<GroupSensitivity> groups; // most sensitive first
    std::vector<FloatSuggestion> suggestions; // each with one group more than the one before
    std::vector<Note> notes; // how far was looked
};

/// The groups to keep in float one after the other, most sensitive first, as indices: none is part of another, and a
/// scope stands for its parts where many of them matter. Groups that do not matter at all are left out.
std::vector<std::size_t> floatOrder(const std::vector<GroupSensitivity>& ranked);

/// The document of `sensitivity` (resources/schemas/sensitivity.schema.json).
nlohmann::ordered_json sensitivityJson(const SensitivityReport& report);
/// The ranking, then the suggestions.
std::string sensitivityText(const SensitivityReport& report);

} // namespace duo
