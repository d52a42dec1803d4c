// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row; width is at
// least 1 and need not be a multiple of tile. M and N stay as they are.
//
// tile, 1 to 32, is the tile's width, chosen by the caller: a block has tile x tile threads, and P is
// computed in tiles of tile x tile elements. Its two tiles, of M and of N, lie one after the other in one
// extern __shared__ array, for which the launch passes exactly the bytes that both need. No other shared
// memory is used.
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
//   - All blocks together load at most two whole tiles in each of their ceil(width / tile) phases from global
//     memory.
//   - Warps load from shared memory at least one wavefront of 32 words for 128 products; where a thread
//     stores E > 4 elements of P, one for 32 x E. (A warp's float4s are four wavefronts.)
//   - They store into shared memory at least half of the words that they load of M and N together, not
//     counting 1024 words.
//   - A block has tile x tile threads; the launch passes 8 x tile x tile bytes of shared memory, and the
//     kernel has none of a fixed size.
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile);
