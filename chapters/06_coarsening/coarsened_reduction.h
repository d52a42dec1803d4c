// SPDX-License-Identifier: Apache-2.0
#pragma once

// *output = input[0] + input[1] + ... + input[length - 1]. Both are in device memory; input has `length`
// floats, at least 0, and stays as it is; output is one float, and what it holds before the call means
// nothing. The sum of no elements is 0. Floats may be added in any order.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of output; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - Where length is 0, cudaMemset may store the zero.
//   - The kernels load each element at least once, and do at least length - 1 additions.
//   - From length 65,536 on: at most length / 8 + 1024 threads; 44 arrivals of warps at a barrier for 1024
//     elements; one atomic addition for 256 elements and 16 more; 5 / 32 sectors of the input for each
//     element; 6 bytes loaded in all for each element; 4 additions of threads for each element; and one warp
//     instruction that adds for 4 elements.
void coarsened_reduction(const float* input, float* output, int length);
