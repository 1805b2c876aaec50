// SPDX-License-Identifier: Apache-2.0
#include "views/intent/subject_mime.h"

#include "views/style/format.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace duo::ui {
namespace {

const QString kType = QStringLiteral("application/x-duoscope-subjects+json");

} // namespace

std::unique_ptr<QMimeData> mimeOf(const std::vector<RuleSubject>& subjects)
{
    QJsonArray list;
    QStringList names;
    for (const RuleSubject& subject : subjects) {
        list.append(QJsonObject{{QStringLiteral("kind"), toQt(ruleKindText(subject.kind))},
            {QStringLiteral("value"), toQt(subject.value)}, {QStringLiteral("scope"), toQt(subject.scope)}});
        names += toQt(subject.value);
    }
    auto data = std::make_unique<QMimeData>();
    data->setData(kType, QJsonDocument(list).toJson(QJsonDocument::Compact));
    data->setText(names.join(QLatin1Char('\n')));
    return data;
}

std::vector<RuleSubject> subjectsOf(const QMimeData& data)
{
    std::vector<RuleSubject> subjects;
    const QJsonArray list = QJsonDocument::fromJson(data.data(kType)).array();
    for (const auto& entry : list) {
        const QJsonObject object = entry.toObject();
        if (const auto kind = ruleKindFromText(toStd(object[QStringLiteral("kind")].toString())))
            subjects.push_back({*kind, toStd(object[QStringLiteral("value")].toString()),
                toStd(object[QStringLiteral("scope")].toString())});
    }
    return subjects;
}

} // namespace duo::ui
