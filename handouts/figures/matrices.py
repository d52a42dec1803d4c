# SPDX-License-Identifier: Apache-2.0
"""Figures of matrices, the tiles laid over them, and the way they lie in memory.

What is inside and what is not comes from the suites' own pictures (handouts/facts.cc), never from here.
"""
from .drawing import Drawing, figure

CELL = 36


def _grid(drawing, x, y, rows, columns, name, indices=True):
    """The elements that exist; each with its row and column."""
    for row in range(rows):
        for column in range(columns):
            label = f"{row},{column}" if indices else ""
            drawing.cell(x + column * CELL, y + row * CELL, CELL, CELL, label)
    drawing.words(x + columns * CELL / 2, y - 12, name, "name")


def matrix_in_memory(loads, block, thread, title, words, caption):
    """One load that leaves its row: where it wants to go, and what lies at its index.

    `loads` are the facts of a width and a tile, `block` the key "bx/by/phase", `thread` (tx, ty), of M."""
    width = loads["width"]
    wanted = next(c for c in loads["blocks"][block]["m"] if (c["tx"], c["ty"]) == thread)
    drawing = Drawing(max(width * width + 2, 12) * 40 + 20, (width + 3) * CELL + 74, title)
    left, top = 20, 30
    _grid(drawing, left, top, width, width, "M")
    ghost_x, ghost_y = left + wanted["column"] * CELL, top + wanted["row"] * CELL
    drawing.cell(ghost_x, ghost_y, CELL, CELL, f"{wanted['row']},{wanted['column']}", wanted["load"])
    drawing.words(ghost_x + CELL + 10, ghost_y + CELL / 2, words["wanted"], "label", "start")
    line_y = top + (width + 1) * CELL + 24
    for index in range(width * width + 2):
        x = left + index * 40
        exists = index < width * width
        kind = "accent" if index == wanted["index"] else "cell" if exists else "ghost"
        drawing.cell(x, line_y, 40, CELL, f"{index // width},{index % width}" if exists else "", kind)
        drawing.words(x + 20, line_y + CELL + 12, index, "tiny")
        if exists and index % width == 0 and index > 0:
            drawing.line(x, line_y - 6, x, line_y + CELL + 6, "thick")
    drawing.words(left + width * width * 40 + 44, line_y - 14, words["behind"], "label", "end")
    drawing.words(left, line_y + CELL + 32, words["index"], "label", "start")
    target = left + wanted["index"] * 40 + 20
    drawing.arrow(ghost_x + CELL / 2, ghost_y + CELL, target, line_y - 2)
    return figure([drawing], caption)


def _tile_panel(drawing, x, y, width, cells, name):
    """A matrix of `width` with one block's tile over it; in each of its cells the thread."""
    _grid(drawing, x, y, width, width, name, indices=False)
    for cell in cells:
        kind = {"inside": "accent", "other": "other", "behind": "behind"}[cell["load"]]
        drawing.cell(x + cell["column"] * CELL, y + cell["row"] * CELL, CELL, CELL,
                     f"{cell['tx']},{cell['ty']}", kind, "halo")


def tile_loads(loads, block, title, words, owners=False, blank=False):
    """One block in one phase: its tile on M and on N, and with `owners` on P; `blank` leaves that to be drawn."""
    width, tile = loads["width"], loads["tile"]
    extent = -(-width // tile) * tile
    names = ["M", "N"] + (["P"] if owners else [])
    drawing = Drawing(len(names) * (extent * CELL + 22) + 6, extent * CELL + 36, title)
    facts = loads["blocks"][block]
    for i, name in enumerate(names):
        cells = facts[name.lower()]
        left = 8 + i * (extent * CELL + 22)
        drawing.box(left, 30, extent * CELL, extent * CELL, "ghost")
        _tile_panel(drawing, left, 30, width, [] if blank else cells, name)
    return drawing


def tile_figure(panels, words, caption):
    """`words` name the three kinds of cells; without them there is no legend."""
    kinds = [("accent", "inside"), ("other", "other"), ("behind", "outside")] if words else []
    return figure(panels, caption, [(kind, words[name]) for kind, name in kinds])


def rectangular_blocks(j, k, l, tile, block, title, words, caption):
    """M left of P, N above P, with tiles; the tiles of `block` (bx, by) in all phases, numbered by phase."""
    scale = 4.2
    left, top = 40, 22
    gap = (-k % tile) * scale + 22  # the last tiles of M and N hang over into it
    m_x, p_x = left, left + k * scale + gap
    n_y, p_y = top, top + k * scale + gap
    drawing = Drawing(p_x + l * scale + 30, p_y + j * scale + 30, title)
    phases = -(-k // tile)
    bx, by = block

    def matrix(x, y, rows, columns, name):
        drawing.box(x, y, columns * scale, rows * scale, "cell")
        for edge in range(tile, columns, tile):
            drawing.line(x + edge * scale, y, x + edge * scale, y + rows * scale, "thin")
        for edge in range(tile, rows, tile):
            drawing.line(x, y + edge * scale, x + columns * scale, y + edge * scale, "thin")
        drawing.words(x + columns * scale / 2, y - 11, name, "name")

    def over(x, y, row, column, text, kind="mark"):
        drawing.cell(x + column * tile * scale, y + row * tile * scale, tile * scale, tile * scale, text, kind,
                     "halo")

    matrix(m_x, p_y, j, k, "M")
    matrix(p_x, n_y, k, l, "N")
    matrix(p_x, p_y, j, l, "P")
    for phase in range(phases):
        over(m_x, p_y, by, phase, phase)
        over(p_x, n_y, phase, bx, phase)
    over(p_x, p_y, by, bx, "", "mark")
    drawing.words(m_x - 14, p_y + j * scale / 2, f"j = {j}", "side")
    drawing.words(m_x + k * scale / 2, p_y + j * scale + 14, f"k = {k}", "label")
    drawing.words(p_x + l * scale / 2, p_y + j * scale + 14, f"l = {l}", "label")
    drawing.words(p_x - 14, n_y + k * scale / 2, f"k = {k}", "side")
    for side in list(drawing.root.iter("text")):
        if side.get("class") == "text-side":
            side.set("transform", f"rotate(-90 {side.get('x')} {side.get('y')})")
    return figure([drawing], caption)


def sectors_of_reads(rows, columns, threads, along_rows, title):
    """The sectors of 8 floats that `threads` threads touch, which walk along a row or down a column. Returns the
    drawing and the number of sectors."""
    cells = [(0, i) if along_rows else (i, 3) for i in range(threads)]
    size = 18
    drawing = Drawing(columns * size + 12, rows * size + 12, title)
    touched = {(row, column // 8) for row, column in cells}
    for row in range(rows):
        for sector in range(columns // 8):
            kind = "sector" if (row, sector) in touched else "cell"
            drawing.box(6 + sector * 8 * size, 6 + row * size, 8 * size, size, kind)
    for number, (row, column) in enumerate(cells):
        drawing.cell(6 + column * size, 6 + row * size, size, size, number, "accent", "micro")
    return drawing, len(touched)
