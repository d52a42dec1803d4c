// SPDX-License-Identifier: Apache-2.0
#pragma once

// Computes P = M x N, the product of two rectangular matrices, with tiles in shared memory.
//
//   M, N, P   matrices of floats in device memory, stored row by row. M is j x k, N is k x l, P is j x l: a
//             row of M has k elements, a row of N or P has l
//   j, k, l   0 or more. If j or l is 0, P has no elements. If k is 0, each element of P is 0 (an empty sum)
//
// Graded:
//   - P is right for all j, k and l.
//   - P is right even if M holds infinities. Infinity x 0 is NaN, so zeros in N's tile alone are not
//     enough: M's tile must hold 0 past M's last column, and N's tile must hold 0 past N's last row.
//   - The kernel computes P from tiles of both matrices in shared memory: it loads at most 2 x j x k x l
//     bytes from global memory, with j, k and l rounded up to multiples of 16. (Without tiles it would
//     load 8 x j x k x l.)
//   - Loads are coalesced: neighbouring threads load neighbouring elements. If j, k and l are multiples of
//     32, the GPU fetches at most 1.45 times the bytes that threads load. (It fetches whole 32-byte
//     sectors.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l);
