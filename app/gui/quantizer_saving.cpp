// SPDX-License-Identifier: Apache-2.0
#include "app/gui/quantizer_saving.h"

#include "core/pipeline/setup_forms.h"
#include "core/support/phrases.h"
#include "views/style/file_dialog.h"
#include "views/style/format.h"

namespace duo::app {
namespace {

constexpr std::size_t kMostSaid = 4; // of what a file does not say

std::filesystem::path beside(const std::filesystem::path& model, const std::string& ending)
{
    return model.parent_path() / (model.stem().string() + ending);
}

QString floatText(const FloatFile& file)
{
    const QString text
        = QuantizerSaving::tr("%1 is in float: %2 quantizers of activations taken out, %3 constants and %4 "
                              "operators made floats.")
              .arg(ui::pathText(file.path))
              .arg(file.quantizers)
              .arg(file.weights)
              .arg(file.operators);
    if (file.kept.empty())
        return text;
    return text
        + QuantizerSaving::tr(" %1 nodes keep codes as they are, the first is %2.")
              .arg(file.kept.size())
              .arg(ui::toQt(file.kept.front()));
}

QString encodingsSaid(const std::filesystem::path& target, const EncodingsText& made)
{
    QString text = QuantizerSaving::tr("%1 is written").arg(ui::pathText(target))
        + (made.tensors == 0
                ? QString()
                : QuantizerSaving::tr(", of %1").arg(ui::toQt(counted(made.tensors, "quantizer", "quantizers"))))
        + QLatin1Char('.');
    for (std::size_t i = 0; i < made.losses.size() && i < kMostSaid; ++i)
        text += QuantizerSaving::tr("\nIt does not say: %1.").arg(ui::toQt(made.losses[i]));
    if (made.losses.size() > kMostSaid)
        text += QuantizerSaving::tr("\nNor %1 more.").arg(made.losses.size() - kMostSaid);
    if (!made.without.empty())
        text += QuantizerSaving::tr("\n%1 of the float model have no entry: %2.")
                    .arg(ui::toQt(counted(made.without.size(), "value", "values")),
                        ui::toQt(firstOf(made.without, kMostSaid)));
    return text;
}

/// Of the file that the tool of a form writes itself.
const char* suffixOf(const std::string& form)
{
    return form == "ort-table" ? "cache" : form == "ort-flatbuffers" ? "flatbuffers" : "json";
}

} // namespace

QuantizerSaving::QuantizerSaving(Session& session, ui::Board& board, QWidget* window)
    : QObject(window)
    , m_session(session)
    , m_window(window)
    , m_float(new QAction(tr("Save in floa&t…"), window))
    , m_encodings(new QMenu(tr("Save &quantizers as"), window))
{
    const QString tip = tr("Write a model that is quantized already without its quantizers, in float");
    m_float->setObjectName(QStringLiteral("actionSaveFloat"));
    m_float->setStatusTip(tip);
    m_float->setToolTip(tip);
    window->addAction(m_float);
    m_encodings->setObjectName(QStringLiteral("menuEncodings"));
    for (const std::string& form : setupForms())
        addForm(form);
    connect(m_float, &QAction::triggered, this, &QuantizerSaving::saveFloat);
    connect(&board, &ui::Board::snapshotShown, this, &QuantizerSaving::update);
    connect(&session, &Session::activityChanged, this, &QuantizerSaving::update);
    connect(&session, &Session::calibrated, this, &QuantizerSaving::update);
    connect(&session, &Session::setupUsed, this, &QuantizerSaving::update);
    connect(&session, &Session::rulesChanged, this, &QuantizerSaving::update);
    connect(&session, &Session::savedInFloat, this, [this](const FloatFile& file) {
        Q_EMIT told({file.kept.empty() ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning, floatText(file)});
    });
    connect(&session, &Session::savedEncodings, this,
        [this](const std::filesystem::path& target, const EncodingsText& made) {
            const auto tone = made.losses.empty() ? ui::Banner::Tone::Good : ui::Banner::Tone::Warning;
            Q_EMIT told({tone, encodingsSaid(target, made)});
        });
    update();
}

void QuantizerSaving::addForm(const std::string& form)
{
    const QString name = ui::toQt(form);
    const QString tip = tr("Write the quantizers in the form %1").arg(name);
    auto* action = new QAction(name + QStringLiteral("…"), m_window);
    action->setObjectName(QStringLiteral("actionSaveEncodings:") + name);
    action->setStatusTip(tip);
    action->setToolTip(tip);
    action->setData(name);
    m_window->addAction(action);
    m_encodings->addAction(action);
    connect(action, &QAction::triggered, this, [this, form] { saveEncodings(form); });
}

/// Looks at each model once: rules change often, and leave it as it is.
void QuantizerSaving::update()
{
    const auto snapshot = m_session.snapshot();
    const auto model = snapshot ? snapshot->model : nullptr;
    if (!model || model != m_model)
        m_isQuantized = model && holdsCodes(*model);
    m_model = model;
    const bool isIdle = m_session.activity() == Activity::Idle;
    m_float->setEnabled(isIdle && m_isQuantized);
    bool isAny = false;
    for (QAction* action : m_encodings->actions()) {
        const bool canBe = isIdle && hasWhatItTakes(ui::toStd(action->data().toString()));
        action->setEnabled(canBe);
        isAny = isAny || canBe;
    }
    m_encodings->setEnabled(isAny);
}

/// Of a quantized model its own quantizers, of a float one those of a result; places take a plan alone.
bool QuantizerSaving::hasWhatItTakes(const std::string& form) const
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot || (m_isQuantized && !isOfSetups(form)))
        return m_isQuantized;
    return m_session.isResultCurrent() || (isOfPlaces(form) && snapshot->placement);
}

void QuantizerSaving::saveFloat()
{
    const auto snapshot = m_session.snapshot();
    ui::askForTarget(m_window,
        {"floatDialog", tr("Save the model in float"), tr("ONNX models (*.onnx);;All files (*)")},
        beside(snapshot->model->path, ".float.onnx"), QStringLiteral("onnx"),
        [this](const std::filesystem::path& path) { m_session.saveInFloat(path); });
}

void QuantizerSaving::saveEncodings(const std::string& form)
{
    const auto snapshot = m_session.snapshot();
    const QString suffix = QLatin1String(suffixOf(form));
    ui::askForTarget(m_window,
        {"encodingsDialog", tr("Save the quantizers"), tr("%1 (*.%2);;All files (*)").arg(ui::toQt(form), suffix)},
        beside(snapshot->model->path, "." + form + "." + suffixOf(form)), suffix,
        [this, form](const std::filesystem::path& path) { m_session.saveEncodings(form, path); });
}

} // namespace duo::app
