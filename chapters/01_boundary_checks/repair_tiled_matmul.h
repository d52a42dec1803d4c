// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of the
// tile's width. The function launches its kernel on the default stream; M and N stay as they are.
void repair_tiled_matmul(const float* M, const float* N, float* P, int width);
