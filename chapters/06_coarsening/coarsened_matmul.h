// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything.
// A block computes at least 4 tiles of P, each 32 x 32, that lie side by side; M and N stay as they are.
//
// M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of P; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - The kernels load each element of M and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 256 elements of P, and no warp executes more than 4000 + 2048 x width
//     instructions.
//   - Together all blocks load M ceil(width / 128) times and N ceil(width / 32) times, and not once more;
//     where width is no multiple of 32, as often as if it were the next one.
//   - Where width is a multiple of 32, that takes at most (ceil(width / 128) + width / 32) x width x width /
//     4 sectors of 32 bytes, twice as many as hold the bytes.
//   - Elsewhere a row of M or N takes at most 4 x (ceil(width / 8) + ceil(width / 32)) sectors each of these
//     times.
void coarsened_matmul(const float* M, const float* N, float* P, int width);
