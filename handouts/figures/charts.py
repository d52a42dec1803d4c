# SPDX-License-Identifier: Apache-2.0
"""Charts: occupancy in steps, bars. The values come from the grader's arithmetic and counts."""
import unicodedata

from .drawing import NARROW, Drawing, figure


def steps(points, x_label, title, ticks, marks=()):
    """A step chart of (x, fraction) points in order of x. `ticks` are (x, text), `marks` too: points to name."""
    drawing = _steps(620, points, x_label, title, ticks, marks)
    drawing.narrow = _steps(NARROW, points, x_label, title, ticks, marks)
    return drawing


def _steps(width, points, x_label, title, ticks, marks):
    height, left, top, bottom = 270, 52, 22, 46
    drawing = Drawing(width, height, title)
    low, high = points[0][0], points[-1][0]
    to_x = lambda x: left + (x - low) / (high - low) * (width - left - 22)
    to_y = lambda y: top + (1 - y) * (height - top - bottom)
    _percent_axis(drawing, left, width - 20, to_y)
    last = -100
    for x, text in ticks:
        drawing.line(to_x(x), to_y(0), to_x(x), to_y(0) + 5, "axis")
        if to_x(x) - last > 7 * len(text) + 6:  # On a phone not every tick has room for its text.
            drawing.words(to_x(x), to_y(0) + 14, text, "tiny")
            last = to_x(x)
    drawing.words((left + width - 20) / 2, height - 8, x_label, "label")
    corners = []
    for (x, y), (next_x, _) in zip(points, points[1:] + [(points[-1][0], 0)]):
        corners += [(to_x(x), to_y(y)), (to_x(next_x), to_y(y))]
    drawing.path(corners, "curve")
    values = dict(points)
    for x, text in marks:
        drawing.dot(to_x(x), to_y(values[x]))
        at_end = to_x(x) > width - 110
        drawing.words(to_x(x) + (-9 if at_end else 9), to_y(values[x]) - 12, f"{text}: {100 * values[x]:g} %", "halo",
                      "end" if at_end else "start")
    return drawing


def _percent_axis(drawing, left, right, to_y):
    for percent in (0, 25, 50, 75, 100):
        y = to_y(percent / 100)
        drawing.line(left, y, right, y, "axis" if percent == 0 else "thin")
        drawing.words(left - 6, y, f"{percent} %", "tiny", "end")


def bars(rows, title, unit="", highest=None):
    """Horizontal bars of (name, value, text)."""
    bar, left = 24, max(190, 10 + max(_length(name) for name, _, _ in rows))
    width = left + 370
    drawing = Drawing(width, len(rows) * (bar + 8) + 12, title)
    highest = highest or max(value for _, value, _ in rows)
    for i, (name, value, text) in enumerate(rows):
        y = 6 + i * (bar + 8)
        drawing.words(left - 8, y + bar / 2, name, "label", "end")
        drawing.box(left, y, max(value / highest * (width - left - 80), 1.5), bar, "accent")
        drawing.words(left + value / highest * (width - left - 80) + 8, y + bar / 2, text + unit, "label", "start")
    drawing.narrow = _bars_below_names(rows, title, unit, highest)
    return drawing


def _length(text):
    """Of a label's text, in pixels, with something to spare: fonts differ."""
    return sum(13 if unicodedata.east_asian_width(letter) in "WF" else 6.9 for letter in text)


def _bars_below_names(rows, title, unit, highest):
    bar, each = 18, 48
    drawing = Drawing(NARROW, len(rows) * each + 4, title)
    for i, (name, value, text) in enumerate(rows):
        y = 4 + i * each
        drawing.words(2, y + 9, name, "label", "start")
        length = max(value / highest * (NARROW - 80), 1.5)
        drawing.box(2, y + 21, length, bar, "accent")
        drawing.words(length + 10, y + 21 + bar / 2, text + unit, "label", "start")
    return drawing


def columns(values, title, x_label, marks, ticks=None, percent=False):
    """Vertical bars of (x, value); those whose x is in `marks` stand out and have their value on top, all have it
    where `ticks` are not given. `ticks` are the x to write below. Shares have an axis in percent."""
    highest = max(value for _, value in values)
    drawing = Drawing((52 if percent else 26) + len(values) * 20 + 24, 244, title)
    _columns(drawing, 20, values, highest, x_label, marks, ticks, percent)
    drawing.narrow = Drawing(NARROW, 244, title)
    few = [x for i, (x, _) in enumerate(values) if i % 4 == 3]
    _columns(drawing.narrow, (NARROW - 68) / len(values), values, highest, x_label, marks,
             few if ticks is None else ticks[::2], percent)
    return drawing


def _columns(drawing, step, values, highest, x_label, marks, ticks, percent):
    left, bottom, room = 52 if percent else 26, 196, 168
    right = left + len(values) * step
    if percent:
        highest = 1
        _percent_axis(drawing, left, right, lambda share: bottom - share * room)
    tall = [value / highest * room for _, value in values]
    for i, (x, value) in enumerate(values):
        middle = left + i * step + step / 2
        drawing.box(middle - 0.4 * step, bottom - tall[i], 0.8 * step, tall[i], "hot" if x in marks else "accent")
        if ticks is None or x in ticks:
            drawing.words(middle, bottom + 11, x, "tiny" if percent else "small")
        if not percent and (ticks is None or x in marks):
            drawing.words(middle, bottom - tall[i] - 9, value, "small")
        if percent and x in marks:  # The text is wider than its bar: it stands above the bars beside it.
            above = max(tall[max(i - 1, 0):i + 2])
            if above > tall[i]:
                drawing.line(middle, bottom - above - 4, middle, bottom - tall[i], "axis")
            drawing.words(max(middle, left + 20), bottom - above - 12, f"{100 * value:g} %", "halo")
    drawing.line(left, bottom, right, bottom, "axis")
    drawing.words((left + right) / 2, bottom + 32, x_label, "label")


def slots(blocks, threads, most, title, words):
    """The thread slots of one multiprocessor, filled with whole blocks."""
    drawing = _slots(600, blocks, threads, most, title, words)
    drawing.narrow = _slots(NARROW - 22, blocks, threads, most, title, words)
    return drawing


def _slots(width, blocks, threads, most, title, words):
    high = 46
    drawing = Drawing(width + 20, high + 34, title)
    drawing.box(10, 8, width, high, "ghost")
    each = threads / most * width
    for i in range(blocks):
        text = threads if each > 34 else ""
        drawing.cell(10 + i * each, 8, each, high, text, "accent", "halo")
    idle = most - blocks * threads
    if idle > 0 and idle / most * width > 60:
        drawing.words(10 + (blocks * each + width) / 2, 8 + high / 2, words["idle"].format(idle=idle), "label")
    drawing.words(10, high + 22, words["slots"].format(blocks=blocks, threads=blocks * threads, most=most), "label",
                  "start")
    return drawing


def chart(drawings, caption):
    return figure(drawings, caption)
