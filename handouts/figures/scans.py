# SPDX-License-Identifier: Apache-2.0
"""A tile that is scanned in three phases: what handouts/facts_scan.cc computed."""
from .drawing import NARROW, Drawing


def phases_of_scan(facts, title, words):
    """The elements of a tile, what each thread adds up alone, the sums of the threads, and the finished sums. Returns a
    drawing."""
    drawing = _phases_of_scan(620, facts, title, words)
    drawing.narrow = _phases_of_scan(NARROW, facts, title, words)
    return drawing


def _phases_of_scan(width, facts, title, words):
    count, each = len(facts["elements"]), facts["per_thread"]
    threads, gap, left, height = count // each, 10 if width > NARROW else 4, 2, 24
    size = (width - 2 * left - (threads - 1) * gap) / count
    label, text = ("label", "small") if width > NARROW else ("tiny", "micro")
    drawing = Drawing(width, 306, title)

    def begin(thread):
        return left + thread * (each * size + gap)

    def row(y, values, kind):
        for i, value in enumerate(values):
            drawing.cell(begin(i // each) + i % each * size, y, size, height, value, kind, text)

    for thread in range(threads):
        drawing.words(begin(thread) + each * size / 2, 10, words["thread"].format(thread=thread), label)
    row(22, facts["elements"], "cell")
    drawing.words(width / 2, 62, words["alone"], label)
    row(76, facts["alone"], "accent")
    for thread, through in enumerate(facts["through_thread"]):
        middle = begin(thread) + (each - 0.5) * size
        drawing.arrow(middle, 102, middle, 134)
        drawing.cell(middle - size / 2, 138, size, height, facts["thread_sums"][thread], "accent", text)
        drawing.cell(middle - size / 2, 190, size, height, through, "mark", text)
        if thread + 1 < threads:
            drawing.arrow(middle + size / 2, 216, begin(thread + 1) + each * size / 2, 250)
    drawing.words(width / 2, 177, words["steps"], label)
    row(254, facts["sums"], "mark")
    drawing.words(width / 2, 294, words["add"], label)
    return drawing
