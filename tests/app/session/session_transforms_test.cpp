// SPDX-License-Identifier: Apache-2.0
#include "tests/app/session/session_fixture.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

using SessionTransforms = SessionFixture;

Recipe simplifying(const Recipe& recipe)
{
    Recipe next = recipe;
    next.transforms = TransformOptions();
    return next;
}

TEST_F(SessionTransforms, AreForeseenWithoutAChange)
{
    open();
    const auto before = m_session.snapshot();
    QSignalSpy foreseen(&m_session, &Session::transformsForeseen);
    m_session.foreseeTransforms({});
    ASSERT_TRUE(wait(foreseen));
    const auto report = foreseen[0][0].value<std::shared_ptr<const TransformReport>>();
    EXPECT_LT(report->nodesAfter, report->nodesBefore);
    EXPECT_EQ(m_session.snapshot(), before);
}

TEST_F(SessionTransforms, AreOneStepOfUndo)
{
    open();
    const auto before = m_session.snapshot();
    m_session.editRecipe(simplifying(m_session.recipe()), QStringLiteral("simplify"));
    ASSERT_TRUE(settled());
    EXPECT_LT(m_session.snapshot()->model->nodes.size(), before->model->nodes.size());
    EXPECT_EQ(m_session.snapshot()->opened->model, before->model);
    m_session.undoStack()->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.snapshot()->model, before->model);
    EXPECT_EQ(m_session.snapshot()->scopes, before->scopes);
    m_session.undoStack()->redo();
    ASSERT_TRUE(settled());
    EXPECT_TRUE(m_session.snapshot()->opened);
}

TEST_F(SessionTransforms, ForgetWhatWasMadeOfTheModelBefore)
{
    open();
    m_session.setData({"random:2", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    ASSERT_TRUE(m_session.result());
    m_session.editRecipe(simplifying(m_session.recipe()), QStringLiteral("simplify"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.result(), nullptr);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated, 2));
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_EQ(m_session.result()->snapshot.model, m_session.snapshot()->model);
}

} // namespace
} // namespace duo::app
