# SPDX-License-Identifier: Apache-2.0
"""Figures drawn by code. Texts call them by these names, with their own words for titles and captions."""
from .charts import bars, chart, columns, slots, steps
from .drawing import start_page
from .matrices import matrix_in_memory, rectangular_blocks, sectors_of_reads, tile_figure, tile_loads
from .memory import array_cut_in_two, bank_grid, blocks_of_tiles, cut_figure, tiles_figure

ALL = {each.__name__: each for each in (
    array_cut_in_two, bank_grid, bars, blocks_of_tiles, chart, columns, cut_figure, matrix_in_memory,
    rectangular_blocks, sectors_of_reads, slots, steps, tile_figure, tile_loads, tiles_figure)}

__all__ = ["ALL", "start_page"]
