// SPDX-License-Identifier: Apache-2.0
#include "tests/app/session/session_fixture.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

using SessionTransforms = SessionFixture;

Recipe asInFile(const Recipe& recipe)
{
    Recipe next = recipe;
    next.transforms.reset();
    return next;
}

TEST_F(SessionTransforms, RunWhereNobodySaidOtherwiseButNotForResultsLikeNncfs)
{
    open();
    ASSERT_TRUE(m_session.snapshot()->opened);
    EXPECT_LT(m_session.snapshot()->model->nodes.size(), m_session.snapshot()->opened->model->nodes.size());
    Recipe recipe = m_session.recipe();
    recipe.quantization.nncfCompatible = true;
    m_session.editRecipe(recipe, QStringLiteral("compatible"));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(m_session.snapshot()->opened);
    recipe = m_session.recipe();
    recipe.quantization.nncfCompatible = false;
    m_session.editRecipe(recipe, QStringLiteral("not compatible"));
    ASSERT_TRUE(settled());
    EXPECT_TRUE(m_session.snapshot()->opened);
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
    const auto opened = m_session.snapshot()->opened;
    m_session.editRecipe(asInFile(m_session.recipe()), QStringLiteral("as it was"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.snapshot()->model, opened->model);
    EXPECT_EQ(m_session.snapshot()->scopes, opened->scopes);
    m_session.undoStack()->undo();
    ASSERT_TRUE(settled());
    EXPECT_LT(m_session.snapshot()->model->nodes.size(), opened->model->nodes.size());
    EXPECT_EQ(m_session.snapshot()->opened->model, opened->model);
    m_session.undoStack()->redo();
    ASSERT_TRUE(settled());
    EXPECT_FALSE(m_session.snapshot()->opened);
}

TEST_F(SessionTransforms, ForgetWhatWasMadeOfTheModelBefore)
{
    open();
    m_session.setData({"random:2", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    ASSERT_TRUE(m_session.result());
    m_session.editRecipe(asInFile(m_session.recipe()), QStringLiteral("as it was"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.result(), nullptr);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated, 2));
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_EQ(m_session.result()->snapshot.model, m_session.snapshot()->model);
}

} // namespace
} // namespace duo::app
