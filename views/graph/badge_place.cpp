// SPDX-License-Identifier: Apache-2.0
#include "views/graph/badge_place.h"

#include <QLineF>

namespace duo::ui {
namespace {

constexpr int kFineSteps = 8; // px by px: a short line may have just room
constexpr double kStep = 4; // px, further away
constexpr int kMostSteps = 200; // to either side: further away nobody looks for it

double wayOf(int step)
{
    return step <= kFineSteps ? step : kFineSteps + (step - kFineSteps) * kStep;
}

double lengthOf(const QPolygonF& line)
{
    double length = 0;
    for (qsizetype i = 1; i < line.size(); ++i)
        length += QLineF(line[i - 1], line[i]).length();
    return length;
}

QPointF pointAt(const QPolygonF& line, double distance)
{
    for (qsizetype i = 1; i < line.size(); ++i) {
        const QLineF piece(line[i - 1], line[i]);
        if (distance <= piece.length() && piece.length() > 0)
            return piece.pointAt(distance / piece.length());
        distance -= piece.length();
    }
    return line.isEmpty() ? QPointF() : line.last();
}

} // namespace

std::optional<QRectF> badgePlace(
    const QPolygonF& line, const QSizeF& badge, const std::function<bool(const QRectF&)>& isFree)
{
    const double half = lengthOf(line) / 2;
    QRectF rect(QPointF(), badge);
    for (int step = 0; step < kMostSteps && wayOf(step) <= half; ++step) {
        for (const double distance : {half + wayOf(step), half - wayOf(step)}) {
            rect.moveCenter(pointAt(line, distance));
            if (isFree(rect))
                return rect;
        }
    }
    return std::nullopt;
}

} // namespace duo::ui
