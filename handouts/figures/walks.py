# SPDX-License-Identifier: Apache-2.0
"""Figures of what threads do one after the other: tiles in phases, warps in time, elements that go through a tile.

What exists and what does not, and every count, comes from facts (handouts/facts.cc, facts_course.cc), never from here.
"""
from .drawing import Drawing, figure

CELL = 30


def tile_walk(width, tile, block, row, column, title, words, caption):
    """M left of P, N above P. The tiles of `block` (bx, by) in all phases, the row of M and the column of N that make
    P[row][column]. Numbers are phases."""
    side, gap = width * CELL, 34
    drawing = Drawing(2 * side + gap + 24, 2 * side + gap + 34, title)
    left, top = 10, 24
    places = {"M": (left, top + side + gap), "N": (left + side + gap, top), "P": (left + side + gap, top + side + gap)}
    bx, by = block
    for name, (x, y) in places.items():
        drawing.words(x + side / 2, y - 12, name, "name")
        for r in range(width):
            for c in range(width):
                in_rows, in_columns = r // tile == by, c // tile == bx
                kind, text = "cell", ""
                if name == "M" and in_rows:
                    kind, text = ("accent", "mark")[c // tile % 2], c // tile if r == row else ""
                elif name == "N" and in_columns:
                    kind, text = ("accent", "mark")[r // tile % 2], r // tile if c == column else ""
                elif name == "P" and (r, c) == (row, column):
                    kind = "hot"
                drawing.cell(x + c * CELL, y + r * CELL, CELL, CELL, text, kind, "halo")
        for edge in range(tile, width, tile):
            drawing.line(x + edge * CELL, y - 4, x + edge * CELL, y + side + 4, "thick")
            drawing.line(x - 4, y + edge * CELL, x + side + 4, y + edge * CELL, "thick")
    kinds = [("accent", words["even_phase"]), ("mark", words["odd_phase"]), ("hot", words["result"])]
    return figure([drawing], caption, kinds)


def time_line(warps, barriers, title, words):
    """What warps do, from left to right. `warps` are (name, [(text, length, kind)]), `barriers` the (time, text) of
    the lines that all wait at."""
    unit, high, left, top = 38, 30, 74, 30
    length = max(sum(each for _, each, _ in parts) for _, parts in warps)
    drawing = Drawing(left + length * unit + 24, top + len(warps) * (high + 12) + 34, title)
    for i, (name, parts) in enumerate(warps):
        y, x = top + i * (high + 12), left
        drawing.words(left - 8, y + high / 2, name, "label", "end")
        for text, each, kind in parts:
            drawing.cell(x, y, each * unit, high, text, kind, "halo")
            x += each * unit
    bottom = top + len(warps) * (high + 12) - 4
    for time, text in barriers:
        drawing.line(left + time * unit, top - 8, left + time * unit, bottom, "thick")
        drawing.words(left + time * unit, top - 18, text, "tiny")
    drawing.arrow(left, bottom + 12, left + length * unit, bottom + 12)
    drawing.words(left, bottom + 26, words["time"], "tiny", "start")
    return drawing


def lines_figure(drawings, caption, kinds=()):
    return figure(drawings, caption, kinds)


def loads_in_memory(loads, block, matrix, title, words):
    """Where the loads of one block land in memory: the facts of a width and a tile, "bx/by/phase", "m" or "n"."""
    width, size = loads["width"], 44
    cells = loads["blocks"][block][matrix]
    places = max([width * width + 2] + [cell["index"] + 1 for cell in cells])
    drawing = Drawing(places * size + 24, 176, title)
    left, line = 12, 96
    by_index = {cell["index"]: cell for cell in cells}
    drawing.words(left, 12, words["thread_wants"], "label", "start")
    for index in range(places):
        x, exists = left + index * size, index < width * width
        cell = by_index.get(index)
        kind = {"inside": "accent", "other": "other", "behind": "behind"}[cell["load"]] if cell else \
            "cell" if exists else "ghost"
        drawing.cell(x, line, size, 34, f"{index // width},{index % width}" if exists else "", kind, "halo")
        drawing.words(x + size / 2, line + 46, index, "tiny")
        if exists and index % width == 0 and index:
            drawing.line(x, line - 5, x, line + 39, "thick")
        if cell:
            drawing.words(x + size / 2, 36, f"({cell['tx']}, {cell['ty']})", "small")
            drawing.words(x + size / 2, 54, f"{matrix.upper()}{cell['row']},{cell['column']}", "small")
            drawing.arrow(x + size / 2, 64, x + size / 2, line - 3)
    drawing.line(left + width * width * size, line - 12, left + width * width * size, line + 52, "thick")
    drawing.words(left + width * width * size, line + 68, words["behind_from_here"], "label", "middle")
    drawing.words(left, line + 68, words["index"], "label", "start")
    return drawing


def grids(parts, title, size=CELL):
    """Small matrices side by side. A part is {name, rows, top, left}: `rows` hold (text, kind of box) pairs, `top` and
    `left` are what stands beside columns and rows and may be left out."""
    wide = [len(part["rows"][0]) * size + (34 if part.get("left") else 0) for part in parts]
    high = max(len(part["rows"]) * size + (20 if part.get("top") else 0) for part in parts)
    names = [max(width, 6.6 * len(part["name"])) for width, part in zip(wide, parts)]
    drawing = Drawing(sum(names) + 26 * len(parts), high + 36, title)
    x = 12
    for part, name in zip(parts, names):
        left, top = x + (34 if part.get("left") else 0), 26 + (20 if part.get("top") else 0)
        drawing.words(x, 12, part["name"], "label", "start")
        for c, text in enumerate(part.get("top", [])):
            drawing.words(left + (c + 0.5) * size, top - 10, text, "tiny")
        for r, row in enumerate(part["rows"]):
            if part.get("left"):
                drawing.words(left - 6, top + (r + 0.5) * size, part["left"][r], "tiny", "end")
            for c, (text, kind) in enumerate(row):
                drawing.cell(left + c * size, top + r * size, size, size, text, kind, "halo")
        x += name + 26
    return drawing


def tile_values(tile, exists):
    """The rows for grids() of a filled tile: what was loaded, and the zeros that stand for what does not exist."""
    return [[(value, "accent" if there else "padding") for value, there in zip(values, there_row)]
            for values, there_row in zip(tile, exists)]


def matrix_of_values(values, row=None, column=None):
    """The rows for grids() of a matrix of which a row or a column is marked."""
    return [[(value, "mark" if r == row or c == column else "cell") for c, value in enumerate(each)]
            for r, each in enumerate(values)]


def matrix_of_indices(rows, columns, row=None, column=None):
    """The rows for grids() of a matrix whose elements show their index in memory. Marked are a row, a column, or, with
    both, one element."""
    def marked(r, c):
        return (row, column) != (None, None) and row in (None, r) and column in (None, c)

    return [[(r * columns + c, "mark" if marked(r, c) else "cell") for c in range(columns)] for r in range(rows)]


def partial_tiles(parts, tile, title, words):
    """Tiles of which only the upper left part exists: `parts` are (name, rows, columns)."""
    unit, gap = 8, 56
    side = tile * unit
    drawing = Drawing(len(parts) * (side + gap) + 8, side + 52, title)
    for i, (name, rows, columns) in enumerate(parts):
        x = 4 + gap / 2 + i * (side + gap)
        drawing.box(x, 28, side, side, "other")
        drawing.cell(x, 28, columns * unit, rows * unit, "", "accent")
        drawing.words(x + side / 2, 14, name, "label")
        drawing.words(x + side / 2, 28 + side + 14, words["rows_by_columns"].format(rows=rows, columns=columns), "label")
    return drawing


def reversal(elements, piece, title, words):
    """An array that is reversed piece by piece through a tile: input, tiles and output, an arrow for each step."""
    size, n = 44, len(elements)
    empty = -n % piece  # Places of the last tile that nobody writes.
    drawing = Drawing((n + empty) * size + (n - 1) // piece * 20 + 110, 216, title)
    left, lines = 90, (30, 92, 154)

    def x_of(index):
        return left + index * size + index // piece * 20

    for y, name in zip(lines, (words["in"], words["tile"], words["out"])):
        drawing.words(left - 10, y + 15, name, "label", "end")
    for index, element in enumerate(elements):
        start = index // piece * piece
        length = min(piece, n - start)
        target = start + length - 1 - (index - start)
        drawing.cell(x_of(index), lines[0], size, 30, element, "cell", "halo")
        drawing.cell(x_of(index), lines[1], size, 30, element, "accent", "halo")
        drawing.cell(x_of(target), lines[2], size, 30, element, "cell", "halo")
        drawing.words(x_of(index) + size / 2, lines[2] + 44, index, "tiny")
        drawing.arrow(x_of(index) + size / 2, lines[0] + 30, x_of(index) + size / 2, lines[1] - 1)
        drawing.arrow(x_of(index) + size / 2, lines[1] + 30, x_of(target) + size / 2, lines[2] - 1)
        if index == n - 1:
            for place in range(length, length + empty):
                drawing.cell(x_of(start) + place * size, lines[1], size, 30, "?", "behind", "halo")
    return drawing


def walk_in_a_line(tile, row, column, title, words):
    """Two tiles in one array of one dimension: the places of M's row and of N's column that make one product."""
    size, part = 34, tile * tile
    drawing = Drawing(2 * part * size + 24, 120, title)
    left, top = 12, 40
    for place in range(2 * part):
        r, c = divmod(place % part, tile)
        used = r == row if place < part else c == column
        drawing.cell(left + place * size, top, size, 32, f"{r},{c}", "mark" if used else "cell", "small")
        drawing.words(left + place * size + size / 2, top + 44, place, "tiny")
    drawing.line(left + part * size, top - 12, left + part * size, top + 52, "thick")
    drawing.words(left + part * size / 2, top - 18, words["m_tile"], "label")
    drawing.words(left + 1.5 * part * size, top - 18, words["n_tile"], "label")
    drawing.words(left, top + 64, words["floats"], "label", "start")
    return drawing
