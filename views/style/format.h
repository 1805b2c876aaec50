// SPDX-License-Identifier: Apache-2.0
// Text for people: the border between the core's UTF-8 strings and QString, and numbers with units.
#pragma once

#include "core/model/model.h"
#include "core/report/note_groups.h"

#include <QString>

#include <filesystem>
#include <string>
#include <string_view>

namespace duo::ui {

QString toQt(std::string_view text);
/// Notes of one kind with how many there are and the first places.
QString noteText(const NoteGroup& group);
std::string toStd(const QString& text);
QString pathText(const std::filesystem::path& path);
/// "2026-11-22T14:05:00.250Z" -> "22 Nov 2026 15:05", of the user's time zone; what is no such date stays as it is.
QString dateText(std::string_view date);
std::filesystem::path toPath(const QString& path);

/// "12,345": digits grouped as English does, in every locale, so that window and command line agree.
QString countText(std::int64_t count);
/// A text with its grouped numbers at three digits: "20.8k/50k" of "20,841/50,019", "1.25M" of "1,250,019".
QString shortCounts(const QString& text);
/// "1 node", "12 nodes".
QString nodesText(std::int64_t count);
/// " over 1 sample", " over 12 samples": what a measured error is of.
QString overSamples(std::int64_t samples);
/// "812 B", "1.2 kB", "25.4 MB": powers of 1000, one decimal.
QString bytesText(std::int64_t bytes);
/// "float32 [N, 3, ?]", "float32 of unknown rank", "type not known".
QString typeText(const ValueType& type);
/// "kernel_shape = [3, 3]"; long lists are cut after 12 entries, and say so.
QString attributeText(const Attribute& attribute);

} // namespace duo::ui
