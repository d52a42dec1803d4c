// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the matrix product, as fast as the hardware allows.
//
// M, N and P are width x width matrices of floats in device memory, stored row by row: the element in row
// r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything. M,
// N and P begin at a multiple of 256 bytes. Multiply floats, not shorter numbers.
//
// The limits below are for widths 256, 384, 512, ... and their width^3 products; chapters/grading.md has
// those for other widths.
//
// Graded:
//   - P is right at every width.
//   - M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//   - Warps load from shared memory at most once for 256 products.
//   - There is at most one bank conflict for 8 wavefronts of shared memory.
//   - At most one sector of 32 bytes is loaded from global memory for 256 products.
//   - Warps arrive at barriers at most once for 12288 products.
//   - No kernel keeps anything in local memory, at any width.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all limits in full.
void fast_matmul(const float* M, const float* N, float* P, int width);
