// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"

#include "core/formats/file_formats.h"
#include "views/style/format.h"
#include "views/style/themed_icon.h"
#include "views/style/tr.h"

#include <QString>

namespace duo::app {
namespace {

using ui::tr;

QList<QKeySequence> keys(QKeySequence::StandardKey key)
{
    return QKeySequence::keyBindings(key);
}

} // namespace

Actions::Actions(QMainWindow& window)
    : m_window(window)
{
    open = add(
        "actionOpen", tr("&Open…"), keys(QKeySequence::Open), tr("Open %1").arg(ui::toQt(modelFormatsText())), "open");
    reload = add("actionReload", tr("Re&load"), {Qt::Key_F5},
        tr("Read the model's file once more; rules, settings and undo stay"));
    otherSession = add("actionOtherSession", tr("Go on with the other &session"), {},
        tr("Take up what another window has kept of this model; what this one did stays kept"));
    addCheckpoint = add("actionCheckpoint", tr("Add &checkpoint…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
        tr("Compare the saved parameters of the model, to see where each one lives and what never runs"));
    leaveCheckpointOut = add("actionLeaveCheckpoint", tr("&Leave the checkpoint out"), {},
        tr("Show the scopes as the model alone tells them"));
    openRecipe = add("actionOpenRecipe", tr("Open &recipe…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_R},
        tr("Read rules and settings: a recipe, NNCF's JSON or Python, older JSON with {re}"));
    saveRecipe = add("actionSaveRecipe", tr("&Save recipe…"), keys(QKeySequence::Save),
        tr("Write rules and settings, to use them again here or in the command line"));
    exportModel = add("actionExport", tr("&Export…"), {Qt::CTRL | Qt::Key_E},
        tr("Write the quantized model and its compression state, and check them"), "export");
    deploy = add("actionDeploy", tr("Export &deployment folder…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E},
        tr("Export into a folder, with recipe, checks, a report as a page, overlays for other viewers, and programs "
           "that "
           "run the model"));
    savePicture = add("actionSavePicture", tr("Save the &picture…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_G},
        tr("Write the graph as it is shown, as .svg, .png, .pdf or .dot"));
    saveGraph = add("actionSaveGraph", tr("Save the &whole graph…"), {},
        tr("Write the graph with every scope open, as .svg, .png, .pdf or .dot"));
    quit = add("actionQuit", tr("&Quit"), {Qt::CTRL | Qt::Key_Q},
        tr("Leave Duoscope; all that was done with the model is kept")); // the window says where
    undo = add(
        "actionUndo", tr("&Undo"), keys(QKeySequence::Undo), tr("Take back the last change of the rules"), "undo");
    redo = add("actionRedo", tr("&Redo"), {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y},
        tr("Make the change again that was taken back"), "redo");
    ignore = add("actionIgnore", tr("&Ignore"), {Qt::Key_I},
        tr("Keep the selected scope or nodes in float; again to take the rule away"), "ignore");
    target = add("actionTarget", tr("&Target"), {Qt::Key_T},
        tr("Quantize only the selected scope or nodes and other targets; again to take the rule away"), "target");
    clear = add("actionClear", tr("&Clear"), {Qt::Key_X},
        tr("Take away the rules about the selection, or take it out of rules that also catch more"), "clear");
    asSubgraph = add("actionAsSubgraph", tr("As &subgraph…"), {Qt::CTRL | Qt::Key_G},
        tr("Show what lies between the ends of the selection, to make one rule of it"));
    makePattern = add("actionMakePattern", tr("Make &pattern…"), {Qt::CTRL | Qt::Key_P},
        tr("Propose patterns for the names of the selection, to make one rule of them"));
    copyName = add("actionCopyName", tr("Copy &name"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C},
        tr("Copy the name of the selected scope or nodes"));
    markMode = add("actionMarkMode", tr("&Mark modules"), {Qt::Key_M},
        tr("Mark modules in the trees by a click on the box before them or by Space; again to end it"));
    find = add("actionFind", tr("&Find…"), keys(QKeySequence::Find),
        tr("Look for nodes and scopes by name, type, shape or state, in the trees and the graph"));
    findNext = add("actionFindNext", tr("Find &next"), {Qt::Key_F3}, tr("Go to the next thing found, and select it"));
    findPrevious = add("actionFindPrevious", tr("Find pre&vious"), {Qt::SHIFT | Qt::Key_F3},
        tr("Go to the previous thing found, and select it"));
    filter = add("actionFilter", tr("Fi&lter the trees"), {Qt::CTRL | Qt::SHIFT | Qt::Key_F},
        tr("Go to the filter of the scope trees"));
    goTo = add("actionPalette", tr("&Go to or run…"), {Qt::CTRL | Qt::Key_K},
        tr("Type a few letters of a command to run it, of a scope, operator, rule or node to go there"));
    selectUpstream = add("actionSelectUpstream", tr("Select upstrea&m"), {},
        tr("Select what feeds the selection, with it (Shift+Up in the graph)"));
    selectDownstream = add("actionSelectDownstream", tr("Select &downstream"), {},
        tr("Select what the selection feeds, with it (Shift+Down in the graph)"));
    selectBetween = add("actionSelectBetween", tr("Select the path &between"), {},
        tr("Select what lies on the ways among the selected nodes (Shift+P in the graph)"));
    counterpart = add("actionCounterpart", tr("Go to the &counterpart"), {Qt::Key_F6},
        tr("Go to the row of the other scope tree that belongs to the current one; again for the next one"));
    counterpartBack = add("actionCounterpartBack", tr("Go to the &previous counterpart"), {Qt::SHIFT | Qt::Key_F6},
        tr("Go through the counterparts of the current row backwards"));
    chooseData = add(
        "actionData", tr("Calibration &data…"), {Qt::CTRL | Qt::Key_D}, tr("Choose the samples to calibrate with"));
    chooseBounds = add("actionBounds", tr("&Bounds…"), {Qt::CTRL | Qt::Key_B},
        tr("Say what an export has to reach; scopes stay in float until it does"));
    limits = add("actionLimits", tr("&Limits of the engine…"), {},
        tr("Say how long the engine may run a sample, and how much memory it may take"));
    measure = add("actionMeasure", tr("&Measure"), {Qt::CTRL | Qt::Key_M},
        tr("Run the calibration data through the model to see how its values are spread, without exporting"));
    openStatistics = add("actionOpenStatistics", tr("&Open statistics…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_M},
        tr("Use statistics that duoscope-cli has measured of this model, instead of data"));
    measureSensitivity = add("actionSensitivity", tr("Measure &sensitivity"), {Qt::CTRL | Qt::Key_L},
        tr("Say which scopes and nodes the output error comes from, and what keeping them in float would give"));
    measureTimes = add("actionTimes", tr("Measure &times"), {Qt::CTRL | Qt::SHIFT | Qt::Key_T},
        tr("Run the first sample through the engine to see how long each node takes"));
    overlayNext = add("actionOverlayNext", tr("Colour by the &next value"), {Qt::Key_O},
        tr("Colour trees and graph by decision, precision, parameters, and what else was measured, in turn"));
    quantize = add("actionQuantize", tr("&Quantize"), {Qt::CTRL | Qt::Key_R},
        tr("Measure ranges on the calibration data and compute all quantization parameters"), "quantize");
    stop = add("actionStop", tr("&Stop"), {Qt::Key_Escape}, tr("Stop the running job; the last result stays"), "stop");
    zoomIn = add(
        "actionZoomIn", tr("Zoom &in"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}, tr("Enlarge the graph"));
    zoomOut = add("actionZoomOut", tr("Zoom &out"), {Qt::CTRL | Qt::Key_Minus}, tr("Make the graph smaller"));
    zoomOne = add("actionZoomOne", tr("&Actual size"), {Qt::CTRL | Qt::Key_1}, tr("Show the graph at its actual size"));
    fit = add("actionFit", tr("&Fit"), {Qt::CTRL | Qt::Key_0}, tr("Show the whole graph"), "fit");
    goBack = add("actionGoBack", tr("&Back in the graph"), {Qt::ALT | Qt::Key_Left},
        tr("Show the place in the graph that was looked at before"));
    goForward = add("actionGoForward", tr("For&ward in the graph"), {Qt::ALT | Qt::Key_Right},
        tr("Show the place in the graph that was left by going back"));
    reveal = add("actionReveal", tr("&Reveal the selection"), {Qt::Key_F},
        tr("Open what hides the selection in the graph, and go there"));
    expand = add("actionExpand", tr("&Expand the box"), {Qt::Key_E}, tr("Open the selected scope in the graph"));
    collapse = add("actionCollapse", tr("&Collapse the box"), {Qt::Key_C},
        tr("Close the selected scope, or the one around the selected box, in the graph"));
    quantizerBoxes = add("actionQuantizerBoxes", tr("&Quantizers as boxes"), {Qt::Key_Q},
        tr("Show quantizers in the graph as boxes of their own, or as labels on the edges"));
    quantizerBoxes->setCheckable(true);
    showOriginal = add(
        "actionShowOriginal", tr("&Original"), {Qt::Key_F7}, tr("Show the graph as it was opened, without quantizers"));
    showCompressed = add("actionShowCompressed", tr("&Compressed"), {Qt::Key_F8},
        tr("Show the graph with the quantizers that rules and settings put in"));
    showAsRun = add("actionShowAsRun", tr("As &run"), {Qt::Key_F9},
        tr("Show the kernels that ONNX Runtime makes of the last export, or of the model before one"));
    for (QAction* form : {showOriginal, showCompressed, showAsRun})
        form->setCheckable(true);
    shortcuts = add("actionShortcuts", tr("&Keyboard"), {Qt::Key_F1}, tr("Show what the keys do"));
    about = add("actionAbout", tr("&About Duoscope"), {}, tr("Version and parts"));
    quit->setMenuRole(QAction::QuitRole);
    about->setMenuRole(QAction::AboutRole);
}

QAction* Actions::add(const char* name, const QString& text, const QList<QKeySequence>& keySequences,
    const QString& tip, const char* icon)
{
    auto* action = new QAction(text, &m_window);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keySequences);
    action->setStatusTip(tip);
    const QString shortcut
        = keySequences.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keySequences.first().toString());
    action->setToolTip(tip + shortcut);
    m_window.addAction(action);
    if (icon)
        m_icons.emplace_back(action, QLatin1String(icon));
    return action;
}

void Actions::setIcons(const QPalette& palette)
{
    for (const auto& [action, name] : m_icons)
        action->setIcon(ui::themedIcon(name, palette));
}

} // namespace duo::app
