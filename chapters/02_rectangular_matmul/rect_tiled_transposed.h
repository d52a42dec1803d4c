// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N, the product of two rectangular matrices, with tiles in shared memory.
// M is stored transposed.
//
// M is a j x k, N a k x l and P a j x l matrix of floats. Device memory does not hold M itself but its
// transpose Mt, a k x j matrix: M[row][i] is Mt[i * j + row]. Mt, N and P are stored row by row. Any side
// may be 0: if j or l is 0, P has no elements; if k is 0, each element of P is an empty sum, which is 0.
//
// Graded:
//   - P is right for all j, k and l.
//   - Put 0 into M's tile past M's last column (Mt's last row), and into N's tile past N's last row. Zeros
//     in N's tile alone are not enough: M may hold infinities, and one that an earlier phase left in M's
//     tile gives NaN when multiplied by 0.
//   - The kernel computes P from tiles of both matrices in shared memory: it loads at most 2 x j x k x l
//     bytes from global memory, with j, k and l rounded up to multiples of 16. (Without tiles it would
//     load 8 x j x k x l.)
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If j, k and l are multiples of
//     32, the GPU fetches at most 1.45 times the bytes that threads load. (It fetches whole 32-byte
//     sectors.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l);
