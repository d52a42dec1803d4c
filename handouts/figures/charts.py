# SPDX-License-Identifier: Apache-2.0
"""Charts: occupancy in steps, bars. The values come from the grader's arithmetic and counts."""
from .drawing import Drawing, figure


def steps(points, x_label, title, ticks, marks=()):
    """A step chart of (x, fraction) points in order of x. `ticks` are (x, text), `marks` too: points to name."""
    width, height, left, top, bottom = 620, 270, 52, 16, 46
    drawing = Drawing(width, height, title)
    low, high = points[0][0], points[-1][0]
    to_x = lambda x: left + (x - low) / (high - low) * (width - left - 22)
    to_y = lambda y: top + (1 - y) * (height - top - bottom)
    for percent in (0, 25, 50, 75, 100):
        y = to_y(percent / 100)
        drawing.line(left, y, width - 20, y, "thin")
        drawing.words(left - 6, y, f"{percent} %", "tiny", "end")
    for x, text in ticks:
        drawing.line(to_x(x), to_y(0), to_x(x), to_y(0) + 5, "axis")
        drawing.words(to_x(x), to_y(0) + 14, text, "tiny")
    drawing.words((left + width) / 2, height - 8, x_label, "label")
    corners = []
    for (x, y), (next_x, _) in zip(points, points[1:] + [(points[-1][0], 0)]):
        corners += [(to_x(x), to_y(y)), (to_x(next_x), to_y(y))]
    drawing.path(corners, "curve")
    values = dict(points)
    for x, text in marks:
        drawing.dot(to_x(x), to_y(values[x]))
        drawing.words(to_x(x) + 9, to_y(values[x]) - 12, f"{text}: {100 * values[x]:g} %", "halo", "start")
    return drawing


def bars(rows, title, unit="", highest=None):
    """Horizontal bars of (name, value, text)."""
    width, bar, left = 560, 24, 190
    drawing = Drawing(width, len(rows) * (bar + 8) + 12, title)
    highest = highest or max(value for _, value, _ in rows)
    for i, (name, value, text) in enumerate(rows):
        y = 6 + i * (bar + 8)
        drawing.words(left - 8, y + bar / 2, name, "label", "end")
        drawing.box(left, y, max(value / highest * (width - left - 80), 1.5), bar, "accent")
        drawing.words(left + value / highest * (width - left - 80) + 8, y + bar / 2, text + unit, "label", "start")
    return drawing


def columns(values, title, x_label, marks, ticks=None, percent=False):
    """Vertical bars of (x, value); those whose x is in `marks` stand out and have their value on top, all have it
    where `ticks` are not given. `ticks` are the x to write below."""
    step, height, left = 19, 190, 26
    drawing = Drawing(left + len(values) * step + 24, height + 44, title)
    highest = max(value for _, value in values)
    for i, (x, value) in enumerate(values):
        tall = value / highest * (height - 26)
        middle = left + i * step + step / 2
        drawing.box(middle - step / 2 + 2, height - tall, step - 4, tall, "hot" if x in marks else "accent")
        if ticks is None or x in marks:
            drawing.words(middle, height - tall - 8, f"{100 * value:g} %" if percent else value, "micro")
        if ticks is None or x in ticks:
            drawing.words(middle, height + 11, x, "micro")
    drawing.line(left, height, left + len(values) * step, height, "axis")
    drawing.words(left + len(values) * step / 2, height + 32, x_label, "label")
    return drawing


def slots(blocks, threads, most, title, words):
    """The thread slots of one multiprocessor, filled with whole blocks."""
    width, high = 600, 46
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
