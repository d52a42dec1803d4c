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
//   - M may hold infinities, and 0 x infinity is NaN. So add to an element of P only products of its own
//     row of M and its own column of N; a factor of 0 does not remove any other product.
//   - All blocks together load M at most ceil(width / 128) times.
//   - All blocks together load N at most ceil(width / 32) times.
//   - Neighbouring threads load neighbouring elements (coalesced loads). Memory is fetched in sectors of
//     32 bytes: if width is a multiple of 32, at most twice as many bytes are fetched as it takes to load
//     M ceil(width / 128) times and N ceil(width / 32) times.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void coarsened_matmul(const float* M, const float* N, float* P, int width);
