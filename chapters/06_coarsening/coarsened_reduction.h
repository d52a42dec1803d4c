// SPDX-License-Identifier: Apache-2.0
#pragma once

// *output = input[0] + input[1] + ... + input[length - 1]. Both are in device memory; input has `length`
// floats, at least 0, and stays as it is; output is one float, and what it holds before the call means
// nothing. The sum of no elements is 0. Floats may be added in any order.
//
// Graded on long arrays: a thread adds up at least 8 elements (COARSE_FACTOR), so that there are at most
// length / 8 threads and a barrier, a place in shared memory and an atomic addition serve more elements.
void coarsened_reduction(const float* input, float* output, int length);
