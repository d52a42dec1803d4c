// SPDX-License-Identifier: Apache-2.0
#pragma once

#define MAX_TILE_WIDTH 32

// What a load reads that nobody checks. A matrix lies row by row in memory: the element in row r and column c
// of a width x width matrix has index r * width + c, and the last element has index width * width - 1.
enum Load : unsigned char {
  INSIDE,         // row and column exist: the element that the tile wants
  OTHER_ELEMENT,  // row or column does not exist, but at this index lies another element of the matrix
  BEHIND_MATRIX,  // row or column does not exist, and the index lies past the last element
};

// The picture of one block in one phase: what each of its threads reads from M and from N.
struct BlockLoads {
  Load m[MAX_TILE_WIDTH][MAX_TILE_WIDTH];  // m[ty][tx]: thread with threadIdx.x == tx, threadIdx.y == ty
  Load n[MAX_TILE_WIDTH][MAX_TILE_WIDTH];
};

// The tiled product P = M x N of width x width matrices, before it has any boundary check. Blocks have
// tile_width x tile_width threads; block (bx, by) computes the tile of P in tile column bx and tile row by.
// In each phase thread (tx, ty) loads one element of M's tile and one of N's tile, at place (ty, tx) of both
// tiles. Returns what all threads of one block read in one phase; phases count from 0.
//
// 1 <= tile_width <= 32 and 1 <= width <= 40000; the block and the phase are among those that cover the
// matrices. Entries with tx or ty not below tile_width are not looked at.
BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase);
