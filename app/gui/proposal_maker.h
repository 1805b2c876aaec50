// SPDX-License-Identifier: Apache-2.0
// ProposalMaker: what a gesture may mean, found in the background: patterns are tried on every node of the model.
#pragma once

#include "app/session/latest_job.h"
#include "views/rules/proposal.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>

namespace duo::app {

class ProposalMaker : public QObject
{
    Q_OBJECT

public:
    using Question = std::function<ui::Proposals()>; // called in another thread

    explicit ProposalMaker(QObject* parent = nullptr);
    ~ProposalMaker() override; // waits for what runs

    /// Of what was asked last; made() follows unless it is forgotten.
    void ask(Question question);
    void forget();
    [[nodiscard]] bool isAtWork() const { return static_cast<bool>(m_question); }

Q_SIGNALS:
    void made(const duo::ui::Proposals& proposals);
    void failed(const duo::Error& error);
    void takesLong(); // so that somebody waits

private:
    QThreadPool m_pool;
    QTimer m_patience;
    Question m_question; // not answered yet; empty: none
    LatestJob<ui::Proposals> m_job;
};

} // namespace duo::app
