// SPDX-License-Identifier: Apache-2.0
// After any pass a call that is recorded takes and gives what the record has, in its order, or it is said why not.
#include "core/onnx/reader.h"
#include "core/outline/plan_outline.h"
#include "core/pipeline/snapshot/transform_model.h"
#include "core/scope/make_record.h"
#include "core/scope/scope.h"
#include "core/transform/pass.h"
#include "tests/core/outline/with_signatures.h"
#include "tests/support/seeded_fill.h"

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

namespace duo {
namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Model> readFile(const std::string& file)
{
    std::ifstream in(fs::path(DUO_TEST_DATA) / file, std::ios::binary);
    onnx::ModelProto proto;
    EXPECT_TRUE(proto.ParseFromIstream(&in));
    EXPECT_TRUE(test::fillModel(proto));
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    const auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, file);
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : nullptr;
}

std::string moduleOf(const Model& model, const Scopes& scopes, ValueId value)
{
    const NodeId maker = model.value(value).producer;
    const ScopeId scope = maker.valid() ? scopes.nodes[maker.index].executionScope : ScopeId();
    return scope.valid() ? scopes.execution.scope(scope).module : std::string();
}

/// Of each call with several values, in the order opposite to the one found: nobody guesses it.
std::map<std::string, CallSignature> reversedSignatures(const Model& model, const Scopes& scopes)
{
    std::map<std::string, CallSignature> signatures;
    const auto plan = planOutline(model, scopes, {.all = true});
    for (std::size_t c = 0; plan && c < plan->scopes.size(); ++c) {
        const OutlinedCall& call = plan->edits.calls[c];
        const std::size_t data = plan->functions[call.function].dataInputs;
        if (data + call.outputs.size() < 3)
            continue;
        CallSignature signature;
        signature.module = scopes.execution.scope(scopes.execution.find(plan->scopes[c])).module;
        const auto recorded = [&](ValueId value) {
            return SignatureValue{.value = model.value(value).name,
                .type = model.value(value).type,
                .isInput = model.value(value).isInput,
                .module = moduleOf(model, scopes, value)};
        };
        for (std::size_t i = data; i-- > 0;)
            signature.inputs.push_back(recorded(call.inputs[i]));
        for (std::size_t o = call.outputs.size(); o-- > 0;)
            signature.outputs.push_back(recorded(call.outputs[o]));
        signatures.emplace(plan->scopes[c], std::move(signature));
    }
    return signatures;
}

struct Tally {
    std::size_t kept = 0; // functions whose order is the recorded one
    std::size_t said = 0; // why it is not
    std::size_t gone = 0; // modules that are said to have dissolved
};

/// Each value is of the record, and stands behind the one before. A single one has no order, and may be given by
/// another node where a pass took its maker out.
void expectInOrder(const Model& model, std::span<const ValueId> values, const std::vector<SignatureValue>& recorded,
    const std::string& what)
{
    if (values.size() == 1 && recorded.size() == 1)
        return;
    auto next = recorded.begin();
    for (const ValueId value : values) {
        if (!value.valid())
            continue;
        next = std::find_if(
            next, recorded.end(), [&](const SignatureValue& one) { return one.value == model.value(value).name; });
        ASSERT_NE(next, recorded.end()) << what << ": " << model.value(value).name;
        ++next;
    }
}

Tally checkPlan(const Model& model, const Scopes& scopes, const std::map<std::string, CallSignature>& signatures,
    const std::string& what)
{
    Tally tally;
    const auto plan = planOutline(model, scopes, {.all = true});
    if (!plan)
        return tally;
    tally.gone = plan->dissolved.size();
    for (std::size_t c = 0; c < plan->scopes.size(); ++c) {
        const OutlinedCall& call = plan->edits.calls[c];
        const PlannedFunction& planned = plan->functions[call.function];
        const auto signature = signatures.find(plan->scopes[c]);
        if (signature == signatures.end() || planned.order == OrderEvidence::OnlyOne)
            continue;
        const bool isRecorded = planned.order == OrderEvidence::Recorded;
        EXPECT_NE(isRecorded, !planned.unrecorded.empty()) << what << " " << plan->scopes[c];
        (isRecorded ? tally.kept : tally.said) += 1;
        if (!isRecorded)
            continue;
        const auto data = std::span(call.inputs).first(planned.dataInputs);
        expectInOrder(model, data, signature->second.inputs, what + " " + plan->scopes[c] + " takes");
        expectInOrder(model, call.outputs, signature->second.outputs, what + " " + plan->scopes[c] + " gives");
    }
    return tally;
}

/// One pass alone, all of stage Common, and all for each target.
std::vector<std::pair<std::string, TransformOptions>> waysToTransform()
{
    std::vector<std::pair<std::string, TransformOptions>> ways{{"common", {}}};
    for (const Pass& pass : passes()) {
        if (pass.stage != PassStage::Common)
            continue;
        TransformOptions alone;
        for (const Pass& other : passes()) {
            if (other.stage == PassStage::Common && other.id != pass.id)
                alone.disabled.emplace(other.id);
        }
        ways.emplace_back(pass.id, alone);
    }
    for (const TransformTarget& target : transformTargets())
        ways.push_back({std::string(target.name), {.target = std::string(target.name)}});
    return ways;
}

class LastingOrders : public testing::TestWithParam<const char*>
{
};

TEST_P(LastingOrders, AreTheRecordedOnesOrItIsSaidWhyNot)
{
    const auto model = readFile(GetParam());
    ASSERT_TRUE(model);
    const Scopes found = findScopes(*model);
    const auto signatures = reversedSignatures(*model, found);
    std::vector<CallSignature> all;
    for (const auto& [scope, signature] : signatures)
        all.push_back(signature);
    ASSERT_FALSE(all.empty());
    const Scopes scopes = test::scopesWith(*model, all);
    const std::string record = scopeRecordText(scopeRecord(*model, scopes));
    Tally total = checkPlan(*model, scopes, signatures, "as it is");
    EXPECT_EQ(total.said + total.gone, 0U);
    EXPECT_GT(total.kept, 0U);
    for (const auto& [name, options] : waysToTransform()) {
        const auto made = transformModel(model, options, {}, &scopes);
        ASSERT_TRUE(made) << made.error().line();
        const Scopes after = findScopes(*made->model, {nullptr, nullptr, record});
        const Tally tally = checkPlan(*made->model, after, signatures, name);
        total.kept += tally.kept;
        total.said += tally.said;
        total.gone += tally.gone;
    }
    RecordProperty("recorded", static_cast<int>(total.kept));
    RecordProperty("why_not", static_cast<int>(total.said));
    RecordProperty("dissolved", static_cast<int>(total.gone));
}

INSTANTIATE_TEST_SUITE_P(Stored, LastingOrders,
    testing::Values("exports/keywords.dynamo.onnx", "exports/keywords.script.onnx", "exports/bert.dynamo.onnx",
        "exports/bert.script.onnx", "exports/gpt2.dynamo.onnx", "exports/gpt2.script.onnx",
        "optimized/vit.script.onnxsim.structure.onnx", "optimized/detector.script.structure.onnx",
        "producers/flax_attention.structure.onnx", "producers/keras2_attention.structure.onnx",
        "cases/h3_lstmcell_loop.onnx", "cases/i3_bertlike_nofold.onnx", "cases/n5_calls_two_in.onnx"));

} // namespace
} // namespace duo
