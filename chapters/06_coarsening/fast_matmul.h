// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything.
// M, N and P begin at a multiple of 256 bytes. Products are those of floats, not of shorter numbers; M and N
// stay as they are.
//
// Graded on speed where there is a GPU. Without one, graded on what makes a kernel fast, counted at width
// 256: loads from shared memory, bank conflicts, sectors from global memory, barriers, and no local memory.
void fast_matmul(const float* M, const float* N, float* P, int width);
