// SPDX-License-Identifier: Apache-2.0
#include "app/gui/proposal_maker.h"

#include <utility>

namespace duo::app {
namespace {

constexpr int kPatienceMs = 300;

} // namespace

ProposalMaker::ProposalMaker(QObject* parent)
    : QObject(parent)
    , m_job(
          m_pool, *this,
          [this]() -> LatestJob<ui::Proposals>::Work {
              if (!m_question)
                  return {};
              return [question = m_question](const JobContext&) -> Result<ui::Proposals> { return question(); };
          },
          [this](Result<ui::Proposals>&& result, bool isStale) {
              if (isStale || !std::exchange(m_question, {}))
                  return;
              m_patience.stop();
              if (result)
                  Q_EMIT made(*result);
              else
                  Q_EMIT failed(result.error());
          })
{
    setObjectName(QStringLiteral("proposalMaker"));
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, &ProposalMaker::takesLong);
}

ProposalMaker::~ProposalMaker()
{
    m_job.stop();
    m_pool.waitForDone();
}

void ProposalMaker::ask(Question question)
{
    m_question = std::move(question);
    m_patience.start();
    m_job.run();
}

void ProposalMaker::forget()
{
    m_question = {};
    m_patience.stop();
    m_job.stop();
}

} // namespace duo::app
