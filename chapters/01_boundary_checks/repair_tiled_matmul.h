// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, with tiles in shared memory. The kernel that you get has three bugs.
// Once repaired, it has to do what tiled_matmul does.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of the tile's
// width.
//
// Graded:
//   - P is right at every width.
//   - Put 0 into M's tile past M's last column, and into N's tile past N's last row. Zeros in N's tile
//     alone are not enough: M may hold infinities, and one that an earlier phase left in M's tile gives
//     NaN when multiplied by 0.
//   - The kernel computes P from tiles in shared memory: it loads at most 2 x width^3 bytes from global
//     memory, with width rounded up to a multiple of 16. (Without tiles it would load 8 x width^3.)
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If width is a multiple of 32,
//     the GPU fetches at most 1.45 times the bytes that threads load. (It fetches whole 32-byte sectors.)
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void repair_tiled_matmul(const float* M, const float* N, float* P, int width);
