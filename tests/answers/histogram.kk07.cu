// SPDX-License-Identifier: Apache-2.0
// mistake: The number of blocks is fixed at 320, whatever length and bins are. For a long input with few elements per
//   bin that is too many copies: 320 x bins additions, where 256 elements per bin allow 36 x bins. Values are right.
//   Exceeds the limit below about 2528 elements per bin, as bins with 0 are added, too.
// want: With 1,048,576 elements and 4096 bins, how many elements does a block count, and how many additions does it
//   do at the end? What should the number of blocks depend on, besides the GPU?

#include "histogram.h"

#define BLOCK_SIZE 256
#define BLOCKS (80 * 4)  // the card in our lab has 80 SMs, 4 blocks each keep them all busy

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copy[];
  for (int bin = threadIdx.x; bin < bins; bin += BLOCK_SIZE) {
    copy[bin] = 0;
  }
  __syncthreads();

  // grid-stride loop: works for any length, even 0
  const int stride = gridDim.x * BLOCK_SIZE;
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += stride) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int bin = threadIdx.x; bin < bins; bin += BLOCK_SIZE) {
    atomicAdd(&counts[bin], copy[bin]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<BLOCKS, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins);
}
