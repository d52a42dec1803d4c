// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. M is a j x k, N a k x l, P a j x l matrix of floats in device memory. N and P are stored row by
// row; of M there is the transposed matrix Mt, k x j, stored row by row: M[row][i] is Mt[i * j + row]. Any of
// j, k and l may be 0: without rows or columns there is nothing to compute, and the sum of no products is 0.
// Each block fetches tiles into shared memory, and neighbouring threads of a warp load neighbouring elements.
// The function launches its kernel on the default stream, or waits until it has ended; Mt and N stay as they
// are.
//
// M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of P; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - Where k is 0, cudaMemset may store the zeros of P.
//   - The kernels load each element of Mt and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 64 elements of P, and no warp executes more than 4000 + 512 x k
//     instructions.
//   - They read tiles from shared memory, and load at most 2 x j x k x l bytes in all from global memory,
//     each side rounded up to a multiple of 16. (Without tiles they load 8 bytes for each product.)
//   - Warps load from shared memory at least one wavefront of 32 words for 128 products; where a thread
//     stores E > 4 elements of P, one for 32 x E. (A warp's float4s are four wavefronts.)
//   - They store into shared memory at least half of the words that they load of Mt and N together, not
//     counting 1024 words.
//   - Where all sides are multiples of 32, the sectors of 32 bytes that are loaded have at most 1.45 times
//     the bytes that the threads ask for.
//   - Elsewhere a row of Mt takes at most 4 x (ceil(j / 8) + ceil(j / 32)) sectors and a row of N 4 x (ceil(l
//     / 8) + ceil(l / 32)) each time that the matrix is loaded.
void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l);
