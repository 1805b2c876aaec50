// SPDX-License-Identifier: Apache-2.0
#include "views/config/data_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QImage>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <memory>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

template <typename T> T* part(QWidget& parent, const char* name)
{
    return parent.findChild<T*>(QString::fromLatin1(name));
}

QString previewTitle(DataDialog& dialog)
{
    return part<QLabel>(dialog, "dataPreviewTitle")->text();
}

/// Two gray 8 x 8 samples of one input.
DatasetPreview grayPreview()
{
    DatasetPreview preview;
    preview.samples = 200;
    HostTensor sample{"image", ElementType::UInt8, {1, 1, 8, 8}, std::vector<std::byte>(64, std::byte{90})};
    preview.first = {{sample}, {sample}};
    preview.inputs = {{.name = "image",
        .type = ElementType::UInt8,
        .dims = {1, 1, 8, 8},
        .count = 128,
        .min = 90,
        .max = 90,
        .mean = 90}};
    return preview;
}

TEST(DataDialog, OffersTheLikeliestFileFirst)
{
    DataDialog dialog({QStringLiteral("/m/digits_calibration.npz"), QStringLiteral("/m/digits_test.npz")}, {});
    EXPECT_EQ(dialog.source().spec, "/m/digits_calibration.npz");
    part<QSpinBox>(dialog, "randomSamples")->setValue(5);
    EXPECT_EQ(dialog.source().spec, "random:5");
    QTest::keyClicks(part<QLineEdit>(dialog, "dataPath"), QStringLiteral(" /x.npy "));
    EXPECT_EQ(dialog.source().spec, "/x.npy");
}

TEST(DataDialog, AsksForAFileAndMayBeClosedMeanwhile)
{
    auto dialog = std::make_unique<DataDialog>(QStringList(), DataSource());
    part<QPushButton>(*dialog, "dataFile")->click();
    auto* files = part<QFileDialog>(*dialog, "samplesFileDialog");
    ASSERT_NE(files, nullptr);
    Q_EMIT files->fileSelected(QStringLiteral("/m/a.npz"));
    EXPECT_EQ(dialog->source().spec, "/m/a.npz");
    dialog.reset(); // the one inside it is still open
}

TEST(DataDialog, MayStopMeasuringWhereMoreSamplesChangeNoScale)
{
    DataDialog dialog({}, {});
    auto* box = part<QCheckBox>(dialog, "stopWhenConverged");
    EXPECT_FALSE(dialog.stopsWhenConverged());
    dialog.setStopsWhenConverged(true);
    EXPECT_TRUE(box->isChecked());
    box->click();
    EXPECT_FALSE(dialog.stopsWhenConverged());
}

TEST(DataDialog, NeedsAChoice)
{
    DataDialog dialog({}, {});
    auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    EXPECT_FALSE(ok->isEnabled());
    EXPECT_EQ(previewTitle(dialog), QStringLiteral("Choose samples to see the first ones here."));
    QTest::keyClicks(part<QLineEdit>(dialog, "dataPath"), QStringLiteral("x"));
    EXPECT_TRUE(ok->isEnabled());
}

TEST(DataDialog, ShowsPicturesAsPicturesAndWhatTheNumbersAreLike)
{
    DataDialog dialog({QStringLiteral("/m/digits.npz")}, {});
    QSignalSpy wanted(&dialog, &DataDialog::previewWanted);
    ASSERT_TRUE(wanted.wait());
    EXPECT_EQ(wanted.front().front().value<DataSource>(), dialog.source());
    dialog.showPreview(dialog.source(), grayPreview());
    EXPECT_EQ(previewTitle(dialog), QStringLiteral("200 samples; the first 2:"));
    const auto pictures = part<QWidget>(dialog, "dataPictures")->findChildren<QLabel*>();
    ASSERT_EQ(pictures.size(), 2);
    EXPECT_EQ(pictures[0]->pixmap().size(), QSize(64, 64));
    EXPECT_EQ(pictures[0]->pixmap().toImage().pixelColor(5, 5), QColor(90, 90, 90));
}

TEST(DataDialog, SamplesThatAreNoPicturesAreNumbers)
{
    DataDialog dialog({QStringLiteral("/m/rows.npz")}, {});
    DatasetPreview preview;
    preview.samples = 1;
    HostTensor row{"x", ElementType::Float32, {1, 2}, std::vector<std::byte>(8)};
    const float values[] = {0.5F, -2};
    std::memcpy(row.bytes.data(), values, sizeof values);
    preview.first = {{row}};
    preview.inputs = {{.name = "x", .type = ElementType::Float32, .dims = {1, 2}, .count = 2, .min = -2, .max = 0.5}};
    dialog.showPreview(dialog.source(), preview);
    QStringList texts;
    for (const QLabel* label : part<QWidget>(dialog, "dataPreview")->findChildren<QLabel*>())
        texts += label->text();
    EXPECT_TRUE(texts.contains(QStringLiteral("0.5, -2"))) << texts.join(QLatin1Char('|')).toStdString();
}

