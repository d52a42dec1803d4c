# SPDX-License-Identifier: Apache-2.0
"""Time lines: pictures of what happens one after the other, which interactive/timeline.js plays step by step.

The picture is whole without it. What a step adds is marked with the number of the step (`data-step`), and `sentences`
says each step in words, for those who listen and for those who want no motion. The states come from
handouts/facts_timelines.cc and facts_limits.cc.
"""
from markupsafe import Markup

from .drawing import NARROW, Drawing, figure
from .schedules import issue_slots


def timeline_figure(drawings, sentences, caption, kinds, words):
    """A figure that can be played; `sentences` are as many as there are steps."""
    drawn = figure(drawings, caption, kinds)
    listed = Markup("").join(Markup("<li>{}</li>\n").format(each) for each in sentences)
    steps = Markup('<details class="steps-in-words">\n<summary>{}</summary>\n<ol>\n{}</ol>\n</details>\n').format(
        words["steps_in_words"], listed)
    return Markup(str(drawn).replace("<figure>", '<figure class="timeline">', 1).replace(
        "<figcaption>", str(steps) + "<figcaption>", 1))


def issue_timeline(facts, cases, sentences, caption, words, timeline_words):
    """Slots of a scheduler for several numbers of warps, (warps, title) each; a step is a slot."""
    drawings = [issue_slots(facts, warps, title, words) for warps, title in cases]
    kinds = [("accent", words["issues"]), ("padding", words["waits"]), ("cell", words["ready"]), ("hot", words["nobody"])]
    return timeline_figure(drawings, sentences, caption, kinds, timeline_words)


_KINDS_AT_BARRIER = {"l": "accent", "w": "ghost", "u": "mark"}


def warps_at_barriers(facts, title, words):
    """A row for each warp of a block, a column for each unit of time, and thick lines where a barrier opens. The last
    row counts the warps that wait. Returns a drawing."""
    drawing = _warps_at_barriers(36, 84, facts, title, words)
    drawing.narrow = _warps_at_barriers((NARROW - 76 - 24) / len(facts["slots"]), 76, facts, title, words)
    return drawing


def _warps_at_barriers(size, left, facts, title, words):
    high, top = 22, 26
    slots = len(facts["slots"])
    bottom = top + facts["warps"] * (high + 4)
    drawing = Drawing(left + slots * size + 24, bottom + 32, title)
    for warp, row in enumerate(facts["rows"]):
        y = top + warp * (high + 4)
        drawing.words(left - 8, y + high / 2, words["warp"].format(warp=warp), "tiny", "end")
        for slot, state in enumerate(row):
            with drawing.step(slot):
                drawing.box(left + slot * size, y, size, high, _KINDS_AT_BARRIER[state])
    drawing.words(left - 8, bottom + 14, words["wait"], "tiny", "end")
    for slot, each in enumerate(facts["slots"]):
        with drawing.step(slot):
            drawing.cell(left + slot * size, bottom + 3, size, high, each["waiting"], "cell", "micro")
    for time in facts["opens"]:
        with drawing.step(time - 1):
            drawing.line(left + time * size, top - 6, left + time * size, bottom - 2, "thick")
            drawing.words(left + time * size, top - 15, words["opens"], "tiny")
    return drawing


def arriving_sectors(facts, slots, title, words):
    """Sectors of one load in the order in which they arrive, with the lanes that each serves, on a scale of `slots`
    sectors. Returns a drawing."""
    drawing = _arriving_sectors(48, 6, facts, slots, title, words)
    drawing.narrow = _arriving_sectors(48, 6, facts, 7, title, words)
    return drawing


def _lanes(lanes):
    """"0–7" for neighbours, else "0, 16"."""
    return f"{lanes[0]}–{lanes[-1]}" if len(lanes) > 2 else ", ".join(map(str, lanes))


def _arriving_sectors(size, left, facts, across, title, words):
    high, top = 30, 22
    rows = -(-len(facts) // across)
    drawing = Drawing(left + min(max(len(facts), 7), across) * size + 6, top + rows * (high + 16) + 2, title)
    drawing.words(left, 9, words, "label", "start")
    for number, each in enumerate(facts):
        x, y = left + number % across * size, top + number // across * (high + 16)
        with drawing.step(number):
            drawing.cell(x, y, size - 3, high, _lanes(each), "accent", "micro")
            # How much of the sector the lanes use.
            used = len(each) * 4 / 32
            drawing.box(x, y + high + 2, size - 3, 7, "cell")
            drawing.box(x, y + high + 2, (size - 3) * used, 7, "mark")
    return drawing


def shuffled_lanes(facts, title, words):
    """Lanes that add up registers: a row of values for each step, and an arrow from the lane whose register is read.
    Values that nobody needs any more are in pale boxes. Returns a drawing."""
    drawing = _shuffled_lanes(52, 96, facts, title, words)
    drawing.narrow = _shuffled_lanes(31, 92, facts, title, words)
    return drawing


def _shuffled_lanes(size, left, facts, title, words):
    high, gap, top = 24, 36, 30
    lanes, steps = facts["lanes"], facts["steps"]
    drawing = Drawing(left + lanes * size + 8, top + len(steps) * (high + gap) + high + 8, title)
    for lane in range(lanes):
        drawing.words(left + (lane + 0.5) * size, 14, lane, "tiny")
    drawing.words(left - 8, 14, words["lane"], "tiny", "end")
    rows = [steps[0]["before"]] + [each["after"] for each in steps]
    needed = [lanes] + [each["count"] for each in steps]
    for number, (row, count) in enumerate(zip(rows, needed, strict=True)):
        y = top + number * (high + gap)
        for lane, value in enumerate(row):
            drawing.cell(left + lane * size, y, size, high, value, "accent" if lane < count else "ghost")
        if number == len(steps):
            break
        distance = steps[number]["distance"]
        drawing.words(left - 8, y + high + gap / 2, words["distance"].format(distance=distance), "tiny", "end")
        for lane in range(needed[number + 1]):
            x, below = left + (lane + 0.5) * size, y + high + gap
            drawing.line(x, y + high, x, below, "axis")
            drawing.arrow(x + distance * size, y + high, x + 6, below - 1)
    return drawing
