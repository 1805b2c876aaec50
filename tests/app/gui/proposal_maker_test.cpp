// SPDX-License-Identifier: Apache-2.0
#include "app/gui/proposal_maker.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

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

TEST(ProposalMaker, SaysSoWhereSomebodyWaits)
{
    ProposalMaker maker;
    const QSignalSpy late(&maker, &ProposalMaker::takesLong);
    maker.ask(saying("quick"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    maker.ask([]() -> ui::Proposals {
        QThread::msleep(1000);
        return {};
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !maker.isAtWork(); }));
    EXPECT_EQ(late.count(), 1);
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
