// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the matrix product. Each block computes 4 or more tiles of P, each 32 x 32, that lie
// side by side.
//
//   M, N, P   width x width matrices of floats in device memory, stored row by row: the element in row r
//             and column c of M is M[r * width + c]
//   width     1 or more, not always a multiple of 32
//
// Graded:
//   - P is right at every width.
//   - P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not
//     enough: M's tile must hold 0 past M's last column, and N's tile must hold 0 past N's last row.
//   - All blocks together load M at most ceil(width / 128) times.
//   - All blocks together load N at most ceil(width / 32) times.
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If width is a multiple of 32,
//     the GPU fetches at most twice the bytes that the two limits above allow. (It fetches whole
//     32-byte sectors.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void coarsened_matmul(const float* M, const float* N, float* P, int width);
