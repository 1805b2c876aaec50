// SPDX-License-Identifier: Apache-2.0
#include "core/report/reason_sentences.h"

#include "tests/core/scope/found_scopes.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

std::string sentenceOf(const FoundScopes& found, const std::string& name, Reason reason)
{
    const NodeId node = found.model->findNode(name);
    for (const ReasonEvidence& evidence : explainDifference(*found.model, found.scopes, node)) {
        if (evidence.reason == reason)
            return reasonSentence(*found.model, found.scopes, node, evidence);
    }
    return "no such reason";
}

TEST(ReasonSentence, EveryReasonHasAMeaning)
{
    for (int r = 0; r <= static_cast<int>(Reason::UnregisteredModule); ++r) {
        const std::string_view meaning = reasonMeaning(static_cast<Reason>(r));
        EXPECT_GT(meaning.size(), 20U) << reasonText(static_cast<Reason>(r));
        EXPECT_NE(meaning.back(), '.') << meaning;
    }
}

struct Told {
    const char* file;
    const char* node;
    Reason reason;
    const char* sentence;
};

TEST(ReasonSentence, NamesWhatShowsTheReason)
{
    for (const Told& told : {
             Told{"cases/a_sibling.onnx", "/dec/proj/Gemm", Reason::ForeignCall,
                 "'dec' calls 'enc.proj', which it does not contain"},
             Told{"cases/d_functional.onnx", "/blk/Gemm_1", Reason::FunctionalUse,
                 "'blk' runs and works with 'blk.child.weight' and 'blk.child.bias' of 'blk.child' without calling "
                 "that module"},
             Told{"dynamo/l_positions.onnx", "node_add", Reason::FunctionalUse,
                 "the model itself runs and works with what the exporter computed ahead from 'pos.weight' of 'pos'"},
             Told{"cases/c2_equal_not_tied.onnx", "Identity_0", Reason::EqualValues,
                 "'b.bias' has the values of another one, and the file keeps them once, as 'a.bias'"},
             Told{"cases/c2_equal_not_tied.onnx", "Identity_0", Reason::ExporterMade,
                 "the exporter made this node and says of no module that it runs there; it is placed with '/b/Conv'"},
             Told{"cases/c_tied.onnx", "/head/MatMul", Reason::AliasedParameter,
                 "'head' keeps nothing under its own name: it shares 'emb.weight' of 'emb'"},
             Told{"dynamo/b2_shared_alias.onnx", "node_linear", Reason::AliasedParameter,
                 "'fc.weight' is also 'alias.weight'; 'fc.bias' is also 'alias.bias': a tensor with several names "
                 "belongs to the first of them, so to 'fc'"},
             Told{"dynamo/e_aux_eval.onnx", "node_Conv_11", Reason::FoldedProducers,
                 "the exporter put several modules into one node: 'body' and 'bn' went into 'body.weight' and "
                 "'body.bias'"},
             Told{"dynamo/k_buffers.onnx", "node_linear", Reason::BypassedCall,
                 "'b' was not called, only something inside, from the model itself"},
         }) {
        EXPECT_EQ(sentenceOf(FoundScopes::ofFile(told.file), told.node, told.reason), told.sentence)
            << told.file << " " << told.node;
    }
}

TEST(ReasonSentence, AGuessIsCalledAGuess)
{
    const auto found = FoundScopes::ofSample("digits_conv.onnx");
    EXPECT_EQ(sentenceOf(found, "/encoder/refine/second/Conv", Reason::RenamedTensor),
        "the file calls the parameter 'onnx::Conv_96' and 'onnx::Conv_97'; that it belongs to 'encoder.refine.second' "
        "is a guess");
}

TEST(QuotedList, CutsWhatIsLong)
{
    EXPECT_EQ(quotedList({"a", "", "c"}), "'a', the model itself and 'c'");
    EXPECT_EQ(quotedList({"a", "b", "c", "d", "e"}, 2), "'a', 'b' and 3 more");
}

} // namespace
} // namespace duo::test
