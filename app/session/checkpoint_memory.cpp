// SPDX-License-Identifier: Apache-2.0
#include "app/session/checkpoint_memory.h"

#include <QStringList>

namespace duo::app {
namespace {

QString key()
{
    return QStringLiteral("checkpoint/leftOut");
}

QString nameOf(const std::filesystem::path& model)
{
    return QString::fromStdString(model.string());
}

} // namespace

CheckpointMemory::CheckpointMemory(QSettings& settings)
    : m_settings(&settings)
{
}

bool CheckpointMemory::isLeftOut(const std::filesystem::path& model) const
{
    return m_settings->value(key()).toStringList().contains(nameOf(model));
}

void CheckpointMemory::setLeftOut(const std::filesystem::path& model, bool isLeftOut)
{
    QStringList models = m_settings->value(key()).toStringList();
    models.removeAll(nameOf(model));
    if (isLeftOut)
        models.prepend(nameOf(model));
    m_settings->setValue(key(), QStringList(models.mid(0, kMost)));
}

} // namespace duo::app
