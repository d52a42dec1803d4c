// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, as fast as the hardware allows. On a real GPU, speed gives points.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything. M,
// N and P begin at a multiple of 256 bytes. Compute in full FP32: no TF32, FP16 or BF16.
//
// Four limits are for multiples of 128 from 256 on; chapters/grading.md has those for other widths.
//
// Graded:
//   - P is right at every width.
//   - M may hold infinities, and 0 x infinity is NaN. So add to an element of P only products of its own
//     row of M and its own column of N; a factor of 0 does not remove any other product.
//   - At widths 256, 384, 512, ..., warps load from shared memory at most width^3 / 256 times.
//   - At widths 256, 384, 512, ..., there is at most one bank conflict per 8 wavefronts of shared memory.
//   - At widths 256, 384, 512, ..., global loads fetch at most width^3 / 256 sectors of 32 bytes.
//   - At widths 256, 384, 512, ..., warps arrive at barriers at most width^3 / 12288 times.
//   - No kernel keeps anything in local memory, at any width.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void fast_matmul(const float* M, const float* N, float* P, int width);
