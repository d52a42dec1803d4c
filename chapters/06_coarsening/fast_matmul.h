// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the matrix product, as fast as possible, in full FP32: no TF32, FP16 or BF16.
//
//   M, N, P   width x width matrices of floats in device memory, stored row by row: the element in row r
//             and column c of M is M[r * width + c]. Their addresses are multiples of 256
//   width     1 or more, not always a multiple of 32
//
// Graded:
//   - P is right at every width.
//   - P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not
//     enough: M's tile must hold 0 past M's last column, and N's tile must hold 0 past N's last row.
//   - No kernel uses local memory, at any width.
//   - If width is a multiple of 128 and at least 256 (other widths: see chapters/grading.md):
//     - warps execute at most width^3 / 256 loads from shared memory.
//     - there is at most one bank conflict per 8 wavefronts. (A wavefront moves up to 32 words to or from
//       shared memory at once.)
//     - global loads fetch at most width^3 / 256 sectors of 32 bytes.
//     - warps arrive at barriers at most width^3 / 12288 times.
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void fast_matmul(const float* M, const float* N, float* P, int width);
