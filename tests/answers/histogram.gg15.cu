// SPDX-License-Identifier: Apache-2.0
// mistake: atomicAdd is taken for a function that gives the old value and leaves the storing to the caller, so
//   the student stores old + 1 as well. This plain store comes later and may overwrite additions that other
//   threads made in between: bins with several elements in flight come out too small.
// want: What has atomicAdd already done to copy[value] when it returns? Think of two threads with the same value,
//   and the order add, add, store, store: what does the slower store write?

#include "histogram.h"

const int block_size = 256;

__global__ void histogram_kernel(const int *input, int *counts, int length, int bins, int per_block)
{
    extern __shared__ int copy[];
    for (int j = threadIdx.x; j < bins; j += block_size)
        copy[j] = 0;
    __syncthreads();

    const int base = blockIdx.x * per_block;
    for (int j = threadIdx.x; j < per_block; j += block_size)
    {
        if (base + j < length)
        {
            int value = input[base + j];
            int old = atomicAdd(&copy[value], 1);
            copy[value] = old + 1;
        }
    }
    __syncthreads();

    for (int j = threadIdx.x; j < bins; j += block_size)
        atomicAdd(&counts[j], copy[j]);
}

void histogram(const int *input, int *counts, int length, int bins)
{
    cudaMemset(counts, 0, bins * sizeof(int));
    int per_block = 16 * bins;
    if (per_block < 16384)
        per_block = 16384;
    int blocks = (length + per_block - 1) / per_block;
    if (blocks > 0)
        histogram_kernel<<<blocks, block_size, bins * sizeof(int)>>>(input, counts, length, bins, per_block);
}
