// SPDX-License-Identifier: Apache-2.0
#include "tests/app/session/session_fixture.h"
#include "tests/support/data_elsewhere.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

using testing::HasSubstr;

class SessionFilesTest : public SessionFixture
{
protected:
    void wantFunctions(OutlineRequest request)
    {
        Recipe recipe = m_session.recipe();
        recipe.functions = std::move(request);
        m_session.editRecipe(recipe, QStringLiteral("functions"));
        ASSERT_TRUE(settled());
    }

    QSignalSpy m_failed{&m_session, &Session::failed};
    QSignalSpy m_saved{&m_session, &Session::savedWithFunctions};
};

TEST_F(SessionFilesTest, AModelWhoseDataWereLocatedElsewhereIsSavedWithFunctions)
{
    const auto [model, located] = test::writeDataElsewhere(m_folder, sample("digits_conv.onnx"));
    open(model);
    ASSERT_TRUE(m_session.locateData(located));
    ASSERT_TRUE(waitUntil([this] { return m_session.activity() == Activity::Idle; }));
    wantFunctions({.all = true});
    m_session.saveWithFunctions(m_folder / "functions.onnx");
    EXPECT_EQ(m_session.activity(), Activity::Saving);
    ASSERT_TRUE(waitUntil([this] { return m_saved.count() + m_failed.count() > 0; }));
    EXPECT_EQ(m_failed.count(), 0) << m_failed[0][0].value<Error>().line();
    EXPECT_TRUE(std::filesystem::exists(m_folder / "functions.onnx"));
}

TEST_F(SessionFilesTest, WhatCannotBeMadeIsSaidAndNothingIsWritten)
{
    open();
    wantFunctions({.scopes = {}, .classes = {}, .depths = {kMostDepth}});
    m_session.saveWithFunctions(m_folder / "functions.onnx");
    ASSERT_TRUE(wait(m_failed));
    EXPECT_THAT(m_failed[0][0].value<Error>().line(), HasSubstr("no module runs at this depth: 1000"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "functions.onnx"));
}

TEST_F(SessionFilesTest, NothingIsSavedWhileSomethingElseRuns)
{
    m_session.saveInFloat(m_folder / "float.onnx"); // there is no model
    EXPECT_EQ(m_session.activity(), Activity::Idle);
    open();
    m_session.setData({"random:2", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    m_session.saveWithFunctions(m_folder / "functions.onnx");
    m_session.saveInFloat(m_folder / "float.onnx");
    m_session.saveEncodings("netron", m_folder / "netron.json");
    EXPECT_EQ(m_session.activity(), Activity::Calibrating);
    ASSERT_TRUE(wait(calibrated));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "float.onnx"));
}

TEST_F(SessionFilesTest, TheModelItselfIsNotWrittenOver)
{
    const auto model = m_folder / "digits.onnx";
    std::filesystem::copy_file(sample("digits_conv.onnx"), model);
    open(model);
    m_session.saveInFloat(model);
    ASSERT_TRUE(wait(m_failed));
    m_session.saveEncodings("netron", model);
    ASSERT_TRUE(wait(m_failed, 2));
    for (const auto& failure : m_failed)
        EXPECT_THAT(failure[0].value<Error>().line(), HasSubstr("digits.onnx"));
}

} // namespace
} // namespace duo::app
