// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of the
// tile's width. The function launches its kernel on the default stream, or waits until it has ended; M and N
// stay as they are.
//
// M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of P; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - The kernels load each element of M and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 64 elements of P, and no warp executes more than 4000 + 512 x width
//     instructions.
//   - They read tiles from shared memory, and load at most 2 x width x width x width bytes in all from global
//     memory, each side rounded up to a multiple of 16. (Without tiles they load 8 bytes for each product.)
//   - Warps load from shared memory at least one wavefront of 32 words for 128 products; where a thread
//     stores E > 4 elements of P, one for 32 x E. (A warp's float4s are four wavefronts.)
//   - They store into shared memory at least half of the words that they load of M or of N, whichever are
//     fewer, not counting 1024 words.
//   - Where all sides are multiples of 32, the sectors of 32 bytes that are loaded have at most 1.45 times
//     the bytes that the threads ask for.
//   - Elsewhere a row of M or N takes at most 4 x (ceil(width / 8) + ceil(width / 32)) sectors each time that
//     the matrix is loaded.
void tiled_matmul(const float* M, const float* N, float* P, int width);
