# SPDX-License-Identifier: Apache-2.0
"""How a tile's elements may lie in shared memory: squares of bank numbers, and where a row and a column come to lie.

Places and banks come from handouts/facts_trees.cc.
"""
from .drawing import Drawing, figure


def bank_square(arrangement, bank, title, name):
    """The bank of each element of a small tile, row by row; the elements in `bank` stand out. Returns a drawing."""
    size, left, top = 32, 8, 30
    rows = arrangement["banks"]
    drawing = Drawing(2 * left + len(rows[0]) * size + 12, top + len(rows) * size + 12, title)
    drawing.words(left + len(rows[0]) * size / 2, 14, name, "label")
    for i, row in enumerate(rows):
        for j, each in enumerate(row):
            drawing.cell(left + j * size, top + i * size, size, size, each, "accent" if each == bank else "cell")
    return drawing


def memory_picture(arrangement, row, column, banks, title, name):
    """Memory from top to bottom, the banks from left to right: where the elements of one row and of one column of the
    tile lie. Those of the column that meet in a bank stand out. Returns a drawing."""
    size, left, top = 9, 10, 34
    places = arrangement["places"]
    lines = arrangement["most"] // banks + 1
    drawing = Drawing(2 * left + banks * size, top + lines * size + 12, title)
    drawing.words(left + banks * size / 2, 14, name, "label")
    drawing.box(left, top, banks * size, lines * size, "cell")
    for edge in range(1, banks):
        drawing.line(left + edge * size, top, left + edge * size, top + lines * size, "thin")
    for edge in range(1, lines):
        drawing.line(left, top + edge * size, left + banks * size, top + edge * size, "thin")
    conflict = arrangement["column_degree"] > 1
    for place in places[row]:
        drawing.box(left + place % banks * size, top + place // banks * size, size, size, "mark")
    for line in places:
        place = line[column]
        drawing.box(left + place % banks * size, top + place // banks * size, size, size,
                    "hot" if conflict else "accent")
    return drawing


def arrangements_figure(drawings, caption, kinds=()):
    return figure(drawings, caption, kinds)
