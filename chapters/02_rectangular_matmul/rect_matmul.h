// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. M is a j x k, N a k x l, P a j x l matrix of floats in device memory, all stored row by row: a
// row of M has k elements, a row of N and of P has l. Any of j, k and l may be 0: without rows or columns
// there is nothing to compute, and the sum of no products is 0. The function launches its kernel on the
// default stream, or waits until it has ended; M and N stay as they are.
//
// M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of P; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - Where k is 0, cudaMemset may store the zeros of P.
//   - The kernels load each element of M and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 64 elements of P, and no warp executes more than 4000 + 512 x k
//     instructions.
void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l);
