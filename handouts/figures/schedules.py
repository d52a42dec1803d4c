# SPDX-License-Identifier: Apache-2.0
"""What happens when: warps that wait and warps that issue, loads beside arithmetic; and what lies where in a register
file. The states come from handouts/facts_limits.cc."""
from .drawing import NARROW, Drawing


def issue_slots(facts, warps, title, words):
    """The time slots of one scheduler with some warps: who issues, who waits, and in the last line whether anybody
    issued. Returns a drawing."""
    drawing = _issue_slots(15, 84, facts, warps, title, words)
    drawing.narrow = _issue_slots(9, 56, facts, warps, title, words)
    return drawing


def _issue_slots(size, left, facts, warps, title, words):
    top = 8
    of = facts["warps"][str(warps)]
    slots = facts["slots"]
    drawing = Drawing(left + slots * size + 10, top + (warps + 1) * (size + 4) + 26, title)
    kinds = {"i": "accent", "w": "padding", "r": "cell"}
    for warp, row in enumerate(of["rows"]):
        y = top + warp * (size + 4)
        drawing.words(left - 6, y + size / 2, words["warp"].format(warp=warp), "tiny", "end")
        for slot, state in enumerate(row):
            with drawing.step(slot):
                drawing.box(left + slot * size, y, size, size, kinds[state])
    y = top + warps * (size + 4) + 8
    drawing.words(left - 6, y + size / 2, words["scheduler"], "tiny", "end")
    for slot in range(slots):
        busy = any(row[slot] == "i" for row in of["rows"])
        with drawing.step(slot):
            drawing.box(left + slot * size, y, size, size, "accent" if busy else "hot")
    return drawing


def register_file(of, title, words):
    """The four partitions of a register file, filled with whole warps. Returns a drawing."""
    drawing = _register_file(520, of, title, words)
    drawing.narrow = _register_file(NARROW - 104, of, title, words)
    return drawing


def _register_file(width, of, title, words):
    high, left, top = 26, 84, 10
    drawing = Drawing(left + width + 12, top + 4 * (high + 8) + 26, title)
    each = of["given"] / of["partition"] * width
    for partition in range(4):
        y = top + partition * (high + 8)
        drawing.words(left - 8, y + high / 2, words["partition"].format(partition=partition), "tiny", "end")
        drawing.box(left, y, width, high, "other")
        for warp in range(of["warps_a_partition"]):
            name = warp * 4 + partition if each > 18 else ""
            drawing.cell(left + warp * each, y, each, high, name, "accent", "micro")
    drawing.words(4, top + 4 * (high + 8) + 12,
                  words["left"].format(left=f"{of['left_in_partition']:,}", given=f"{of['given']:,}"), "label", "start")
    return drawing


def fixed_slots(size, most, count, blocks, title, words):
    """A multiprocessor cut beforehand into `count` equal rooms of `size` threads, with a block of `blocks` threads in
    each as far as it goes. Returns a drawing."""
    drawing = _fixed_slots(600, size, most, count, blocks, title, words)
    drawing.narrow = _fixed_slots(NARROW - 22, size, most, count, blocks, title, words)
    return drawing


def _fixed_slots(width, size, most, count, blocks, title, words):
    high = 40
    drawing = Drawing(width + 20, high + 36, title)
    each = size / most * width
    for i in range(count):
        drawing.box(10 + i * each, 8, each, high, "ghost")
        if blocks <= size:
            drawing.box(10 + i * each, 8, each * blocks / size, high, "accent")
    drawing.words(10, high + 24, words, "label", "start")
    return drawing


def phases(rows, title, words, phase_width=62):
    """A time line: `rows` are (name, [(start, length, text, kind)]) in units of a phase. Returns a drawing."""
    end = max(start + length for _, blocks in rows for start, length, _, _ in blocks)
    drawing = _phases(phase_width, 116, end, rows, title, words)
    drawing.narrow = _phases((NARROW - 112) / end, 98, end, rows, title, words)
    return drawing


def _phases(phase_width, left, end, rows, title, words):
    high, top = 28, 10
    drawing = Drawing(left + end * phase_width + 14, top + len(rows) * (high + 8) + 20, title)
    for i, (name, blocks) in enumerate(rows):
        y = top + i * (high + 8)
        drawing.words(left - 8, y + high / 2, name, "tiny", "end")
        drawing.line(left, y + high, left + end * phase_width, y + high, "thin")
        for start, length, text, kind in blocks:
            drawing.cell(left + start * phase_width, y, length * phase_width, high, text, kind, "small")
    drawing.words(4, top + len(rows) * (high + 8) + 6, words["time"], "tiny", "start")
    return drawing
