// SPDX-License-Identifier: Apache-2.0
#pragma once

// C[i] = A[i] + B[i] for 0 <= i < length. All three are arrays of `length` floats in device memory, length is
// at least 1, and A and B stay as they are. A block has 256 threads, and a thread adds coarse_factor
// elements: coarse_factor is 1, 2, 4 or 8, and there are as many blocks as that needs.
void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor);
