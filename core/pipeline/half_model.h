// SPDX-License-Identifier: Apache-2.0
// A float model in floats of 16 bits, as far as its values fit, which data tell.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/snapshot/transform_model.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace duo {

/// How a model is halved.
struct HalfOptions {
    ElementType type = ElementType::Float16; // or BFloat16
    RuleSet keep = {}; // what its ignore rules catch stays in 32 bits
    double leastDb = 45; // every output keeps them, of Float16
    int threads = 1; // the result does not depend on it
    bool ports = false; // inputs and outputs are of 16 bits as well
    std::int64_t mostOpset = 0; // that the result may need; 0: any
    RuleSet rules = {}; // precision rules of these say what computes in 32 bits, or alone in 16
    /// What transforms made it of: there rules are matched, too, and hold for what became of their nodes. Null:
    /// nothing.
    const Model* original = nullptr;
    const Scopes* originalScopes = nullptr;
};

/// Those that say in how many bits floats are computed.
RuleSet floatRules(const RuleSet& rules);

/// What a recipe asks of pass "half": of Float16 where it does not ask for it.
HalfOptions halfOptions(const TransformOptions& transforms, const RuleSet& rules);

/// What is halved again, as it was.
struct HalvedAgain {
    std::shared_ptr<const Model> model;
    std::vector<std::string> removedTensors; // whose place constants of 16 bits take
};

/// The same nodes in 16 bits as halvedModel() chose, whatever values are: gives the model that it gave, without 16-bit
/// inputs and outputs. Nodes that are not there, or read constants that do not fit, stay in 32 bits.
/// @param nodes names @param mostOpset as of HalfOptions; @return errors of convertedModel()
Result<HalvedAgain> halvedAgain(std::shared_ptr<const Model> model, ElementType type,
    const std::set<std::string>& nodes, std::int64_t mostOpset, const JobContext& job = {});

/// What transforms made, halved (core/transform/halve.h): measures all values of the main graph over all samples. The
/// report's last row is that of pass "half": nodes that compute in 16 bits, and those that do not with the reason, and
/// how far outputs move over the first samples: of BFloat16 with values rounded to it, as the engine has no kernels of
/// it. A rule that should say in how many bits its nodes compute, and catches none, is told
/// (TransformReport::keptNothing).
/// @return what collectStatistics() returns; Usage for a rule that cannot be evaluated; Unsupported for an IR version
/// below 4, and for an input or output that 16 bits do not hold where they are to be of them; EngineFailed where the
/// engine does not take what was made (of float16; it has no kernels of bfloat16)
Result<Transformed> halvedModel(
    Transformed before, const Dataset& dataset, const HalfOptions& options, const JobContext& job = {});

} // namespace duo
