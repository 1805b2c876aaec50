// SPDX-License-Identifier: Apache-2.0
// Each quantization of a model is kept with what came of it, and can be had again.
#include "tests/app/session/session_fixture.h"
#include "tests/support/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

class SessionRunsTest : public SessionFixture
{
protected:
    SessionRunsTest()
    {
        m_session.keepSessionsIn(m_folder / "sessions");
        std::filesystem::copy_file(sample("digits_conv.onnx"), m_model);
        open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    }

    std::filesystem::path exported(const std::string& name)
    {
        QSignalSpy done(&m_session, &Session::exported);
        QSignalSpy kept(&m_session, &Session::runsChanged);
        m_session.exportTo(m_folder / name);
        EXPECT_TRUE(wait(done) && wait(kept));
        return m_folder / name;
    }
    void ignore(const std::string& type)
    {
        RuleSet rules = m_session.rules();
        rules.rules.emplace_back();
        rules.rules.back().kind = RuleKind::Type;
        rules.rules.back().value = type;
        m_session.editRules(rules, QStringLiteral("edit"));
    }
    bool restored(const KeptRun& run)
    {
        QSignalSpy done(&m_session, &Session::runRestored);
        m_session.restoreRun(run);
        return wait(done);
    }

    std::filesystem::path m_model = m_folder / "m.onnx";
};

TEST_F(SessionRunsTest, AnExportIsKeptWithFiguresAndChecksInLaterSessionsToo)
{
    EXPECT_THAT(m_session.runs(), IsEmpty());
    exported("m.int8.onnx");
    const auto report = m_session.report();
    open();
    EXPECT_THAT(m_session.runs(), IsEmpty()) << "another model";
    open(m_model);
    ASSERT_THAT(m_session.runs(), SizeIs(1));
    const KeptRun run = m_session.runs().front();
    EXPECT_EQ(run.kind, ResultKind::Export);
    EXPECT_EQ(run.target, "m.int8.onnx");
    EXPECT_EQ(run.quantizers, report->quantizers);
    EXPECT_EQ(run.bytesAfter, static_cast<std::int64_t>(std::filesystem::file_size(m_folder / "m.int8.onnx")));
    EXPECT_EQ(run.verdict, verdictName(report->verdict.kind));
    EXPECT_EQ(run.checks.size(), report->checks.size());
    EXPECT_GT(run.seconds, 0);
    EXPECT_EQ(run.recipe, m_session.recipe());
    EXPECT_THAT(changesSince(run.of, m_session.origin()), IsEmpty());
}

TEST_F(SessionRunsTest, AQuantizationAloneIsOneTooAndARestoredOneGivesTheSameBytesWithoutData)
{
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    QSignalSpy kept(&m_session, &Session::runsChanged);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated) && wait(kept));
    const auto first = exported("first.onnx");
    ignore("Relu");
    ASSERT_TRUE(settled());
    const auto second = exported("second.onnx");
    ASSERT_THAT(m_session.runs(), SizeIs(3));
    EXPECT_NE(test::bytesOf(first), test::bytesOf(second));
    const KeptRun quantized = m_session.runs().back();
    EXPECT_EQ(quantized.kind, ResultKind::Quantization);
    m_session.setData({});
    ASSERT_TRUE(restored(quantized));
    EXPECT_THAT(m_session.rules().rules, IsEmpty());
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_EQ(test::bytesOf(exported("again.onnx")), test::bytesOf(first));
    m_session.undoStack()->undo();
    EXPECT_THAT(m_session.rules().rules, SizeIs(1));
}

TEST_F(SessionRunsTest, ARunWhoseStateWasDeletedRestoresItsRecipe)
{
    exported("m.int8.onnx");
    const KeptRun run = m_session.runs().front();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_folder / "sessions")) {
        if (entry.path().string().ends_with(".state.json"))
            std::filesystem::remove(entry.path());
    }
    ignore("Conv");
    ASSERT_TRUE(settled());
    QSignalSpy done(&m_session, &Session::runRestored);
    m_session.restoreRun(run);
    ASSERT_EQ(done.count(), 1);
    EXPECT_FALSE(done.front().at(1).toBool());
    EXPECT_EQ(m_session.recipe(), run.recipe);
}

TEST_F(SessionRunsTest, TwoAreComparedByWhatTheyWereMadeWith)
{
    exported("first.onnx");
    ignore("Conv");
    ASSERT_TRUE(settled());
    exported("second.onnx");
    std::shared_ptr<const SetupDifference> difference;
    QObject::connect(&m_session, &Session::runsCompared, &m_session,
        [&](const KeptRun&, const KeptRun&, const auto& found) { difference = found; });
    const auto runs = m_session.runs();
    m_session.compareRuns(runs.back(), runs.front());
    ASSERT_TRUE(waitUntil([&] { return difference != nullptr; }));
    EXPECT_THAT(difference->rulesOnlySecond, testing::ElementsAre("ignore type Conv"));
    EXPECT_THAT(difference->quantizers, Contains(Field(&QuantizerDifference::change, QuantizerChange::OnlyFirst)));
    m_session.removeRun(runs.back());
    EXPECT_THAT(m_session.runs(), SizeIs(1));
}

} // namespace
} // namespace duo::app
