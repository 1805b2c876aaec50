// SPDX-License-Identifier: Apache-2.0
#include "app/gui/proposal_maker.h"

#include <QTest>

#include <stdexcept>

#include <gtest/gtest.h>

namespace duo::app {
namespace {

ProposalMaker::Question saying(const char* text)
{
    return [text] { return ui::Proposals{QString::fromLatin1(text), {}}; };
}

struct Heard {
    explicit Heard(ProposalMaker& maker)
    {
        QObject::connect(
            &maker, &ProposalMaker::made, &maker, [this](const ui::Proposals& one) { answers += one.question; });
        QObject::connect(&maker, &ProposalMaker::failed, &maker, [this](const Error& error) { errors += error.what; });
    }
    QStringList answers;
    std::string errors;
};

TEST(ProposalMaker, AnswersWhatWasAskedLast)
{
    ProposalMaker maker;
    const Heard heard(maker);
    maker.ask(saying("first"));
    maker.ask(saying("second"));
    EXPECT_TRUE(maker.isAtWork());
    EXPECT_TRUE(heard.answers.isEmpty()) << "by an event of its own";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    maker.ask(saying("third"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    EXPECT_EQ(heard.answers, QStringList({QStringLiteral("second"), QStringLiteral("third")}));
}

TEST(ProposalMaker, WhatIsForgottenIsNotAnswered)
{
    ProposalMaker maker;
    const Heard heard(maker);
    maker.ask(saying("forgotten"));
    maker.forget();
    EXPECT_FALSE(maker.isAtWork());
    maker.ask(saying("asked"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    EXPECT_EQ(heard.answers, QStringList(QStringLiteral("asked")));
}

TEST(ProposalMaker, AQuestionThatCannotBeAnsweredSaysWhy)
{
    ProposalMaker maker;
    const Heard heard(maker);
    maker.ask([]() -> ui::Proposals { throw std::runtime_error("no room left"); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    EXPECT_EQ(heard.errors, "no room left");
    EXPECT_TRUE(heard.answers.isEmpty());
}

} // namespace
} // namespace duo::app
