// SPDX-License-Identifier: Apache-2.0
#pragma once

// C[i] = A[i] + B[i] for 0 <= i < length. All three are arrays of `length` floats in device memory, length is
// at least 1, and A and B stay as they are. A block has 256 threads, and a thread adds coarse_factor
// elements: coarse_factor is 1, 2, 4 or 8, and there are as many blocks as that needs.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of C; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - No thread stores more than coarse_factor elements of C; the kernel loads each element of A and B at
//     least once.
//   - A block has 256 threads, and all launches together have at most ceil(length / (256 x coarse_factor)) +
//     4 blocks.
//   - At most 3 x ceil(length / 8) + 32 sectors of 32 bytes are loaded and stored in all: those that hold the
//     elements, so that in each step a warp's threads work on neighbours.
void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor);
