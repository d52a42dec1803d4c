# SPDX-License-Identifier: Apache-2.0
"""Figures of shared memory: one array cut in two, banks, padding; and of the tiles that blocks load.

Banks and degrees come from reference/banks.cc by way of handouts/facts.cc.
"""
from .drawing import NARROW, Drawing, figure


def array_cut_in_two(tile, floats_between, title, words):
    """One dynamic array for two tiles; Nds begins `floats_between` floats behind Mds. Returns a drawing."""
    size, part = 44, tile * tile
    allocated = 2 * part
    places = max(allocated, floats_between + part)
    drawing = Drawing(places * size + 24, 132, title)
    left, top = 12, 44
    for place in range(places):
        inside = place < allocated
        kind = "cell" if inside else "ghost"
        name = ""
        if place < part:
            kind, name = "accent", f"M {place}"
        if floats_between <= place < floats_between + part:
            kind, name = ("mark" if inside else "behind"), f"N {place - floats_between}"
        drawing.cell(left + place * size, top, size, 34, name, kind, "halo")
        drawing.words(left + place * size + size / 2, top - 9, place, "tiny")
        drawing.words(left + place * size + 1, top + 46, 4 * place, "tiny", "start")
    end = left + allocated * size
    drawing.line(end, top - 16, end, top + 54, "thick")
    drawing.words(end - 4, top + 64, words["end"].format(bytes=4 * allocated), "label", "end")
    drawing.words(left, top - 28, words["floats"], "label", "start")
    drawing.words(left, top + 64, words["bytes"], "label", "start")
    return drawing


def cut_figure(drawings, caption):
    return figure(drawings, caption)


def bank_grid(request, rows, title, words, caption, padding=()):
    """32 banks from left to right, memory from top to bottom, the lanes at the words that they ask for.

    `padding` are words that no element uses. On a phone eight banks stand side by side, and those
    eights that no lane asks are left out."""
    drawing = Drawing(32 * 22 + 64, rows * 22 + 44, title)
    used = _banks(drawing, 0, range(32), 22, request, rows, words, padding)
    high = rows * 22 + 50
    shown = {address // 4 % 32 // 8 for address in request["addresses"] if address < 128 * rows}
    drawing.narrow = Drawing(NARROW, len(shown) * high, title)
    for place, part in enumerate(sorted(shown)):
        _banks(drawing.narrow, place * high, range(8 * part, 8 * part + 8), 35, request, rows, words, padding)
    meanings = [("accent", words["asked"]), ("hot", words["busiest"]), ("padding", words["padding"])]
    kinds = [(kind, meaning) for kind, meaning in meanings if kind in used]
    return figure([drawing], caption, kinds)


def _banks(drawing, y, banks, size_x, request, rows, words, padding):
    """Some banks side by side; returns the kinds of cells that were drawn."""
    left, top, size_y = 60, y + 36, 22
    conflict = request["degree"] > 1
    lanes, used = {}, set()
    for lane, address in enumerate(request["addresses"]):
        lanes.setdefault(address // 4, []).append(lane)
    drawing.words(left + len(banks) * size_x / 2, y + 9, words["bank"], "label")
    for column, bank in enumerate(banks):
        hot = conflict and bank in request["busiest"]
        drawing.words(left + column * size_x + size_x / 2, y + 26, bank, "hot" if hot else "micro")
        for row in range(rows):
            word = row * 32 + bank
            kind, text = ("padding" if word in padding else "cell"), ""
            if word in lanes:
                text = lanes[word][0] if len(lanes[word]) == 1 else f"{len(lanes[word])}×"
                kind = "hot" if hot else "accent"
            used.add(kind)
            drawing.cell(left + column * size_x, top + row * size_y, size_x, size_y, text, kind, "micro")
    for row in range(rows):
        drawing.words(left - 6, top + row * size_y + size_y / 2, words["byte"].format(byte=row * 128), "micro", "end")
    return used


def blocks_of_tiles(blocks, title, words):
    """What blocks load in one phase: `blocks` is a list of (name, [tiles]); repeated tiles are marked."""
    size, gap = 46, 14
    width = sum(len(tiles) * (size + 4) + gap + 12 for _, tiles in blocks) + 10
    drawing = Drawing(width, size + 50, title)
    x, seen = 8, set()
    for name, tiles in blocks:
        block_width = len(tiles) * (size + 4) + 10
        drawing.box(x, 22, block_width, size + 20, "frame")
        drawing.words(x + block_width / 2, 11, name, "label")
        for i, tile in enumerate(tiles):
            kind = "other" if tile in seen else "accent"
            drawing.cell(x + 7 + i * (size + 4), 32, size, size, tile, kind, "halo")
            seen.add(tile)
        x += block_width + gap
    return drawing


def tiles_figure(drawings, words, caption):
    return figure(drawings, caption, [("accent", words["first"]), ("other", words["again"])])
