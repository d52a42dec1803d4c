// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product; each block computes several tiles of P.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything. A
// block computes 4 or more tiles of P, each 32 x 32, that lie side by side.
//
// Graded:
//   - P is right at every width.
//   - Put 0 into M's tile past M's last column, and into N's tile past N's last row. Zeros in N's tile
//     alone are not enough: M may hold infinities, and one that an earlier phase left in M's tile gives
//     NaN when multiplied by 0.
//   - All blocks together load M at most ceil(width / 128) times.
//   - All blocks together load N at most ceil(width / 32) times.
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If width is a multiple of 32,
//     the GPU fetches at most twice the bytes that these two limits allow. (It fetches whole 32-byte
//     sectors.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void coarsened_matmul(const float* M, const float* N, float* P, int width);
