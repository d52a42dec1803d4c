# SPDX-License-Identifier: Apache-2.0
"""Figures drawn by code. Texts call them by these names, with their own words for titles and captions."""
from .arrangements import arrangements_figure, bank_square, memory_picture
from .charts import bars, chart, columns, slots, steps
from .drawing import start_page
from .histograms import copies_of_counts
from .matrices import matrix_in_memory, rectangular_blocks, sectors_of_reads, tile_figure, tile_loads
from .memory import array_cut_in_two, bank_grid, blocks_of_tiles, cut_figure, tiles_figure
from .roofline import flow_figure, patch, roofline, stations
from .scans import phases_of_scan
from .schedules import fixed_slots, phases, register_file
from .timelines import arriving_sectors, issue_timeline, shuffled_lanes, timeline_figure, warps_at_barriers
from .trees import active_lanes, tree, trees_figure
from .walks import (
    grids,
    lines_figure,
    loads_in_memory,
    matrix_of_indices,
    matrix_of_values,
    partial_tiles,
    reversal,
    tile_values,
    tile_walk,
    time_line,
    walk_in_a_line,
)

ALL = {each.__name__: each for each in (
    active_lanes, arrangements_figure, arriving_sectors, bank_square, copies_of_counts, fixed_slots, flow_figure,
    issue_timeline, memory_picture, patch, phases, phases_of_scan, register_file, roofline, shuffled_lanes, stations,
    timeline_figure, tree, trees_figure, warps_at_barriers,
    array_cut_in_two, bank_grid, bars, blocks_of_tiles, chart, columns, cut_figure, matrix_in_memory,
    rectangular_blocks, sectors_of_reads, slots, steps, tile_figure, tile_loads, tiles_figure,
    grids, lines_figure, loads_in_memory, matrix_of_indices, matrix_of_values, partial_tiles, reversal, tile_values,
    tile_walk, time_line, walk_in_a_line)}

__all__ = ["ALL", "start_page"]
