// SPDX-License-Identifier: Apache-2.0
// ParameterReader: looks at the values of parameters and writes them to files, in the background.
#pragma once

#include "app/session/latest_job.h"
#include "core/analysis/tensor_summary.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>
#include <memory>

namespace duo::app {

class ParameterReader : public QObject
{
    Q_OBJECT

public:
    explicit ParameterReader(QObject* parent = nullptr);
    ~ParameterReader() override; // stops what runs and waits for it

    /// A question that is not answered yet is dropped.
    void look(const std::shared_ptr<const Model>& model, ValueId value);
    /// A file that is not written yet stays as it was.
    void save(const std::shared_ptr<const Model>& model, ValueId value, const std::filesystem::path& target);

Q_SIGNALS:
    /// @param summary null where there is a problem
    void looked(duo::ValueId value, const std::shared_ptr<const duo::TensorSummary>& summary, const QString& problem);
    void saved(const std::filesystem::path& target);
    void failed(const duo::Error& error);

private:
    struct Question {
        std::shared_ptr<const Model> model;
        ValueId value;
        std::filesystem::path target = {};
    };
    using Answer = std::shared_ptr<const TensorSummary>;

    QThreadPool m_pool;
    Question m_look;
    Question m_save;
    LatestJob<Answer> m_looking;
    LatestJob<std::filesystem::path> m_saving;
};

} // namespace duo::app
