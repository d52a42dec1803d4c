// SPDX-License-Identifier: Apache-2.0
#pragma once

// What do the threads of one block read if a tiled matrix product does no boundary checks?
//
// P = M x N; all three are width x width and stored row by row: the element in row r and column c has
// index r * width + c. Blocks have tile_width x tile_width threads; block (bx, by) computes the tile of P
// in tile column `bx` and tile row `by`. In each phase, counted from 0, thread (tx, ty) loads the elements
// for row ty, column tx of M's tile and of N's tile. For one block and one phase, the function says what each
// of these loads reads.
//
// 1 <= tile_width <= 32 and 1 <= width <= 40000. bx, by and phase are valid: there are just enough blocks
// to cover P, and just enough phases to cover the width of M.
//
// Graded:
//   - m[ty][tx] and n[ty][tx] are right for all tx and ty below tile_width; other entries do not count.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).

#define MAX_TILE_WIDTH 32

enum Load : unsigned char {
  INSIDE,         // the row and the column exist: the element that the tile needs
  OTHER_ELEMENT,  // the row or the column does not exist, but another element of the matrix has this index
  PAST_THE_END,   // the row or the column does not exist, and the index is past the last element
};

// The loads of one block in one phase.
struct BlockLoads {
  Load m[MAX_TILE_WIDTH][MAX_TILE_WIDTH];  // m[ty][tx]: thread with threadIdx.x == tx, threadIdx.y == ty
  Load n[MAX_TILE_WIDTH][MAX_TILE_WIDTH];
};

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase);
