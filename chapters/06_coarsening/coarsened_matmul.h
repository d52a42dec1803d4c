// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything.
// A block computes 4 tiles of P, each 32 x 32, that lie side by side; M and N stay as they are.
//
// Graded: the bytes that the kernel loads from global memory. Together all blocks load M
// ceil(width / 128) times and N ceil(width / 32) times, and not once more.
void coarsened_matmul(const float* M, const float* N, float* P, int width);
