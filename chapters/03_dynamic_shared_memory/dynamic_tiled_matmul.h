// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row; width is at
// least 1 and need not be a multiple of tile. M and N stay as they are.
//
// tile, 1 to 32, is the tile's width, chosen by the caller: a block has tile x tile threads and computes tile
// x tile elements of P. Its two tiles, of M and of N, lie one behind the other in one extern __shared__
// array, for which the launch passes exactly the bytes that both need. No other shared memory is used.
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile);
