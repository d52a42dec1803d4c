// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. M is a j x k, N a k x l, P a j x l matrix of floats in device memory, all stored row by row: a
// row of M has k elements, a row of N and of P has l. Any of j, k and l may be 0: without rows or columns
// there is nothing to compute, and the sum of no products is 0. The function launches its kernel on the
// default stream; M and N stay as they are.
void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l);
