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
//     pinned memory; they do not both write and read such memory.
//   - The kernels load each element of M and N at least once, and do at least one floating-point operation
//     for each product.
//   - No thread stores more than 256 elements of P, and no warp executes more than 4000 + 2048 x width
//     instructions.
//   - At multiples of 128 from 256 on, of width x width x width products: from global memory at most one
//     sector of 32 bytes is loaded for 256, from shared memory warps load at most once for 256, and they
//     arrive at a barrier at most once for 12288.
//   - There is at most one bank conflict for 8 wavefronts of shared memory, and nothing lies in local memory.
//   - At other widths from 64 on, the next multiple of 128 is what counts: as many loads from shared memory
//     for each product, four times the sectors, twice the arrivals and 64 more, twice the bank conflicts and
//     16 more.
void fast_matmul(const float* M, const float* N, float* P, int width);
