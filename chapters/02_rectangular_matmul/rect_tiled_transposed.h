// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. M is a j x k, N a k x l, P a j x l matrix of floats in device memory. N and P are stored row by
// row; of M there is the transposed matrix Mt, k x j, stored row by row: M[row][i] is Mt[i * j + row]. Any of
// j, k and l may be 0: without rows or columns there is nothing to compute, and the sum of no products is 0.
// Each block fetches tiles into shared memory, and neighbouring threads of a warp load neighbouring elements.
// The function launches its kernel on the default stream; Mt and N stay as they are.
void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l);
