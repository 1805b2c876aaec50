// SPDX-License-Identifier: Apache-2.0
#include "app/gui/half_saving.h"

#include "core/pipeline/half_model.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"

namespace duo::app {
namespace {

/// The type that the recipe asks for, or float16.
std::string_view typeName(const Recipe& recipe)
{
    return elementTypeName(halfOptions(recipe.transforms.value_or(TransformOptions()), recipe.rules).type);
}

QString writtenText(const std::filesystem::path& target, const PassReport& half, const Recipe& recipe)
{
    QString text = HalfSaving::tr("%1: %2 compute in %3, %4 stay in float32.")
                       .arg(ui::pathText(target), ui::nodesText(static_cast<std::int64_t>(half.applied.size())),
                           ui::toQt(typeName(recipe)), ui::countText(static_cast<std::int64_t>(half.skipped.size())));
    if (!half.skipped.empty())
        text += HalfSaving::tr(" The first is %1: %2.")
                    .arg(ui::toQt(half.skipped.front().name), ui::toQt(half.skipped.front().why));
    return text;
}

} // namespace

HalfSaving::HalfSaving(Session& session, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_window(window)
    , m_save(new QAction(tr("Save in 16-&bit floats…"), window))
{
    const QString tip = tr("Write the model, with pass half of Transforms run on it, in 16 bits where its values fit");
    m_save->setObjectName(QStringLiteral("actionSaveHalf"));
    m_save->setStatusTip(tip);
    m_save->setToolTip(tip);
    window->addAction(m_save);
    connect(m_save, &QAction::triggered, this, &HalfSaving::save);
    connect(&session, &Session::snapshotChanged, this, &HalfSaving::update);
    connect(&session, &Session::activityChanged, this, &HalfSaving::update);
    connect(&session, &Session::savedInHalf, this,
        [this](const std::filesystem::path& target, const std::shared_ptr<const TransformReport>& report) {
            const PassReport& half = report->passes.back();
            const auto tone = half.applied.empty() ? ui::Banner::Tone::Warning : ui::Banner::Tone::Good;
            Q_EMIT told({tone, writtenText(target, half, m_session.halves().of->recipe)});
        });
    update();
}

void HalfSaving::update()
{
    m_save->setEnabled(m_session.snapshot() && m_session.activity() == Activity::Idle);
}

void HalfSaving::save()
{
    const auto& model = m_session.snapshot()->model->path;
    const std::string type(typeName(m_session.recipe()));
    ui::askForTarget(m_window,
        {"halfDialog", tr("Save the model in 16-bit floats"), tr("ONNX models (*.onnx);;All files (*)")},
        model.parent_path() / (model.stem().string() + "." + type + ".onnx"), QStringLiteral("onnx"),
        [this](const std::filesystem::path& path) { m_session.saveInHalf(path); });
}

} // namespace duo::app
