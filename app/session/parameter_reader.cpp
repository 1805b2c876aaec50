// SPDX-License-Identifier: Apache-2.0
#include "app/session/parameter_reader.h"

#include "core/formats/write_npy.h"

#include <utility>

namespace duo::app {

ParameterReader::ParameterReader(QObject* parent)
    : QObject(parent)
    , m_looking(
          m_pool, *this,
          [this]() -> LatestJob<Answer>::Work {
              return [asked = m_look](const JobContext& job) -> Result<Answer> {
                  DUO_TRY(summary,
                      summarize(*asked.model->constant(asked.value), channelAxisOf(*asked.model, asked.value), job));
                  return std::make_shared<const TensorSummary>(std::move(summary));
              };
          },
          [this](Result<Answer>&& result, bool isStale) {
              if (isStale || (!result && result.error().code == ErrorCode::Cancelled))
                  return;
              if (result)
                  Q_EMIT looked(m_look.value, *result, {});
              else
                  Q_EMIT looked(m_look.value, nullptr, QString::fromStdString(result.error().line()));
          })
    , m_saving(
          m_pool, *this,
          [this]() -> LatestJob<std::filesystem::path>::Work {
              return [asked = m_save](const JobContext& job) -> Result<std::filesystem::path> {
                  DUO_CHECK(writeNpy(*asked.model->constant(asked.value), asked.target, job));
                  return asked.target;
              };
          },
          [this](Result<std::filesystem::path>&& result, bool /*isStale*/) {
              if (result)
                  Q_EMIT saved(*result);
              else if (result.error().code != ErrorCode::Cancelled)
                  Q_EMIT failed(result.error());
          })
{
}

ParameterReader::~ParameterReader()
{
    m_looking.stop();
    m_saving.stop();
    m_pool.waitForDone();
}

void ParameterReader::look(const std::shared_ptr<const Model>& model, ValueId value)
{
    if (!model || !value.valid() || model->constant(value) == nullptr)
        return;
    m_look = {model, value};
    m_looking.run();
}

void ParameterReader::save(
    const std::shared_ptr<const Model>& model, ValueId value, const std::filesystem::path& target)
{
    if (!model || !value.valid() || model->constant(value) == nullptr)
        return;
    m_save = {model, value, target};
    m_saving.run();
}

} // namespace duo::app
