// SPDX-License-Identifier: Apache-2.0
#pragma once

// P = M x N. All three are width x width matrices of floats in device memory, stored row by row: the element
// in row r and column c of M is M[r * width + c]. width is at least 1 and need not be a multiple of anything.
// M, N and P begin at a multiple of 256 bytes. Products are those of floats, not of shorter numbers; M and N
// stay as they are.
//
// M may hold infinities: an element of P depends on its own row of M and its own column of N alone.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of P; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory.
//   - The kernels load each element of M and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 256 elements of P, and no warp executes more than 4000 + 2048 x width
//     instructions.
//   - At width 256, from global memory 65536 sectors of 32 bytes are loaded at most; from shared memory warps
//     load at most 65536 times, with at most one bank conflict for 8 wavefronts; warps arrive at a barrier at
//     most 1365 times; nothing lies in local memory.
//   - At other widths from 64 on, the next multiple of 128 is what counts: as many loads from shared memory
//     for each product, four times the sectors, and twice the arrivals and 64 more.
void fast_matmul(const float* M, const float* N, float* P, int width);
