// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel sets counts to 0 itself, with the blocks sharing the bins among them. __syncthreads() waits only
//   for the own block: a block may set its bins to 0 after another block has added its copy to them, or may add before
//   they are 0. Shows when more than one block runs, mostly for more than 256 bins (then blocks from 1 on clear, too).
// want: For which threads does __syncthreads() wait? If block 1 starts only when block 0 has ended, what is left of
//   what block 0 added to bins 256 to 511? Where could counts become 0 before any block starts?

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ int copy[4096];

  // All threads of the grid together set counts to 0: saves the extra memset.
  for (int b = blockIdx.x * BLOCK_SIZE + threadIdx.x; b < bins; b += gridDim.x * BLOCK_SIZE) {
    counts[b] = 0;
  }
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();  // both are 0 now

  const int first = blockIdx.x * per_block;
  const int here = min(per_block, length - first);
  for (int k = threadIdx.x; k < here; k += BLOCK_SIZE) {
    atomicAdd(&copy[input[first + k]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  const int per_block = 8192 > 32 * bins ? 8192 : 32 * bins;
  int blocks = (length + per_block - 1) / per_block;
  if (blocks == 0) {
    blocks = 1;  // counts must become 0 even without elements
  }
  histogram_kernel<<<blocks, BLOCK_SIZE>>>(input, counts, length, bins, per_block);
}
