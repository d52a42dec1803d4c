# SPDX-License-Identifier: Apache-2.0
"""Blocks that count in copies of their own: what handouts/facts_histogram.cc counted."""
from .drawing import Drawing


def copies_of_counts(facts, title, words):
    """The elements of each block, the block's copy below them, and the counts that all copies are added to. Returns a
    drawing."""
    drawing = _copies_of_counts(26, 18, facts, title, words)
    drawing.narrow = _copies_of_counts(12.5, 8, facts, title, words)
    return drawing


def _copies_of_counts(size, gap, facts, title, words):
    blocks, bins = facts["blocks"], len(facts["counts"])
    span = max(len(blocks[0]["elements"]), bins) * size
    left, small = 4, "micro" if size < 20 else "small"
    total = max(size, 20)  # a cell of counts, which may have two digits
    width = max(2 * left + len(blocks) * (span + gap) - gap, 2 * left + 10 * size, 2 * left + bins * total)
    drawing = Drawing(width, 214, title)
    to = (width - bins * total) / 2
    for i, block in enumerate(blocks):
        x = left + i * (span + gap)
        drawing.words(x + span / 2, 10, words["block"].format(block=i), "label" if size >= 20 else "tiny")
        for j, element in enumerate(block["elements"]):
            drawing.cell(x + (span - len(block["elements"]) * size) / 2 + j * size, 22, size, 24, element, "cell", small)
        copy = x + (span - bins * size) / 2
        drawing.arrow(x + span / 2, 50, x + span / 2, 74)
        for b, count in enumerate(block["copy"]):
            drawing.cell(copy + b * size, 78, size, 24, count, "accent", small)
        drawing.arrow(x + span / 2, 106, width / 2 + (x + span / 2 - width / 2) * 0.25, 150)
    for b, count in enumerate(facts["counts"]):
        drawing.cell(to + b * total, 154, total, 24, count, "mark", small)
    drawing.words(width / 2, 198, words["price"].format(additions=facts["additions"]), "label" if size >= 20 else "tiny")
    return drawing