TEST(DataDialog, SaysWhatIsWrongWithTheData)
{
    DataDialog dialog({QStringLiteral("/m/digits.npz")}, {});
    dialog.showProblem(dialog.source(), {ErrorCode::BadData, "no array for input 'x'", "/m/digits.npz", "rename one"});
    EXPECT_EQ(previewTitle(dialog), QStringLiteral("no array for input 'x'\n/m/digits.npz\nrename one"));
    auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    EXPECT_FALSE(ok->isEnabled());
    QTest::keyClicks(part<QLineEdit>(dialog, "dataPath"), QStringLiteral("/m/other.npz"));
    EXPECT_TRUE(ok->isEnabled());
}

TEST(DataDialog, OpensTheFieldOfTheSizeThatTheEngineRefuses)
{
    DataDialog dialog({}, {"random:4", {}}, {QStringLiteral("batch"), QStringLiteral("height")});
    dialog.showProblem(dialog.source(),
        {ErrorCode::EngineFailed, "the engine refuses samples of all 3 sizes tried", "input 'x' as [1, 3, 64, 64]",
            "pass sizes that the model takes, such as --dim height=640"},
        {"height"});
    EXPECT_EQ(dialog.focusWidget(), part<QSpinBox>(dialog, "dim:height"));
}

TEST(DataDialog, KeepsWhichStatesAreFedBack)
{
    DataSource current{"random:4", {}};
    current.options.feedBack = {{"hn", "h"}, {"cn", "c"}};
    DataDialog dialog({}, current);
    EXPECT_EQ(part<QLineEdit>(dialog, "feedBack")->text(), QStringLiteral("hn=h, cn=c"));
    EXPECT_EQ(dialog.source(), current);
}

TEST(DataDialog, EightPicturesStandSideBySide)
{
    DataDialog dialog({QStringLiteral("/m/digits.npz")}, {});
    DatasetPreview preview = grayPreview();
    preview.first.resize(8, preview.first.front());
    dialog.showPreview(dialog.source(), preview);
    dialog.show();
    const auto* scroll = dialog.findChild<QScrollArea*>();
    EXPECT_LE(part<QWidget>(dialog, "dataPreview")->minimumSizeHint().width(), scroll->viewport()->width());
}

TEST(DataDialog, TakesTheFirstFileFoundThatFitsTheModel)
{
    const Error error{ErrorCode::BadData, "no array for input 'x'", "/m/labels.npz", "rename one"};
    DataDialog dialog({QStringLiteral("/m/labels.npz"), QStringLiteral("/m/digits.npz")}, {});
    dialog.showProblem(dialog.source(), error);
    EXPECT_EQ(dialog.source().spec, "/m/digits.npz");
    EXPECT_EQ(previewTitle(dialog), QStringLiteral("Reading…"));
    auto* first = dialog.findChildren<QRadioButton*>().front();
    EXPECT_EQ(first->text(), QStringLiteral("labels.npz (beside the model, does not fit)"));
    dialog.showProblem(dialog.source(), error); // nor does the other
    EXPECT_EQ(dialog.source().spec, "");
    first->click(); // what the user chooses stays
    dialog.showProblem(dialog.source(), error);
    EXPECT_EQ(dialog.source().spec, "/m/labels.npz");
}

TEST(DataDialog, AnAnswerAboutOtherDataIsIgnored)
{
    DataDialog dialog({QStringLiteral("/m/digits.npz")}, {});
    dialog.showPreview({"/m/other.npz", {}}, grayPreview());
    EXPECT_EQ(previewTitle(dialog), QStringLiteral("Reading…"));
}

TEST(DataDialog, AFolderOfPicturesAsksHowToReadThem)
{
    const QTemporaryDir folder;
    QImage(4, 4, QImage::Format_RGB888).save(folder.filePath(QStringLiteral("a.png")));
    DataDialog dialog({}, {});
    auto* images = part<QWidget>(dialog, "imageOptions");
    EXPECT_TRUE(images->isHidden());
    part<QLineEdit>(dialog, "dataPath")->setText(folder.path());
    EXPECT_FALSE(images->isHidden());
    auto* pixels = part<QComboBox>(dialog, "imagePixels");
    pixels->setCurrentIndex(3); // ImageNet
    Q_EMIT pixels->activated(3);
    EXPECT_EQ(dialog.source().options.mean, (std::vector<float>{0.485F, 0.456F, 0.406F}));
    auto* ok = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    part<QLineEdit>(dialog, "imageMean")->setText(QStringLiteral("a half"));
    EXPECT_FALSE(ok->isEnabled());
    part<QLineEdit>(dialog, "imageMean")->setText(QStringLiteral("0.5"));
    EXPECT_TRUE(ok->isEnabled());
    EXPECT_EQ(pixels->currentText(), QStringLiteral("as written below"));
}

TEST(DataDialog, RandomDataMayHaveSizesForSymbolicDimensions)
{
    DataSource random{"random:4", {}};
    random.options.dims["tokens"] = 16;
    DataDialog dialog({}, random, {QStringLiteral("tokens")});
    EXPECT_EQ(part<QSpinBox>(dialog, "dim:tokens")->value(), 16);
    EXPECT_EQ(dialog.source(), random);
}

TEST(ImageNumbers, AreSeparatedByCommasOrSpaces)
{
    EXPECT_EQ(numbersOf(QStringLiteral("0.5, 1 2")), (std::vector<float>{0.5F, 1, 2}));
    EXPECT_EQ(numbersOf(QString()), std::vector<float>{});
    EXPECT_EQ(numbersOf(QStringLiteral("one")), std::nullopt);
}

} // namespace
} // namespace duo::ui
