# SPDX-License-Identifier: Apache-2.0
"""Trees that add up the elements of a block: who adds what to what, and how many lanes of each warp that keeps busy.

All of it comes from handouts/facts_trees.cc.
"""
from .drawing import Drawing, figure


def tree(facts, warp, title, words):
    """A small tree: a row of elements for each step, an arrow for each addition, and beside the row the threads that
    work, in warps of `warp`. Returns a drawing."""
    drawing = _tree(34, 15, 56, facts, warp, title, words)
    drawing.narrow = _tree(21, 11, 62, facts, warp, title, words)
    return drawing


def _tree(size, cell, gap, facts, warp, title, words):
    high, left, top = 62, 4, 30
    elements = facts["elements"]
    threads_x = left + elements * size + gap
    warps = elements // warp
    width = threads_x + elements * cell + (warps - 1) * 10 + 8
    drawing = Drawing(width, top + len(facts["steps"]) * high + 44, title)
    drawing.words(left + elements * size / 2, 11, words["elements"], "label")
    drawing.words(width - 4, 11, words["threads"].format(warp=warp), "label", "end")
    used = set(range(elements))
    for i in range(len(facts["steps"]) + 1):
        y = top + i * high
        step = facts["steps"][i] if i < len(facts["steps"]) else None
        for element in range(elements):
            drawing.cell(left + element * size, y, size, 24, element, "accent" if element in used else "ghost")
        if step is None:
            break
        adding = {thread for thread, _, _ in step["additions"]}
        for _, to, source in step["additions"]:
            drawing.arrow(left + source * size + size / 2, y + 24, left + to * size + size / 2 + 5, y + high - 1)
            drawing.line(left + to * size + size / 2, y + 24, left + to * size + size / 2, y + high, "axis")
        used = {to for _, to, _ in step["additions"]}
        row_y = y + 34
        drawing.words(threads_x - 8, row_y + cell / 2, words["stride"].format(stride=step["stride"]), "tiny", "end")
        for thread in range(elements):
            x = threads_x + thread * cell + thread // warp * 10
            group = range(thread // warp * warp, thread // warp * warp + warp)
            working = sum(each in adding for each in group)
            kind = "cell" if thread not in adding else "accent" if working == warp else "hot"
            drawing.box(x, row_y, cell, cell, kind)
    return drawing


def trees_figure(drawings, words, caption):
    return figure(drawings, caption, [("accent", words["whole_warp"]), ("hot", words["part_of_warp"]),
                                      ("cell", words["rests"])])


def active_lanes(facts, title, words):
    """Lanes at work in each warp and step of a block, and the degree of conflict. Returns a drawing."""
    drawing = _active_lanes(38, facts, title, words)
    drawing.narrow = _active_lanes(28, facts, title, words)
    return drawing


def _active_lanes(size_x, facts, title, words):
    size_y, left, top = 24, 48, 40
    warps = len(facts["steps"][0]["active"])
    width = left + warps * size_x + 74
    drawing = Drawing(width, top + len(facts["steps"]) * size_y + 12, title)
    drawing.words(left + warps * size_x / 2, 10, words["warp"], "label")
    drawing.words(left + warps * size_x + 36, 10, words["conflict"], "label")
    drawing.words(left - 8, 28, words["stride_head"], "tiny", "end")
    for warp in range(warps):
        drawing.words(left + warp * size_x + size_x / 2, 28, warp, "tiny")
    for i, step in enumerate(facts["steps"]):
        y = top + i * size_y
        drawing.words(left - 8, y + size_y / 2, step["stride"], "tiny", "end")
        for warp, lanes in enumerate(step["active"]):
            kind = "cell" if lanes == 0 else "accent" if lanes == 32 else "hot"
            drawing.cell(left + warp * size_x, y, size_x, size_y, lanes if lanes else "", kind)
        conflict = words["ways"].format(ways=step["degree"]) if step["degree"] > 1 else "–"
        drawing.words(left + warps * size_x + 36, y + size_y / 2, conflict, "small")
    return drawing
