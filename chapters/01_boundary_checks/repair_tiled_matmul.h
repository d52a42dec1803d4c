// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the matrix product, with tiles in shared memory, as tiled_matmul does. The kernel
// that you get has three bugs: fix them.
//
//   M, N, P   width x width matrices of floats in device memory, stored row by row: the element in row r
//             and column c of M is M[r * width + c]
//   width     1 or more, not always a multiple of the tile's width
//
// Graded:
//   - P is right at every width.
//   - P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not
//     enough: M's tile must hold 0 past M's last column, and N's tile must hold 0 past N's last row.
//   - The kernel computes P from tiles in shared memory: it loads at most 2 x width^3 bytes from global
//     memory, with width rounded up to a multiple of 16. (Without tiles it would load 8 x width^3.)
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If width is a multiple of 32,
//     the GPU fetches at most 1.45 times the bytes that threads load. (It fetches whole 32-byte sectors.)
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void repair_tiled_matmul(const float* M, const float* N, float* P, int width);
