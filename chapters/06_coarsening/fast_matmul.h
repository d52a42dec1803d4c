// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, as fast as the hardware allows. On a real GPU, speed gives points.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything. M,
// N and P begin at a multiple of 256 bytes. Compute in full FP32: no TF32, FP16 or BF16.
//
// Graded:
//   - P is right at every width.
//   - M may hold infinities, and infinity x 0 is NaN: a 0 in one tile does not cancel a wrong element in
//     the other. For P[r][c], add up only products of row r of M and column c of N, and padding of 0 x 0.
//   - No kernel keeps anything in local memory, at any width.
//   - At widths 256, 384, 512, ... (other widths: see chapters/grading.md):
//     - warps load from shared memory at most width^3 / 256 times.
//     - at most one bank conflict per 8 wavefronts (a wavefront: up to 32 words of shared memory at once).
//     - global loads fetch at most width^3 / 256 sectors of 32 bytes.
//     - warps arrive at barriers at most width^3 / 12288 times.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void fast_matmul(const float* M, const float* N, float* P, int width);
