// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, with tiles in shared memory. The kernel that you get has three bugs.
// Repaired, it does what tiled_matmul does.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of the tile's
// width.
//
// Graded:
//   - P is right at every width.
//   - M may hold infinities, and infinity x 0 is NaN: a 0 in one tile does not cancel a wrong element in
//     the other. For P[r][c], add up only products of row r of M and column c of N, and padding of 0 x 0.
//   - The kernel computes P from tiles in shared memory: it loads at most 2 x width^3 bytes from global
//     memory, with width rounded up to a multiple of 16. (Without tiles it would load 8 x width^3.)
//   - Neighbouring threads load neighbouring elements (coalesced loads). Memory is fetched in sectors of
//     32 bytes: if width is a multiple of 32, at most 1.45 bytes are fetched per byte that a thread loads.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void repair_tiled_matmul(const float* M, const float* N, float* P, int width);
