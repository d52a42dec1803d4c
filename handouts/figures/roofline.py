# SPDX-License-Identifier: Apache-2.0
"""Rooflines, and the way of a product's operands from memory to the multiply-adds.

Peaks come from the grader (handouts/facts_limits.cc), rates from measurements (handouts/measured.py).
"""
import math

from .drawing import NARROW, Drawing, figure


def roofline(slope, peak, points, title, words, x_ticks, y_ticks):
    """Rate over operations for each byte, both logarithmic. `slope` is the memory's TB/s, `peak` the units' TFLOP/s;
    `points` are (operations a byte, TFLOP/s, text, anchor). Returns a drawing."""
    drawing = _roofline(640, slope, peak, points, title, words, x_ticks, y_ticks)
    drawing.narrow = _roofline(NARROW, slope, peak, points, title, words, x_ticks, y_ticks)
    return drawing


def _roofline(width, slope, peak, points, title, words, x_ticks, y_ticks):
    height, left, top, bottom, right = 330, 40, 18, 50, 24
    drawing = Drawing(width, height, title)
    low_x, high_x, low_y, high_y = x_ticks[0], x_ticks[-1], y_ticks[0], y_ticks[-1]

    def to_x(x):
        return left + math.log(x / low_x) / math.log(high_x / low_x) * (width - left - right)

    def to_y(y):
        return top + (1 - math.log(y / low_y) / math.log(high_y / low_y)) * (height - top - bottom)

    for y in y_ticks:
        drawing.line(left, to_y(y), width - right, to_y(y), "thin")
        drawing.words(left - 8, to_y(y), f"{y:g}", "tiny", "end")
    for x in x_ticks:
        drawing.line(to_x(x), to_y(low_y), to_x(x), to_y(low_y) + 5, "axis")
        drawing.words(to_x(x), to_y(low_y) + 15, f"{x:g}", "tiny")
    drawing.words((left + width - right) / 2, height - 10, words["x"], "label")
    drawing.words(left + 4, top + 9, words["y"], "tiny", "start")
    ridge = peak / slope
    start = max(low_x, low_y / slope)
    corners = [(start, slope * start), (ridge, peak), (high_x, peak)]
    drawing.path([(to_x(x), to_y(y)) for x, y in corners], "curve")
    drawing.words(to_x(high_x) - 4, to_y(peak) - 10, words["peak"], "halo", "end")
    at = (start * ridge) ** 0.5
    drawing.words(to_x(at) - 8, to_y(slope * at) - 10, words["slope"], "halo", "end")
    dots = [(to_x(x), to_y(y)) for x, y, _, _ in points]
    for (x, y), (_, _, text, anchor) in zip(dots, points, strict=True):
        drawing.dot(x, y)
        x += {"start": 9, "end": -9, "middle": 0}[anchor]
        y += 14 if anchor == "middle" else 0
        if any(_covers(text, anchor, x, y, dot) for dot in dots):
            raise ValueError(f"{title}: the label {text} lies on a point, {width} wide; give it another anchor")
        drawing.words(x, y, text, "halo", anchor)
    return drawing


def _covers(text, anchor, x, y, dot):
    """Whether these words lie on the dot: by the usual widths of bold letters, Latin and Chinese."""
    long = sum(12 if ord(each) > 0x2E80 else 7.4 for each in text)
    begin = x - {"start": 0, "middle": long / 2, "end": long}[anchor]
    return begin - 4 < dot[0] < begin + long + 4 and abs(dot[1] - y) < 9


def stations(boxes, arrows, title):
    """The way of the operands: `boxes` are (name, what lies there), `arrows` between them (what goes, how much is done
    with it). Returns a drawing."""
    box_width, gap, high, top = 112, 118, 64, 26
    drawing = Drawing(len(boxes) * box_width + (len(boxes) - 1) * gap + 20, high + 62, title)
    drawing.narrow = _stations_below(boxes, arrows, title)
    for i, (name, inside) in enumerate(boxes):
        x = 10 + i * (box_width + gap)
        drawing.box(x, top, box_width, high, "accent" if i else "cell")
        drawing.words(x + box_width / 2, top + high / 2 - 10, name, "small")
        drawing.words(x + box_width / 2, top + high / 2 + 10, inside, "tiny")
        if i < len(arrows):
            above, below = arrows[i]
            drawing.arrow(x + box_width + 4, top + high / 2, x + box_width + gap - 4, top + high / 2)
            drawing.words(x + box_width + gap / 2, top + high / 2 - 14, above, "tiny")
            drawing.words(x + box_width + gap / 2, top + high / 2 + 16, below, "small")
    return drawing


def _stations_below(boxes, arrows, title):
    box_width, high, gap = 130, 52, 44
    drawing = Drawing(NARROW, len(boxes) * (high + gap) - gap + 16, title)
    for i, (name, inside) in enumerate(boxes):
        y = 8 + i * (high + gap)
        drawing.box(8, y, box_width, high, "accent" if i else "cell")
        drawing.words(8 + box_width / 2, y + high / 2 - 10, name, "small")
        drawing.words(8 + box_width / 2, y + high / 2 + 10, inside, "tiny")
        if i < len(arrows):
            above, below = arrows[i]
            drawing.arrow(8 + box_width / 2, y + high + 3, 8 + box_width / 2, y + high + gap - 3)
            drawing.words(box_width / 2 + 22, y + high + gap / 2 - 9, above, "tiny", "start")
            drawing.words(box_width / 2 + 22, y + high + gap / 2 + 9, below, "small", "start")
    return drawing


def patch(rows, columns, title, words):
    """A thread's patch for one k: a column of M's tile, a row of N's, and every product of the two. Returns a
    drawing."""
    size, left, top = 26, 84, 62
    drawing = Drawing(left + columns * size + 60, top + rows * size + 16, title)
    drawing.words(left + columns * size / 2, 14, words["n"].format(columns=columns), "label")
    drawing.words(left - 46, top - 14, words["m"].format(rows=rows), "label", "middle")
    for j in range(columns):
        drawing.cell(left + j * size, top - 34, size, size, j, "mark")
    for i in range(rows):
        drawing.cell(left - 34, top + i * size, size, size, i, "accent")
        for j in range(columns):
            drawing.cell(left + j * size, top + i * size, size, size, f"{i},{j}" if rows <= 4 else "", "cell", "micro")
    return drawing


def flow_figure(drawings, caption, kinds=()):
    return figure(drawings, caption, kinds)
